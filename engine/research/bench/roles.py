"""Measures how often the first section cell of two related documents joins sections of the same role."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from engine.compare.read_document import LongEncoder
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.training.long_corpus import LabelledPair

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
        """The report as a JSON value."""
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
    """What a section is for, by its title; empty if the title does not tell."""
    return next((role for role, pattern in _PATTERNS if pattern.search(title)), "")


def _roles(document: Document) -> set[str]:
    """The roles of a document's sections."""
    return {role_of(_title(part.role, part.title)) for part in document.parts if part.role != "references"} - {""}


def _title(role: str, title: str) -> str:
    return "" if role == "title" else "Claims" if role == "claim" else title


def _agreement(a: Document, b: Document, encoder: LongEncoder) -> tuple[float, float]:
    """Whether the largest cell of sections with roles joins one role, and the share of cells that do."""
    ours, theirs = encoder.read([a, b])
    roles = [np.asarray([role_of(title) for title in one.sections]) for one in (ours, theirs)]
    rows = [encoder.levels(one).sections[role != ""] for one, role in zip((ours, theirs), roles, strict=True)]
    same = roles[0][roles[0] != ""][:, None] == roles[1][roles[1] != ""]
    best = int((rows[0] @ rows[1].T).argmax())
    return float(same.ravel()[best]), float(same.mean())
