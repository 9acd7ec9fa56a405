"""What phones beside the table are shown, and who is let in: pure, without a network."""
