"""Bytes and files: read strictly, written whole."""
