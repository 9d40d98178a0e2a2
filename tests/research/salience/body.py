"""A paper whose sentences are weighed."""

from __future__ import annotations

from engine.research.salience.texts import Body, SentenceWords
from tests.research.salience.made import paper

BODY = Body.of(paper())
WORDS = SentenceWords.of([*BODY.texts, *BODY.abstract])
