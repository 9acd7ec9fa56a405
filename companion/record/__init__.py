"""Game records: whole games as text."""
