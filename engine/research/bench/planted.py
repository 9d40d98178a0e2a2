"""Measures how often a comparison finds a paragraph of one document that was put into another, unrelated one.

And how often the first section cell of two related documents joins sections of the same role.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from engine.compare import Comparison, Exclusions, ReadDocument, Words, compare
from engine.compare.comparing import PASSAGE_SHARE
from engine.compare.read_document import LongEncoder
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Chunk, Document
from engine.documents.text import sentences
from engine.training.long_corpus import LabelledPair

EXACT, DROPPED = "exact", "a third of the words dropped"
_DROPPED_SHARE = 1 / 3
_CELL_HOLDS = 0.2  # a chunk holds the paragraph if at least this share of the paragraph is in it
_PASSAGE_LIES = 0.5  # a passage finds the paragraph if at least this share of the passage is in it


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planted: paragraphs of at least `words` words, of at most `pairs` pairs of a `source` drawn by `seed`."""

    pairs: int = 200
    words: int = 80
    seed: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """How often the first answer joins the paragraph with its copy: shares of the pairs.

    `cell` is the largest cell of the chunk grid, `cell_by_chunks` the largest of the chunks' cosines alone, `passage`
    the first passage.
    """

    cell: float
    cell_by_chunks: float
    passage: float


@dataclass(frozen=True, slots=True)
class Planted:
    """What was measured, on what."""

    hardware: str
    commit: str
    encoder: str
    fingerprint: str
    source: str
    words_from: str
    pairs: int
    left_out: int
    words: int
    seed: int
    passage_share: float
    found: Mapping[str, Found]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plant:
    """A paragraph of a document as (part, start, stop), and the other document with its copy at another such place."""

    taken: tuple[int, int, int]
    document: Document
    put: tuple[int, int, int]


