"""What a library holds and tells of itself, over every store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import LibraryError, UnknownDocumentError
from engine.documents import Document, Identifier, PageStart, Section
from engine.documents.works import same_reference
from engine.library.filters import Filters
from engine.library.records import Added, Counts
from engine.library.store import Library
from tests.library.records import ARTICLE, KITES, PAPER, PATENT, POOLS, REFERENCE, WHOLE

CONTENT = b"%PDF-1.4 a paper"


KEY = files.sha256_bytes(CONTENT)


LONG = " ".join(f"word{number}" for number in range(40))


REEL_PATENT = Document("p", "patent", "Apparatus for winding the line of a kite", "A reel.", year=2015)


class HoldingContract:
    def test_it_is_there_after_reopening(self, folder: Path) -> None:
        with Library.open(folder, create=True) as library:
            library.add_file("k1", "one.jsonl", [PAPER])
        with Library.open(folder) as library:
            assert library.ids() == [PAPER.id]
            assert [hit.id for hit in library.keywords.search("kites", 3)] == [PAPER.id]

    def test_counts_and_columns(self, library: Library) -> None:
        library.add_file("k1", "two.jsonl", [PAPER, PATENT])
        counts = library.counts()
        assert (counts.documents, counts.papers, counts.patents, counts.files) == (2, 1, 1, 1)
        assert (counts.year_min, counts.year_max) == (2011, 2015)
        assert library.category_counts() == {"A63H": 1, "B65H": 1, "cs.RO": 1, "physics.flu-dyn": 1}
        assert library.venue_counts() == {"Journal of Wind": 1}
        summaries = library.summaries()
        assert summaries.ids == [PAPER.id, PATENT.id]
        assert summaries.categories == ["cs.RO", "A63H"]
        assert summaries.years == [2015, 2011]

    def test_an_empty_library_answers(self, library: Library) -> None:
        counts = library.counts()
        assert (counts.documents, counts.papers, counts.year_min) == (0, 0, None)
        assert library.summaries().ids == [] and library.ids() == [] and len(library) == 0
        assert library.keywords.search("kite", 5) == []
        assert library.keywords.size == 0

    def test_titles_are_found_by_their_words(self, library: Library) -> None:
        library.add_file("k1", "two.jsonl", [PAPER, PATENT])
        assert library.title_matches("tethered ki") == [PAPER.id]
        assert library.title_matches("reel") == [PATENT.id]
        assert library.title_matches("drum") == []
        assert library.title_matches(" ") == []

    def test_imports_are_counted_by_name_and_found_by_the_end_of_their_path(self, imported: Library) -> None:
        imported.add_file("k3", "more/pools.jsonl", [replace(POOLS, id="p3", title="Rock pools by day")])
        assert imported.import_counts() == {"more/pools.jsonl": 1, "pools.jsonl": 2, "kites.jsonl": 2}
        assert [file.key for file in imported.files_named("pools.jsonl")] == ["k2"]
        assert [file.key for file in imported.files_named("more/pools.jsonl")] == ["k3"]
        with pytest.raises(
            LibraryError, match=r"got 'x.csv'; the library has kites.jsonl, pools.jsonl, more/pools.jsonl"
        ):
            imported.files_named("x.csv")

    def test_counts_follow_every_change(self, imported: Library) -> None:
        def counted() -> tuple[Counts, dict[str, int]]:
            assert imported.counts() == imported.counts()
            return imported.counts(), imported.import_counts()

        assert counted() == (Counts(3, 2, 1, 2, 1, 0, 2015, 2020), {"pools.jsonl": 2, "kites.jsonl": 2})
        imported.record_failure("scan.pdf", "It has no text.")
        imported.add_file("k3", "again.jsonl", [KITES])
        found, brought = counted()
        assert (found.documents, found.files, found.folded, found.failures) == (3, 3, 2, 1)
        assert brought["again.jsonl"] == 1
        imported.remove([POOLS.id])
        found, brought = counted()
        assert (found.documents, found.papers, found.year_max) == (2, 1, 2015) and brought["pools.jsonl"] == 1

    def test_some_documents_come_in_the_order_asked_for(self, library: Library) -> None:
        library.add_file("k", "many", [Document(f"d{n}", title=f"Kite number {n}") for n in range(7)])
        asked = ["d5", "gone", "d0", "d3"]
        for batch in (1, 2, 500):
            assert [one.id for one in library.iter_documents(asked, batch=batch)] == ["d5", "d0", "d3"]
        assert list(library.iter_documents([])) == []

    def test_a_document_comes_back_as_it_went_in(self, library: Library) -> None:
        assert library.add_file("k1", "two.jsonl", [PAPER, PATENT]) == Added(2, 0)
        assert library.get([PATENT.id, PAPER.id]) == [PATENT, PAPER]
        assert list(library.iter_documents(batch=1)) == [PAPER, PATENT]
        assert len(library) == 2

    def test_pages_are_kept(self, folder: Path) -> None:
        pages = (PageStart(0, 1), PageStart(9, 2))
        paged = Document(
            "p", sections=(Section("Methods", "We walk. We rest.", pages=pages), Section("Results", "None."))
        )
        with Library.open(folder, create=True) as library:
            library.add_file("k1", "paper.pdf", [paged])
            assert [section.pages for section in library.get(["p"])[0].sections] == [pages, ()]

    def test_an_unknown_id_is_named(self, library: Library) -> None:
        with pytest.raises(UnknownDocumentError, match="none with the id 'nowhere'"):
            library.get(["nowhere"])

    def test_the_id_of_a_folded_copy_is_known(self, library: Library) -> None:
        library.add_file("k1", "two", [ARTICLE, replace(ARTICLE, id="b")])
        assert library.duplicates_of(Document("b")) == {"a"}

    @pytest.mark.parametrize("keys", ["kept", "of an older library"])
    def test_documents_are_known_by_the_numbers_of_a_reference(self, folder: Path, keys: str) -> None:
        held = [
            Document("doi:10.1000/Kites", title="Kites"),
            Document("arXiv:0704.0001", title="Photons"),
            Document("PMC12", title="Aspirin"),
            Document("US5123456B2", "patent", title="Car coupling"),
            Document("US51234567A", "patent", title="Car coupling, longer number"),
        ]
        with Library.open(folder, create=True) as library:
            library.add_file("k", "five", held)
            if keys != "kept":
                with library._database.write() as connection:
                    connection.execute("DELETE FROM identities WHERE key LIKE 'known:%'")
            for scheme, value, id_ in (
                ("doi", "10.1000/kites", "doi:10.1000/Kites"),
                ("arxiv", "0704.0001v3", "arXiv:0704.0001"),
                ("pmc", "PMC12", "PMC12"),
                ("patent", "US5123456A", "US5123456B2"),
            ):
                assert library.known_as([Identifier(scheme, value)]) == [id_]
            assert library.known_as([Identifier("isbn", "1"), Identifier("doi", "10.1000/other")]) == []

    @pytest.fixture
    def paper(self, tmp_path: Path) -> Path:
        path = tmp_path / "..strange name\n.pdf"
        path.write_bytes(CONTENT)
        return path

    def test_a_copy_goes_with_the_last_document_of_its_file(self, library: Library, paper: Path) -> None:
        one, other = (Document(f"d{n}", title=f"A paper on the gears of tidal turbine {n}", file=KEY) for n in (1, 2))
        library.add_file(KEY, "x.pdf", [one, other])
        library.copies.keep(KEY, paper)
        library.remove(["d1"])
        assert library.copies.holds(KEY)
        library.remove(["d2"])
        assert not library.copies.holds(KEY)

    def test_a_copy_goes_with_its_file_though_its_document_came_with_another_too(
        self, library: Library, paper: Path
    ) -> None:
        document = Document("d1", title="A paper on the gears of tidal turbines", file=KEY)
        library.add_file(KEY, "x.pdf", [document])
        library.add_file("0" * 64, "x.bib", [document])
        library.copies.keep(KEY, paper)
        assert library.remove_file("0" * 64) == [] and library.copies.holds(KEY)
        library.add_file("0" * 64, "x.bib", [document])
        assert library.remove_file(KEY) == [] and not library.copies.holds(KEY)

    @pytest.mark.parametrize(
        "copy",
        [
            replace(ARTICLE, id="b", title="STABLE FLIGHT of Tethered Kites.", abstract="Another abstract."),
            replace(ARTICLE, id="b", authors=()),
            replace(ARTICLE, id="b", authors=("Gale, A.", "Breeze, B.")),
            ARTICLE,
        ],
    )
    def test_a_paper_with_the_same_title_and_year_folds(self, library: Library, copy: Document) -> None:
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
    def test_another_year_or_other_authors_do_not_fold(self, library: Library, other: Document) -> None:
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
    def test_an_author_is_known_however_the_name_is_written(
        self, library: Library, one: str, other: str, same: bool
    ) -> None:
        copy = replace(ARTICLE, id="b", abstract="Another abstract.", authors=(other,))
        assert library.add_file("k1", "two", [replace(ARTICLE, authors=(one,)), copy]) == Added(2 - same, same)

    @pytest.mark.parametrize("prefix", ["doi:10.1038/nature", "arXiv:cs.AI/", "PMC"])
    def test_one_number_is_one_work_unless_its_titles_differ(self, library: Library, prefix: str) -> None:
        short = Document(f"{prefix}145", title="Kites", year=2015)
        library.add_file("k1", "one", [short])
        copies = [
            replace(short, id=f"{prefix}145".upper().replace("DOI", "doi"), abstract="We fly kites."),
            replace(short, title="KITES", year=None),
            replace(short, title="", abstract="We fly kites again."),
        ]
        assert library.add_file("k2", "three", copies) == Added(0, 3, 1)
        assert library.get([short.id])[0].abstract == "We fly kites."
        assert library.duplicates_of(replace(copies[0], title="Typed again")) == {short.id}
        assert library.add_file("k3", "volume", [replace(short, title="Soups of the same volume")]) == Added(1, 0)
        assert library.add_file(
            "k4", "own", [Document("145", title="Kites"), Document("145", title="kites.")]
        ) == Added(2, 0)

    @pytest.mark.parametrize("title", ["", "Editorial", "Book reviews", "Introduction to the issue"])
    def test_empty_and_general_titles_do_not_fold(self, library: Library, title: str) -> None:
        documents = [Document(str(n), title=title, abstract=f"Text {n}", year=2015) for n in range(3)]
        assert library.add_file("k1", "many", documents) == Added(3, 0)

    def test_patents_do_not_fold_by_title(self, library: Library) -> None:
        assert library.add_file("k1", "two", [REEL_PATENT, replace(REEL_PATENT, id="q", abstract="A drum.")]) == Added(
            2, 0
        )

    def test_identical_text_folds_whatever_the_kind(self, library: Library) -> None:
        one = Document("a", "patent", "", LONG)
        assert library.add_file("k1", "two", [one, Document("b", "patent", "", LONG.upper() + "\n")]) == Added(1, 1)
        assert library.get(["b"]) == [one]

    def test_another_work_under_a_taken_id_is_kept_under_its_own(self, library: Library) -> None:
        library.add_file("k1", "one", [Document("1", title="Kites")])
        assert library.add_file("k2", "two", [Document("1", title="Soups")]) == Added(1, 0)
        assert library.add_file("k3", "three", [Document("1", title="Soups"), Document("1", title="Kites")]) == Added(
            0, 2
        )
        first, second = library.ids()
        assert first == "1" and second.startswith("1#")
        assert [document.id for document in library.get([second])] == [second]

    def test_a_query_meets_its_own_copies(self, library: Library) -> None:
        family = replace(REEL_PATENT, id="q", title="Reel", abstract=LONG, family="reel-1")
        library.add_file("k1", "three", [ARTICLE, REEL_PATENT, family])
        assert library.duplicates_of(replace(ARTICLE, id="query", year=None, abstract="Read from a file.")) == {"a"}
        assert library.duplicates_of(replace(ARTICLE, id="query", year=2011)) == set()
        assert library.duplicates_of(Document("a")) == {"a"}
        assert library.duplicates_of(replace(REEL_PATENT, id="query", abstract="Another.")) == set()
        assert library.duplicates_of(Document("x", "patent", "New", "New", family="reel-1")) == {"q"}
        assert library.duplicates_of(Document("x", "paper", "New", LONG)) == {"q"}

    @pytest.mark.parametrize("year", [None, 2015])
    def test_a_reference_gets_the_text_of_its_paper(self, library: Library, year: int | None) -> None:
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

    def test_a_reference_that_gets_its_text_is_selected_as_before(self, library: Library) -> None:
        library.add_file("k1", "references.ris", [REFERENCE, PATENT])
        papers, every = Filters(kinds=frozenset({"paper"})), Filters()
        before = library.selection(papers), library.selection(every), library.selections_by_kind()
        library.add_file("k2", "paper.pdf", [WHOLE])
        (held,) = library.ids(papers)
        assert library.get([held])[0].text == replace(WHOLE, id=held).text
        now = library.selection(papers), library.selection(every), library.selections_by_kind()
        assert now == ({held}, {held, PATENT.id}, {"paper": {held}, "patent": {PATENT.id}})
        assert before == now
        library.remove([held])
        assert (library.selection(papers), library.selections_by_kind()) == (frozenset(), {"patent": {PATENT.id}})

    def test_a_paper_gets_the_facts_of_its_reference_and_its_names_in_full(self, library: Library) -> None:
        library.add_file("k1", "paper.pdf", [WHOLE])
        assert library.add_file("k2", "refs.bib", [REFERENCE]) == Added(0, 1, 1)
        (held,) = library.get(["gale2015"])
        facts = replace(WHOLE, year=2015, venue="Journal of Wind", url="https://example.org/k")
        assert held == replace(facts, authors=("Ada Gale",))
        assert library.ids(Filters(year_from=2015)) == ["file:1"]
        assert library.revision() == 0  # its text is what it was

    def test_only_a_reference_is_completed(self, library: Library) -> None:
        preprint = replace(WHOLE, id="p", year=2015, sections=(Section("Method", "Another text."),))
        library.add_file("k1", "preprint", [preprint])
        assert library.add_file("k2", "paper.pdf", [replace(WHOLE, year=2015)]) == Added(0, 1)
        assert library.get(["file:1"]) == [preprint]
        for other in (replace(WHOLE, id="x", authors=()), replace(WHOLE, id="y", authors=("Cy Storm",))):
            assert not same_reference(REFERENCE, other)
        assert not same_reference(REFERENCE, replace(WHOLE, year=2016))
        assert not same_reference(REFERENCE, replace(WHOLE, kind="patent"))

    def test_a_file_that_breaks_off_leaves_the_reference_as_it_was(self, library: Library) -> None:
        library.add_file("k1", "refs.bib", [REFERENCE])

        def broken() -> Iterator[Document]:
            yield WHOLE
            raise OSError("gone")

        with pytest.raises(OSError, match="gone"):
            library.add_file("k2", "paper.jsonl", broken())
        assert library.get(["gale2015"]) == [REFERENCE]
        assert [hit.id for hit in library.keywords.search("tethered", 3)] == ["gale2015"]

    def test_rows_that_share_their_numbers_hide_no_other_work(self, library: Library) -> None:
        text = (
            "the wind of the spring blows over the hills in the early morning of every day of the year and lifts it up"
        )
        kites, strings = (
            Document("1", title="Kites", abstract=text),
            Document("2", title="Strings", abstract=text[::-1]),
        )
        library.add_file("k1", "first.csv", [kites, strings])
        turned = [replace(strings, id="1"), replace(kites, id="2")]
        assert library.add_file("k2", "second.csv", turned) == Added(0, 2)
        assert library.duplicates_of(kites) == {"1"} and library.duplicates_of(strings) == {"2"}
        assert [document.title for document in library.get(["1", "2"])] == ["Kites", "Strings"]

    def test_a_short_work_under_a_taken_id_came_with_every_file_that_holds_it(self, library: Library) -> None:
        library.add_file("k1", "first.csv", [Document("1", title="Kites")])
        library.add_file("k2", "second.csv", [Document("1", title="Proteins")])
        library.add_file("k3", "third.csv", [Document("1", title="Proteins"), Document("2", title="Wheels")])
        library.remove_file("k2")
        assert [document.title for document in library.iter_documents()] == ["Kites", "Proteins", "Wheels"]
        library.remove_file("k3")
        assert [document.title for document in library.iter_documents()] == ["Kites"]

    def test_a_patent_folds_by_its_number_and_a_reference_is_completed(self, library: Library) -> None:
        whole = Document(
            "US8930553B2", "patent", "A kite reel", "A reel.", (Section("Text", "A drum turns."),), year=2015
        )
        library.add_file("k1", "refs.ris", [replace(whole, abstract="", sections=(), year=None)])
        assert library.add_file("k2", "grant.xml", [replace(whole, claims=("A reel with a drum.",))]) == Added(0, 1, 1)
        (held,) = library.get(["US8930553B2"])
        assert (held.claims, held.abstract, held.year) == (("A reel with a drum.",), "A reel.", 2015)
        other = replace(whole, title="A kite line", sections=())
        assert library.add_file("k3", "wrong.csv", [other]).added == 1  # one number under two titles is a slip
