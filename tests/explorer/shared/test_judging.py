"""The thumbs under a hit: kept in the library, shown again, and taken back."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from tests.explorer.conftest import Start, page_text
from tests.explorer.pages import choose, titles


def judge(test: AppTest, id_: str, grade: int | None) -> AppTest:
    """Judge a hit, in its details."""
    return choose(test, id_).button_group(key=f"judge-{id_}").set_value(grade).run()


def kept(folder: Path) -> list[dict[str, int]]:
    with Library.open(folder) as library:
        return [dict(judged.grades) for judged in library.judgements.queries()]


def test_a_thumb_is_kept_with_the_query_and_counted(app: Start, folder: Path) -> None:
    test = app(example="rewired-random-walk")
    assert "judged" not in page_text(test)
    judge(test, "p1", 1)
    judge(test, "p2", 0)
    assert not test.exception
    assert "2 hits judged, 1 relevant" in page_text(test)
    assert kept(folder) == [{"p1": 1, "p2": 0}]
    with Library.open(folder) as library:
        assert library.judgements.queries()[0].query.abstract


def test_a_later_visit_finds_it_and_takes_it_back(app: Start, folder: Path) -> None:
    judge(app(example="rewired-random-walk"), "p1", 1)
    test = app(example="rewired-random-walk")
    assert choose(test, "p1").button_group(key="judge-p1").value == 1
    assert "1 hit judged, 1 relevant" in page_text(test)
    judge(test, "p1", None)
    assert "judged" not in page_text(test)
    assert kept(folder) == []


@pytest.mark.usefixtures("folder")
def test_the_way_to_evaluate_keeps_what_the_visitor_has_chosen(app: Start) -> None:
    test = app(example="rewired-random-walk", rank="keywords", k="20", **{"from": "1990"})
    judge(test, "p1", 1)
    link = next(link for link in test.get("page_link") if "Evaluate" in link.proto.label)
    said = parse_qs(link.proto.query_string)
    assert said == {
        "encoder": ["tfidf"],
        "on": ["judged"], "example": ["rewired-random-walk"], "rank": ["keywords"], "k": ["20"], "from": ["1990"],
        "hit": ["p1"],
    }  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_judging_does_not_change_the_ranking(app: Start) -> None:
    test = app(example="rewired-random-walk")
    before = titles(test)
    judge(test, "p2", 0)
    assert titles(test) == before
