"""Trains KeyVec."""
