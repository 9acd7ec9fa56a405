"""The home screen, from which games are begun and continued, and the windows that it opens."""
