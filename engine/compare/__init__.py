"""Compares two long documents as wholes, by sections and by chunks, and shows the passages that carry it."""
