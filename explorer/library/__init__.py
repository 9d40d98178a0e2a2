"""The Library page."""
