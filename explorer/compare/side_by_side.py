"""Two texts side by side: matches tinted, what only one says marked, and charts that lead into the texts.

The drawing is in side_by_side_script/: plain script and style, no library. The texts and what each cell opens are
sent once, what is shown of them with each change. A document's text only ever becomes text nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import streamlit as st

from engine import compare
from engine.core.files import fingerprint
from engine.documents import KIND_NAMES, Chunk, Document
from engine.documents.markup import element
from engine.documents.text import how_many, in_percent
from engine.encoders.keyvec import explained
from engine.search import Reading
from explorer.shared.document import heading
from explorer.shared.markup import component, show
from explorer.shared.salient import MarkedSentences
from explorer.shared.widgets import bind
from explorer.state import session
from explorer.state.visit import PLACES, Place

_SCRIPTS = ("texts.js", "cells.js", "pane.js", "charts.js", "view.js", "mount.js")
MOST_KEPT_CHARACTERS = 3_000_000
"""Characters of texts that the browser is given ahead of their choice; the server shows the others when they are."""

_INVISIBLE = (*range(9), 11, 12, *range(14, 32), 127, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SPACES = dict.fromkeys(_INVISIBLE, " ")
ChartItem: TypeAlias = tuple[str, Chunk, Sequence[tuple[Reading | None, Chunk]]]
NAMES: dict[Place, str] = {"a": "First document", "b": "Second document", "c": "Third document"}
LABELS: Mapping[str, str] = {place: NAMES[place] for place in PLACES}
_KINDS: dict[compare.ChangeKind, tuple[str, str]] = {
    "new": ("New", "New: nothing in the first document is this sentence"),
    "rewritten": ("Rewritten", "Rewritten: other words in the same place"),
    "moved": ("Moved", "Moved: the same words in another place"),
    "dropped": ("Dropped", "Dropped: nothing in the second document is this sentence"),
}
_LACKING = "Nothing in the other document comes close to this"
COVERS_HELP = (
    "A sentence is in the other document where one there says the same, in the same words or others: such sentences "
    "are the matching passages. All others are listed below the texts, each with the nearest sentence of the other."
)
_NONE_MATCHES = (
    "Below is what the other document does not say, in the same words or others; no matching passage holds it. A "
    "passage is close where one of its sentences reads as the same as the one beside it, or as closely related; "
    "otherwise it is not in the other."
)
_NEARLY_ALL = 0.9  # of the words are not in the other: a line under nearly everything would tell nothing


@dataclass(frozen=True, slots=True)
class ShownCell:
    """The chosen cell in the texts: the stretches it covers, and the match behind it.

    `match` is a place in the list of matches, or None if the evidence is not among them. `at` is the cell itself: the
    key of its heatmap's container, row and column; None where the browser does not know the heatmap's cells. The window
    moves to a cell that a person `asked` for, and stays where it is for one that the page chose.
    """

    a: Sequence[Chunk]
    b: Sequence[Chunk]
    match: int | None = None
    evidence: compare.Passage | None = None
    at: tuple[str, int, int] | None = None
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Alone:
    """Stretches to mark on each side, each with a class of its own and a note; `called` is their legend."""

    called: str
    a: Sequence[tuple[Chunk, str, str]]
    b: Sequence[tuple[Chunk, str, str]]


@dataclass(frozen=True, slots=True)
class ShownTexts:
    """What is shown of two documents; `labels` say which is which.

    `salient` are the sentences to underline on each side; None to mark none. `alone` are the stretches that the other
    document lacks, or that a version changes; None to mark none. `chains` are places of matches that follow one another
    in both texts, and `acknowledged` says of each match whether it is quoted or cited. `cells` is what each cell of the
    heatmaps opens; empty where only the server knows. `pair` names the two where cells open others, too.
    """

    a: Document
    b: Document
    labels: Mapping[str, str]
    matches: Sequence[compare.Passage]
    cell: ShownCell | None = None
    salient: Mapping[str, MarkedSentences] | None = None
    alone: Alone | None = None
    chains: Sequence[Sequence[int]] = ()
    acknowledged: Sequence[str] = ()
    cells: Mapping[str, Any] = field(default_factory=dict)
    pair: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Passages of one document, `items` as (name, passage, word and nearest of the other document); press shows both.

    `heads` are the titles of its three columns. The word is None where a pair has none. An item that has a name in
    `under` is folded away below those of that name.
    """

    side: str
    title: str
    heads: tuple[str, str, str]
    items: Sequence[ChartItem]
    places: bool = True
    under: Sequence[str] = ()


def side_by_side(texts: ShownTexts, *, key: str, on_pick: Callable[[int], object]) -> None:
    """Show the texts; `on_pick` is given the place of a match that was pressed or stepped to."""

    def picked() -> None:
        number = st.session_state[key].get("picked")
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(texts.matches):
            on_pick(number)

    name, cells = keyed({"cells": texts.cells})
    _component()(key=key, data=texts_message(texts) | {"cells": name}, on_picked_change=picked)
    for what, data in (("text-a", pack_text(texts.a)[1]), ("text-b", pack_text(texts.b)[1]), ("cells", cells)):
        _component()(key=f"{key}-{what}", data=data, height=1)


