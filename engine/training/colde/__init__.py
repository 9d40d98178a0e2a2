"""Trains CoLDE."""
