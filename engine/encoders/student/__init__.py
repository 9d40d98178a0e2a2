"""A small transformer that a larger one taught."""
