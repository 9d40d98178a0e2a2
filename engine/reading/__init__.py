"""Files and texts into documents: one module a format, detected by content."""
