"""A question in, ranked documents with their evidence out."""
