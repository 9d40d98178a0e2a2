"""One opened library with its encoders, indexes, map, caches, locks and jobs; every skin works on it."""
