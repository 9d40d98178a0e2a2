"""Over real servers: started by the tests on this machine, and ended with them."""
