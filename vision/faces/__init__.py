"""Printed faces: registration, residuals, telling faces apart, and finding the table by them."""
