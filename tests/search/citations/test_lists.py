"""Reference lists cut into entries, whatever marks them."""

from __future__ import annotations

import pytest

from engine.documents import Document, Identifier, Reference, Section
from engine.search.citations.entries import MOST_ENTRY, cut, references_of

ENTRIES = (
    "A. Abadie and S. Athey. When to adjust standard errors for clustered data. J. Things, 12:1-4, 2017.",
    "B. Bolker and C. Chen. Supernodal factorization of sparse matrices in long-running studies. ACM Trans., 2008.",
    "D. Davis. Direct methods for sparse linear systems. SIAM, Philadelphia, PA, 2006.",
)


def wrapped(entry: str, width: int = 60) -> str:
    lines, line = [], ""
    for word in entry.split():
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ENTRIES),
        "\n\n".join(ENTRIES),
        "\n\n".join(map(wrapped, ENTRIES)),
        "\n".join(map(wrapped, ENTRIES)),
        "\n".join(f"[{n}] {wrapped(one)}" for n, one in enumerate(ENTRIES, start=1)),
        "\n".join(f"{n}. {wrapped(one)}" for n, one in enumerate(ENTRIES, start=1)),
        " ".join(f"[{n}] {one}" for n, one in enumerate(ENTRIES, start=1)),
        " ".join(ENTRIES),
    ],
    ids=["lines", "blank lines", "wrapped, blank lines", "wrapped", "[1] wrapped", "1. wrapped", "one line", "run in"],
)
def test_a_list_is_cut_at_its_entries(text: str) -> None:
    found = cut(text)
    assert len(found) == 3
    for entry, whole in zip(found, ENTRIES, strict=True):
        assert whole in " ".join(entry.split())


@pytest.mark.parametrize("words", ["No year. ", "No. A. ", "Smith, J. and Doe, K. "])
def test_a_long_list_without_years_stays_whole(words: str) -> None:
    text = f"{words * 20_000}The end."
    assert cut(text) == [text]


def test_a_long_text_of_a_reader_is_cut_short() -> None:
    entry = Reference("a " * 50_000, title="b " * 50_000)
    (found,) = references_of(Document("a", references=(entry,)))
    assert len(found.text) == MOST_ENTRY
    assert len(found.title) < MOST_ENTRY


def test_a_word_that_a_line_end_parted_is_joined() -> None:
    assert cut("A. Abadie. When to adjust stan-\ndard errors. J. Things, 2017.")[0].count("standard") == 1


def test_parsed_entries_go_before_printed_ones() -> None:
    parsed = Reference("text", title="A title", year=1999)
    section = Section("References", "\n".join(ENTRIES), "references")
    assert references_of(Document("a", sections=(section,), references=(parsed,))) == (parsed,)
    assert [one.year for one in references_of(Document("a", sections=(section,)))] == [2017, 2008, 2006]
    assert references_of(Document("a", sections=(Section("Body", "\n".join(ENTRIES)),))) == ()


def test_what_a_reader_kept_as_text_is_parsed_and_a_patent_is_not() -> None:
    patent = Reference("US 5,123,456 A", identifiers=(Identifier("patent", "US5123456A"),))
    other = Reference("Davis, D. (2006). Direct methods for sparse linear systems. SIAM.")
    found = references_of(Document("a", "patent", references=(patent, other)))
    assert found[0] == patent
    assert (found[1].title, found[1].year) == ("Direct methods for sparse linear systems", 2006)


@pytest.mark.parametrize(
    "entry",
    [
        "Smith J, Doe A. 2017. Vitamin D. A review of trials in 2015. In J. Bones. ACM, 1-9.",
        "Chambers JM (1993). Linear Models. In JM Chambers, TJ Hastie (eds.), Statistical Models in S, 1992. Chapman.",
        "Smith J. A long study of ducks. J Birds. 1999. Available from 2001 on.",
    ],
)
def test_one_entry_alone_stays_whole(entry: str) -> None:
    assert cut(entry) == [entry]
