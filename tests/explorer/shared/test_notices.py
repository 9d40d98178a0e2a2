"""Sentences to the visitor."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import page_html


@pytest.mark.parametrize(
    ("kind", "role", "symbol"), [("problem", "alert", "!"), ("note", "note", "i"), ("done", "status", "✓")]
)
def test_a_sentence_has_a_symbol_and_a_role_and_stays_text(kind: str, role: str, symbol: str) -> None:
    def page(kind: str) -> None:
        from explorer.shared import notices

        getattr(notices, kind)("A file called <b>.")

    html = page_html(AppTest.from_function(page, args=(kind,)).run())
    assert f'class="ps-notice ps-{kind}" role="{role}"' in html
    assert f'aria-hidden="true">{symbol}</span><p>A file called &lt;b&gt;.</p>' in html


def test_many_notes_stand_in_one_box_and_few_in_their_own() -> None:
    def page(count: int) -> None:
        from explorer.shared import notices

        notices.notes([f"Line {number} of <b> was left out." for number in range(count)])

    few, many = (page_html(AppTest.from_function(page, args=(count,)).run()) for count in (4, 1_200))
    assert few.count('class="ps-notice ps-note"') == 4 and "<li>" not in few
    assert many.count('class="ps-notice ps-note"') == 1 and many.count("<li>Line ") == 1_200
    assert "<p>1,200 notes on how this was read:</p>" in many and "<li>Line 7 of &lt;b&gt; was left out.</li>" in many


def test_an_engine_error_is_its_sentence_and_the_page_lives_on() -> None:
    def page() -> None:
        import streamlit as st

        from engine.core.errors import InputError
        from explorer.shared import notices

        with notices.shown_errors():
            raise InputError("Expected text; got none.")
        st.write("after it")

    test = AppTest.from_function(page).run()
    assert not test.exception
    assert "ps-problem" in page_html(test) and "Expected text; got none." in page_html(test)
    assert test.markdown[0].value == "after it"


def test_our_own_defects_are_not_hidden() -> None:
    from explorer.shared import notices

    with pytest.raises(ZeroDivisionError), notices.shown_errors():
        _ = 1 // 0


def test_an_empty_place_and_a_page_have_a_heading_and_a_sentence() -> None:
    def page() -> None:
        from explorer.shared import notices

        notices.page_title("Library", "What you search through.")
        notices.empty_state("Nothing yet", "Import a file.")

    test = AppTest.from_function(page).run()
    assert [title.value for title in test.title] == ["Library"]
    assert "What you search through." in page_html(test)
    assert '<div class="ps-empty"><h2>Nothing yet</h2><p>Import a file.</p></div>' in page_html(test)
