"""What the Search page shows until the meaning of a text is read: the documents that share its words.

Nothing moves under a hand: once the visitor is at work in the list, the answer waits to be asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.progress import duration
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.search.asking import Asking
from explorer.search.hits import choose_hit, row_list, word_rows
from explorer.shared.document import full_text, head
from explorer.shared.markup import show

if TYPE_CHECKING:
    from engine.search import Answer, WordHit

_SECONDS_BETWEEN_LOOKS = 0.3
_LATER = "How near it is, and which passages say so, comes with the meaning."


def words_first(asking: Asking, hits: Sequence[WordHit]) -> None:
    """Show the first hits and how far the answer is; draw the whole page when it is there, or say that it is."""
    st.fragment(_drawn, run_every=None if asking.is_done else _SECONDS_BETWEEN_LOOKS)(asking, hits)


def _drawn(asking: Asking, hits: Sequence[WordHit]) -> None:
    if asking.may_show or (asking.is_done and not asking.is_told):
        asking.is_told = True
        st.rerun()
    with st.container(gap=None, key="found-words"):  # as high as what stands above an answer
        first, second = said(asking, hits)
        show(element("p", first, class_="ps-verdict", role="status"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="summary"):
            show(element("p", second, class_="ps-quiet"))
            if asking.is_done and st.button("Show them", key="show-answer", type="primary"):
                asking.is_wanted = True
                st.rerun()
    if hits:
        _list(asking, hits)


def said(asking: Asking, hits: Sequence[WordHit]) -> tuple[str, str]:
    """How far the answer is: a sentence for all, and what is being done, which changes each second."""
    if asking.is_done:
        return f"The meaning is read: {nearer(asking.answer, hits)}.", "The list below goes by words alone."
    doing = f"{asking.stage}, {duration(asking.seconds)}" if asking.seconds >= 1 else asking.stage
    first = "These share words with your text. " if hits else ""
    return f"{first}What is near in meaning comes next.", f"{doing[:1].upper()}{doing[1:]}"


def nearer(answer: Answer | None, hits: Sequence[WordHit]) -> str:
    """What an answer adds to the first hits, in a few words."""
    shown = {hit.document.id for hit in hits}
    new = 0 if answer is None else sum(result.document.id not in shown for result in answer.results)
    return how_many(new, "nearer one") if new else "the same ones, in the order of nearness"


def _list(asking: Asking, hits: Sequence[WordHit]) -> None:
    """The rows, and the chosen one's text."""
    ids = [hit.document.id for hit in hits]

    def touched() -> None:
        asking.is_touched = True

    def choose(id_: str) -> None:
        touched()
        choose_hit(id_)

    row_list(
        ids,
        lambda some, selected: word_rows(hits[some], selected),
        lambda at: show(_details(hits[at])),
        on_choose=choose,
        on_touch=None if asking.is_touched else touched,
    )


def _details(hit: WordHit) -> Markup:
    chips = (element("li", term) for term in hit.terms)
    shared = element("ul", *chips, class_="ps-terms", aria_label="Shared words")
    why = element("div", element("p", "Shared words", class_="ps-label"), shared, class_="ps-why")
    later = element("p", _LATER, class_="ps-quiet")
    return element("div", head(hit.document), *([why] if hit.terms else []), later, full_text(hit.document))
