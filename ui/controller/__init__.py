"""Between the window and the referee: one thread that takes requests and emits signals."""
