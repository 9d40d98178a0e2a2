"""The published baselines that only tables need."""
