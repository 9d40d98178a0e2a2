"""The button that adds documents to collections: on a hit, the map's selection and the document pointed at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.core.errors import EngineError
from engine.documents.markup import Markup, element
from engine.library import MAX_COLLECTION_NAME
from explorer.shared.markup import plain, show
from explorer.state import handles, session

_NEW = "new-collection"


def keep_button(ids: Sequence[str], *, key: str, what: str) -> None:
    """A button that opens the library's collections; `what` names the documents, as "result 3"."""
    help_ = f"Keep {what} in a collection"
    with st.popover("Keep", icon=":material/bookmark:", key=f"keep-{key}", help=help_, on_change="rerun") as opened:
        if opened.open:
            _choices(ids, key)


def kept_in(id_: str) -> Markup:
    """Which collections a document is in; empty if none."""
    names = handles.library().collections.holding([id_])
    return element("p", f"Kept in {', '.join(names)}", class_="ps-quiet ps-kept") if names else Markup("")


def _choices(ids: Sequence[str], key: str) -> None:
    """Every collection to tick, and a field for a new one."""
    kept = handles.library().collections
    counts, holding = kept.counts(), kept.holding(ids)
    if counts:
        show(element("p", "Keep in", class_="ps-label"))
    for number, (name, count) in enumerate(counts.items()):
        _choice(ids, name, f"{key}-{number}", count=count, held=holding.get(name, 0))
    with st.form(f"form-{key}", border=False, clear_on_submit=True, enter_to_submit=True):
        st.text_input("New collection", key=f"{_NEW}-{key}", max_chars=MAX_COLLECTION_NAME, placeholder="To read")
        st.form_submit_button("Create it", on_click=_keep_in_new, args=(ids, f"{_NEW}-{key}"))


def _choice(ids: Sequence[str], name: str, key: str, *, count: int, held: int) -> None:
    """One collection: ticked if it holds all the documents, with how many if it holds some."""
    box = f"kept-{key}"
    st.session_state[box] = held == len(ids)
    st.checkbox(
        plain(f"{name} ({count:,})"),
        key=box,
        on_change=_keep,
        args=(ids, name, box),
        help=f"{held:,} of the {len(ids):,} are in it" if 0 < held < len(ids) else None,
    )


def _keep(ids: Sequence[str], name: str, box: str) -> None:
    try:
        kept = handles.library().collections
        if st.session_state[box]:
            kept.add(name, ids)
        else:
            kept.take_out(name, ids)
    except EngineError as error:
        session.tell(str(error))


def _keep_in_new(ids: Sequence[str], field: str) -> None:
    try:
        handles.library().collections.add(st.session_state[field], ids)
    except EngineError as error:
        session.tell(str(error))
