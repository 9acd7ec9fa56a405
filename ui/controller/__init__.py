"""What stands between the window and the referee: one thread, wishes in, signals out."""
