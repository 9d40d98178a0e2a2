"""Training: recipes, and one file a kind of model that learns from text."""
