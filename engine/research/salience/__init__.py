"""How well salient sentences are told: labels, baselines, scores."""
