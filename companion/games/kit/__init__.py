"""What every game uses."""
