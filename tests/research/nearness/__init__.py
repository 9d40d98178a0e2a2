"""Tests of the readings' fit."""
