"""Screening and collections on the pages: documents are decided on, counted, kept, looked through and let go."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library, Screened
from explorer.library.review import decision_mark
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import EXAMPLE, keep, kept, opened, part, rows, titles


def counted(test: AppTest, name: str) -> str:
    return page_html(test).split(f"<dt>{name}</dt><dd>")[1].split("</dd>")[0]


def shown(test: AppTest) -> str:
    return page_html(test).split('class="ps-title">')[1].split("</h2>")[0]


def begin(test: AppTest) -> AppTest:
    return next(button for button in test.button if button.label == "Begin the review").click().run()


@pytest.fixture
def screened(app: Start, folder: Path) -> AppTest:
    assert folder.is_dir()
    return begin(part(app, "Screening"))


def test_nothing_is_screened_before_a_review_is_begun(app: Start, folder: Path) -> None:
    test = part(app, "Screening", kind="patent")
    assert not test.exception and "covers the 2 documents that pass the filters" in page_text(test)
    assert "covers the 1 document that passes the filters" in page_text(part(app, "Screening", line="title:telegraph"))
    assert not {"include-screen", "exclude-screen", "later-screen"} & {button.key for button in test.button}
    opened_one = part(app, "Documents").button(key="open-document-0").click().run()
    assert "include-document" not in {button.key for button in opened_one.button}
    with Library.open(folder) as library:
        assert library.reviews.counts() == {}
    test = begin(test)
    assert shown(test) == "Telegraph relay" and test.button(key="include-screen")
    with Library.open(folder) as library:
        assert library.reviews.counts() == {"Review 1": 0}


def test_the_results_of_a_search_are_screened_in_their_order(app: Start, folder: Path) -> None:
    test = app(example=EXAMPLE, k="3")
    found = titles(test)
    test = test.button(key="screen-these").click().run()
    assert not test.exception and test.query_params["part"] == "screening"
    seen = []
    for _ in range(3):
        seen.append(shown(test))
        test = test.button(key="exclude-screen").click().run()
    assert all(map(str.startswith, seen, found)) and "All 3 documents are decided." in page_text(test)
    assert counted(test, "Excluded") == "3"
    with Library.open(folder) as library:
        (name,) = library.reviews.counts()
    assert len(name) <= 60
    assert name.split("…")[0].strip() in page_text(app(example=EXAMPLE))
    again = app(example=EXAMPLE, k="3").button(key="screen-these").click().run()
    assert "All 3 documents are decided." in page_text(again)  # it is the same review
    other = app(example=EXAMPLE, k="2").button(key="screen-these").click().run()
    assert other.selectbox(key="review-chosen").value == f"{name} 2" and counted(other, "Undecided") == "2"
    alone = app(example=EXAMPLE, k="1").button(key="screen-these").click().run()
    assert "The only document is decided." in page_text(alone.button(key="exclude-screen").click().run())
    assert other.query_params["review"] == f"{name} 2"
    assert counted(part(app, "Screening", review=f"{name} 2"), "Undecided") == "2"
    assert "could not be restored: review=no." in page_text(app(review="no"))


def by_nearness(test: AppTest, what: str) -> AppTest:
    return test.selectbox(key="screen-order-choice").select(what).run()


@pytest.mark.usefixtures("folder")
def test_what_waits_comes_in_the_order_of_nearness_to_what_is_included(app: Start) -> None:
    test = by_nearness(begin(part(app, "Screening", kind="paper")), "included")
    assert "None yet to be near to" in page_text(test)
    assert shown(test) == "Cover times of random walks"
    test = test.button(key="include-screen").click().run()
    assert not test.exception and "A lazy walk on a graph" in page_text(test)
    test = test.button(key="later-screen").click().run()
    assert shown(test) == "Rotons in helium"  # as a search for more like the first finds them
    for _ in range(3):
        test = test.button(key="exclude-screen").click().run()
    assert not test.exception and "All 4 documents are decided." in page_text(test)
    test = test.button(key="screen-undo").click().run()
    assert "A lazy walk on a graph" in page_text(test)  # put off, so it came last


def test_what_waits_comes_in_the_order_of_nearness_to_a_collection(screened: AppTest, folder: Path) -> None:
    keep(folder, "Trains", "US1")
    test = by_nearness(screened.run(), "in:Trains")
    assert shown(test) == "Telegraph relay"
    test = test.button(key="exclude-screen").click().run()
    assert shown(test) == "Car coupling"
    with Library.open(folder) as library:
        library.collections.take_out("Trains", ["US1"])
    test = test.run()
    assert not test.exception and shown(test) == "Cover times of random walks"
    with Library.open(folder) as library:
        library.collections.add("Trains", ["US2"])
        library.remove(["US1"])
    test = test.run()
    assert not test.exception
    with Library.open(folder) as library:
        library.collections.delete("Trains")
    test = test.run()
    assert not test.exception and test.selectbox(key="screen-order-choice").value == ""


@pytest.mark.usefixtures("folder")
def test_without_vectors_what_waits_is_in_order_by_words(app: Start) -> None:
    test = begin(part(app, "Screening", encoder="lsa"))
    test = by_nearness(test.button(key="include-screen").click().run(), "included")
    assert not test.exception and "A lazy walk on a graph" in page_text(test)


def test_decisions_lead_from_one_document_to_the_next_and_are_counted(screened: AppTest) -> None:
    assert not screened.exception
    assert (counted(screened, "Records identified"), counted(screened, "Undecided")) == ("6", "6")
    assert shown(screened) == "Cover times of random walks"
    test = screened.button(key="include-screen").click().run()
    assert shown(test) == "Mixing of Markov chains"
    test = test.text_input(key="reason-screen-p2").set_value("Wrong <b>chain</b>").run()
    test = test.button(key="exclude-screen").click().run()
    assert shown(test) == "Rotons in helium"
    numbers = [counted(test, name) for name in ("Screened", "Excluded", "Included", "Undecided")]
    assert numbers == ["2", "1", "1", "4"]
    assert "Wrong <b>chain</b>" in page_text(test) and "<b>chain" not in page_html(test)
    assert test.text_input(key="reason-screen-p3").value == ""


def test_the_last_decision_is_taken_back(screened: AppTest) -> None:
    test = screened.button(key="include-screen").click().run()
    test = test.button(key="screen-undo").click().run()
    assert (shown(test), counted(test, "Screened")) == ("Cover times of random walks", "0")
    assert not [button for button in test.button if button.key == "screen-undo"]


def test_what_is_put_off_comes_again_after_the_others(screened: AppTest) -> None:
    test = screened.button(key="later-screen").click().run()
    assert shown(test) == "Mixing of Markov chains"
    for _ in range(5):
        test = test.button(key="include-screen").click().run()
    assert (shown(test), counted(test, "Undecided")) == ("Cover times of random walks", "1")
    test = test.button(key="later-screen").click().run()
    assert shown(test) == "Cover times of random walks"
    test = test.button(key="include-screen").click().run()
    assert not test.exception and "All 6 documents are decided." in page_text(test)


def test_one_that_was_put_off_and_removed_is_forgotten(screened: AppTest, folder: Path) -> None:
    test = screened.button(key="later-screen").click().run()
    with Library.open(folder) as library:
        library.remove(["p1"])
    test = test.run()
    assert not test.exception and shown(test) == "Mixing of Markov chains"


@pytest.mark.usefixtures("folder")
def test_filters_limit_what_is_counted_and_shown(app: Start) -> None:
    test = begin(part(app, "Screening", line="kind:patent"))
    assert (counted(test, "Records identified"), shown(test)) == ("2", "Telegraph relay")
    test = part(app, "Screening", line="zeppelin")
    assert "No document passes the filters." in page_text(test)


@pytest.mark.usefixtures("folder")
def test_counts_and_decisions_come_as_files(screened: AppTest) -> None:
    labels = [button.label for button in screened.get("download_button")]
    assert labels[:3] == ["Counts, CSV", "All with decisions, CSV", "All with decisions, RIS"]
    assert {"Included, RIS", "Excluded, CSV", "Undecided, RIS"} < set(labels)


def test_a_reason_that_was_given_excludes_the_next_one_with_one_press(screened: AppTest, folder: Path) -> None:
    test = screened.text_input(key="reason-screen-p1").set_value("Wrong :red[graph] *here*").run()
    test = test.button(key="exclude-screen").click().run()
    again = test.button(key="given-screen-0")
    assert again.label == "Wrong :\u2060red\\[graph\\] \\*here\\*"
    test = again.click().run()
    assert shown(test) == "Rotons in helium"
    with Library.open(folder) as library:
        assert library.screening.flow().reasons == {"Wrong :red[graph] *here*": 2}


@pytest.fixture
def one_screened(app: Start, folder: Path) -> AppTest:
    assert folder.is_dir()
    return begin(part(app, "Screening")).button(key="include-screen").click().run()


def begun(test: AppTest, name: str) -> AppTest:
    test = opened(test, "reviews")
    test.text_input(key="review-new").set_value(name)
    return begin(test)


def test_another_review_begins_without_decisions(one_screened: AppTest, folder: Path) -> None:
    assert counted(one_screened, "Included") == "1"
    test = begun(one_screened, "Tides <b>")
    assert not test.exception and test.selectbox(key="review-chosen").value == "Tides <b>"
    assert (counted(test, "Included"), shown(test)) == ("0", "Cover times of random walks")
    test = test.text_input(key="reason-screen-p1").set_value("Dry").run()
    test = test.button(key="exclude-screen").click().run()
    test = test.selectbox(key="review-chosen").select("Review 1").run()
    assert (counted(test, "Included"), counted(test, "Excluded")) == ("1", "0")
    assert not [button for button in test.button if button.key == "screen-undo"]  # the last decision is the other's
    with Library.open(folder) as library:
        assert library.reviews.counts() == {"Review 1": 1, "Tides <b>": 1}


def test_a_review_is_renamed_and_removed_when_that_is_meant(one_screened: AppTest, folder: Path) -> None:
    test = begun(one_screened, "Tides")
    test = opened(test, "reviews")
    test.text_input(key="review-to-Tides").set_value("review 1")
    test = next(button for button in test.button if button.label == "Rename").click().run()
    assert "one is called 'Review 1'" in page_text(test)
    test = test.selectbox(key="review-chosen").select("Review 1").run()
    assert test.button(key="review-remove").disabled
    assert "on 1 document may be lost" in test.checkbox(key="review-sure-Review 1").label
    test = test.checkbox(key="review-sure-Review 1").check().run()
    test = test.button(key="review-remove").click().run()
    assert not test.exception and counted(test, "Included") == "0"
    with Library.open(folder) as library:
        assert library.reviews.counts() == {"Tides": 0}


def test_a_tag_is_renamed_in_the_list(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(library.ids()[:2], "to read")
    test = opened(part(app, "Documents"), "tags")
    test.text_input(key="tag-to-to read").set_value("soon")
    test = next(button for button in test.button if button.label == "Rename it").click().run()
    assert not test.exception
    with Library.open(folder) as library:
        assert library.annotations.tags() == {"soon": 2}


def test_a_decision_is_said_with_its_reason() -> None:
    assert str(decision_mark(Screened("included", "", ""))) == '<li class="ps-included">Included</li>'
    assert "Excluded: &lt;b&gt;" in decision_mark(Screened("excluded", "<b>", ""))


def test_a_decision_is_taken_back(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.screening.decide(["p3"], "excluded", "No walk")
    test = part(app, "Documents", line="title:rotons")
    test = test.button(key="open-document-0").click().run()
    assert test.text_input(key="reason-document-p3").value == "No walk"
    test = test.button(key="undecide-document").click().run()
    assert not test.exception and "Excluded" not in page_text(test)
    with Library.open(folder) as library:
        assert library.screening.of(["p3"]) == [None]


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
    test = app(example=EXAMPLE, **{"in": "Trains"})
    with Library.open(folder) as library:
        library.collections.rename("Trains", "Ships")
    test = test.run()
    assert not test.exception and listed(test) == []
    assert "Filters on: collections. Without collections, 6 documents would be searched." in page_text(test)


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
