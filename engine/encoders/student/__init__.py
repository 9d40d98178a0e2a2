"""A small transformer taught by a larger one."""
