"""How documents are folded, completed and come back, over every store."""

from __future__ import annotations

import csv
import io
import itertools
import json
from dataclasses import replace

import pytest

from engine.documents import Document, Identifier, Section
from engine.exports import RECORD_FORMATS
from engine.library import Library
from engine.library.records import Added
from engine.reading import read_bytes

TITLE = "Slow drift of lamps over shallow harbours"


PREPRINT = Document(
    "arXiv:2101.00001",
    title=TITLE,
    abstract="We follow forty lamps over two winters …",
    sections=(Section("Method", "Lamps were hung on lines."),),
    year=2021,
    venue="arXiv",
    authors=("M. Osei", "P. Lund"),
    url="https://arxiv.org/abs/2101.00001",
)


SERVER = Document(
    "doi:10.1101/2021.02.03.429999",
    title=TITLE,
    year=2021,
    venue="bioRxiv",
    authors=("Mara Osei", "Pieter Lund"),
    identifiers=(Identifier("pmid", "777"),),
)


PUBLISHED = Document(
    "doi:10.1234/Lamps.7",
    title=f"{TITLE}.",
    abstract="We follow forty lamps over two winters. They drift.",
    year=2021,
    venue="Journal of Lamps",
    authors=("Osei, Mara", "Lund, Pieter", "Ruiz, Ana"),
    url="https://doi.org/10.1234/Lamps.7",
)


ORDERS = pytest.mark.parametrize("order", list(itertools.permutations((PREPRINT, SERVER, PUBLISHED))))


NUMBERS = (
    Identifier("doi", "10.1234/lamps.7"),
    Identifier("doi", "10.1101/2021.02.03.429999"),
    Identifier("arxiv", "2101.00001v3"),
    Identifier("doi", "10.48550/arXiv.2101.00001"),
    Identifier("pmid", "777"),
)


OWN = Document("my-1", title=TITLE, year=2019, venue="Lamp Letters", identifiers=(Identifier("doi", "10.1234/X.1"),))


EDITORIAL = Document("e1", title="A year of change for marine research", year=2020, venue="Reef Notes")


THREE = [Document(f"doi:10.1234/t{n}", title=f"{TITLE} in year {n}", abstract=f"Lamps {n}.") for n in range(3)]