def keep_texts(documents: Sequence[Document], *, key: str) -> None:
    """Give the browser the texts of documents that cells may open, the first ones where all would be too much."""
    room, kept = MOST_KEPT_CHARACTERS, []
    for document in documents:
        room -= sum(len(part.text) for part in document.parts)
        if room < 0:
            break
        kept.append(pack_text(document)[1])
    _component()(key=key, data=b"[" + b",".join(kept) + b"]", height=1)


def show_claim_chart(texts: ShownTexts, claims: Sequence[compare.ClaimElement], *, key: str) -> None:
    """Draw the elements of claims beside the nearest passages; a press shows both places in the texts above.

    Each independent claim has those that depend on it folded away below.
    """
    made = []
    for side, document, other in (("a", texts.a, "b"), ("b", texts.b, "a")):
        above = compare.independent_claims(document.claims)
        own = [element for element in claims if element.side == side]
        own.sort(key=lambda one: (above[one.claim - 1], one.claim != above[one.claim - 1]))
        name, beside = (texts.labels[one].lower() for one in (side, other))
        items = [
            (
                str(one.claim),
                one.element,
                [(near.reading, near.b if side == "a" else near.a) for near in one.passages],
            )
            for one in own
        ]
        roots = [above[one.claim - 1] for one in own]
        under = [str(root) if root != one.claim else "" for one, root in zip(own, roots, strict=True)]
        title = f"Claim chart of the {name} ({how_many(len({*roots}), 'independent claim')}, {len(own)} elements)"
        if own:
            heads = ("Claim", "Element", f"Nearest in the {beside}")
            made.append(Chart(side, title, heads, items, places=False, under=under))
    charts(texts, made, key=key)


def charts(texts: ShownTexts, shown: Sequence[Chart], *, key: str) -> None:
    """Charts below the texts; a press shows both places in the texts above."""
    if shown:
        _component()(key=key, data=_shared(texts) | {"charts": [_chart(one) for one in shown]})


def texts_message(texts: ShownTexts) -> dict[str, Any]:
    """Return the message to the browser; it names the texts, and a place is [part, start, stop]."""
    cell = texts.cell
    return _shared(texts) | {
        "pair": texts.pair,
        "matches": [
            _match(passage, how)
            for passage, how in zip(texts.matches, texts.acknowledged or [""] * len(texts.matches), strict=True)
        ],
        "chains": [list(chain) for chain in texts.chains],
        "cell": None if cell is None else _cell(cell, len(texts.matches)),
        "alone": None if texts.alone is None else _alone(texts.alone),
        "salient": None if texts.salient is None else {side: _salient(own) for side, own in texts.salient.items()},
    }


@lru_cache(maxsize=64)
def pack_text(document: Document) -> tuple[str, bytes]:
    """Return a document's text as bytes, under a name made of its content; invisible characters become spaces."""
    parts = [
        {
            "title": part.title.translate(_SPACES),
            "role": part.role,
            "text": part.text.translate(_SPACES),
            "pages": part.pages,
        }
        for part in document.parts
    ]
    made = {"name": heading(document).translate(_SPACES), "kind": KIND_NAMES.get(document.kind, ""), "parts": parts}
    return keyed(made)


