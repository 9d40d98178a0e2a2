"""What a document cites in a library, and which works two documents both cite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document, Identifier, Reference, Section
from engine.library import Library
from engine.search.citations.cited import Citations, citations, shared_references

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


BOTH = "Davis T (2006). Direct Methods for Sparse Linear Systems. SIAM."


def paper(id_: str, *entries: str) -> Document:
    return Document(id_, sections=(Section("References", "\n\n".join(entries), "references"),))


def test_a_work_in_both_lists_is_shared_however_it_is_printed() -> None:
    one = paper("one", BOTH, "Bates D (2004). Linear mixed models and penalized least squares. J. Things.")
    other = paper("other", "[1] T. Davis, “Direct methods for sparse linear system,” in SIAM, 2006.")
    assert [reference.text for reference in shared_references(one, other)] == [BOTH]


def test_works_that_only_look_alike_are_not_shared() -> None:
    one = paper("one", "Andrews D, Monahan J (1992). An Improved Consistent Covariance Matrix Estimator. Econometrica.")
    other = paper("other", "Andrews D (1991). Consistent Covariance Matrix Estimation. Econometrica.")
    assert shared_references(one, other) == ()
    assert shared_references(other, one) == ()


def test_patents_are_shared_by_their_numbers() -> None:
    entry = Reference("US 5,123,456 A", identifiers=(Identifier("patent", "US5123456A"),))
    kindless = Reference("US 5123456", identifiers=(Identifier("patent", "US5123456"),))
    one, other = Document("a", "patent", references=(entry,)), Document("b", "patent", references=(kindless,))
    assert shared_references(one, other) == (entry,)


def test_a_document_without_a_list_shares_nothing() -> None:
    assert shared_references(paper("one", BOTH), Document("other")) == ()
    assert shared_references(Document("other"), paper("one", BOTH)) == ()
