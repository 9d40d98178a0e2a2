"""The query's true neighbours as a list: those that the map joins by lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.documents import KIND_NAMES, Document
from engine.documents.markup import Markup, element
from engine.search import Reading
from explorer.shared.formulas import typeset
from explorer.shared.group_names import name_groups
from explorer.shared.markup import show
from explorer.shared.ruler import reading_line

_FEWEST = 3
"""Fewer documents than this are all neighbours of each other."""


@dataclass(frozen=True, slots=True)
class Near:
    """One true neighbour; `here` says whether it is also among the nearest points of the picture.

    `shared` says whether the encoder of the other map finds it too; None without another map.
    """

    rank: int
    document: Document
    reading: Reading
    here: bool
    shared: bool | None = None


def trust_sentence(kept: float, trustworthiness: float, *, neighbours: int, documents: int) -> str:
    """How far to trust the picture, in one sentence."""
    if documents < _FEWEST:
        return "There is too little on it to say how far it can be believed."
    return (
        f"This picture keeps {kept:.0%} of each document's {neighbours} nearest neighbours; "
        f"trustworthiness {trustworthiness:.2f}."
    )


def trust_help(neighbours: int, documents: int) -> str:
    """What the two figures of `trust_sentence` mean."""
    return (
        "A flat picture of many-dimensional texts must tear some neighbours apart. For every document we took its "
        f"{neighbours} nearest neighbours by the encoder and counted how many are also among its {neighbours} nearest "
        f"points here: that is the share kept. A picture at random would keep {_chance(neighbours, documents):.1%}. "
        "Trustworthiness (0 to 1) is the other side: 1 means that nothing looks near here which is not near in truth; "
        "0.5 is chance. So read the map for regions, and the list and the lines for neighbours."
    )


def _chance(neighbours: int, documents: int) -> float:
    """The share of a document's neighbours among the others that a picture at random keeps."""
    return neighbours / max(neighbours, documents - 1)


def kept_sentence(near: Sequence[Near]) -> str:
    """How many of the query's true neighbours are near it on the picture."""
    if not near:
        return "This encoder finds nothing like it here, so it has no neighbours."
    here = sum(neighbour.here for neighbour in near)
    return f"{here} of its {len(near)} true neighbours are also among the {len(near)} nearest points here."


def neighbour_list(
    near: Sequence[Near], *, key: str = "near", on_ask: Callable[[str], None], on_show: Callable[[str], None]
) -> None:
    """One row a neighbour, with its number on the map, how near it is and two buttons."""
    for neighbour in near:
        with st.container(key=f"{key}-{neighbour.rank}", gap=None):
            show(_row(neighbour))
            with st.container(horizontal=True, gap="small"):
                _buttons(neighbour, key=key, on_ask=on_ask, on_show=on_show)
    name_groups(key, {f"{key}-{one.rank}": f"Neighbour {one.rank}: {one.document.name}" for one in near})


def _row(neighbour: Near) -> Markup:
    document = neighbour.document
    facts = [KIND_NAMES.get(document.kind, document.kind), *([str(document.year)] if document.year else [])]
    where = "also near here" if neighbour.here else "drawn further off"
    title = element("div", typeset(document.name), class_="ps-near-title")
    texts = " · ".join([*facts, where, *(["in both lists"] if neighbour.shared else [])])
    meta = element("div", texts, class_="ps-quiet", title="Kind, year, and where the picture shows it")
    number = element(
        "div", str(neighbour.rank), class_="ps-near-rank", role="img", aria_label=f"Neighbour {neighbour.rank}"
    )
    body = element("div", title, reading_line(neighbour.reading), meta)
    return element("div", number, body, class_="ps-near ps-near-both" if neighbour.shared else "ps-near")


def _buttons(neighbour: Near, *, key: str, on_ask: Callable[[str], None], on_show: Callable[[str], None]) -> None:
    id_, rank = neighbour.document.id, neighbour.rank
    st.button(
        "Point at it",
        key=f"{key}-show-{rank}",
        type="tertiary",
        on_click=on_show,
        args=(id_,),
        help=f"Mark neighbour {rank} on the map and read its abstract",
    )
    st.button(
        "Make it the query",
        key=f"{key}-ask-{rank}",
        type="tertiary",
        on_click=on_ask,
        args=(id_,),
        help=f"Look at what is near neighbour {rank} instead",
    )
