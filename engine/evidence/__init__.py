"""Why two texts are near: the terms they share, their best-matching pair of sentences, and the parts that met."""

from engine.evidence.explain import Evidence, Explainer, owned
from engine.evidence.passages import PassagePair
from engine.evidence.terms import Term
from engine.evidence.vocabulary import Vocabulary

__all__ = ["Evidence", "Explainer", "PassagePair", "Term", "Vocabulary", "owned"]
