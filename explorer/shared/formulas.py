"""Text on a page with its formulas set: TeX's source would be read by few."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from engine.documents.markup import Markup, element, joined
from engine.reading import Formula, formula_pieces

_SOURCE = Path(__file__).resolve().parent / "formulas_script" / "formulas.js"


def typeset(source: str, words: Callable[[str], Markup] | None = None) -> Markup:
    """A text as HTML with its formulas; `words` marks up what stands between them.

    A formula's MathML comes in an attribute, and the script puts it in place; before that, and without it, its plain
    characters are read.
    """
    return joined(_formula(one) if isinstance(one, Formula) else _between(one, words) for one in formula_pieces(source))


def watch_formulas() -> None:
    """Put the script on the page that sets what `typeset` made, now and whenever the page changes."""
    _component()(key="names-formulas", height=1)


def _between(piece: Markup, words: Callable[[str], Markup] | None) -> Markup:
    return piece if words is None or "<" in piece else words(piece.unescape())


def _formula(formula: Formula) -> Markup:
    return element("span", formula.text, class_="ps-tex", data_math=str(formula.mathml))


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("priorscope_formulas", js=_SOURCE.read_text("utf-8"))
