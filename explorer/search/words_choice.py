"""Words of the query that count more, or not at all, in the search by keywords."""

from __future__ import annotations

import streamlit as st

from engine.documents import Document
from explorer.state import handles, session
from explorer.state.link_values import MAX_LISTED
from explorer.state.links import Visit

_OFFERED = 60
_HELD = "leading_words"
_STRESS_HELP = (
    "Near documents that say them come further up. Offered are the words of your text that count most by themselves; "
    "type any other."
)
_MUTE_HELP = "They do not count: words that your text shares with works you are not after."


def words_choice(query: Document, visit: Visit) -> None:
    """Two lists of words; they are off when only meaning ranks."""
    if not query.text or visit.ranking == "encoder":
        return
    offered = _offered(query)
    st.header("Words", anchor=False)
    _words("Stress", "stressed", visit.stressed, _left(offered, visit.muted), help_=_STRESS_HELP)
    _words("Leave out", "muted", visit.muted, _left(offered, visit.stressed), help_=_MUTE_HELP)


def _words(label: str, field: str, chosen: tuple[str, ...], offered: list[str], *, help_: str) -> None:
    key = f"option-{field}"
    st.session_state[key] = list(chosen)
    st.multiselect(
        label,
        list(dict.fromkeys([*chosen, *offered])),
        key=key,
        placeholder="Words",
        select_all=False,
        accept_new_options=True,
        max_selections=MAX_LISTED,
        help=help_,
        on_change=lambda: session.choose_words(field, st.session_state[key]),
    )


def _left(offered: list[str], taken: tuple[str, ...]) -> list[str]:
    return [word for word in offered if word not in taken]


def _offered(query: Document) -> list[str]:
    """The query's strongest words, counted once for each query and state of the library."""
    from engine.search import leading_words

    key = (query, handles.library_state())
    held = st.session_state.get(_HELD)
    if held is None or held[0] != key:
        held = st.session_state[_HELD] = (key, leading_words(query, handles.library().keywords, _OFFERED))
    return list(held[1])
