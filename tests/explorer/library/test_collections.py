"""Collections on the pages: kept under a hit and from the map, looked through, renamed and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import EXAMPLE, keep, kept, opened, rows


def listed(test: AppTest) -> list[str]:
    return rows(test)


def test_a_search_looks_through_a_collection_and_follows_it(app: Start, folder: Path) -> None:
    keep(folder, "Trains", "US2", "p3")
    test = app(example=EXAMPLE, **{"in": "Trains"})
    assert not test.exception
    assert len(listed(test)) == 2
    assert test.multiselect(key="option-collections").value == ["Trains"]
    keep(folder, "Trains", "p1")
    assert len(listed(test.run())) == 3
    test.button(key="clear-filters").click().run()
    assert len(listed(test)) == 6
    assert "in" not in test.query_params


def test_a_collection_that_is_not_there_lets_nothing_through_and_says_why(app: Start, folder: Path) -> None:
    keep(folder, "Trains", "US2")
    test = app(example=EXAMPLE, **{"in": "Ships"})
    assert not test.exception and listed(test) == []
    assert "Filters on: collections. Without collections, 6 documents would be looked at." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_without_collections_nothing_is_offered_to_filter_by(app: Start) -> None:
    assert "option-collections" not in {box.key for box in app(example=EXAMPLE).multiselect}


def library_page(app: Start, **link: str) -> AppTest:
    return app(**link).switch_page("explorer/library/view.py").run()


def test_the_library_page_says_how_collections_come_about(app: Start, folder: Path) -> None:
    assert "None yet. Press Keep under a result" in page_text(library_page(app))
    keep(folder, "Walks", "p1", "p2")
    test = opened(library_page(app), "collection-0-open")
    assert not test.exception
    assert "None yet" not in page_text(test)
    assert "Cover times of random walks" in page_text(test)


def test_the_hostile_title_of_a_kept_document_stays_text(app: Start, folder: Path) -> None:
    keep(folder, "<b>Walks</b>", "p4")
    test = opened(library_page(app), "collection-0-open")
    assert not test.exception
    assert "<script>alert(1)" not in page_html(test)
    assert "<strong>&lt;b&gt;Walks&lt;/b&gt;</strong>" in page_html(test)


def test_a_document_is_taken_out(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1", "p2")
    test = opened(library_page(app), "collection-0-open")
    test.button(key="take-0-p1").click().run()
    assert kept(folder) == {"Walks": ["p2"]}


def test_a_renamed_collection_is_still_looked_through(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1")
    keep(folder, "Trains", "US2")
    test = opened(library_page(app, **{"in": "Walks"}), "collection-1-open")
    test.text_input(key="rename-to-Walks").input("Random walks")
    button = next(button for button in test.button if button.key and "rename-form-Walks" in button.key)
    test = button.click().run()
    assert not test.exception
    assert kept(folder) == {"Random walks": ["p1"], "Trains": ["US2"]}
    assert test.query_params["in"] == "Random walks"


def test_a_field_for_a_new_name_holds_its_own_collections_name(app: Start, folder: Path) -> None:
    keep(folder, "Alpha", "p1")
    keep(folder, "Beta", "US2")
    test = opened(library_page(app), "delete-0")
    test = test.button(key="delete-it-0").click().run()
    assert [field.value for field in test.text_input if (field.key or "").startswith("rename-to")] == ["Beta"]
    button = next(button for button in test.button if button.key and "rename-form" in button.key)
    button.click().run()
    assert kept(folder) == {"Beta": ["US2"]}


def test_a_name_that_is_taken_is_refused(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1")
    keep(folder, "Trains", "US2")
    test = opened(library_page(app), "collection-1-open")
    test.text_input(key="rename-to-Walks").input("trains")
    button = next(button for button in test.button if button.key and "rename-form-Walks" in button.key)
    test = button.click().run()
    assert "there is one called 'Trains'" in page_text(test)
    assert kept(folder) == {"Trains": ["US2"], "Walks": ["p1"]}


def test_a_deleted_collection_limits_nothing_any_more(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1")
    test = opened(library_page(app, **{"in": "Walks"}), "collection-0-open", "delete-0")
    test.button(key="delete-it-0").click().run()
    assert kept(folder) == {}
    assert "in" not in test.query_params
    assert "None yet" in page_text(test)


def test_a_collection_is_searched_from_the_library_page(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1")
    test = opened(library_page(app, kind="patent"), "collection-0-open")
    test.button(key="search-in-0").click().run()
    assert not test.exception
    assert test.query_params["in"] == "Walks" and "kind" not in test.query_params


def test_documents_alone_can_ask(app: Start, folder: Path) -> None:
    keep(folder, "Walks", "p1", "p2")
    test = library_page(app, kind="patent")
    test.button(key="like-0").click().run()
    assert not test.exception
    assert test.query_params["like"] == ["p1", "p2"] and "kind" not in test.query_params
    cards = listed(test)
    assert cards and not any("Cover times" in card or "Mixing of Markov" in card for card in cards)
    assert "to these documents of your library, all together." in page_text(test)
    assert {"compare-p4", "judge-p4"}.isdisjoint({button.key for button in test.button})
    assert "In one that you like" in page_text(test)


def test_a_link_with_seeds_alone_is_a_search(app: Start, folder: Path) -> None:
    test = app(like="p1")
    assert not test.exception and listed(test)
    for key in ("seed-p1", "new-search"):
        left = app(like="p1").button(key=key).click().run()
        assert "What lies near your document?" in [title.value for title in left.title]
        assert "like" not in left.query_params
