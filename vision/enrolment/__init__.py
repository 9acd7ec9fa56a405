"""Everything that learns from the players' photographs."""
