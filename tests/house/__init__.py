"""The house's own rules: rooms, doors, budgets, and the answers that a rebuilding must leave as they were."""
