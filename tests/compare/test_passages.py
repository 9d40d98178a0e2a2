"""Passages: runs of neighbouring sentences that match."""

from __future__ import annotations

import re

import numpy as np

from engine.compare.model import Passage
from engine.compare.pairs import NEXT_SCORE, Bits, Candidates, Cells, Matches, Scores, passages
from engine.documents import Chunk, Document, Section


def test_no_pair_of_sentences_stands_in_two_passages() -> None:
    drawn = np.random.default_rng(5)
    documents = [Document(name, sections=(Section("", " ".join(f"{name}{n}." for n in range(12))),)) for name in "ab"]
    sentences = [_words(one) for one in documents]
    for _ in range(20):
        scores = drawn.choice([0.45, 0.5, 0.6, 0.8], (12, 12)).astype(np.float32)
        found = passages(_matches(scores), (documents[0], sentences[0]), (documents[1], sentences[1]))
        pairs = [pair for one in found for pair in _pairs(one, sentences)]
        assert len(pairs) == len(set(pairs)) > 12


def _matches(scores: Scores) -> Matches:
    candidates, follows = Candidates.none(scores.shape[1]), Bits.unset((scores.shape[0], scores.shape[1]))
    candidates.add(0, scores)
    follows.put(0, scores >= NEXT_SCORE)
    return Matches(Cells.empty((1, 1)), candidates, follows, (0, 0))


def _words(document: Document) -> list[Chunk]:
    text = document.parts[0].text
    return [Chunk(document.id, 0, "", one.start(), one.end(), one.group()) for one in re.finditer(r"\S+", text)]


def _pairs(passage: Passage, sentences: list[list[Chunk]]) -> list[tuple[int, int]]:
    """The pairs of sentences of a passage, which run in step on both sides."""
    places = [
        [n for n, one in enumerate(held) if side.start <= one.start and one.stop <= side.stop]
        for side, held in zip((passage.a, passage.b), sentences, strict=True)
    ]
    return list(zip(*places, strict=True))
