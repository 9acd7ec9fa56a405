"""Seeing why: drawings over pictures, cases of bad readings, diagnoses."""
