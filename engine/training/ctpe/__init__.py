"""Trains CTPE."""
