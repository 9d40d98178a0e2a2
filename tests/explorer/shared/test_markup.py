"""Only HTML that was built comes onto the page, with its formulas, tables and scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from engine.documents.markup import element, escaped, joined
from explorer.shared import markup
from explorer.shared.markup import show, table, typeset


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
