"""How fast this machine does what people wait for."""
