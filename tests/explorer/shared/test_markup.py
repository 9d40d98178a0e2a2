"""Only HTML that was built comes onto the page, with its formulas, tables, scripts and sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.documents.markup import element, escaped, joined
from explorer.shared import markup
from explorer.shared.markup import show, table, typeset
from tests.explorer.conftest import page_html


def test_a_plain_string_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(st, "html", shown.append)
    with pytest.raises(TypeError, match="Expected Markup from element"):
        show("<b>x</b>")  # type: ignore[arg-type]
    show(joined(["a", element("b", "c")]))
    assert shown == ["a<b>c</b>"]


def test_a_formula_waits_in_an_attribute_for_its_place() -> None:
    shown = typeset("the $a<b$ of")
    mathml = "&lt;math display=&#34;inline&#34;&gt;&lt;mrow&gt;"
    assert shown.startswith(f'the <span class="ps-tex" data-math="{mathml}')
    assert shown.endswith('">a&lt;b</span> of')


def test_words_between_formulas_may_be_marked() -> None:
    shown = typeset("x & $a$ y", lambda words: element("mark", words))
    first, _, last = shown.partition("<span")
    assert (first, last.rpartition("</span>")[2]) == ("<mark>x &amp; </mark>", "<mark> y</mark>")


def test_a_text_without_tex_is_escaped() -> None:
    assert typeset("1 < 2") == escaped("1 < 2")


def test_the_scripts_of_a_folder_follow_what_keeps_a_view(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("const one = 1", "utf-8")
    (tmp_path / "two.js").write_text("const two = '→'", "utf-8")
    joined = markup.joined_scripts(tmp_path, ["two.js", "one.js"])
    assert joined.endswith("\nconst two = '→'\nconst one = 1")
    assert joined.startswith("// The view of a widget between Streamlit's calls.")
    shared = markup.joined_scripts(tmp_path, ["one.js"], shared=["ahead.js"])
    assert shared.index("keepView") < shared.index("class Ahead") < shared.index("const one")


def test_a_script_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"three\.js"):
        markup.joined_scripts(tmp_path, ["three.js"])


def test_every_cell_of_a_table_has_a_heading_of_its_column_and_of_its_row() -> None:
    html = table(("File", "Documents"), [("a.pdf", "3")], label="Files", numbers=(1,))
    assert html.startswith('<table class="ps-table" aria-label="Files">')
    assert '<th scope="col">File</th>' in html
    assert '<tr><th scope="row">a.pdf</th><td class="ps-number">3</td></tr>' in html


def test_a_sentence_has_a_symbol_and_a_role_and_stays_text() -> None:
    def page() -> None:
        from explorer.shared import notices

        for kind in ("problem", "note", "done"):
            getattr(notices, kind)("A file called <b>.")

    html = page_html(AppTest.from_function(page).run())
    for kind, role, symbol in (("problem", "alert", "!"), ("note", "note", "i"), ("done", "status", "✓")):
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
