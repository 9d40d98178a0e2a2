"""Trains the taught transformers."""