def measure_planted(
    documents: Mapping[str, Document],
    pairs: Sequence[LabelledPair],
    encoder: LongEncoder,
    *,
    words: Words,
    plan: Plan,
    report: Report = silent,
) -> Planted:
    """Plant a paragraph of a into b for unrelated pairs, and look at what their comparison shows first.

    Leaves out pairs without a paragraph of `plan.words` words, or without a place for it. Raises EvaluationError if
    no pair is left.
    """
    chance = random.Random(plan.seed)
    unrelated = [pair for pair in pairs if not pair.related]
    drawn = chance.sample(unrelated, min(plan.pairs, len(unrelated)))
    meter = Meter("compare pairs with a planted paragraph", len(drawn), report)
    found: dict[str, list[tuple[bool, bool, bool]]] = {EXACT: [], DROPPED: []}
    for pair in drawn:
        a, b = documents[pair.a], documents[pair.b]
        left = ReadDocument.read(a, encoder, words)
        for way, share in ((EXACT, 0.0), (DROPPED, _DROPPED_SHARE)):
            plant = planted(left, b, random.Random(f"{plan.seed} {pair.a} {pair.b}"), words=plan.words, dropped=share)
            if plant is not None:
                right = ReadDocument.read(plant.document, encoder, words)
                found[way].append(_found(compare(left, right), (left, right), plant))
        meter.add()
    meter.finish()
    if not found[EXACT]:
        raise EvaluationError(
            f"Expected unrelated pairs with a paragraph of {plan.words} words; found none of {len(drawn)}. "
            "Name another split, or ask for fewer words."
        )
    return Planted(
        hardware=provenance.hardware(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        source=plan.source,
        words_from=words.source,
        pairs=len(found[EXACT]),
        left_out=len(drawn) - len(found[EXACT]),
        words=plan.words,
        seed=plan.seed,
        passage_share=PASSAGE_SHARE,
        found={way: Found(*(round(float(one), 4) for one in np.mean(rows, axis=0))) for way, rows in found.items()},
    )


def planted(
    side: ReadDocument, b: Document, chance: random.Random, *, words: int, dropped: float = 0.0
) -> Plant | None:
    """Put a random paragraph of a side between two sentences of b; None without a paragraph or a place for it.

    A paragraph is neighbouring sentences of one section that have at least `words` words together and that a
    comparison does not leave out. The share `dropped` of its words is left out at random, too.
    """
    a, left_out = side.document, _left_out(side)
    paragraphs = [
        place
        for number in _body(a)
        for place in _paragraphs(a, number, words)
        if not any(_shared(chunk, place) for chunk in left_out)
    ]
    places = [(number, span.start) for number in _body(b) for span in sentences(b.parts[number].text)[1:]]
    if not paragraphs or not places:
        return None
    taken, (number, at) = chance.choice(paragraphs), chance.choice(places)
    spoken = a.parts[taken[0]].text[taken[1] : taken[2]].split()
    gone = set(chance.sample(range(len(spoken)), round(dropped * len(spoken))))
    copy = " ".join(word for place, word in enumerate(spoken) if place not in gone)
    first = len(b.parts) - len(b.claims) - len(b.sections)
    section = b.sections[number - first]
    changed = replace(section, text=f"{section.text[:at]}{copy} {section.text[at:]}")
    parts = (*b.sections[: number - first], changed, *b.sections[number - first + 1 :])
    return Plant(taken, replace(b, id=f"{b.id} with a paragraph", sections=parts), (number, at, at + len(copy)))


def _left_out(side: ReadDocument) -> list[Chunk]:
    kept = side.kept(Exclusions()).sentences
    return [chunk for chunk, is_kept in zip(side.sentences.chunks, kept.tolist(), strict=True) if not is_kept]


def _body(document: Document) -> list[int]:
    """Return the parts of a document that paragraphs are taken from and put into."""
    return [number for number, part in enumerate(document.parts) if part.role == "body"]


def _paragraphs(document: Document, number: int, words: int) -> list[tuple[int, int, int]]:
    """Return the shortest paragraph of enough words from each sentence of a part on."""
    text = document.parts[number].text
    spans = sentences(text)
    lengths = np.concatenate([[0], np.cumsum([len(text[one.start : one.stop].split()) for one in spans])])
    lasts = np.searchsorted(lengths, lengths[:-1] + words)  # the place behind the last sentence
    return [
        (number, span.start, spans[last - 1].stop)
        for span, last in zip(spans, lasts.tolist(), strict=True)
        if last < len(lengths)
    ]


def _found(comparison: Comparison, sides: tuple[ReadDocument, ReadDocument], plant: Plant) -> tuple[bool, bool, bool]:
    """Tell whether the largest cell, the largest cosine of chunks, and the first passage join paragraph and copy."""
    kept = comparison.kept_a, comparison.kept_b
    left, right = (side.encoder.levels(side.long, keep=keep).chunks for side, keep in zip(sides, kept, strict=True))
    cells = (comparison.chunks.across, left @ right.T)
    by_cells = []
    for cell in cells:
        row, column = divmod(int(cell.argmax()), cell.shape[1])
        ours, theirs = comparison.chunks_a[row], comparison.chunks_b[column]
        by_cells.append(
            _shared(ours, plant.taken) >= _CELL_HOLDS * (plant.taken[2] - plant.taken[1])
            and _shared(theirs, plant.put) >= _CELL_HOLDS * (plant.put[2] - plant.put[1])
        )
    first = comparison.passages[:1]
    passage = bool(first) and all(
        _shared(chunk, place) >= _PASSAGE_LIES * len(chunk.text)
        for chunk, place in ((first[0].a, plant.taken), (first[0].b, plant.put))
    )
    return by_cells[0], by_cells[1], passage


def _shared(chunk: Chunk, place: tuple[int, int, int]) -> int:
    """Return how many characters a chunk shares with a stretch of a part."""
    return max(0, min(chunk.stop, place[2]) - max(chunk.start, place[1])) if chunk.part == place[0] else 0


_ROLES: tuple[tuple[str, str], ...] = (
    ("abstract", r"abstract|summary of the (?:paper|article)"),
    ("introduction", r"introduction|field of the invention|technical field|field"),
    ("related work", r"related work|previous work|prior work|background|prior art|literature|state of the art"),
    ("experiments", r"experiment|evaluation|result|finding|empirical|outcome"),
    (
        "method",
        r"method|model|approach|algorithm|materials|framework|system|architecture|patients|participants|procedure",
    ),
    ("data", r"data|corpus|corpora"),
    ("discussion", r"discussion|analysis|error analysis|limitation"),
    ("conclusion", r"conclu|future work|summary$|closing"),
    ("claims", r"claims?"),
    ("description", r"(?:detailed )?description|embodiment|example"),
)
"""A role and what a title of it holds; the first that fits counts."""

_PATTERNS = tuple((role, re.compile(rf"\b(?:{words})", re.IGNORECASE)) for role, words in _ROLES)


@dataclass(frozen=True, slots=True)
class RoleAgreement:
    """How often the largest section cell joins two sections of one role, and how many of all such cells do.

    Only sections whose title tells their role count, and only pairs with two roles in common: one role leaves nothing
    to choose.
    """

    hardware: str
    commit: str
    encoder: str
    fingerprint: str
    source: str
    pairs: int
    left_out: int
    agree: float
    by_chance: float

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def measure_roles(
    documents: Mapping[str, Document],
    pairs: Sequence[LabelledPair],
    encoder: LongEncoder,
    *,
    most: int = 200,
    source: str = "",
    report: Report = silent,
) -> RoleAgreement:
    """Compare the sections of the first `most` related pairs with two roles in common.

    Raises EvaluationError if no pair has two roles in common.
    """
    related = [pair for pair in pairs if pair.related]
    fit = [pair for pair in related if len(_roles(documents[pair.a]) & _roles(documents[pair.b])) > 1]
    drawn = fit[:most]
    if not drawn:
        raise EvaluationError(
            f"Expected related pairs whose sections have roles in common; found none of {len(related)}. "
            "Name a set of documents with titled sections."
        )
    meter = Meter("compare sections of related pairs", len(drawn), report)
    rows = []
    for pair in drawn:
        rows.append(_agreement(documents[pair.a], documents[pair.b], encoder))
        meter.add()
    meter.finish()
    agree, by_chance = np.mean(rows, axis=0).round(4).tolist()
    return RoleAgreement(
        hardware=provenance.hardware(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        source=source,
        pairs=len(drawn),
        left_out=len(related) - len(fit),
        agree=agree,
        by_chance=by_chance,
    )


def role_of(title: str) -> str:
    """Return what a section is for, by its title; empty if the title does not tell."""
    return next((role for role, pattern in _PATTERNS if pattern.search(title)), "")


def _roles(document: Document) -> set[str]:
    """Return the roles of a document's sections."""
    return {role_of(_title(part.role, part.title)) for part in document.parts if part.role != "references"} - {""}


def _title(role: str, title: str) -> str:
    return "" if role == "title" else "Claims" if role == "claim" else title


def _agreement(a: Document, b: Document, encoder: LongEncoder) -> tuple[float, float]:
    """Tell whether the largest cell of sections with roles joins one role, and the share of cells that do."""
    ours, theirs = encoder.read([a, b])
    roles = [np.asarray([role_of(title) for title in one.sections]) for one in (ours, theirs)]
    rows = [encoder.levels(one).sections[role != ""] for one, role in zip((ours, theirs), roles, strict=True)]
    same = roles[0][roles[0] != ""][:, None] == roles[1][roles[1] != ""]
    best = int((rows[0] @ rows[1].T).argmax())
    return float(same.ravel()[best]), float(same.mean())
