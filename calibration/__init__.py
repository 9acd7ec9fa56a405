"""Lens, table plane, light, enrolment of pieces, sensor set-up, profiles and printable sheets."""
