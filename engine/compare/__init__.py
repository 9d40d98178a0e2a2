"""Compares two long documents whole, by sections and by chunks, and shows the passages behind the result."""
