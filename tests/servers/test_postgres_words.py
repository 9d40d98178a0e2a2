"""Words are found on PostgreSQL as in a file of SQLite, whose FTS5 is the measure: lines, titles and keywords."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.stores import Stores, keep_stores
from engine.documents import Document, Section
from engine.library import Filters, Library, keywords, segments
from engine.library.segments import TermCounts, TermSegment
from tests.library.test_segments import check, documents

WORDS = "pump pumps valve heat heating ring seal rotor wind winds kite drum tube fin fins steam flow naïve CO2".split()
LONG = "acgt" * 3000
"""A word of 12,000 letters, as a sequence of genes is."""


def text(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(WORDS, k=words))


def texts() -> list[Document]:
    """Short and long texts of few words, so that every phrase stands somewhere and no line finds all."""
    draw = random.Random(7)
    some = [
        Document(
            f"d{number}",
            title=text(draw, draw.randrange(0, 7)) or "",
            abstract=text(draw, draw.randrange(1, 25)),
            sections=(Section("Body", text(draw, draw.choice([0, 0, 40, 400]))),),
        )
        for number in range(150)
    ]
    often = " ".join(["flow"] * 20_000)  # a word at 20,000 places, and what stands behind the last of them
    return [*some, Document("often", abstract=f"{often} last rotor word"), Document("genes", title=f"Genes {LONG} end")]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, postgres: object) -> Iterator[tuple[Library, Library]]:
    """The same texts in a file and on a server."""
    folder = tmp_path_factory.mktemp("both")
    with postgres.new_database() as address:  # type: ignore[attr-defined]
        keep_stores(folder / "server", Stores(documents=address))
        with (
            Library.open(folder / "file", create=True) as file,
            Library.open(folder / "server", create=True) as server,
        ):
            for library in (file, server):
                library.add_file("k1", "texts", texts())
                library.remove(["d7", "d8"])
                library.add_file("k2", "more", [Document("more", title="pumps of naive heat", abstract="A kite.")])
            yield file, server


def lines(number: int) -> list[str]:
    """Lines as experts write them, drawn from the words of the texts."""
    draw = random.Random(11)

    def word() -> str:
        found = draw.choice(WORDS)
        return f"{found[: draw.randrange(1, 4)]}*" if draw.random() < 0.2 else found

    def phrase() -> str:
        return f'"{text(draw, draw.randrange(2, 4))}{draw.choice(["", "", "*"])}"'

    def part() -> str:
        kind = draw.randrange(7)
        if kind == 0:
            return f"{word()} near/{draw.choice([1, 2, 5, 20])} {draw.choice([word, phrase])()}"
        if kind == 1:
            return f"{word()} near/{draw.randrange(1, 9)} {word()} near/{draw.randrange(1, 9)} {phrase()}"
        if kind == 2:
            return f"title:{draw.choice([word, phrase])()}"
        return draw.choice([word, word, phrase])()

    return [
        draw.choice(["{} {}", "{} OR {}", "{} NOT {}", "({} OR {})", "NOT {} AND {}"]).format(part(), part())
        if draw.random() < 0.6
        else part()
        for _ in range(number)
    ]


def test_a_line_finds_the_same(both: tuple[Library, Library]) -> None:
    file, server = both
    asked = [*lines(300), "last near/1 word", '"rotor word"', "flow near/3 last", "genes near/1 end", f"{LONG[:90]}*"]
    sizes = []
    for line in asked:
        filters = Filters(lines=(line,))
        assert server.ids(filters) == file.ids(filters), line
        sizes.append(file.count(filters))
    assert all(sizes[300:]) and 0.1 < sum(0 < size < 150 for size in sizes) / len(sizes)


def test_titles_come_in_the_same_order(both: tuple[Library, Library]) -> None:
    file, server = both
    draw = random.Random(5)
    asked = [text(draw, draw.randrange(1, 3))[: -draw.randrange(1, 3)] for _ in range(100)]
    for words in [*asked, "genes", "s", "pumps of", "nothing", LONG]:
        for k in (3, 50):
            assert server.title_matches(words, k) == file.title_matches(words, k), words
    groups = [["heat", "ring"], ["naive"]]
    found = [{one.id for one in library.titled(groups, 999)} for library in both]
    assert found[0] == found[1] and len(found[0]) > 5


def test_keywords_have_the_same_scores(both: tuple[Library, Library]) -> None:

    for question in (text(random.Random(3), 5), "steam", "naive CO₂", texts()[3].text):
        for stemmed in (False, True):
            ours, theirs = (one.keywords.search(question, 20, stemmed=stemmed) for one in both)
            assert [hit.id for hit in theirs] == [hit.id for hit in ours] and ours
            assert [hit.score for hit in theirs] == pytest.approx([hit.score for hit in ours], rel=1e-4)


def test_what_a_database_takes_in_no_text_is_kept(both: tuple[Library, Library], tmp_path: Path) -> None:
    odd = Document("a\0b", title="Nothing\0 here", abstract="half \ud800 a character", authors=("A\0da Gale",))
    for library in both:
        library.add_file("odd", "odd\0.txt", [odd])
        library.annotations.note(["a\0b"], "a \0 note")
        (kept,) = library.get(["a\0b"])
        assert kept.abstract == "half ? a character" and kept.title == "Nothing\0 here"
        assert library.title_matches("nothing") and library.annotations.of(["a\0b"])[0].note
        library.remove(["a\0b"])


def test_a_word_is_found_by_its_first_500_letters(both: tuple[Library, Library]) -> None:
    found = [library.ids(Filters(lines=(LONG[:600],))) for library in both]
    assert found == [[], ["genes"]]


def test_words_of_a_large_library_are_kept_on_this_machine(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "FULL", 2_000)
    monkeypatch.setattr(keywords, "FULL", 2_000)
    keep_stores(tmp_path, Stores(documents=database))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "many", documents(1, 200))
        assert any(one.stored for one in library.keywords._postings().segments)
        library.remove(["d3", "d4"])
    counted, of = list[int](), TermSegment.of

    def spied(counts: TermCounts, first: int, width: int) -> TermSegment:
        counted.append(len(counts.starts) - 1)
        return of(counts, first, width)

    with monkeypatch.context() as patch, Library.open(tmp_path) as library:
        patch.setattr(TermSegment, "of", spied)
        assert library.keywords.size == 200 and sum(counted) < 100
        check(library.keywords, library.get(library.summaries().ids), 1)
