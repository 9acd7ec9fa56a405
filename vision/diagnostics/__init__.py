"""Finding causes: drawings over pictures, cases of bad readings, diagnoses."""
