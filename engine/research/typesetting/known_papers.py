"""Papers whose every part is known: real titles, abstracts and sections, with authors, notes and floats of our own."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.documents import Document

Kind = Literal["paragraph", "subheading", "footnote", "figure", "table", "equation"]
"""What a section is made of; only paragraphs are its text."""

_FIRST = (
    "Ada Bruno Chidi Dana Elif Farid Greta Hugo Ines Jonas Kamala Lars Mei Nadia Oscar Paula Quentin Rosa Sven Tariq"
)
_LAST = (
    "Abara Bergman Castillo Dubois Eriksen Fontaine Gupta Haas Ivanova Jensen Kowalski Lindqvist Moreau Nakamura Okafor"
)
_PLACES = (
    "Institute of Applied Sciences, University of Marburg, 35032 Marburg, Germany",
    "Department of Statistics, Lakeside College, Dunedin 9016, New Zealand",
    "School of Medicine, University of Porto, 4200-319 Porto, Portugal",
    "National Laboratory for Materials, Oslo 0373, Norway",
)
_VENUES = ("Journal of Field Methods", "Annals of Measurement", "Letters on Models", "Proceedings of Open Studies")
_WORDS = "early wide partial stable mixed local joint slow repeated indirect open regional"
_NOUNS = "estimates responses networks samples patterns gradients outcomes surveys cohorts signals transitions"
_SUBHEADINGS = (
    "Study design",
    "Sources of data",
    "Preparation",
    "Analysis",
    "Limits of the design",
    "Further outcomes",
)
_NOTES = (
    "The authors send the full list of exclusions to whoever asks.",
    "All computations were repeated on a second machine.",
    "Two of the sites used the older protocol until spring.",
)
_EQUATIONS = (r"y_i = a + b x_i + e_i", r"S(t) = \sum_{k=1}^{n} w_k \frac{t_k}{1 + t_k}", r"E = \sqrt{p^2 + m^2}")
_KEPT = re.compile(r"[^ -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u2018\u2019\u201c\u201d\u2013\u2014]")
"""What none of the layouts' fonts has: Greek letters, formulas' signs, and the like."""
_NUMBER = re.compile(r"^(?:\d{1,2}|[IVX]{1,4})\.\s+")
_LEAST_WORDS, _MOST_WORDS = 1_500, 6_000
_ABSTRACT = (60, 320)
_LEAST_SECTIONS = 4
_REFERENCES = 24


@dataclass(frozen=True, slots=True)
class Author:
    """A name, an address among the paper's places, and how to write."""

    name: str
    place: int
    email: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a section: a paragraph of the known text, or what stands between those."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class KnownSection:
    """A heading and what stands under it."""

    heading: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class KnownPaper:
    """A paper to be set: all its parts as they should be read again."""

    name: str
    title: str
    authors: tuple[Author, ...]
    places: tuple[str, ...]
    abstract: str
    keywords: tuple[str, ...]
    sections: tuple[KnownSection, ...]
    references: tuple[str, ...]

    @property
    def body(self) -> str:
        """The text that is to be read: the abstract and the sections' paragraphs."""
        paragraphs = (piece.text for one in self.sections for piece in one.pieces if piece.kind == "paragraph")
        return "\n\n".join([self.abstract, *paragraphs])

    @property
    def short_title(self) -> str:
        """What a running head shows of the title."""
        words = self.title.split()
        return " ".join(words[:6])


def known_papers(documents: Iterable[Document], seed: int) -> Iterator[KnownPaper]:
    """Give those documents that make a paper, completed with what `seed` draws."""
    for number, document in enumerate(filter(_is_paper, map(_plain, documents))):
        yield _completed(document, random.Random(f"{seed} {number}"))


def _plain(document: Document) -> Document:
    """Return a document in letters that the fonts have."""
    sections = tuple(
        replace(one, title=_in_letters(one.title), text=_paragraphs(one.text)) for one in document.sections
    )
    return replace(
        document, title=_in_letters(document.title), abstract=_in_letters(document.abstract), sections=sections
    )


def _paragraphs(text: str) -> str:
    return "\n\n".join(filter(None, map(_in_letters, text.split("\n\n"))))


def _in_letters(text: str) -> str:
    return " ".join(_KEPT.sub(" ", unicodedata.normalize("NFKC", text)).split())


def _is_paper(document: Document) -> bool:
    words = sum(len(one.text.split()) for one in document.sections)
    headed = [one for one in document.sections if one.title and one.text]
    return (
        _LEAST_WORDS <= words <= _MOST_WORDS
        and _ABSTRACT[0] <= len(document.abstract.split()) <= _ABSTRACT[1]
        and len(headed) == len(document.sections) >= _LEAST_SECTIONS
        and 20 <= len(document.title) <= 180
    )


def _completed(document: Document, draw: random.Random) -> KnownPaper:
    names = draw.sample([(a, b) for a in _FIRST.split() for b in _LAST.split()], draw.randint(2, 5))
    places = tuple(draw.sample(_PLACES, draw.randint(1, min(3, len(names)))))
    authors = tuple(
        Author(f"{first} {last}", number * len(places) // len(names), f"{last.lower()}@example.org")
        for number, (first, last) in enumerate(names)
    )
    return KnownPaper(
        name=re.sub(r"\W+", "-", document.id),
        title=document.title.rstrip("."),
        authors=authors,
        places=places,
        abstract=document.abstract,
        keywords=tuple(f"{draw.choice(_WORDS.split())} {noun}" for noun in draw.sample(_NOUNS.split(), 4)),
        sections=tuple(
            KnownSection(_NUMBER.sub("", one.title).rstrip(".:"), tuple(_pieces(one.text.split("\n\n"), draw)))
            for one in document.sections
        ),
        references=tuple(_reference(draw) for _ in range(_REFERENCES)),
    )


def _pieces(paragraphs: Sequence[str], draw: random.Random) -> Iterator[Piece]:
    """Give a section's paragraphs with subheadings, notes, floats and formulas between them."""
    for number, text in enumerate(paragraphs):
        if len(paragraphs) > 3 and number % 3 == 1:
            yield Piece("subheading", draw.choice(_SUBHEADINGS))
        yield Piece("paragraph", text)
        if draw.random() < 0.12:
            yield Piece("footnote", draw.choice(_NOTES))
        if draw.random() < 0.25:
            yield _between(draw)


def _between(draw: random.Random) -> Piece:
    said = f"{draw.choice(_WORDS.split()).capitalize()} {draw.choice(_NOUNS.split())} at three sites."
    kind: Kind = draw.choice(("figure", "table", "equation"))
    return Piece(kind, draw.choice(_EQUATIONS) if kind == "equation" else said)


def _reference(draw: random.Random) -> str:
    names = ", ".join(
        f"{draw.choice(_FIRST.split())[0]}. {draw.choice(_LAST.split())}" for _ in range(draw.randint(1, 3))
    )
    words = f"{draw.choice(_WORDS.split()).capitalize()} {draw.choice(_NOUNS.split())} of {draw.choice(_NOUNS.split())}"
    first = draw.randint(1, 800)
    venue = f"{draw.choice(_VENUES)} {draw.randint(1, 90)}"
    return f"{names}: {words}. {venue}, {first}\u2013{first + draw.randint(4, 20)} ({draw.randint(1975, 2021)})"
