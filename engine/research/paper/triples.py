"""Three documents of a set for CoLDE's figures 4 and 5: a query, one that belongs to it, and one that does not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.research.matching.pair_set import PairSet

HEADINGS = ("introduction", "related work")
"""The sections that the paper shows (section 4.3)."""

_NUMBERING = re.compile(r"[^a-z]+")
_NUMERAL = re.compile(r"(?:[ivx]+ )?(.*)")


class Triple(NamedTuple):
    """Places in a set's documents: the paper's D1, D2 and D3."""

    query: int
    related: int
    unrelated: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """The triples to pick from, one a query, in the order of the queries' ids; `asked` queries have test pairs."""

    triples: tuple[Triple, ...]
    asked: int


def candidates(pairs: PairSet, headings: Sequence[str] = HEADINGS) -> Candidates:
    """A query's first related and its first unrelated document among the test pairs, in the order of their ids.

    All three have a section for each of `headings`, and no pair of any split relates the other two. Raises
    EvaluationError if no query has such documents.
    """
    documents = pairs.documents
    fits = [all(section_of(one, heading) is not None for heading in headings) for one in documents]
    joined = {(int(a), int(b)) for a, b in pairs.places[pairs.related]}
    met: tuple[defaultdict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))  # unrelated, related
    for (a, b), related in zip(pairs.places[pairs.of("test")], pairs.related[pairs.of("test")], strict=True):
        met[int(related)][int(a)].add(int(b))
        met[int(related)][int(b)].add(int(a))
    asked = sorted(met[0].keys() & met[1].keys())
    found = [_first(query, met[1][query], met[0][query], joined=joined, fits=fits) for query in asked]
    triples = tuple(one for one in found if one is not None)
    if not triples:
        raise EvaluationError(
            f"Expected a query of {pairs.name} with a related and an unrelated test document where all three have the "
            f"sections {', '.join(headings)}; got none of {len(asked)}. Name other sections."
        )
    return Candidates(triples, len(asked))


def section_of(document: Document, heading: str) -> int | None:
    """The place, in its parts, of a document's first section whose title begins with a heading; None without.

    The number before a title does not count, nor does a section without text.
    """
    for place, part in enumerate(document.parts):
        if part.role == "body" and part.text.strip() and _plain(part.title).startswith(_plain(heading)):
            return place
    return None


def middle(similarities: Sequence[float]) -> int:
    """The place of the median, the lower one of an even count; the first of those that are equal."""
    order = np.argsort(np.asarray(similarities), kind="stable")
    return int(order[(len(order) - 1) // 2])


def _first(
    query: int, related: set[int], unrelated: set[int], *, joined: set[tuple[int, int]], fits: Sequence[bool]
) -> Triple | None:
    if not fits[query]:
        return None
    for near in sorted(related):
        for far in sorted(unrelated):
            if fits[near] and fits[far] and (near, far) not in joined and (far, near) not in joined:
                return Triple(query, near, far)
    return None


def _plain(title: str) -> str:
    """A title's letters in lower case, without the number before them."""
    words = _NUMBERING.sub(" ", title.lower()).strip()
    found = _NUMERAL.fullmatch(words)
    return found[1] if found else words
