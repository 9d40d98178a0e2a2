"""Outside sources of documents: one file a source."""
