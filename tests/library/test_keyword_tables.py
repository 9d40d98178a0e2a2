"""Keywords in a library's database."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.library.keywords import KeywordIndex
from engine.library.store import Library
from tests.library.texts import DOCUMENTS


def test_the_reference_list_is_not_indexed() -> None:
    document = Document("a", title="Kites", sections=(Section("References", "[1] Submarines", "references"),))
    assert KeywordIndex.in_memory([document, *DOCUMENTS]).search("submarines", 3) == []


def test_an_import_is_seen_at_once(worded: Library) -> None:
    assert worded.keywords.size == 5
    worded.add_file("k2", "more", [Document("subs", title="A submarine dives")])
    assert [hit.id for hit in worded.keywords.search("submarine", 3)] == ["subs"]
    assert worded.keywords.size == 6


@pytest.mark.parametrize(
    "odd", ["naïve", "x\u2032y", "`quoted`", "a’b", "µm", "it's", "日本語", "\u017ftrange", 'say "kite"']
)
def test_odd_tokens_are_found_as_written_by_stems_and_in_titles(tmp_path: Path, odd: str) -> None:
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "odd", [Document("odd", title=f"{odd} thing"), *DOCUMENTS])
        assert worded.keywords.search(odd, 1)[0].id == "odd"
        assert worded.keywords.search(odd, 1, stemmed=True)[0].id == "odd"
        assert worded.title_matches(odd) == ["odd"]


def test_a_title_is_looked_for_whatever_control_characters_are_typed(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "one", [Document("a", title="Steam valves")])
        assert worded.title_matches("steam\0 valv") == ["a"]
        assert worded.title_matches("\0") == []


def test_terms_keep_their_numbers_from_file_to_file(tmp_path: Path) -> None:
    with Library.open(tmp_path / "two", create=True) as worded:
        worded.add_file("one", "one", [Document("1", title="soup noodles")])
        worded.add_file("two", "two", [Document("2", title="noodles kites"), Document("3", title="kites soup")])
        with worded._database.read() as connection:
            assert connection.execute("SELECT number, term FROM terms ORDER BY number").fetchall() == [
                (0, "soup"),
                (1, "noodles"),
                (2, "kites"),
            ]
        assert [hit.id for hit in worded.keywords.search("kites", 5)] == ["2", "3"]


def test_titles_with_all_words_of_one_group_are_found(tmp_path: Path) -> None:
    papers = (
        Document("a", title="Steam valves of boats", year=1890, abstract="kites"),
        Document("b", "patent", title="Steam pumps"),
        Document("c", title='A "kite"'),
    )
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "three", papers)
        found = worded.titled([["steam", "boats"], ["kite"]], 9)
        assert [(one.id, one.kind, one.title, one.year) for one in found] == [
            ("a", "paper", "Steam valves of boats", 1890),
            ("c", "paper", 'A "kite"', None),
        ]
        assert len(worded.titled([["steam"]], 1)) == 1
        assert worded.titled([["kites"]], 9) == []  # an abstract is not searched
        assert worded.titled([], 9) == worded.titled([[]], 9) == []
