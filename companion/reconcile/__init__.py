"""From observations to decisions: debouncing what was seen and comparing it with what is expected."""
