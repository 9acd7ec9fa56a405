"""Between the window and the referee: one thread, requests in, signals out."""
