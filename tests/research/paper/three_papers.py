"""A set of pairs whose documents have an introduction and related work, and a tiny encoder to read them."""

from __future__ import annotations

from pathlib import Path

from engine.documents import Document, Section
from engine.encoders.colde import ColdeEncoder
from engine.research.matching.pair_set import PairSet, load_pair_set
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import write_pairs


def paper(name: str, subject: str, *, headings: tuple[str, str] = ("1 Introduction", "II. Related Work.")) -> Document:
    """A paper about a subject of the contract's corpus."""
    seed = sum(map(ord, name))
    sections = [Section(title, tiny.words(subject, 24, seed=seed + place)) for place, title in enumerate(headings)]
    return Document(
        name,
        title=f"On {subject} in {name}",
        sections=(*sections, Section("Method", tiny.words(subject, 16, seed=seed + 7))),
    )


def documents() -> list[Document]:
    """Seven papers, of which "f" has no related work."""
    subjects = {"a": "steam", "b": "steam", "c": "protein", "d": "steam", "e": "steam", "g": "protein"}
    made = [paper(name, subject) for name, subject in subjects.items()]
    return [*made, paper("f", "steam", headings=("Introduction", "Proof"))]


ROWS = (
    "a\tb\t1\ttest",
    "a\tc\t0\ttest",
    "d\te\t1\ttest",
    "d\tc\t0\ttest",
    "f\tb\t1\ttest",
    "f\tc\t0\ttest",
    "b\td\t1\ttrain",
)


def papers_set(folder: Path, rows: tuple[str, ...] = ROWS) -> PairSet:
    """The set with whole documents, in a folder."""
    write_pairs(folder, rows, documents())
    return load_pair_set(folder, form=None)


def tiny_encoder(folder: Path) -> ColdeEncoder:
    """An encoder that cuts a section of these papers into several chunks."""
    write_tiny_transformer(folder / "tiny")
    return tiny.placed(folder / "tiny")