def keyed(made: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return what the browser keeps for the page, as bytes, under a name made of its content."""
    key = fingerprint(json.dumps(made))
    return key, json.dumps({**made, "key": key}).encode()


def _shared(texts: ShownTexts) -> dict[str, Any]:
    return {"labels": dict(texts.labels), "texts": {"a": pack_text(texts.a)[0], "b": pack_text(texts.b)[0]}}


def _match(passage: compare.Passage, acknowledged: str = "") -> dict[str, Any]:
    told = {"score": passage.score, "a": text_place(passage.a), "b": text_place(passage.b)} | _word(passage.reading)
    return told | {"acknowledged": acknowledged} if acknowledged else told


def _word(reading: Reading | None) -> dict[str, Any]:
    """Return the word of a pair, and how near it is from 1 to 0; nothing where it has none."""
    return {} if reading is None else {"word": reading.with_p, "near": 1 - reading.rank / 4}


def _salient(marked: MarkedSentences) -> list[dict[str, Any]]:
    return [{"place": text_place(chunk), "said": f"Salient sentence, {explained(p)}"} for chunk, p in marked]


def _chart(chart: Chart) -> dict[str, Any]:
    def where(chunk: Chunk) -> dict[str, str]:
        return {"where": chunk.place} if chart.places else {}

    items = [
        {
            "name": name,
            "element": text_place(passage),
            "passages": [_word(reading) | {"place": text_place(chunk), **where(chunk)} for reading, chunk in nearest],
            "under": under,
            **where(passage),
        }
        for (name, passage, nearest), under in zip(chart.items, chart.under or [""] * len(chart.items), strict=True)
    ]
    return {"side": chart.side, "title": chart.title, "heads": list(chart.heads), "items": items}


def _alone(alone: Alone) -> dict[str, Any]:
    return {"called": alone.called} | {
        side: [{"place": text_place(chunk), "name": name, "said": said} for chunk, name, said in marked]
        for side, marked in (("a", alone.a), ("b", alone.b))
    }


def _cell(cell: ShownCell, matches: int) -> dict[str, Any]:
    extra = cell.match is None and cell.evidence is not None
    return {
        "at": cell.at and list(cell.at),
        "a": [text_place(chunk) for chunk in cell.a],
        "b": [text_place(chunk) for chunk in cell.b],
        "match": matches if extra else cell.match,
        "evidence": _match(cell.evidence) if extra and cell.evidence else None,
        **({} if cell.asked else {"unasked": True}),
    }


def text_place(chunk: Chunk) -> list[int]:
    """Return a stretch of a document as the browser knows it: [part, start, stop]."""
    return [chunk.part, chunk.start, chunk.stop]


def _component() -> Callable[..., Any]:
    folder = Path(__file__).parent / "side_by_side_script"
    return component("texts", folder, *_SCRIPTS, shared=("ahead.js", "packed.js"), style="texts.css")


def offer_versions(comparison: compare.Comparison) -> None:
    """Offer to read the second document as a later version, where it seems to be one."""
    found, pair = comparison.differences, session.current().pair
    if not (found.are_versions or pair.versions):
        return
    shared = f"{in_percent(found.same)} of the shorter one's words are in both"
    bind(
        st.toggle,
        f"These look like two versions of one text ({shared}): show what the second changes",
        key="compare-versions",
        value=pair.versions,
        change=lambda versions: session.change("pair", versions=versions),
        help="The first document is the earlier version; swap the two if it is the later one.",
    )


def alone(comparison: compare.Comparison) -> Alone:
    """Return the sentences to mark that nothing in the other document covers, unless nearly all are."""
    found = comparison.differences
    held = (found.a.alone, found.b.alone)
    shown = [side.passages if side.share <= _NEARLY_ALL else () for side in held]
    a, b = ([(one.passage, "lacking", _LACKING) for one in passages] for passages in shown)
    return Alone("not in the other", a, b)


def changed(versions: compare.Versions) -> Alone:
    """Return what to mark of a later version: what it changes."""
    marked: tuple[list[tuple[Chunk, str, str]], list[tuple[Chunk, str, str]]] = ([], [])
    for change in versions.changes:
        for side, chunk in zip(marked, (change.old, change.new), strict=True):
            if chunk is not None:
                side.append((chunk, change.kind, _KINDS[change.kind][1]))
    return Alone("changed", *marked)


def differences_view(texts: ShownTexts, comparison: compare.Comparison) -> None:
    """Draw the passages of either document that the other does not cover, the longest first, with the nearest miss."""
    found = comparison.differences
    sides = (("a", found.a), ("b", found.b))
    made = [_lacking(side, one.alone, "not in the other") for side, one in sides if one.alone.passages]
    made += [_lacking(side, one.close, "close to the other: read both") for side, one in sides if one.close.passages]
    if made:
        show(element("p", _NONE_MATCHES, class_="ps-quiet"))
    charts(texts, made, key="lacking")


def versions_view(texts: ShownTexts, versions: compare.Versions) -> None:
    """Draw what the second document changes of the first, by kind, the longest first."""
    made = [_changes(kind, versions) for kind in _KINDS if versions.of_kind(kind)]
    if not made:
        st.markdown("Nothing changed: both say the same in the same words.")
    charts(texts, made, key="changes")


def _lacking(side: str, found: compare.Uncovered, told: str) -> Chart:
    other = LABELS["b" if side == "a" else "a"].lower()
    title = f"In the {LABELS[side].lower()}, {told}: {in_percent(found.share)} of {found.of_words:,} words"
    items = [
        (f"{one.words:,}", one.passage, [(one.reading, one.nearest)] if one.nearest is not None else [])
        for one in found.longest
    ]
    return Chart(side, title + _listed(len(found.passages)), ("Words", "Passage", f"Nearest in the {other}"), items)


def _changes(kind: compare.ChangeKind, versions: compare.Versions) -> Chart:
    found = versions.of_kind(kind)
    ordered = sorted(found, key=lambda one: -one.words)[: compare.MOST_LISTED]
    side = "a" if kind == "dropped" else "b"
    beside = {"new": "Nearest in the first document", "dropped": "Nearest in the second document"}
    title = f"{_KINDS[kind][0]}: {in_percent(versions.share(kind))} of the words of the {LABELS[side].lower()}"
    heads = ("Words", _KINDS[kind][0], beside.get(kind, "In the first document"))
    return Chart(side, title + _listed(len(found)), heads, [_item(one) for one in ordered])


def _item(change: compare.Change) -> ChartItem:
    own = change.old if change.new is None else change.new
    other = change.nearest if change.old is None or change.new is None else change.old
    assert own is not None  # one of the two is there
    return f"{change.words:,}", own, [(None, other)] if other is not None else []


def _listed(count: int) -> str:
    if count > compare.MOST_LISTED:
        return f" (the {compare.MOST_LISTED} longest of {count:,} passages)"
    return f" ({how_many(count, 'passage')})"
