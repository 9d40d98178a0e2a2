"""Documents on disk: one folder a library, with its keyword index and its duplicates folded."""