class WritingContract:
    @ORDERS
    def test_every_number_of_three_versions_finds_them_in_any_order(
        self, library: Library, order: tuple[Document, ...]
    ) -> None:
        for number, version in enumerate(order):
            library.add_file(f"k{number}", version.id, [version])
        (held,) = library.iter_documents()
        assert held.id == order[0].id
        assert [library.known_as([one]) for one in NUMBERS] == [[held.id]] * len(NUMBERS)
        assert library.get([one.id for one in order]) == [held] * 3
        assert (held.venue, held.year, held.url) == ("Journal of Lamps", 2021, "https://doi.org/10.1234/Lamps.7")
        assert held.authors == PUBLISHED.authors
        assert (held.abstract, held.sections) == (PUBLISHED.abstract, PREPRINT.sections)
        again = library.add_file("again", "again", order)
        assert again == Added(0, 3) and list(library.iter_documents()) == [held]

    @ORDERS
    def test_exports_cite_the_published_version_and_name_the_preprints(
        self, library: Library, order: tuple[Document, ...]
    ) -> None:
        library.add_file("k", "versions", order)
        texts = {name: write(list(library.iter_documents())) for name, write in RECORD_FORMATS.items()}
        for line in (
            "doi = {10.1234/Lamps.7}",
            "eprint = {2101.00001}",
            "journal = {Journal of Lamps}",
            "pmid = {777}",
        ):
            assert line in texts["bibtex"]
        assert "doi:10.1101/2021.02.03.429999" in texts["bibtex"]
        assert "\r\nDO  - 10.1234/Lamps.7\r\n" in texts["ris"] and texts["ris"].count("\r\nDO  - ") == 1
        assert "\r\nN1  - Preprint: arXiv:2101.00001; doi:10.1101/2021.02.03.429999\r\n" in texts["ris"]
        for row in (json.loads(texts["json"])[0], next(csv.DictReader(io.StringIO(texts["csv"])))):
            assert (row["doi"], row["arxiv_id"], row["pmid"]) == ("10.1234/Lamps.7", "2101.00001", "777")
            assert row["preprint"] == "arXiv:2101.00001; doi:10.1101/2021.02.03.429999"
        for name, text in texts.items():  # and what another library reads of it is known by both numbers
            back = Library.open(library.folder / name, create=True)
            with back:
                back.add_file("k", name, [read_bytes(text.encode(), f"x.{name[:3].replace('jso', 'json')}").document])
                assert [len(back.known_as([NUMBERS[at]])) for at in (0, 2)] == [1, 1], name

    @pytest.mark.parametrize(
        "other",
        [
            replace(OWN, id="row 7", year=2020),
            Document("doi:10.1234/x.1", title=TITLE.upper(), year=2020),
            Document("b", title=TITLE, url="https://doi.org/10.1234/X.1"),
            Document("b", title=f"{TITLE}: a trial in two parts", url="https://doi.org/10.1234/X.1"),
            Document("pmid:5", title=TITLE, identifiers=(Identifier("doi", "https://doi.org/10.1234/x.1"),)),
        ],
    )
    def test_a_record_with_an_id_of_its_own_folds_by_its_doi(self, library: Library, other: Document) -> None:
        for number, (one, two) in enumerate(((OWN, other), (other, OWN))):
            with Library.open(library.folder / str(number), create=True) as some:
                some.add_file("k1", "one", [one])
                assert some.add_file("k2", "two", [two]).added == 0
                assert some.known_as([Identifier("doi", "10.1234/x.1")]) == [one.id]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                Document("arXiv:2101.00001", title=TITLE),
                Document("doi:10.48550/arXiv.2101.00001", title=TITLE, year=2020),
            ),
            (Document("doi:10.48550/ARXIV.2101.00001v2", title=TITLE), Document("arXiv:2101.00001v1", title=TITLE)),
            (Document("pmid:9", title=TITLE), Document("x", title=TITLE, identifiers=(Identifier("pmid", "9"),))),
            (Document("PMC9", title=TITLE), Document("x", title=TITLE, identifiers=(Identifier("pmc", "PMC9"),))),
        ],
    )
    def test_one_number_of_two_schemes_is_one_work(self, library: Library, one: Document, other: Document) -> None:
        assert library.add_file("k", "two", [one, other]).added == 1

    @pytest.mark.parametrize(
        ("other", "folds"),
        [
            (replace(EDITORIAL, id="e2", venue="Lamp Letters"), False),
            (replace(EDITORIAL, id="e2", authors=("Ada Gale",), venue="Lamp Letters"), False),
            (replace(EDITORIAL, id="doi:10.1234/e2", venue=""), True),
            (replace(EDITORIAL, id="e2"), True),
            (replace(EDITORIAL, id="e2", venue="Reef Note."), True),
            (replace(EDITORIAL, id="e2", venue="arXiv"), True),
        ],
    )
    def test_anonymous_editorials_fold_within_one_journal(self, library: Library, other: Document, folds: bool) -> None:
        assert library.add_file("k", "two", [EDITORIAL, other]).folded == folds

    def test_anonymous_works_with_dois_of_their_own_are_two(self, library: Library) -> None:
        two = [replace(EDITORIAL, id=f"doi:10.1234/e{number}", venue="") for number in range(2)]
        assert library.add_file("k", "two", two).added == 2

    def test_papers_that_carry_their_volumes_doi_stay_apart(self, library: Library) -> None:
        papers = [Document(f"p{n}", title=f"{TITLE} {n}", identifiers=(Identifier("doi", "10.1/v"),)) for n in range(3)]
        assert library.add_file("k", "volume", papers).added == 3

    def test_a_preprint_gives_a_published_record_no_venue(self, library: Library) -> None:
        bare = replace(PUBLISHED, venue="", url="", abstract="")
        library.add_file("k", "two", [bare, PREPRINT])
        (held,) = library.iter_documents()
        assert held.venue == "" and held.abstract == PREPRINT.abstract

    def test_a_document_that_was_removed_comes_back_with_its_file(self, library: Library) -> None:
        library.add_file("k", "three.bib", THREE)
        library.collections.add("Lamps", [THREE[1].id])
        library.annotations.tag([THREE[1].id], "bright")
        library.remove([THREE[1].id])
        assert library.has_file("k") and not library.has_whole_file("k")
        assert library.add_file("k", "three.bib", THREE) == Added(1, 0, 0, (THREE[1].id,))
        assert library.has_whole_file("k") and len(library) == 3
        assert library.counts().files == 1 and library.counts().folded == 0
        assert library.annotations.tags() == {"bright": 1} and library.collections.ids("Lamps") == []
        assert library.add_file("k", "three.bib", THREE) == Added(0, 0)
        assert library.remove_file("k") == [one.id for one in THREE]

    def test_a_file_all_of_whose_documents_were_removed_says_that_they_come_back(self, library: Library) -> None:
        library.add_file("k", "one.pdf", THREE[:1])
        library.remove([THREE[0].id])
        assert not library.has_file("k") and library.had_file("k")
        assert library.add_file("k", "one.pdf", THREE[:1]).returned == (THREE[0].id,)
        assert not library.had_file("k")
        library.remove_file("k")
        library.annotations.forget_removed()
        assert library.add_file("k", "one.pdf", THREE[:1]) == Added(1, 0)

    def test_a_folded_version_goes_with_its_document_and_each_file_brings_its_own_back(self, library: Library) -> None:
        library.add_file("a", "preprint", [PREPRINT])
        library.add_file("b", "published", [PUBLISHED, *THREE])
        assert library.remove([PUBLISHED.id]) == [PREPRINT.id]
        assert library.add_file("b", "published", [PUBLISHED, *THREE]) == Added(1, 0, 0, (PUBLISHED.id,))
        assert library.known_as([Identifier("arxiv", "2101.00001")]) == []
        assert library.add_file("a", "preprint", [PREPRINT]) == Added(0, 1, 1)
        assert library.known_as([Identifier("arxiv", "2101.00001")]) == [PUBLISHED.id]
        assert len(library) == 4

    def test_a_record_that_is_read_again_stays_the_document_that_it_was(self, library: Library) -> None:
        library.add_file("k", "rows.csv", [Document("1", title="Kites"), Document("2", title="Reels")])
        library.remove(["2"])
        other = Document("1", title="Kites, as another version reads them")
        assert library.add_file("k", "rows.csv", [other, Document("2", title="Reels")]) == Added(1, 0, 0, ("2",))
        assert [one.title for one in library.iter_documents()] == ["Kites", "Reels"]

    def test_rows_that_share_their_number_are_read_again_as_they_were(self, library: Library) -> None:
        rows = [Document("1", title="Kites"), Document("1", title="Soups"), Document("2", title="Reels")]
        library.add_file("k", "rows.csv", rows)
        second = library.ids()[1]
        library.remove(["2"])
        assert library.add_file("k", "rows.csv", rows) == Added(1, 0, 0, ("2",))
        assert [one.title for one in library.iter_documents()] == ["Kites", "Soups", "Reels"]
        assert library.documents_of_file("k") == ["1", second, "2"]
