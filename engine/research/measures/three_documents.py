"""CoLDE's figures 4 and 5 on a set of ours: `python -m engine.research three_documents --data DIR --save FILE`.

Three documents at CoLDE's three levels, and the words that their chunks speak of (CoLDE, section 4.3). They are picked
by rule. A query of the test pairs comes with its first related and its first unrelated document, by their ids, where
all three have both --headings, and no pair relates the other two. Of all such queries the one is shown whose similarity
to its related document is the median.

--save FILE.json writes the numbers, and beside it the page FILE.md with the pictures FILE-colde-4.svg and
FILE-colde-5.svg. With --cache DIR the chunk vectors that are read stay there for the next run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from engine import encoders
from engine.cli.terminal import bar
from engine.compare import LevelGrid, Words
from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Report
from engine.documents import Document
from engine.encoders import colde
from engine.encoders.colde import ColdeEncoder
from engine.research import measurement
from engine.research.matching.pair_set import Form, PairSet, load_pair_set, of_form
from engine.research.matching.scoring import long_scores
from engine.research.paper.levels import (
    HEADINGS,
    LevelGrids,
    candidates,
    draw_levels,
    draw_words,
    level_grids,
    middle,
    nearest_cells,
    section_of,
)

_TITLE = 90
_HEADS = ("D1", "other", "similarity", "key words of D1's chunk", "key words of the other", "shared")
_ROLES = ("the query", "related", "unrelated")


@dataclass(frozen=True)
class Shown:
    """The three documents, their similarities, and what they were picked from."""

    documents: tuple[Document, ...]
    headings: tuple[str, ...]
    grids: LevelGrids
    picked: Mapping[str, Any]

    @property
    def named(self) -> list[str]:
        """A line for each document: its name in the figures, what it is to the query, its title."""
        return [
            f"D{number}, {role}: {shorten(one.name, _TITLE, placeholder=' …')}"
            for number, (one, role) in enumerate(zip(self.documents, _ROLES, strict=True), 1)
        ]

    @property
    def legend(self) -> list[str]:
        """What stands below the pictures: the documents, and what their sections' names stand for."""
        sections = [f"{_initials(heading)}: {heading}" for heading in self.headings]
        return [*self.named, f"{', '.join(sections)}. A further number is a chunk of the section."]


def main(given: Sequence[str] | None = None) -> None:
    """Pick three documents, compare them, and write or print what was found."""
    arguments = measurement.read_options(_parser(), given)
    if len({_initials(name) for name in arguments.headings}) < len(arguments.headings):
        raise EvaluationError(
            f"Expected two titles with other initials, which name them in the pictures; got {arguments.headings}."
        )
    encoder = ColdeEncoder.load(arguments.encoder)
    shown = show(
        encoder, load_pair_set(arguments.data / arguments.set, form=None), arguments.headings, arguments.cache, bar()
    )
    about = {
        **measurement.circumstances("three_documents", _words(arguments)),
        "encoder": f"{encoder.card.name} {encoder.card.fingerprint}",
    }
    page = "\n".join(as_page(shown, about, stem=arguments.save.stem if arguments.save else ""))
    if arguments.save is not None:
        write(arguments.save, shown, about, page)
    print(page)


def show(encoder: ColdeEncoder, pairs: PairSet, headings: Sequence[str], cache: Path | None, report: Report) -> Shown:
    """Pick three documents of a set by the rule, and compare their bodies; the set holds whole documents.

    Raises EvaluationError if the set has no such documents.
    """
    whole, pairs = pairs.documents, of_form(pairs, Form())
    found = candidates(pairs, headings)
    places = np.array([(one.query, one.related) for one in found.triples], np.int64)
    held = np.unique(places)
    documents = [pairs.documents[place] for place in held]
    similarities = long_scores(encoder, documents, np.searchsorted(held, places), cache=cache, report=report)
    chosen = middle(similarities.tolist())
    three = tuple(pairs.documents[place] for place in found.triples[chosen])
    parts = [{_initials(name): section_of(one, name) or 0 for name in headings} for one in three]
    picked = {
        "set": pairs.name,
        **{f"sha256 of {name}": digest for name, digest in pairs.sha256.items()},
        "queries of test pairs": found.asked,
        "queries to pick from": len(found.triples),
        "similarity of the query to its related document": round(float(similarities[chosen]), 4),
    }
    titled = tuple(whole[place] for place in found.triples[chosen])
    return Shown(titled, tuple(headings), level_grids(three, encoder, Words.shipped(), parts=parts), picked)


