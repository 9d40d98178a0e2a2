"""The passages of a document: cut, read by their encoder, matched."""
