"""Encoders: one file a method, each turning documents into vectors whose inner product ranks them."""
