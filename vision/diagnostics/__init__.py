"""Finding the causes of bad readings: drawings over pictures, stored cases, diagnoses."""
