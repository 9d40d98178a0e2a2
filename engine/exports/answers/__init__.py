"""What is answered as JSON values, each in a type of its own: the command line prints them, the server returns them."""
