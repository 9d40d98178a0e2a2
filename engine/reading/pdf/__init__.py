"""PDF files, read from their typography alone."""
