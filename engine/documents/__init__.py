"""What is true of a text before any model reads it: documents and their parts, words, works and questions."""
