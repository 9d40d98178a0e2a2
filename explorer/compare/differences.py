"""What one document says and the other does not, or what a second version changes: marks, counts and lists."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents.markup import Markup, element
from explorer.compare.side_by_side import Alone, Chart, Texts, charts
from explorer.shared.markup import show
from explorer.state import session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.compare import Change, ChangeKind, Comparison, Uncovered, Versions
    from engine.documents import Chunk

MOST_LISTED = 60
_NAMES = {"a": "first document", "b": "second document"}
_KINDS: dict[ChangeKind, tuple[str, str]] = {
    "new": ("New", "New: nothing in the first document is this sentence"),
    "rewritten": ("Rewritten", "Rewritten: other words in the same place"),
    "moved": ("Moved", "Moved: the same words in another place"),
    "dropped": ("Dropped", "Dropped: nothing in the second document is this sentence"),
}
_LACKING = "Nothing in the other document says this"
_COVERS_HELP = "A sentence is in the other document where one there says the same, also in other words."
_NEAR_IS_NOT_SAME = (
    "Below is what no sentence of the other says, also in other words. Matching passages can be among it where they "
    "are near, but do not say the same."
)
_NEARLY_ALL = 0.9  # of the words are not in the other: a line under nearly everything would tell nothing


def percent(share: float) -> str:
    """A share as people write it."""
    return f"{share * 100:.0f} %"


def counted(comparison: Comparison) -> Markup:
    """Which shares of the words nothing in the other document covers."""
    found = comparison.differences
    told = (
        f"Not in the other: {percent(found.a.share)} of the words of the first, {percent(found.b.share)} of the second."
    )
    return element("p", told, class_="ps-quiet", title=_COVERS_HELP)


def offer(comparison: Comparison) -> None:
    """Offer to read the second document as a later version, where it seems to be one."""
    found, pair = comparison.differences, session.current().pair
    if not (found.are_versions or pair.versions):
        return
    st.session_state["compare-versions"] = pair.versions
    shared = f"{percent(found.same)} of the shorter one's words are in both"
    st.toggle(
        f"These look like two versions of one text ({shared}): show what the second changes",
        key="compare-versions",
        help="The first document is the earlier version; swap the two if it is the later one.",
        on_change=lambda: _change(versions=st.session_state["compare-versions"]),
    )


def alone(comparison: Comparison) -> Alone:
    """What is marked in the texts: sentences that nothing in the other document covers, unless nearly all are."""
    found = comparison.differences
    shown = [side.passages if side.share <= _NEARLY_ALL else () for side in (found.a, found.b)]
    a, b = ([(one.passage, "lacking", _LACKING) for one in passages] for passages in shown)
    return Alone("not in the other", a, b)


def changed(versions: Versions) -> Alone:
    """What is marked in the texts: what the second document changes."""
    marked: tuple[list[tuple[Chunk, str, str]], list[tuple[Chunk, str, str]]] = ([], [])
    for change in versions.changes:
        for side, chunk in zip(marked, (change.old, change.new), strict=True):
            if chunk is not None:
                side.append((chunk, change.kind, _KINDS[change.kind][1]))
    return Alone("changed", *marked)


def differences_view(texts: Texts, comparison: Comparison) -> None:
    """The passages of either document that nothing in the other covers, the longest first, with the nearest miss."""
    found = comparison.differences
    made = [_lacking(side, one) for side, one in (("a", found.a), ("b", found.b)) if one.passages]
    if made:
        show(element("p", _NEAR_IS_NOT_SAME, class_="ps-quiet"))
    charts(texts, made, key="lacking")


def versions_view(texts: Texts, versions: Versions) -> None:
    """What the second document changes of the first, by kind, the longest first."""
    made = [_changes(kind, versions) for kind in _KINDS if versions.of_kind(kind)]
    if not made:
        st.markdown("Nothing changed: both say the same in the same words.")
    charts(texts, made, key="changes")


def _lacking(side: str, found: Uncovered) -> Chart:
    ordered = sorted(found.passages, key=lambda one: -one.words)[:MOST_LISTED]
    other = _NAMES["b" if side == "a" else "a"]
    title = f"In the {_NAMES[side]}, not in the other: {percent(found.share)} of {found.of_words:,} words"
    items = [
        (f"{one.words:,}", one.passage, [(one.score, one.nearest)] if one.nearest is not None else [])
        for one in ordered
    ]
    return Chart(side, title + _listed(len(found.passages)), ("Words", "Passage", f"Nearest in the {other}"), items)


def _changes(kind: ChangeKind, versions: Versions) -> Chart:
    found = versions.of_kind(kind)
    ordered = sorted(found, key=lambda one: -one.words)[:MOST_LISTED]
    side = "a" if kind == "dropped" else "b"
    beside = {"new": "Nearest in the first document", "dropped": "Nearest in the second document"}
    title = f"{_KINDS[kind][0]}: {percent(versions.share(kind))} of the words of the {_NAMES[side]}"
    heads = ("Words", _KINDS[kind][0], beside.get(kind, "In the first document"))
    return Chart(side, title + _listed(len(found)), heads, [_item(one) for one in ordered])


def _item(change: Change) -> tuple[str, Chunk, Sequence[tuple[float, Chunk]]]:
    own = change.old if change.new is None else change.new
    other = change.nearest if change.old is None or change.new is None else change.old
    assert own is not None  # one of the two is there
    return f"{change.words:,}", own, [(change.score, other)] if other is not None else []


def _listed(count: int) -> str:
    if count > MOST_LISTED:
        return f" (the {MOST_LISTED} longest of {count:,} passages)"
    return f" ({count:,} passage{'' if count == 1 else 's'})"


def _change(**changes: object) -> None:
    session.update(pair=dataclasses.replace(session.current().pair, **changes))  # type: ignore[arg-type]
