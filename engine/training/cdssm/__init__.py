"""Trains C-DSSM."""
