"""Trains the small published networks that CoLDE is measured against, all in one way."""
