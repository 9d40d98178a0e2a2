"""What a document cites in a library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document, Identifier, Reference, Section
from engine.library import Library
from engine.search.citations.cited import Citations, citations

HELD = (
    Document("laird", title="Random-effects models for longitudinal data", year=1982, authors=("Laird, N", "Ware, J")),
    Document("preprint", title="Sparse matrix methods for mixed models", year=2003, authors=("Bates, D",)),
    Document("book", title="Sparse matrix methods for mixed models", year=2004, authors=("Bates, D", "DebRoy, S")),
    Document("second", title="Random-effects models for longitudinal data II", year=1983, authors=("Laird, N",)),
    Document("doi:10.1000/Named", title="A work that is known by its number", year=1999),
    Document("other", title="Volume of proceedings", year=1999, identifiers=(Identifier("pmid", "123456"),)),
    Document("US5123456A", "patent", title="Car coupling", year=1992),
    Document("US5123457A", "patent", title="Car coupling", year=1992),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("cited"), create=True) as library:
        library.add_file("key", "texts", HELD)
        yield library


def cited(library: Library, *references: Reference) -> set[str]:
    return set(citations(Document("asks", references=references), library).held)


def printed(library: Library, text: str) -> Citations:
    return citations(Document("asks", sections=(Section("References", text, "references"),)), library)


def test_a_printed_list_finds_what_the_library_holds(library: Library) -> None:
    text = (
        "Laird NM, Ware JH (1982). “Random-Efects Models for Longitudinal Data.” Biometrics, 38(4), 963–974.\n\n"
        "Nobody A (1999). “A paper that nobody holds about nothing.” Journal of Nothing, 1, 1."
    )
    found = printed(library, text)
    assert set(found.held) == {"laird"}
    assert (len(found.references), found.works_held) == (2, 1)
    assert found.held["laird"].year == 1982


def test_every_version_of_a_cited_work_is_cited(library: Library) -> None:
    entry = Reference("", title="Sparse matrix methods for mixed models", year=2004, authors=("S. DebRoy", "D. Bates"))
    assert cited(library, entry) == {"preprint", "book"}
    found = citations(Document("asks", references=(entry,)), library)
    assert found.works_held == 1


@pytest.mark.parametrize(
    ("identifier", "id_"),
    [
        (Identifier("doi", "https://doi.org/10.1000/named"), "doi:10.1000/Named"),
        (Identifier("pmid", "123456"), "other"),
        (Identifier("patent", "US5123456"), "US5123456A"),
        (Identifier("patent", "US 5123456 A1"), "US5123456A"),
    ],
)
def test_a_number_is_enough(library: Library, identifier: Identifier, id_: str) -> None:
    assert cited(library, Reference("", identifiers=(identifier,))) == {id_}


def test_a_number_under_another_title_is_a_volume_s(library: Library) -> None:
    entry = Reference("", title="Learning to rank for patents", identifiers=(Identifier("pmid", "123456"),))
    assert cited(library, entry) == set()


def test_a_document_does_not_cite_itself(library: Library) -> None:
    entry = Reference("", identifiers=(Identifier("patent", "US5123456A"),))
    assert citations(Document("US5123456A", "patent", references=(entry,)), library).held == {}


def test_a_document_without_a_list_cites_nothing(library: Library) -> None:
    assert citations(Document("asks", title="No list"), library) == Citations()


def test_words_that_a_line_end_parted_find_their_title(library: Library) -> None:
    text = "Bates D. Sparse ma-\ntrix meth-\nods for mixed mod-\nels. J. Things, 2004."
    assert set(printed(library, text).held) == {"preprint", "book"}


def test_only_documents_that_may_be_meant_are_read(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("walked all documents")

    monkeypatch.setattr(library, "iter_documents", refuse)
    monkeypatch.setattr(library, "summaries", refuse)
    assert printed(library, "Bates D (2004). Sparse matrix methods for mixed models. J. Things.").held


def test_a_long_subtitle_may_be_missing(tmp_path: Path) -> None:
    title = "Closing the gap between teams: how changes of what is displayed on screens affect how the players behave"
    with Library.open(tmp_path, create=True) as library:
        library.add_file("long", "long", [Document("long", title=title, year=2012, authors=("Ong, C.",))])
        entry = Reference("", title="Closing the gap between teams", year=2012, authors=("C. Ong",))
        assert cited(library, entry) == {"long"}
