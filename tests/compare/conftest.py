"""What the tests of comparisons share."""

from __future__ import annotations

import pytest

from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.search import Vocabulary, sentence_words
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn


@pytest.fixture(scope="session")
def words() -> Words:
    """Words of which only a few are known to be common."""
    vocabulary = Vocabulary({"winch": 40, "energy": 60, "wind": 50, "kite": 20}, 1_000)
    return Words(vocabulary, "Words weigh by our own counts.", 1_000, sentence_words())


@pytest.fixture(scope="session")
def encoder() -> StandIn:
    return StandIn()


@pytest.fixture(scope="session")
def kites(encoder: StandIn, words: Words) -> ReadDocument:
    return ReadDocument.read(KITES, encoder, words)


@pytest.fixture(scope="session")
def gliders(encoder: StandIn, words: Words) -> ReadDocument:
    return ReadDocument.read(GLIDERS, encoder, words)


@pytest.fixture(scope="session")
def patent(encoder: StandIn, words: Words) -> ReadDocument:
    return ReadDocument.read(PATENT, encoder, words)
