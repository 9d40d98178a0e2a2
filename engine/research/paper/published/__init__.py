"""The figures of the four papers, as they print them."""
