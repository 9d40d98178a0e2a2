"""Teaches a small transformer to tell passages apart and to find them by a few of their words."""
