"""Which hit is shown, how many are listed, and what steering leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Library
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.search.hits import choose, rows, titles


def current(test: object) -> list[str]:
    """The ids of the rows that say that they are chosen."""
    return [row.split('data-id="')[1].split('"')[0] for row in rows(test) if 'aria-current="true"' in row]  # type: ignore[arg-type]


@pytest.mark.usefixtures("folder")
def test_the_first_hit_is_shown_until_another_is_chosen_and_the_link_keeps_that(app: Start) -> None:
    test = app(example="rewired-random-walk")
    first = current(test)
    assert len(first) == 1 and "hit" not in test.query_params
    choose(test, "p3")
    assert current(test) == ["p3"] and test.query_params["hit"] == "p3"
    assert current(app(example="rewired-random-walk", hit="p3")) == ["p3"]
    assert current(app(example="rewired-random-walk", hit="nobody")) == first


@pytest.mark.usefixtures("folder")
def test_choosing_a_hit_searches_nothing(app: Start) -> None:
    test = app(example="rewired-random-walk")
    answer = test.session_state["answer"][1]
    choose(test, "p2")
    assert test.session_state["answer"][1] is answer


def test_ten_more_are_shown_while_the_library_holds_more(empty_folder: Path, app: Start) -> None:
    with Library.open(empty_folder, create=True) as library:
        walks = [Document(f"w{n}", title=f"A random walk of its own kind, part {n}", year=1990 + n) for n in range(14)]
        library.add_file("walks", "walks.jsonl", walks)
    test = app(text="random walk", rank="keywords")
    assert len(titles(test)) == 10 and "10 of 14 documents" in page_text(test)
    test.button(key="ten-more").click().run()
    assert len(titles(test)) == 14 and test.query_params["k"] == "20"
    assert not [button for button in test.button if button.key == "ten-more"]


def test_a_row_says_that_its_document_is_kept(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.collections.add("Walks", ["p2"])
    kept = [row for row in rows(app(example="rewired-random-walk")) if 'title="Kept in Walks"' in row]
    assert len(kept) == 1 and 'data-id="p2"' in kept[0]


@pytest.mark.usefixtures("folder")
def test_another_question_forgets_where_hits_stood_before(app: Start) -> None:
    test = choose(app(example="rewired-random-walk"), "p3")
    test.button(key="dislike-p3").click().run()
    assert "You asked for less like this" in page_text(test)
    test.button_group(key="option-kinds").set_value(["paper"]).run()
    assert not test.exception and titles(test)
    assert "You asked for less like this" not in page_text(test) and "ps-move-" not in "".join(rows(test))
    assert "Take out" in [button.label for button in test.button] and "Less like: " in page_html(test)
