"""What a comparison keeps for the next one: the same numbers as without, and less work."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from engine.compare import as_json, comparing, pairs
from engine.compare.comparing import compare
from engine.compare.model import Comparison, Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Similarities, Words
from tests.compare.texts import GLIDERS, KITES, StandIn

CHOICES = [Exclusions(*flags, least) for flags in product((True, False), repeat=2) for least in (0, 16)]


def as_text(found: Comparison) -> str:
    others = found.attention, found.attention_back, found.carriers.scores, found.carriers.pairs
    return json.dumps([as_json(found), dict(found.left_out), [one.tolist() for one in others]])


def test_what_is_kept_changes_no_number(
    encoder: StandIn, words: Words, kites: ReadDocument, patent: ReadDocument
) -> None:
    for a, b in ((kites, patent), (patent, kites), (kites, kites)):
        for exclusions in [*CHOICES, *reversed(CHOICES)]:
            again = [ReadDocument.read(one.document, encoder, words) for one in (a, b)]
            assert as_text(compare(a, b, exclusions=exclusions)) == as_text(compare(*again, exclusions=exclusions))


def test_each_choice_of_sentences_is_read_once(words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, asked = StandIn(), []
    sides = [ReadDocument.read(document, encoder, words) for document in (KITES, GLIDERS)]
    levels = encoder.levels
    monkeypatch.setattr(encoder, "levels", lambda long, *, keep=None: asked.append(keep) or levels(long, keep=keep))
    for exclusions in CHOICES:
        compare(*sides, exclusions=exclusions)
    assert len(asked) == 8  # two documents, four ways to leave sentences out
    for exclusions in CHOICES[-4:]:
        compare(*sides, exclusions=exclusions)
    assert len(asked) == 8


def test_comparisons_do_not_change_each_other(kites: ReadDocument, gliders: ReadDocument) -> None:
    found = compare(kites, gliders)
    for matrix in (found.attention, found.sections.across):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0] = 1
    table = comparing.matches(kites.sentences, gliders.sentences)
    table.rows(0, 4)[:] = 0
    assert table.rows(0, 4).any()


def test_long_documents_are_not_kept_and_have_the_same_numbers(
    kites: ReadDocument, gliders: ReadDocument, patent: ReadDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [(kites, gliders), (patent, kites), (gliders, gliders)]
    whole = [compare(a, b, exclusions=exclusions) for a, b in sides for exclusions in CHOICES]
    for module, name in (
        (comparing, "_MOST_PAIRS"),
        (comparing, "_MOST_CELLS"),
        (pairs, "WHOLE_PAIRS"),
        (pairs, "BLOCK_PAIRS"),
    ):
        monkeypatch.setattr(module, name, 9)
    for name in ("_matches", "_cached_parts"):
        monkeypatch.setattr(comparing, name, None)
    table = comparing.matches(kites.sentences, gliders.sentences)
    assert isinstance(table, Similarities)
    some = [compare(a, b, exclusions=exclusions) for a, b in sides for exclusions in CHOICES]
    for one, other in zip(whole, some, strict=True):
        assert other.score == pytest.approx(one.score, abs=1e-5) and other.left_out == one.left_out
        assert [(passage.a, passage.b) for passage in other.passages] == [(two.a, two.b) for two in one.passages]
        for ours, theirs in ((one.chunks, other.chunks), (one.sections, other.sections)):
            assert theirs.across == pytest.approx(ours.across, abs=1e-5)
            assert theirs.within_a == pytest.approx(ours.within_a, abs=1e-5)
        assert np.array_equal(other.carriers.pairs, one.carriers.pairs)
        assert other.attention == pytest.approx(one.attention, abs=1e-5)
