"""Pages, facets, lines and filters of a library, over every store."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from engine.core.errors import LibraryError, LineError, UnknownDocumentError
from engine.documents import Document
from engine.documents.people import PersonName
from engine.library import filters as passing
from engine.library import listing
from engine.library.annotations import Annotation
from engine.library.filters import Filters
from engine.library.lines import fault_of
from engine.library.listing import Facets, Order
from engine.library.store import Library
from tests.library.records import BOX, DELTA, PAPER, PATENT, SLED

TITLES = {"a": "«Zephyr»", "b": "Éolian harps", "c": "$k$-means", "d": "", "e": "eagles"}


YEARS = {"a": 2001, "b": None, "c": 1999, "d": 2001, "e": None}


VENUES, FACET_YEARS = ("", "Walks", "Winds"), (None, 1999, 2004)


CODES = (("cs.LG",), ("cs.LG", "cs.RO"), ("G06F 17/30", "B65H75/44"), ())


DOCUMENTS = [
    Document(
        f"d{number}",
        "patent" if number % 3 == 0 else "paper",
        f"A title of its own, number {number}",
        f"Text {number} says nothing that another one says.",
        year=year,
        venue=venue,
        categories=codes,
    )
    for number, (venue, year, codes) in enumerate(product(VENUES, FACET_YEARS, CODES))
]


CHOICES = [
    Filters(),
    Filters(kinds=frozenset({"patent"})),
    Filters(year_from=2000),
    Filters(year_to=2000, venues=frozenset({"Walks"})),
    Filters(categories=frozenset({"cs.LG"})),
    Filters(categories=frozenset({"cs.LG", "cs.RO", "G06F17/30"}), kinds=frozenset({"paper"})),
    Filters(collections=frozenset({"Box"})),
    Filters(
        collections=frozenset({"Box"}), categories=frozenset({"cs.LG"}), year_from=1999, venues=frozenset({"Winds"})
    ),
    Filters(kinds=frozenset({"patent"}), venues=frozenset({"nowhere"})),
]


def groups(document: Document) -> set[str]:
    return {{"G06F 17/30": "G06F", "B65H75/44": "B65H"}.get(code, code) for code in document.categories}


def counted_one_by_one(library: Library, filters: Filters) -> Facets:
    """The same by looking at every document."""

    def passing(**left_out: object) -> list[Document]:
        return library.get(library.ids(replace(filters, **left_out)))  # type: ignore[arg-type]

    return Facets(
        total=len(passing()),
        kinds=Counter(one.kind for one in passing(kinds=frozenset())),
        years=Counter(one.year for one in passing(year_from=None, year_to=None) if one.year),
        categories=Counter(name for one in passing(categories=frozenset()) for name in groups(one)),
        venues=Counter(one.venue for one in passing(venues=frozenset()) if one.venue),
    )


PUMP = Document(
    "pump",
    "patent",
    title="Heat pump with a finned exchanger",
    abstract="A heat exchanger with fins feeds the pump; its seal sits three words from the piston ring.",
    authors=("Ana María Hernández",),
    inventors=("Ana María Hernández",),
    assignees=("Siemens AG",),
    year=2016,
    categories=("F28F 1/32",),
)


SOUND = Document(
    "sound",
    title="Speech and sound",
    abstract="A pump hums. The exchanger of ideas runs on heat.",
    authors=("Smith, Ada", "Jones, Bob"),
    year=2009,
    venue="Journal of Applied Physics",
    categories=("cs.SD",),
)


UNDATED = Document("undated", title="Ribs of ships", abstract="A rib and a tube.", authors=("Ada Jones",))


OR_OF_FIELDS = "title:ribs OR year:2016-2020"


FIRST, BOTH = Filters(files=frozenset({"one.ris"})), Filters(files=frozenset({"one.ris", "two.ris"}))


HELD = (
    Document("full", title="Thumbs", authors=("Bo Pang", "Lillian Lee"), year=2002),
    Document("short", title="Stars", authors=("Pang, B.",), year=2005),
    Document("other", title="Kites", authors=("Bob Brown", "Ada Pang")),
    Document("inverted", title="Parsing", authors=("Manning, Christopher D.",), year=1999),
    Document("patent", "patent", title="Reel", inventors=("Christopher Manning",), year=2011),
    Document("rays", title="Rays", authors=("B. C. Manning",), year=2020),
    Document("accents", title="Nets", authors=("Ana Hernández", "Laurens van der Maaten", "Jean-Paul O'Neil")),
)


class ListsContract:
    @pytest.fixture
    def five(self, library: Library) -> Library:
        library.add_file("k1", "five.csv", [Document(one, "paper", TITLES[one], year=YEARS[one]) for one in TITLES])
        return library

    @pytest.mark.parametrize("huge", [2**63, 10**30])
    def test_a_number_beyond_64_bits_lies_beyond_every_year_and_place(self, five: Library, huge: int) -> None:
        dated = ["a", "c", "d"]
        for filters in (Filters(year_from=-huge), Filters(year_to=huge), Filters(year_from=-huge, year_to=huge)):
            assert five.ids(filters) == dated and five.count(filters) == five.facets(filters).total == 3
            assert len(five.selection(filters)) == 3 and five.screening.next(filters) == "a"
        for filters in (Filters(year_from=huge), Filters(year_to=-huge)):
            assert five.ids(filters) == [] and five.count(filters) == five.facets(filters).total == 0
            assert five.screening.next(filters) is None and five.screening.flow(filters).documents == 0
        assert five.listing.page(first=huge) == [] and len(five.listing.page(first=-huge, count=huge)) == 5

    def test_half_of_a_surrogate_pair_is_no_name(self, five: Library) -> None:
        for name in ("\ud800", "a\udfff"):
            with pytest.raises(LibraryError, match="Expected the name of a collection"):
                five.collections.ids(name)
            with pytest.raises(LibraryError, match="Expected a collection's name of 1 to 80 visible characters"):
                five.collections.add(name, ["a"])
            with pytest.raises(LibraryError, match="Expected the name of a review"):
                five.reviews.rename(name, "b")
            with pytest.raises(LibraryError, match="Expected the name of a review"):
                five.listing.in_review(name).page()
            with pytest.raises(UnknownDocumentError):
                five.listing.of([name])
            assert five.annotations.untag(["a"], name) == 0
            for field in ("categories", "venues", "collections", "files"):
                assert five.ids(Filters(**{field: frozenset({name})})) == []

    @pytest.mark.parametrize(
        ("order", "rising", "falling"),
        [("added", "abcde", "edcba"), ("title", "ebcad", "acbed"), ("year", "cadbe", "daceb")],
    )
    def test_every_order_goes_both_ways_and_what_lacks_the_field_comes_last(
        self, five: Library, order: Order, rising: str, falling: str
    ) -> None:
        assert "".join(row.id for row in five.listing.page(order=order)) == rising
        assert "".join(row.id for row in five.listing.page(order=order, descending=True)) == falling

    @pytest.mark.parametrize("order", ["added", "title", "year"])
    def test_pages_follow_each_other_without_gap_or_repetition(self, five: Library, order: Order) -> None:
        whole = [row.id for row in five.listing.page(order=order)]
        pages = [five.listing.page(order=order, first=first, count=2) for first in (0, 2, 4, 6)]
        assert [row.id for page in pages for row in page] == whole
        assert [len(page) for page in pages] == [2, 2, 1, 0]

    @pytest.mark.parametrize("order", ["added", "title", "year"])
    @pytest.mark.parametrize("descending", [False, True])
    def test_pages_far_down_follow_those_before_under_filters_too(
        self, five: Library, order: Order, descending: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        five.collections.add("kept", ["e", "d", "b", "a"])
        five.annotations.tag(["a", "d", "e"], "wind")
        chosen = Filters(collections=frozenset({"kept"}), lines=("tag:wind",), files=frozenset({"five.csv"}))
        every = five.listing.page(order=order, descending=descending)
        for filters in (None, Filters(), chosen, Filters(year_from=2000), Filters(kinds=frozenset({"patent"}))):
            passing = [row.id for row in every if row.id in five.ids(filters)]
            for looked_up in (0, 3, 10**9):
                monkeypatch.setattr(listing, "_LOOKED_UP", looked_up)
                pages = [
                    five.listing.page(filters, order=order, descending=descending, first=at, count=2)
                    for at in (0, 2, 4)
                ]
                assert [row.id for page in pages for row in page] == passing

    def test_a_row_says_what_brought_it_and_what_was_written(self, library: Library) -> None:
        library.add_file("k1", "first.ris", [BOX, DELTA])
        library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
        library.annotations.tag([BOX.id], "wind")
        library.annotations.note([BOX.id], "Holds.")
        library.screening.decide([DELTA.id], "excluded", "Too short")
        box, delta, sled = library.listing.page()
        assert (box.files, delta.files, sled.files) == (("first.ris", "second.ris"), ("first.ris",), ("second.ris",))
        first, second = (file.when for file in library.files())
        assert (box.added, sled.added) == (first, second)
        assert (box.title, box.year, box.kind) == (BOX.title, BOX.year, "paper")
        assert box.annotation == Annotation(("wind",), "Holds.") and delta.annotation == Annotation()
        assert delta.screened is not None and delta.screened.reason == "Too short" and box.screened is None

    def test_filters_limit_the_pages(self, library: Library) -> None:
        library.add_file("k1", "first.ris", [BOX, DELTA])
        library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
        second = Filters(files=frozenset({"second.ris"}))
        assert [row.id for row in library.listing.page(second, order="title")] == [BOX.id, SLED.id]
        both = replace(second, lines=("year:2016-",))
        assert [row.id for row in library.listing.page(both)] == [SLED.id]
        with pytest.raises(LineError):
            library.listing.page(Filters(lines=("year:soon",)))

    def test_a_completed_reference_keeps_its_place(self, library: Library) -> None:
        library.add_file("k1", "list.bib", [replace(BOX, id="gale2015", abstract="", sections=()), DELTA])
        assert library.add_file("k2", "paper.pdf", [BOX]).completed == 1
        assert [row.id for row in library.listing.page()] == ["gale2015", DELTA.id]

    def test_rows_and_whole_documents_come_by_id(self, five: Library) -> None:
        assert [row.id for row in five.listing.of(["c", "a"])] == ["c", "a"]
        (kept,) = five.listing.kept(["c"])
        assert (kept.document, kept.listed) == (five.get(["c"])[0], five.listing.of(["c"])[0])
        with pytest.raises(UnknownDocumentError):
            five.listing.of(["c", "z"])

    @pytest.fixture
    def held(self, library: Library) -> Library:
        library.add_file("k", "made.jsonl", DOCUMENTS)
        library.collections.add("Box", [f"d{number}" for number in range(0, len(DOCUMENTS), 2)])
        return library

    @pytest.mark.parametrize("filters", CHOICES)
    def test_a_facet_counts_what_choosing_each_value_would_show(self, held: Library, filters: Filters) -> None:
        assert held.facets(filters) == counted_one_by_one(held, filters)
        assert held.facets(filters) == counted_one_by_one(held, filters)  # from what is held

    def test_the_largest_come_first_and_years_run_upwards(self, held: Library) -> None:
        found = held.facets()
        for counts in (found.kinds, found.categories, found.venues):
            assert list(counts.values()) == sorted(counts.values(), reverse=True)
        assert list(found.years) == [1999, 2004]

    def test_counts_follow_the_library_and_its_collections(self, held: Library) -> None:
        box = Filters(collections=frozenset({"Box"}))
        before, kept = held.facets(), held.facets(box)
        held.collections.take_out("Box", ["d0"])
        held.remove(["d1"])
        held.add_file(
            "more", "more.jsonl", [Document("n1", "paper", "One more title", "Something else.", venue="Waves")]
        )
        assert held.facets(box).total == kept.total - 1
        assert held.facets().total == before.total and held.facets().venues["Waves"] == 1

    @pytest.fixture
    def three(self, library: Library) -> Library:
        library.add_file("k", "three.jsonl", [PUMP, SOUND, UNDATED])
        return library

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("pump", "pump sound"),
            ("PUMP exchanger", "pump sound"),
            ('"heat exchanger"', "pump"),
            ("heat-exchanger", "pump"),  # a word with a mark inside is kept as two
            ("fin*", "pump"),
            ("fin", ""),
            ("fin* OR rib", "pump undated"),
            ("pump NOT speech", "pump"),
            ("NOT pump", "undated"),
            ("rib OR pump speech", "sound undated"),  # AND binds more than OR
            ("(rib OR pump) speech", "sound"),
            ("NOT (rib OR speech)", "pump"),
            ("seal near/6 ring", "pump"),
            ("seal near/5 ring", ""),
            ('seal near/5 "piston ring"', "pump"),
            ("title:pump", "pump"),
            ('title:"heat pump"', "pump"),
            ("title: pump", "pump"),
            ("author:hernandez", "pump"),
            ('author:"hernández ana"', "pump"),
            ("inventor:her*", "pump"),
            ('author:"ada jones"', "undated"),  # not Ada of one name and Jones of another
            ("author:ada", "sound undated"),
            ("author:siemens", ""),
            ("assignee:siemens", "pump"),
            ("year:2016", "pump"),
            ("year:2000-2010", "sound"),
            ("year:2010-", "pump"),
            ("year:-2010", "sound"),
            ("NOT year:2016", "sound undated"),
            ("cpc:F28F", "pump"),
            ("cpc:f28f1/32", "pump"),
            ("category:cs.SD", "sound"),
            ("venue:physics", "sound"),
            (r'venue:"applied\ {physics}"', "sound"),
            ("venue:%", ""),
            ("kind:patent", "pump"),
            ("kind:papers", "sound undated"),
            ("pump and speech", "sound"),
        ],
    )
    def test_what_a_line_finds(self, three: Library, line: str, expected: str) -> None:
        assert three.ids(Filters(lines=(line,))) == expected.split()
        assert three.count(Filters(lines=(line,))) == len(expected.split())

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("author:田中", "a"),  # a surname, with no space behind it
            ("author:田中太郎", "a"),
            ("author:王", "b"),
            ("author:小明", ""),  # a given name stands behind
            ("author:김", "c"),
            ('author:"kim"', ""),
            ("note:泵", "b"),
            ("note:热泵很好", "b"),
            ("note:冷", ""),
        ],
    )
    def test_names_and_notes_without_spaces_are_found_by_a_part(
        self, library: Library, line: str, expected: str
    ) -> None:
        people = {"a": "田中太郎", "b": "王小明", "c": "김민수", "d": "Ada Kimball"}
        library.add_file("k", "four.jsonl", [Document(key, title=key, authors=(name,)) for key, name in people.items()])
        library.annotations.note(["b"], "这台热泵很好")
        assert library.ids(Filters(lines=(line,))) == expected.split()

    def test_a_faulty_line_is_refused_by_a_library(self, three: Library) -> None:
        with pytest.raises(LineError, match="closing bracket"):
            three.ids(Filters(lines=("(pump",)))

    @pytest.mark.parametrize(
        "line", ['pump"; DROP TABLE documents --', "pump') OR 1=1", 'a" OR "b*', "title:^x", "{a b} : c", "near(a b)"]
    )
    def test_what_is_typed_is_never_a_command(self, three: Library, line: str) -> None:
        if fault_of(line) is None:
            assert set(three.ids(Filters(lines=(line,)))) <= {"pump", "sound", "undated"}
        assert len(three) == 3

    def test_each_line_must_hold_and_with_the_other_filters(self, three: Library) -> None:
        assert three.ids(Filters(lines=("pump", "heat"), year_to=2010)) == ["sound"]

    @pytest.mark.parametrize(
        ("beside", "expected"),
        [
            (Filters(), ["pump", "undated"]),
            (Filters(kinds=frozenset({"paper"})), ["undated"]),
            (Filters(kinds=frozenset({"patent"}), year_to=2016), ["pump"]),
            (Filters(year_to=2010), []),
            (Filters(categories=frozenset({"F28F"})), ["pump"]),
            (Filters(lines=("tube OR speech",)), ["undated"]),
        ],
    )
    def test_a_line_with_or_is_one_group_beside_the_other_filters(
        self, three: Library, beside: Filters, expected: list[str]
    ) -> None:
        for lines in ((*beside.lines, OR_OF_FIELDS), (OR_OF_FIELDS, *beside.lines)):
            filters = replace(beside, lines=lines)
            assert three.ids(filters) == expected
            assert three.count(filters) == three.facets(filters).total == len(expected)
            assert [row.id for row in three.listing.page(filters)] == expected
        assert three.count(Filters(lines=(OR_OF_FIELDS,))) == 2  # what stands beside the line

    def test_names_are_changed_and_taken_out_with_their_document(self, three: Library, folder: Path) -> None:
        three.remove(["undated"])
        assert three.ids(Filters(lines=("author:ada",))) == ["sound"]
        assert three.by_person("ada jon") == []
        assert three.by_person("smith a") == ["sound"]
        assert three.by_person("...") == []

    def test_facets_count_what_a_line_lets_through(self, three: Library) -> None:
        found = three.facets(Filters(lines=("pump OR rib",), kinds=frozenset({"paper"})))
        assert (found.total, dict(found.kinds), dict(found.categories)) == (2, {"paper": 2, "patent": 1}, {"cs.SD": 1})

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(), [PAPER.id, PATENT.id]),
            (Filters(kinds=frozenset({"patent"})), [PATENT.id]),
            (Filters(year_from=2012), [PAPER.id]),
            (Filters(year_to=2012), [PATENT.id]),
            (Filters(categories=frozenset({"A63H"})), [PATENT.id]),
            (Filters(categories=frozenset({"A63H27/08"})), [PATENT.id]),
            (Filters(categories=frozenset({"cs.RO", "B65H"})), [PAPER.id, PATENT.id]),
            (Filters(venues=frozenset({"Journal of Wind"})), [PAPER.id]),
            (Filters(venues=frozenset({r"{Journal} of\ Wind"})), [PAPER.id]),  # as lists and links once had it
            (Filters(kinds=frozenset({"patent"}), year_from=2014), []),
        ],
    )
    def test_filters(self, library: Library, filters: Filters, expected: list[str]) -> None:
        library.add_file("k1", "two.jsonl", [PAPER, PATENT])
        assert library.ids(filters) == expected

    @pytest.mark.parametrize("asked", ["G06F17/30", "G06F 17/30", "g06f17/30", "G 06 F 17/30"])
    def test_a_patent_code_is_found_however_it_is_spelt(self, library: Library, asked: str) -> None:
        spellings = ["G06F 17/30", "G06F17/30", "g06f 17/30", "G 06 F 17/30"]
        documents = [Document(f"d{n}", title=f"Reel {n}", categories=(code,)) for n, code in enumerate(spellings)]
        others = [("G06F 17/301",), ("G06F 17/3",), ("G06Q 17/30",), ("cs.LG",)]
        documents += [Document(f"o{n}", title=f"Line {n}", categories=codes) for n, codes in enumerate(others)]
        library.add_file("k1", "codes.jsonl", documents)
        assert library.ids(Filters(categories=frozenset({asked}))) == ["d0", "d1", "d2", "d3"]
        assert library.ids(Filters(categories=frozenset({asked, "cs.LG"}))) == ["d0", "d1", "d2", "d3", "o3"]
        assert library.ids(Filters(categories=frozenset({asked[:-3], "cs.lg"}))) == []
        assert library.ids(Filters(categories=frozenset({"g06f"}))) == ["d0", "d1", "d2", "d3", "o0", "o1"]
        assert library.category_counts() == {"G06F": 6, "G06Q": 1, "cs.LG": 1}

    def test_a_document_without_a_year_passes_no_limit_on_years(self, library: Library) -> None:
        library.add_file("k1", "one.txt", [Document("undated", title="Kites")])
        assert library.ids(Filters(year_to=2030)) == []
        assert library.summaries().years == [0]

    def test_what_an_import_brought_is_found_by_its_name_whatever_else_brought_it(self, imported: Library) -> None:
        found = {
            name: imported.ids(Filters(files=frozenset({name}))) for name in ("kites.jsonl", "pools.jsonl", "x.csv")
        }
        assert found == {"kites.jsonl": ["p1", "US1"], "pools.jsonl": ["p1", "p2"], "x.csv": []}
        both = Filters(kinds=frozenset({"patent"}), files=frozenset({"kites.jsonl", "pools.jsonl"}))
        assert imported.ids(both) == ["US1"]
        assert imported.facets(Filters(files=frozenset({"pools.jsonl"}))).kinds == {"paper": 2}

    @pytest.fixture
    def kites(self, library: Library) -> Library:
        library.add_file("k1", "one.ris", [BOX, DELTA])
        library.add_file("k2", "two.ris", [SLED, BOX])
        return library

    @pytest.mark.parametrize("many", [1, 10**9])
    def test_an_import_finds_the_same_large_or_small(
        self, kites: Library, monkeypatch: pytest.MonkeyPatch, many: int
    ) -> None:
        monkeypatch.setattr(passing, "_MANY", many)
        assert kites.ids(FIRST) == [BOX.id, DELTA.id] and kites.count(FIRST) == 2
        assert [row.id for row in kites.listing.page(FIRST, order="title", descending=True)] == [DELTA.id, BOX.id]
        assert kites.count(BOTH) == 3 and kites.screening.next(Filters(files=frozenset({"two.ris"}))) == BOX.id
        kites.screening.decide([BOX.id, SLED.id], "included")
        assert (kites.screening.flow(FIRST).included, kites.screening.flow(BOTH).identified) == (1, 4)
        assert kites.count(Filters(files=frozenset({"none.ris"}))) == 0

    def test_totals_are_counted_once_until_something_changes(
        self, kites: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counted: list[Filters] = []
        condition = passing.condition_of

        def told(connection: object, filters: Filters) -> tuple[str, list[str | int]]:
            counted.append(filters)
            return condition(connection, filters)  # type: ignore[arg-type]

        monkeypatch.setattr(passing, "condition_of", told)
        tagged = Filters(lines=("tag:wind",))
        assert (kites.count(FIRST), kites.count(FIRST), kites.count(tagged), kites.count(tagged)) == (2, 2, 0, 0)
        assert counted == [FIRST, tagged]
        kites.annotations.tag([BOX.id], "wind")
        assert (kites.count(FIRST), kites.count(tagged)) == (2, 1)
        assert counted == [FIRST, tagged, tagged]
        kites.remove([BOX.id])
        assert (kites.count(FIRST), kites.count(tagged)) == (1, 0)
        kites.collections.add("read", [DELTA.id])
        read = Filters(collections=frozenset({"read"}))
        assert kites.count(read) == 1
        kites.collections.take_out("read", [DELTA.id])
        assert kites.count(read) == 0

    def test_a_file_that_brings_only_what_is_held_is_counted_and_selected(self, kites: Library) -> None:
        later = Filters(files=frozenset({"later.ris"}))
        assert (kites.count(later), kites.selection(later)) == (0, frozenset())
        before = kites.screening.flow()
        kites.add_file("k3", "later.ris", [DELTA])
        assert kites.screening.flow().duplicates == before.duplicates + 1
        assert (kites.count(later), kites.selection(later)) == (1, {DELTA.id})
        kites.remove_file("k3")
        assert (kites.count(later), kites.selection(later)) == (0, frozenset())

    def test_a_collection_is_known_by_its_new_name_alone(self, kites: Library) -> None:
        kites.collections.add("read", [BOX.id])
        old, new = (Filters(collections=frozenset({name})) for name in ("read", "cited"))
        assert (kites.count(old), kites.count(new)) == (1, 0)
        kites.collections.rename("read", "cited")
        assert (kites.count(old), kites.count(new)) == (0, 1)

    def test_the_last_selections_are_held_until_something_changes(self, kites: Library) -> None:
        years = [Filters(year_from=year) for year in range(1990, 2003)]
        limits = [FIRST, BOTH, Filters(kinds=frozenset({"paper"})), *years, Filters(lines=("tag:wind",))]
        first, *others = [kites.selection(one) for one in limits]
        assert [first, *others] == [set(kites.ids(one)) for one in limits]
        assert all(kites.selection(one) is found for one, found in zip(limits[1:], others, strict=True))
        again = kites.selection(FIRST)
        assert again == first and again is not first
        assert kites.selection(limits[-1]) is others[-1]
        kites.annotations.tag([BOX.id], "wind")
        assert kites.selection(limits[-1]) == {BOX.id} and kites.selection(FIRST) is again

    def test_what_comes_and_goes_is_selected_by_the_same_ids(self, kites: Library) -> None:
        every, papers = Filters(), Filters(kinds=frozenset({"paper"}))
        before, some = kites.selection(every), kites.selection(papers)
        new = Document("new", "paper", "Of kites that are new", "They fly.")
        kites.add_file("more", "more.ris", [new])
        after = kites.selection(every)
        assert after == {*before, new.id} and new.id not in before and kites.selection(papers) == {*some, new.id}
        assert after - before == {new.id} and before | kites.selection(papers) == after
        kites.remove([new.id])
        assert kites.selection(every) == before and new.id not in kites.selection(every)
        kites.add_file("again", "again.ris", [new])
        assert kites.selection(every) == after
        assert set(kites.selection(papers) & kites.selection(every)) == {*some, new.id}

    @pytest.fixture
    def signed(self, library: Library) -> Library:
        library.add_file("k", "people", HELD)
        return library

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("Pang, B.", "short full"),
            ("B. Pang", "short full"),
            ("Pang B", "short full"),
            ("Bo Pang", "short full"),
            ("bo pang", "full"),  # without capitals it may be words: no initials
            ("Pang, Ada", "other"),
            ("Brown, B. B.", ""),  # one name is not two
            ("Pang et al.", "short full other"),
            ("Christopher Manning", "patent inverted"),
            ("D. Manning", ""),
            ("B. Manning", "rays"),
            ("Manning, C.D.", "inverted"),
            ("Manning CD", "inverted"),
            ("Hernandez, A.", "accents"),
            ("van der Maaten, Laurens", "accents"),
            ("L. van der Maaten", "accents"),
            ("O’Neil, J.-P.", "accents"),
            ("Pang, Zoe", ""),
        ],
    )
    def test_a_person_is_found_by_name_or_initials(self, signed: Library, typed: str, expected: str) -> None:
        name = PersonName.read(typed)
        assert name is not None
        assert signed.by_author(name) == expected.split()

    def test_filters_limit_what_a_person_wrote(self, signed: Library) -> None:
        name = PersonName.read("Christopher Manning")
        assert name is not None
        assert signed.by_author(name, Filters(kinds=frozenset({"paper"}))) == ["inverted"]
        assert signed.by_author(name, Filters(lines=("title:reel OR title:kites",))) == ["patent"]
        assert name.fits("Manning, C.") and not name.fits("Manning, Ada")

    @pytest.mark.parametrize("odd", ["\0", "\x1b", "\x7f", "\ud800"])
    def test_what_no_word_holds_parts_words_in_a_line_and_in_a_name(self, library: Library, odd: str) -> None:
        held = library.ids()
        for line in (f"relay{odd}zzz", f'"{odd}"', f"title:{odd}zzz", f"zzz{odd}*", odd * 3):
            with suppress(LineError):
                assert library.ids(Filters(lines=(line,))) in ([], held), line
        assert library.find(odd, 3) == [] and library.find(f"zzz{odd}", 3) == []
        with pytest.raises(UnknownDocumentError):
            library.find_one(f"zzz{odd}")
