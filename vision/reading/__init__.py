"""One reading of a frame in stages: each stage is computed once, by one function, from the earlier ones."""
