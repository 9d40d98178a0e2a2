"""Why two texts are near: the terms they share, their best-matching pair of sentences, and the parts that met."""
