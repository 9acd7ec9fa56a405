"""From observations to decisions: settling what was seen and comparing it with what is expected."""
