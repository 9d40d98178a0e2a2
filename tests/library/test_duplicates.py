"""Duplicates: what folds, what must not, and what search takes for the query's own copies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.documents import Document, Section
from engine.documents.works import same_reference
from engine.library.filters import Filters
from engine.library.records import Added
from engine.library.store import Library
from tests.library.records import ARTICLE, REFERENCE, WHOLE

LONG = " ".join(f"word{number}" for number in range(40))
PATENT = Document("p", "patent", "Apparatus for winding the line of a kite", "A reel.", year=2015)


@pytest.mark.parametrize(
    "copy",
    [
        replace(ARTICLE, id="b", title="STABLE FLIGHT of Tethered Kites.", abstract="Another abstract."),
        replace(ARTICLE, id="b", authors=()),
        replace(ARTICLE, id="b", authors=("Gale, A.", "Breeze, B.")),
        ARTICLE,
    ],
)
def test_a_paper_with_the_same_title_and_year_folds(library: Library, copy: Document) -> None:
    library.add_file("k1", "one", [ARTICLE])
    assert library.add_file("k2", "two", [copy]) == Added(0, 1)
    assert library.counts().folded == 1 and library.ids() == ["a"]
    assert library.get([copy.id]) == [ARTICLE]


@pytest.mark.parametrize(
    "other",
    [
        replace(ARTICLE, id="b", year=2016),
        replace(ARTICLE, id="b", year=None),
        replace(ARTICLE, id="b", authors=("Cy Storm",)),
        replace(ARTICLE, id="b", kind="patent"),
    ],
)
def test_another_year_or_other_authors_do_not_fold(library: Library, other: Document) -> None:
    assert library.add_file("k1", "two", [ARTICLE, other]) == Added(2, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada Gale", "Gale A", True),
        ("Ada Gale", "Gale AB", True),
        ("Jörg Müller", "Muller, J.", True),
        ("John Gale Jr.", "Gale, John", True),
        ("Gale, J. R.", "John GALE", True),
        ("John Gale III", "Karl Roe III", False),
        ("A. GALE", "A. ROE", False),
        ("Ada Gale", "Ada Roe", False),
    ],
)
def test_an_author_is_known_however_the_name_is_written(library: Library, one: str, other: str, same: bool) -> None:
    copy = replace(ARTICLE, id="b", abstract="Another abstract.", authors=(other,))
    assert library.add_file("k1", "two", [replace(ARTICLE, authors=(one,)), copy]) == Added(2 - same, same)


@pytest.mark.parametrize("prefix", ["doi:10.1038/nature", "arXiv:cs.AI/", "PMC"])
def test_one_number_is_one_work_unless_its_titles_differ(library: Library, prefix: str) -> None:
    short = Document(f"{prefix}145", title="Kites", year=2015)
    library.add_file("k1", "one", [short])
    copies = [
        replace(short, id=f"{prefix}145".upper().replace("DOI", "doi"), abstract="We fly kites."),
        replace(short, title="KITES", year=None),
        replace(short, title="", abstract="We fly kites again."),
    ]
    assert library.add_file("k2", "three", copies) == Added(0, 3)
    assert library.duplicates_of(replace(copies[0], title="Typed again")) == {short.id}
    assert library.add_file("k3", "volume", [replace(short, title="Soups of the same volume")]) == Added(1, 0)
    assert library.add_file("k4", "own", [Document("145", title="Kites"), Document("145", title="kites.")]) == Added(
        2, 0
    )


@pytest.mark.parametrize("title", ["", "Editorial", "Book reviews", "Introduction to the issue"])
def test_empty_and_general_titles_do_not_fold(library: Library, title: str) -> None:
    documents = [Document(str(n), title=title, abstract=f"Text {n}", year=2015) for n in range(3)]
    assert library.add_file("k1", "many", documents) == Added(3, 0)


def test_patents_do_not_fold_by_title(library: Library) -> None:
    assert library.add_file("k1", "two", [PATENT, replace(PATENT, id="q", abstract="A drum.")]) == Added(2, 0)


def test_identical_text_folds_whatever_the_kind(library: Library) -> None:
    one = Document("a", "patent", "", LONG)
    assert library.add_file("k1", "two", [one, Document("b", "patent", "", LONG.upper() + "\n")]) == Added(1, 1)
    assert library.get(["b"]) == [one]


def test_another_work_under_a_taken_id_is_kept_under_its_own(library: Library) -> None:
    library.add_file("k1", "one", [Document("1", title="Kites")])
    assert library.add_file("k2", "two", [Document("1", title="Soups")]) == Added(1, 0)
    assert library.add_file("k3", "three", [Document("1", title="Soups"), Document("1", title="Kites")]) == Added(0, 2)
    first, second = library.ids()
    assert first == "1" and second.startswith("1#")
    assert [document.id for document in library.get([second])] == [second]


def test_a_query_meets_its_own_copies(library: Library) -> None:
    family = replace(PATENT, id="q", title="Reel", abstract=LONG, family="reel-1")
    library.add_file("k1", "three", [ARTICLE, PATENT, family])
    assert library.duplicates_of(replace(ARTICLE, id="query", year=None, abstract="Read from a file.")) == {"a"}
    assert library.duplicates_of(replace(ARTICLE, id="query", year=2011)) == set()
    assert library.duplicates_of(Document("a")) == {"a"}
    assert library.duplicates_of(replace(PATENT, id="query", abstract="Another.")) == set()
    assert library.duplicates_of(Document("x", "patent", "New", "New", family="reel-1")) == {"q"}
    assert library.duplicates_of(Document("x", "paper", "New", LONG)) == {"q"}


@pytest.mark.parametrize("year", [None, 2015])
def test_a_reference_gets_the_text_of_its_paper(library: Library, year: int | None) -> None:
    library.add_file("k1", "refs.bib", [REFERENCE])
    assert library.keywords.search("winch", 1) == []
    assert library.add_file("k2", "paper.pdf", [replace(WHOLE, year=year)]) == Added(0, 1, 1)
    (held,) = library.get(["gale2015"])
    assert held == replace(REFERENCE, abstract=WHOLE.abstract, sections=WHOLE.sections)
    assert library.get(["file:1"]) == [held] and library.ids() == ["gale2015"]
    assert [hit.id for hit in library.keywords.search("winch", 3)] == ["gale2015"]
    assert [hit.id for hit in library.keywords.search("tethered", 3)] == ["gale2015"]
    assert library.title_matches("stable flig") == ["gale2015"]
    assert library.counts().folded == 1 and len(library) == 1
    assert library.venue_counts() == {"Journal of Wind": 1}


def test_a_paper_gets_the_facts_of_its_reference_and_keeps_its_own(library: Library) -> None:
    library.add_file("k1", "paper.pdf", [WHOLE])
    assert library.add_file("k2", "refs.bib", [REFERENCE]) == Added(0, 1, 1)
    (held,) = library.get(["gale2015"])
    assert held == replace(WHOLE, year=2015, venue="Journal of Wind", url="https://example.org/k")
    assert library.ids(Filters(year_from=2015)) == ["file:1"]
    assert library.revision() == 0  # its text is what it was


def test_only_a_reference_is_completed(library: Library) -> None:
    preprint = replace(WHOLE, id="p", year=2015, sections=(Section("Method", "Another text."),))
    library.add_file("k1", "preprint", [preprint])
    assert library.add_file("k2", "paper.pdf", [replace(WHOLE, year=2015)]) == Added(0, 1)
    assert library.get(["file:1"]) == [preprint]
    for other in (replace(WHOLE, id="x", authors=()), replace(WHOLE, id="y", authors=("Cy Storm",))):
        assert not same_reference(REFERENCE, other)
    assert not same_reference(REFERENCE, replace(WHOLE, year=2016))
    assert not same_reference(REFERENCE, replace(WHOLE, kind="patent"))


def test_a_file_that_breaks_off_leaves_the_reference_as_it_was(library: Library) -> None:
    library.add_file("k1", "refs.bib", [REFERENCE])

    def broken() -> Iterator[Document]:
        yield WHOLE
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        library.add_file("k2", "paper.jsonl", broken())
    assert library.get(["gale2015"]) == [REFERENCE]
    assert [hit.id for hit in library.keywords.search("tethered", 3)] == ["gale2015"]


def test_rows_that_share_their_numbers_hide_no_other_work(library: Library) -> None:
    text = "the wind of the spring blows over the hills in the early morning of every day of the year and lifts it up"
    kites, strings = Document("1", title="Kites", abstract=text), Document("2", title="Strings", abstract=text[::-1])
    library.add_file("k1", "first.csv", [kites, strings])
    turned = [replace(strings, id="1"), replace(kites, id="2")]
    assert library.add_file("k2", "second.csv", turned) == Added(0, 2)
    assert library.duplicates_of(kites) == {"1"} and library.duplicates_of(strings) == {"2"}
    assert [document.title for document in library.get(["1", "2"])] == ["Kites", "Strings"]


def test_an_id_of_a_copy_that_an_earlier_version_kept_hides_no_other_work(library: Library) -> None:
    library.add_file("k1", "first.csv", [Document("1", title="Kites"), Document("2", title="Strings")])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        connection.execute("INSERT INTO aliases SELECT '1', position FROM documents WHERE id = '2'")
    assert library.duplicates_of(Document("1", title="Kites")) == {"1"}


def test_a_short_work_under_a_taken_id_came_with_every_file_that_holds_it(library: Library) -> None:
    library.add_file("k1", "first.csv", [Document("1", title="Kites")])
    library.add_file("k2", "second.csv", [Document("1", title="Proteins")])
    library.add_file("k3", "third.csv", [Document("1", title="Proteins"), Document("2", title="Wheels")])
    library.remove_file("k2")
    assert [document.title for document in library.iter_documents()] == ["Kites", "Proteins", "Wheels"]
    library.remove_file("k3")
    assert [document.title for document in library.iter_documents()] == ["Kites"]


def test_a_patent_folds_by_its_number_and_a_reference_is_completed(library: Library) -> None:
    whole = Document("US8930553B2", "patent", "A kite reel", "A reel.", (Section("Text", "A drum turns."),), year=2015)
    library.add_file("k1", "refs.ris", [replace(whole, abstract="", sections=(), year=None)])
    assert library.add_file("k2", "grant.xml", [replace(whole, claims=("A reel with a drum.",))]) == Added(0, 1, 1)
    (held,) = library.get(["US8930553B2"])
    assert (held.claims, held.abstract, held.year) == (("A reel with a drum.",), "A reel.", 2015)
    other = replace(whole, title="A kite line", sections=())
    assert library.add_file("k3", "wrong.csv", [other]).added == 1  # one number under two titles is a slip
