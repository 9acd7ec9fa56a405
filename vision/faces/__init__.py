"""Printed faces: registration, residuals, telling them apart, and finding the table by them."""
