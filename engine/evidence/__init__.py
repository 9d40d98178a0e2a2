"""Why two texts are near: the terms they share, their best-matching pair of sentences, and the parts that met."""

from engine.evidence.base import Evidence, PassagePair, Term, owned
from engine.evidence.explain import Explainer
from engine.evidence.vocabulary import Vocabulary

__all__ = ["Evidence", "Explainer", "PassagePair", "Term", "Vocabulary", "owned"]
