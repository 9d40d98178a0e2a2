"""Formulas on a page."""

from __future__ import annotations

from engine.documents.markup import element, escaped
from explorer.shared.formulas import typeset


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
