"""Sensor tables without hardware: the firmware in this process, or its double."""
