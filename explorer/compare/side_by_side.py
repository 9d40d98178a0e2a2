"""Two texts side by side, their matching passages tinted, each with a small map of these places.

The drawing is in side_by_side_script/: plain script and style, no library. The texts are sent once, what is shown of
them with each change. A document's text only ever becomes text nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.documents import KIND_NAMES, Chunk, Document
from engine.encoders.keyvec.meaning import explained
from engine.files import fingerprint
from explorer.shared import scripts
from explorer.shared.document import heading
from explorer.shared.salient import Marked

if TYPE_CHECKING:
    from engine.compare.base import ClaimElement, Passage

_SOURCE = Path(__file__).resolve().parent / "side_by_side_script"
_SCRIPTS = ("texts.js", "pane.js", "claims.js", "view.js", "mount.js")
_INVISIBLE = (*range(9), 11, 12, *range(14, 32), 127, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SPACES = dict.fromkeys(_INVISIBLE, " ")


@dataclass(frozen=True, slots=True)
class ShownCell:
    """The chosen cell in the texts: the stretches it covers, and the match behind it.

    `match` is a place in the list of matches, or None if the evidence is not among them.
    """

    a: Sequence[Chunk]
    b: Sequence[Chunk]
    match: int | None = None
    evidence: Passage | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """What is shown of two documents; `labels` say which is which.

    `salient` are the sentences to underline on each side; None to mark none.
    """

    a: Document
    b: Document
    labels: Mapping[str, str]
    matches: Sequence[Passage]
    cell: ShownCell | None = None
    salient: Mapping[str, Marked] | None = None


def side_by_side(texts: Texts, *, key: str, on_pick: Callable[[int], object]) -> None:
    """Show the texts; `on_pick` is given the place of a match that was pressed or stepped to."""

    def picked() -> None:
        number = st.session_state[key].get("picked")
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(texts.matches):
            on_pick(number)

    _component()(key=key, data=settings(texts), on_picked_change=picked)
    for side, document in (("a", texts.a), ("b", texts.b)):
        _component()(key=f"{key}-text-{side}", data=pack(document)[1], height=1)


def claim_chart(texts: Texts, claims: Sequence[ClaimElement], *, key: str) -> None:
    """The elements of claims beside the nearest passages; a press shows both places in the texts above."""
    if claims:
        _component()(key=key, data=_shared(texts) | {"claims": [_claim(element) for element in claims]})


def settings(texts: Texts) -> dict[str, Any]:
    """The message to the browser; it names the texts, and a place is [part, start, stop]."""
    cell = texts.cell
    return _shared(texts) | {
        "matches": [_match(passage) for passage in texts.matches],
        "cell": None if cell is None else _cell(cell, len(texts.matches)),
        "salient": None if texts.salient is None else {side: _salient(own) for side, own in texts.salient.items()},
    }


@lru_cache(maxsize=8)
def pack(document: Document) -> tuple[str, bytes]:
    """A document's text as bytes, under a name made of its content; invisible characters become spaces."""
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
    text = json.dumps(made)
    key = fingerprint(text)
    return key, json.dumps(made | {"key": key}).encode()


def _shared(texts: Texts) -> dict[str, Any]:
    return {"labels": dict(texts.labels), "texts": {"a": pack(texts.a)[0], "b": pack(texts.b)[0]}}


def _match(passage: Passage) -> dict[str, Any]:
    return {"score": passage.score, "a": _place(passage.a), "b": _place(passage.b)}


def _salient(marked: Marked) -> list[dict[str, Any]]:
    return [{"place": _place(chunk), "said": f"Salient sentence, {explained(p)}"} for chunk, p in marked]


def _claim(element: ClaimElement) -> dict[str, Any]:
    others = [(one.score, one.b if element.side == "a" else one.a) for one in element.passages]
    return {
        "side": element.side,
        "claim": element.claim,
        "element": _place(element.element),
        "passages": [{"score": score, "place": _place(chunk)} for score, chunk in others],
    }


def _cell(cell: ShownCell, matches: int) -> dict[str, Any]:
    extra = cell.match is None and cell.evidence is not None
    return {
        "a": [_place(chunk) for chunk in cell.a],
        "b": [_place(chunk) for chunk in cell.b],
        "match": matches if extra else cell.match,
        "evidence": _match(cell.evidence) if extra and cell.evidence else None,
    }


def _place(chunk: Chunk) -> list[int]:
    return [chunk.part, chunk.start, chunk.stop]


@cache
def _component() -> Callable[..., Any]:
    script = scripts.joined(_SOURCE, _SCRIPTS)
    style = (_SOURCE / "texts.css").read_text("utf-8")
    return st.components.v2.component("priorscope_texts", js=script, css=style)
