"""What the server answers, a module a topic: a route checks what it is given, asks the workspace, and returns JSON."""
