"""How well long documents that belong together are told from those that do not."""
