"""Known papers set as PDFs, to measure how well a reader takes them apart."""
