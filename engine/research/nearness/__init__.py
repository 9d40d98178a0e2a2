"""How near two texts are, in words: labelled pairs of several fields, the fit, and what it is worth elsewhere."""
