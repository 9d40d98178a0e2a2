"""A recipe of GloVe for a few words."""

from __future__ import annotations

from engine.research.baselines.glove import GloveRecipe

SMALL = GloveRecipe(corpora=("ours",), dim=8, window=5, epochs=20, batch_pairs=64, min_count=2, learning_rate=0.2)
