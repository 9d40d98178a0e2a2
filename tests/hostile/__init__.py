"""Hostile input: what a stranger may give, and what it may cost."""
