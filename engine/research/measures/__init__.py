"""Measuring commands: each settles one choice, and saves the report that the choice rests on."""
