"""What stands and lies on the tiles: markers, figures, dragons, occluders."""
