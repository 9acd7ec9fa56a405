"""The panels of the main window, one for each topic."""
