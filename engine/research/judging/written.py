"""Texts written for the judge from passages of training documents, and the pairs that are made of them.

written.jsonl holds for each of 1,015 passages three texts that say it (restated, condensed, abstracted), one on the
same subject that it does not say, `near`, and two that say `near` again. `kind` says how that differs: a rival method,
an opposite finding, another mechanism, a further feature, one decisive detail, another topic of the section. So each
manner of writing stands on both sides: what restates `near` is said by `near` and not by the passage. The passages
themselves are read from the collections; their documents are in no test pair.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from engine.core.config import from_mapping
from engine.documents import Chunk, Document
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.search import cut_passages, with_neighbours

FILE = Path(__file__).with_name("written.jsonl")
SAID_FORMS = ("restated", "condensed", "abstracted")
NEAR = "near_new"

Split = Literal["train", "valid", "test"]

_SEED = 0
_STRADDLES = 0.6
"""A passage that holds less than this share of what was restated is read with the rest of it."""
_SAME_DOCUMENT, _OTHER_DOCUMENT, _AGAIN = 0.4, 0.6, 0.7
"""How much a pair counts whose label is less sure, or whose kind is frequent."""


@dataclass(frozen=True, slots=True)
class Written:
    """The texts of one passage, which stands in a part of a set's document from `start` to `stop`."""

    set: str
    source: str
    part: int
    start: int
    stop: int
    split: str
    kind: str
    restated: str
    condensed: str
    abstracted: str
    near: str
    near_restated: str
    near_condensed: str

    def said(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each form that says the passage, and its text."""
        yield from ((form, getattr(self, form)) for form in SAID_FORMS)


class LabelledPair(NamedTuple):
    """A text, a passage, whether the passage says the text (1 or 0), how much that counts, and the form of the text."""

    asked: str
    there: str
    said: int
    weight: float
    form: str


def read_written(split: Split) -> list[Written]:
    """Return the texts of one split, as they stand in the file."""
    lines = (json.loads(line) for line in FILE.read_text("utf-8").splitlines())
    return [from_mapping(line, Written, origin=FILE.name) for line in lines if line["split"] == split]


class Sources:
    """The documents that passages stand in."""

    def __init__(self, data: Path) -> None:
        """Take the folder of the sets."""
        self._corpus = lru_cache(maxsize=None)(
            lambda name: {one.id: one for one in read_documents(data / name / CORPUS)}
        )

    def document(self, one: Written) -> Document:
        """Return the document of a passage."""
        return self._corpus(one.set)[one.source]

    def passage(self, one: Written) -> str:
        """Return the library's passage that holds most of what was restated, as the judge reads it."""
        document, overlaps = self.document(one), self._overlaps(one)
        if not overlaps:
            return document.parts[one.part].text
        share, chunk = max(overlaps, key=lambda found: found[0])
        start, stop = (chunk.start, chunk.stop)
        if share < _STRADDLES:
            start, stop = min(start, one.start), max(stop, one.stop)
        return with_neighbours(document.parts[one.part].text, start, stop)

    def others(self, one: Written) -> list[str]:
        """Return the passages of the same document that neither hold what was restated nor stand beside it."""
        document = self.document(one)
        passages = cut_passages(document)
        near = {place + step for place, each in enumerate(passages) if self._overlap(one, each) for step in (-1, 0, 1)}
        return [
            with_neighbours(document.parts[each.part].text, each.start, each.stop)
            for place, each in enumerate(passages)
            if place not in near
        ]

    def _overlaps(self, one: Written) -> list[tuple[float, Chunk]]:
        found = [(self._overlap(one, each), each) for each in cut_passages(self.document(one))]
        return [(share, each) for share, each in found if share > 0]

    @staticmethod
    def _overlap(one: Written, each: Chunk) -> float:
        if each.part != one.part:
            return 0.0
        return max(0, min(each.stop, one.stop) - max(each.start, one.start)) / (one.stop - one.start)


def written_pairs(rows: Sequence[Written], sources: Sources) -> list[LabelledPair]:
    """Return the pairs of written texts, and of texts with the passages that are nearest by their words.

    Of those, one of the same document for a restated and a near text, and one of another document for a condensed one.
    """
    found = [pair for one in rows for pair in _own(one, sources.passage(one))]
    by_set: dict[str, list[Written]] = {}
    for one in rows:
        by_set.setdefault(one.set, []).append(one)
    for some in by_set.values():
        found += _strange(some, {one.source: sources.others(one) for one in some})
    random.Random(_SEED).shuffle(found)
    return found


def _own(one: Written, passage: str) -> Iterator[LabelledPair]:
    for form, text in one.said():
        yield LabelledPair(text, passage, 1, 1.0, form)
    yield LabelledPair(one.near, passage, 0, 1.0, NEAR)
    for form in ("restated", "condensed"):
        again = getattr(one, f"near_{form}")
        yield LabelledPair(again, passage, 0, _AGAIN, f"near_{form}")
        yield LabelledPair(again, one.near, 1, _AGAIN, f"near_{form} of near")
        yield LabelledPair(getattr(one, form), one.near, 0, _AGAIN, f"{form} of near")


def _strange(rows: Sequence[Written], passages: Mapping[str, Sequence[str]]) -> Iterator[LabelledPair]:
    """Yield texts of one set with the nearest passage elsewhere in their document, and in another document."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [text for own in passages.values() for text in own]
    if not texts:
        return
    owners = np.array([name for name, own in passages.items() for _ in own])
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    table = words.fit_transform(texts)
    for one in rows:
        for form, text, own in (
            ("restated", one.restated, True),
            (NEAR, one.near, True),
            ("condensed", one.condensed, False),
        ):
            cosines = (table @ words.transform([text]).T).toarray()[:, 0]  # (n,)
            which = np.flatnonzero((owners == one.source) == own)
            if len(which):
                nearest = texts[int(which[cosines[which].argmax()])]
                name, weight = ("same document", _SAME_DOCUMENT) if own else ("other document", _OTHER_DOCUMENT)
                yield LabelledPair(text, nearest, 0, weight, f"{form} of the {name}")
