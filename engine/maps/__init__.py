"""The map of a library: fitted once, kept on disk, and still while new documents are placed on it."""
