"""A hit's categories and shared terms as buttons: one filters the list, the other stresses a word.

A second press takes it back. The hit stays the one that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from engine.documents import Document
from engine.documents.markup import in_label
from engine.search import Term
from explorer.shared.document import SHOWN_CATEGORIES
from explorer.shared.options import is_full, toggle_listed
from explorer.state import session
from explorer.state.link_values import MAX_LISTED, as_words

_CATEGORIES = "categories"
_FULL_FILTER = "No more categories fit into the filter: take one out first"
_FULL_WORDS = "No more words can be stressed: take one out first"
SHOWN_TERMS = 8


@dataclass(frozen=True, slots=True)
class Chip:
    """A button by its key: its text, whether it is on, what a press does in words, and why it is off, if it is."""

    key: str
    text: str
    is_on: bool
    does: str
    press: Callable[[], object]
    why_off: str = ""


def category_chips(document: Document) -> list[Chip]:
    """One for each of the first categories."""
    chosen = session.current().filters.categories
    chips = []
    for number, category in enumerate(document.categories[:SHOWN_CATEGORIES]):
        does = "list documents of this category, too" if chosen else "list only documents of this category"
        why_off = _FULL_FILTER if is_full(_CATEGORIES) else ""
        if category in chosen:
            does, why_off = "take this category out of the filters", ""
        press = partial(toggle_listed, _CATEGORIES, category)
        chips.append(Chip(f"hit-category-{number}", category, category in chosen, does, press, why_off))
    return chips


def term_chips(terms: Sequence[Term], on_stress: Callable[[Sequence[str]], object]) -> list[Chip]:
    """One for each of the strongest terms; a term of two words stresses both.

    `on_stress` gets all words that shall be stressed.
    """
    chosen = session.current().stressed
    chips = []
    for number, term in enumerate(terms[:SHOWN_TERMS]):
        words = as_words([term.term])
        is_on = bool(words) and set(words) <= set(chosen)
        does, why_off = "stress it, so that near documents that say it come further up", ""
        if is_on:
            does = "stress it no longer"
        elif len({*chosen, *words}) > MAX_LISTED:
            why_off = _FULL_WORDS
        left = [word for word in chosen if word not in words]
        press = partial(on_stress, left if is_on else [*left, *words])
        chips.append(Chip(f"hit-term-{number}", term.term, is_on, does, press, why_off))
    return chips


def draw(chips: Sequence[Chip], key: str, shown: str) -> None:
    """The buttons in a row that has this key; the document with the id `shown` stays the one chosen."""
    if not chips:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        for chip in chips:
            if st.button(
                in_label(chip.text),
                key=chip.key,
                icon=":material/close:" if chip.is_on else None,  # another type would lose the focus
                help=chip.why_off or chip.does,
                disabled=bool(chip.why_off),
            ):
                chip.press()
                session.update(selected=shown)
                st.rerun()


def chip_names(chips: Sequence[Chip]) -> dict[str, str]:
    """The names of the buttons by their keys, for people who cannot see what stands beside them."""
    return {chip.key: f"{chip.text}: {chip.does}" for chip in chips}
