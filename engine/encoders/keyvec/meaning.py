"""Says what a sentence's p means, in the same words everywhere; costs nothing to import."""

from __future__ import annotations

CHOSEN = "Weighed by KeyVec, by what a sentence shares with the others, and by its place; boilerplate is left out."
MEANING = "how likely it is to carry what an abstract would say, from 0 to 1"


def explained(p: float) -> str:
    """A sentence's p, and what it means."""
    return f"p {p:.2f}: {MEANING}"
