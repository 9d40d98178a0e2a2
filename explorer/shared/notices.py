"""Sentences to the visitor: what went wrong, what to know, and what to do with an empty page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from engine.core.errors import EngineError
from engine.documents.markup import element
from explorer.shared.markup import show
from explorer.state import session

MOST_BOXES = 4
_SYMBOLS = {"problem": "!", "note": "i", "done": "✓"}


def problem(text: str) -> None:
    """Say that something failed; the text says what was expected, what was found and what to do."""
    _notice("problem", text, role="alert")


def show_told() -> None:
    """Show the sentence that was left for the page, if there is one: what failed in a button's callback."""
    if sentence := session.told():
        problem(sentence)


def note(text: str) -> None:
    """Say something to know; nothing failed."""
    _notice("note", text, role="note")


def notes(texts: Sequence[str]) -> None:
    """Things to know; many of them stand in one box, which is scrolled."""
    if len(texts) > MOST_BOXES:
        _notice("note", f"{len(texts):,} notes on how this was read:", texts, role="note")
        return
    for text in texts:
        note(text)


def done(text: str, details: Sequence[str] = ()) -> None:
    """Say that something is finished, and what to know of it beyond the sentence."""
    _notice("done", text, details, role="status")


def empty_state(title: str, text: str) -> None:
    """Draw the text of an empty page; the caller puts the next step's button below."""
    show(element("div", element("h2", title), element("p", text), class_="ps-empty"))


@contextmanager
def shown_errors() -> Iterator[None]:
    """Show an engine error as its sentence and keep the page alive; everything else passes through."""
    try:
        yield
    except EngineError as error:
        problem(str(error))


def page_title(title: str, lead: str) -> None:
    """Draw the head of a page: its name and a sentence on its purpose; both are our own words."""
    st.title(title, anchor=False)
    show(element("p", lead, class_="ps-lead"))


def _notice(kind: str, text: str, details: Sequence[str] = (), *, role: str) -> None:
    symbol = element("span", _SYMBOLS[kind], class_="ps-notice-symbol", aria_hidden="true")
    said = element("p", text)
    if details:
        lines = (element("li", line) for line in details)
        said = element("div", said, element("ul", *lines, tabindex="0", aria_label="Details"))
    show(element("div", symbol, said, class_=f"ps-notice ps-{kind}", role=role))
