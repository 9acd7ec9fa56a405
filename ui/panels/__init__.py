"""The panels of the main window, each about one thing."""