def write(path: Path, shown: Shown, about: Mapping[str, Any], page: str) -> None:
    """Write the numbers to `path`, and beside it the page and both pictures."""
    three = [{"id": one.id, "title": one.title, "year": one.year} for one in shown.documents]
    measurement.save(path, {"three": three, "picked": shown.picked, **shown.grids.as_json(), **about}, page)
    for number, draw in ((4, draw_levels), (5, draw_words)):
        files.write_bytes(path.with_name(f"{path.stem}-colde-{number}.svg"), draw(shown.grids, shown.legend))


def as_page(shown: Shown, about: Mapping[str, Any], *, stem: str) -> Iterator[str]:
    """Give the page in Markdown; with the `stem` of its file it names the pictures beside it."""
    grids = shown.grids
    named = ", ".join(f"{_initials(name)} is the section “{name}”" for name in shown.headings)
    yield from ("# Three documents at CoLDE's three levels", "")
    yield (
        "Figures 4 and 5 of the CoLDE paper (section 4.3) on a set of ours, read by a CoLDE encoder and compared as "
        f"the app does. {named}; a further number is a chunk of it. A similarity of documents is the encoder's alone, "
        "of the whole bodies; that of chunks joins a cosine with how well their best two sentences match."
    )
    yield from ("", *(f"* {line} ({one.id})" for line, one in zip(shown.named, shown.documents, strict=True)), "")
    yield from (
        "The three were picked by rule: a query of the test pairs with its first related and its first unrelated "
        "document, by their ids, where all have both sections and no pair relates the other two; of these queries the "
        "one whose similarity to its related document is the median.",
        "",
        *measurement.as_list(shown.picked),
        "",
        "## Figure 4",
        "",
        *([f"![three levels of similarity]({stem}-colde-4.svg)", ""] if stem else []),
        *_matrix(grids.documents),
        "A comparison mixes the similarity of documents with the words that they share, and shows:",
        "",
        *_matrix(grids.shown),
        *_matrix(grids.sections),
        "## Figure 5",
        "",
        *([f"![what near chunks speak of]({stem}-colde-5.svg)", ""] if stem else []),
        "For each chunk of D1 the two nearest chunks of each other document, with the key words of both sides, which "
        "have the largest (1 + ln tf) idf, and the words that weigh most in what both share.",
        "",
        *measurement.table(_HEADS, list(_cell_rows(grids))),
        "## Circumstances",
        "",
        *measurement.as_list(about),
        "",
    )


def _cell_rows(grids: LevelGrids) -> Iterator[list[str]]:
    names, words = grids.chunks.names, grids.key_words
    for cell in nearest_cells(grids):
        sides = (", ".join(words[place]) for place in (cell.row, cell.column))
        yield [names[cell.row], names[cell.column], f"{cell.similarity:.2f}", *sides, ", ".join(cell.shared)]


def _matrix(grid: LevelGrid) -> list[str]:
    rows = [[name, *(f"{value:.2f}" for value in row)] for name, row in zip(grid.names, grid.values, strict=True)]
    return measurement.table(["", *grid.names], rows)


def _initials(heading: str) -> str:
    return "".join(word[0].upper() for word in heading.split())


def _words(arguments: argparse.Namespace) -> list[str]:
    """Return the options that change what is shown."""
    words = ["--data", "DIR", "--set", arguments.set]
    return [*words, "--headings", *arguments.headings] if tuple(arguments.headings) != HEADINGS else words


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("three_documents", __doc__, cache=True)
    parser.add_argument("--set", default="acl-long", metavar="NAME", help="a set with pairs.tsv (default: acl-long)")
    parser.add_argument(
        "--headings",
        nargs=2,
        default=HEADINGS,
        metavar="TITLE",
        help=f"how the titles of the two sections begin (default: {', '.join(HEADINGS)})",
    )
    shipped = encoders.find(colde.NAME).folder
    parser.add_argument("--encoder", type=Path, default=shipped, metavar="DIR", help="(default: the shipped one)")
    return parser
