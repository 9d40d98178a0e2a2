"""How we know: baselines, the papers' tables, measuring commands and their reports; nothing imports this room."""
