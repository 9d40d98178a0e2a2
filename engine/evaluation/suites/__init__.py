"""Tables that are measured as a whole, by one command."""
