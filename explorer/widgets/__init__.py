"""One file a thing that is drawn."""
