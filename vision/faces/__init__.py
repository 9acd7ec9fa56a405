"""Printed faces: registration, residuals, telling similar faces apart, and locating the table by them."""
