"""Printed faces: registration, residuals, rivals, and finding the table by them."""
