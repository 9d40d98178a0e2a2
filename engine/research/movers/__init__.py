"""Supervised word mover's distance: a map of word vectors and a weight a word, learnt from related documents."""
