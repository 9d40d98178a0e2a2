"""The models page: every ranking in one table, and an encoder's card with the button to use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import streamlit as st

from engine import encoders
from engine.documents.markup import Markup, element
from engine.evaluation import DEFAULT_ROW, KEYWORDS_ROW, MeasuredQuality, read_quality
from explorer.models.card import encoder_card
from explorer.models.own_model import own_models
from explorer.shared import notices
from explorer.shared.markup import scroll_region, show, table, three_places
from explorer.shared.widgets import bind
from explorer.state import handles, session
from explorer.state.handles import choice_label, encoder_name, short

_MEASURE = MeasuredQuality.MEASURES[0]
_TASKS: Mapping[str, Sequence[str]] = {
    "Same subject": ("arxiv-subject",),
    "Patents": ("patents-citation",),
    "Citing passages": ("acm-citation",),
    "Questions": ("cranfield", "cacm", "npl"),
}
_RANKINGS = {
    DEFAULT_ROW: ("Both (default)", "When in doubt: keywords and Blend together."),
    KEYWORDS_ROW: ("Keywords", "Where the terms matter: parts, compounds, names."),
}
_BYTES = {"float32": 4, "float16": 2, "int8": 1}
_CHOOSE = "Choose it "
_NONE = "–"
_NOTE = (
    f"{_MEASURE} over all queries of public benchmarks: papers of the same arXiv subject, patents linked by citations, "
    "ACM papers that a passage cites, and the mean of three sets of short questions. 1 is perfect; the best of each "
    "column is bold. Documents a second says how fast it reads a library: the lowest speed that we measured on two "
    "cores or, for a model of your own, on your machine. Bytes each is the size of a document's vector, MB on disk "
    "that of the encoder. Not measured with these weights: –."
)
_LEAD = "An encoder turns a document into a row of numbers: similar texts get similar rows. Compare the encoders here."


def draw() -> None:
    """Draw the page."""
    notices.page_title("Models", _LEAD)
    notices.show_told()
    chosen = encoder_name(session.current().encoder)
    notices.show_told()
    with notices.shown_errors():
        overview()
        name = _card(chosen)
        encoder_card(name, chosen=name == chosen)
        own_models()
    session.write_link()


def _card(chosen: str) -> str:
    """Choose the encoder whose card is shown: the one in use, unless the visitor or the link names another."""
    names, card = encoders.encoder_names(), session.current().card
    shown = card if card in names else chosen
    change = lambda name: session.update(card=name)  # noqa: E731
    bind(
        st.selectbox,
        "Card of",
        names,
        key="models-shown",
        value=shown,
        change=change,
        format_func=choice_label,
        width=420,
    )
    return shown


def own_speed(name: str) -> float | None:
    """Return the lowest measured speed of a person's own model, in documents a second; None for any other encoder."""
    kept = {one.name: one for one in encoders.KeptModel.read_all() if one.offered}.get(name)
    figures = () if kept is None else kept.measured.values()
    return min((float(one["model"]["documents_per_second"]) for one in figures), default=None)


def overview() -> None:
    """Draw the table, the default ranking first."""
    headings = ("Ranking", "When to choose it", *_TASKS, "Documents a second", "Bytes each", "MB on disk")
    body = table(headings, overview_rows(), label="All rankings and encoders", numbers=range(2, len(headings)))
    show(scroll_region(body, "Rankings", look="ps-scroll ps-overview"))
    show(element("p", _NOTE, class_="ps-quiet"))


def overview_rows() -> list[tuple[str, ...]]:
    """Return a row for each ranking and encoder: its name, when to choose it, figures by task, speed and room."""
    found = {
        name: [task_figure(name, sets) for sets in _TASKS.values()] for name in (*_RANKINGS, *encoders.encoder_names())
    }
    best = [
        max((one for one in column if one is not None), default=None) for column in zip(*found.values(), strict=True)
    ]
    made = []
    for name, figures in found.items():
        cells = [_figure(one, is_best=one is not None and one == top) for one, top in zip(figures, best, strict=True)]
        made.append((_label(name), _when(name), *cells, _speed(name), _room(name), _size(name)))
    return made


def task_figure(name: str, sets: Sequence[str]) -> float | None:
    """Return a ranking's mean nDCG@10 over the queries of some benchmarks; None unless each of them was measured."""
    held = read_quality().results.get(name, ())
    present = "" if name in _RANKINGS else handles.workspace().encoder_card(name).fingerprint
    found = {one.benchmark: one.figures[_MEASURE] for one in held if _counts(one, present)}
    return fmean(found[one] for one in sets) if found.keys() >= set(sets) else None


def _counts(result: MeasuredQuality, present: str) -> bool:
    """Tell whether a result is over all queries, with nothing hidden, and of the weights that are shipped."""
    asked_all = result.part == "all" and not result.own_works_hidden and _MEASURE in result.figures
    return asked_all and (not present or result.fingerprint in ("", present))


def _label(name: str) -> str:
    return _RANKINGS[name][0] if name in _RANKINGS else short(name)


def _figure(value: float | None, *, is_best: bool) -> str | Markup:
    text = three_places(value)
    return element("strong", text) if is_best else text


def _speed(name: str) -> str:
    by = encoders.encoder_names()[0] if name == DEFAULT_ROW else name
    rate = read_quality().documents_per_second.get(by) or own_speed(by)
    return _NONE if rate is None else f"{rate:,.0f}"


def _room(name: str) -> str:
    """Return how many bytes a document's vector takes."""
    if name == KEYWORDS_ROW:
        return _NONE
    card = handles.workspace().encoder_card(encoders.encoder_names()[0] if name == DEFAULT_ROW else name)
    return _NONE if card.sparse or not card.dim else f"{card.dim * _BYTES[card.stored]:,}"


def _size(name: str) -> str:
    """Return how many megabytes the encoder's weights take, with those of the encoders that it joins."""
    if name == KEYWORDS_ROW:
        return _NONE
    size = handles.workspace().encoder_bytes(encoders.encoder_names()[0] if name == DEFAULT_ROW else name)
    return f"{size / 1e6:,.0f}" if size else _NONE


def _when(name: str) -> str:
    """When to choose it: what its summary says of that."""
    if name in _RANKINGS:
        return _RANKINGS[name][1]
    told = _told(handles.workspace().encoder_card(name))
    return told if name in encoders.search_names() else f"{told} It does not search."


def _told(card: encoders.EncoderCard) -> str:
    """Return what a summary says of when to choose the encoder, with a capital; all of it where nothing does."""
    _, found, when = card.summary.partition(_CHOOSE)
    return when[:1].upper() + when[1:] if found else card.summary


if __name__ == "__main__":
    draw()
