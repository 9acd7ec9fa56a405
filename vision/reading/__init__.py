"""One reading of a frame, stage by stage: each stage is made once, by one function, from those before it."""
