"""Phones and tablets beside the table: the server at the edge, its page, the window that offers it."""
