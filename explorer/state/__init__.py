"""What this visitor chose, the work that runs, and the doors to the engine."""
