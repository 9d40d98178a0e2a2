"""Encoders: one file a method, each turning documents into vectors ranked by their inner product."""
