"""Ranked neighbours as cards: what each is, how near, why, and what to do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.markup import Markup, element, joined
from explorer.search import couplings
from explorer.search.cited_works import citation_mark
from explorer.shared.both_cite import both_cite
from explorer.shared.collecting import keep_button, kept_in
from explorer.shared.document import full_text, head, source_link
from explorer.shared.markup import show
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.passages import Asked, passage_pair
from explorer.shared.ruler import reading_line
from explorer.shared.salient_slots import Slots, leave, marked
from explorer.state import session

if TYPE_CHECKING:
    from engine.search import Result

_LANDING = Path(__file__).resolve().parent / "landing_script" / "landing.js"
_SHOWN_TERMS = 8
_PART_NAMES = {"encoder": "meaning", "keywords": "keywords"}


@dataclass(frozen=True, slots=True)
class Actions:
    """What the buttons under a card do; without a query, comparing and judging are off."""

    on_like: Callable[[str], None]
    on_dislike: Callable[[str], None]
    on_compare: Callable[[str], None] | None
    thumbs: Callable[[str, int], None] | None
    map_page: str | None
    map_link: Callable[[str], dict[str, list[str]]]


def hit_card(result: Result, *, asked: Asked, actions: Actions, selected: bool) -> Slots:
    """One card; its text opens at the passage that it shows.

    Returns the place under its evidence for its salient sentences, which are found once all cards are drawn.
    """
    with st.container(border=True, key=card_key(result.rank, selected=selected), gap="small"):
        rank = element("div", f"{result.rank}", class_="ps-rank", role="img", aria_label=f"Rank {result.rank}")
        reasons = why(result, asked=asked)
        heading = head(result.document, note=citation_mark(result))
        body = element("div", heading, kept_in(result.document.id), near_lines(result), reasons)
        show(element("div", rank, body, class_="ps-hit"))
        slots = leave(result.document, key=f"salient-{result.rank}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _buttons(result, actions)
        label, key = "Abstract, sections and scores", f"more-{result.document.id}"
        with st.expander(label, key=key, type="compact", on_change="rerun") as more:
            if more.open:
                passage = result.evidence.passage
                found = passage.document if passage else None
                text = full_text(result.document, salient=marked(result.document), found=found)
                show(joined([source_link(result.document), _parts(result), text]))
                _landing()(key=f"landing-{result.document.id}", height=1)
    return slots


def card_key(rank: int, *, selected: bool) -> str:
    """The key of a card's container."""
    return f"hit-{rank}-selected" if selected else f"hit-{rank}"


def spoken_names(results: Sequence[Result], selected: str) -> dict[str, str]:
    """The names of cards and thumbs for people who cannot see where a button is."""
    cards = {
        card_key(result.rank, selected=result.document.id == selected): f"Result {result.rank}: {result.document.name}"
        for result in results
    }
    return cards | {f"thumbs-{result.rank}": f"Is result {result.rank} relevant?" for result in results}


def near_lines(result: Result) -> Markup:
    """How near a hit is in a word and on the ruler, and whether one of its passages says most of the question."""
    lines = [reading_line(result.reading)]
    if (quoted := result.evidence.quoted) is not None:
        lines.append(element("p", quoted.sentence, class_="ps-score"))
    return joined(lines)


def why(result: Result, *, asked: Asked = "document") -> Markup:
    """The evidence: shared terms, which parts met, the best pair of passages, other versions of the work.

    If documents of the library are the query, it is about the one with most in common, without its parts.
    """
    evidence = result.evidence
    pieces: list[Markup] = []
    for words, label in ((result.stressed, "Says"), (result.muted, "Says, though left out")):
        if words:
            pieces.append(element("p", f"{label}: {', '.join(words)}", class_="ps-label"))
    if evidence.terms:
        chips = [element("li", term.term) for term in evidence.terms[:_SHOWN_TERMS]]
        pieces.append(element("p", "Shared terms", class_="ps-label"))
        pieces.append(element("ul", *chips, class_="ps-terms", aria_label="Shared terms"))
    if (met := evidence.couplings) and asked != "seeds":
        pieces.append(element("p", couplings.TITLE, class_="ps-label"))
        pieces.append(couplings.coupling_list(met))
    if result.by_passage is not None:
        pieces.append(element("p", "Its nearest passage", class_="ps-label"))
        pieces.append(reading_line(result.by_passage, "passage"))
    if evidence.passage is not None:
        pieces.append(element("p", "Closest passages", class_="ps-label"))
        pieces.append(passage_pair(evidence.passage.query, evidence.passage.document, asked=asked))
    if result.shared:
        pieces.append(both_cite(result.shared))
    if not pieces:
        pieces.append(
            element("p", "No shared words: the texts are near by the meaning of other words.", class_="ps-quiet")
        )
    if result.folded:
        also = ", ".join(result.folded)
        pieces.append(element("p", f"Also in the library as {also}", class_="ps-quiet ps-also"))
    return element("div", *pieces, class_="ps-why")


@cache
def _landing() -> Callable[..., Any]:
    """What scrolls an opened text to what was found in it."""
    return st.components.v2.component("priorscope_landing", js=_LANDING.read_text("utf-8"))


def _parts(result: Result) -> Markup:
    """The raw scores behind the bar."""
    raw = ", ".join(f"{_PART_NAMES.get(name, name)} {value:.3f}" for name, value in result.scores.items())
    return element("p", f"Raw scores: {raw}", class_="ps-quiet") if raw else Markup("")


def _buttons(result: Result, actions: Actions) -> None:
    id_, rank = result.document.id, result.rank
    st.button(
        "More like this",
        key=f"like-{id_}",
        icon=":material/add:",
        help=f"Rank again, nearer to result {rank}",
        on_click=actions.on_like,
        args=(id_,),
    )
    st.button(
        "Less like this",
        key=f"dislike-{id_}",
        icon=":material/remove:",
        help=f"Rank again, away from result {rank}",
        on_click=actions.on_dislike,
        args=(id_,),
    )
    if actions.on_compare and st.button(
        "Compare", key=f"compare-{id_}", icon=":material/compare:", help=f"Your document beside result {rank}"
    ):
        actions.on_compare(id_)
    keep_button([id_], key=id_, what=f"result {rank}")
    if address := result.document.web_address:
        st.link_button("Open source", address, icon=":material/open_in_new:", key=f"open-{id_}", type="tertiary")
    if actions.map_page:
        link = actions.map_link(id_)
        st.page_link(actions.map_page, label="Show on map", icon=":material/scatter_plot:", query_params=link)
    if found := result.evidence.passage:
        asked = OnPage("In your document", session.query_document(), found.query)
        page_view([OnPage("In this one", result.document, found.document), asked], key=id_)
    if actions.thumbs:
        actions.thumbs(id_, rank)
