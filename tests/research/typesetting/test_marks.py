"""Marks for papers that were read."""

from __future__ import annotations

import difflib
import random

import pytest

from engine.documents import Document, Section
from engine.research.typesetting.known_papers import Author, KnownPaper, KnownSection, Piece
from engine.research.typesetting.marks import headings_f1, in_order, marks_of, recall, words_of

PAPER = KnownPaper(
    "one",
    "Tides in small pools",
    (Author("Ada Moor", 0, "moor@example.org"), Author("Ben Strand", 0, "strand@example.org")),
    ("Marine Station, Porto, Portugal",),
    "We looked at pools. They were small.",
    ("pools",),
    (
        KnownSection("Introduction", (Piece("paragraph", "Pools are wet."), Piece("figure", "A pool."))),
        KnownSection("Methods", (Piece("subheading", "Sites"), Piece("paragraph", "We went there twice."))),
    ),
    ("A. Moor: Pools. 1999",),
)


def document(**changes: object) -> Document:
    fields: dict[str, object] = {
        "title": PAPER.title,
        "abstract": PAPER.abstract,
        "authors": ("Ada Moor", "Ben Strand"),
        "sections": (
            Section("Introduction", "Pools are wet."),
            Section("Methods", "We went there twice."),
            Section("References", "A. Moor: Pools. 1999", "references"),
        ),
        **changes,
    }
    return Document(id="x", kind="paper", **fields)  # type: ignore[arg-type]


def test_a_paper_read_right_has_full_marks() -> None:
    marks = marks_of(PAPER, document())
    assert (marks.words, marks.purity, marks.title, marks.abstract, marks.headings, marks.authors) == (1,) * 6


def test_marks_tell_what_is_wrong() -> None:
    marks = marks_of(
        PAPER,
        document(
            title="Tides",
            abstract="",
            authors=("Ada Moor",),
            sections=(Section("", "Pools are wet."), Section("Methods", "Sites. twice there We went")),
        ),
    )
    assert marks.title == marks.abstract == marks.authors == 0
    assert marks.words == pytest.approx(5 / 14)
    assert marks.purity == pytest.approx(5 / 8)
    assert marks.headings == pytest.approx(2 / 3)


def test_words_have_no_marks_and_no_ligatures() -> None:
    assert words_of("The \ufb01rst, na\u00efve_way: 3.5 %") == ["the", "first", "na\u00efve", "way", "3", "5"]


def test_words_in_order_are_a_longest_common_subsequence() -> None:
    draw = random.Random(1)
    for _ in range(50):
        one, other = ([draw.choice("abcd") for _ in range(draw.randint(0, 80))] for _ in range(2))
        table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
        for i, a in enumerate(one):
            for j, b in enumerate(other):
                table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
        assert in_order(one, other) == table[-1][-1]
        blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
        assert in_order(one, other) >= sum(block.size for block in blocks)
    assert recall("we went there", "First there, then we all went there") == 1
    assert recall("", "word") == 0


def test_headings_count_as_often_as_they_stand() -> None:
    assert headings_f1(["Results", "Results"], ["RESULTS"]) == pytest.approx(2 / 3)
    assert headings_f1(["1 Aims"], ["1. Aims", ""]) == 1
    assert headings_f1(["Aims"], []) == 0
