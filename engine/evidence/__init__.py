"""Why two texts are near: the terms they share and their best-matching pair of sentences."""

from engine.evidence.base import Evidence, PassagePair, Term
from engine.evidence.explain import Explainer
from engine.evidence.vocabulary import Vocabulary

__all__ = ["Evidence", "Explainer", "PassagePair", "Term", "Vocabulary"]
