"""The judge of passages: texts written for it, what it is trained on, and its training."""
