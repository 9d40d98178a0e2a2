"""What a person keeps of a document, wherever one is shown: collections, tags, a note, a mark when read."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.documents.markup import Markup, element, in_label, joined
from engine.library import Annotation
from explorer.shared.markup import show
from explorer.shared.widgets import bind
from explorer.state import handles, session

_TAG_HELP = (
    f"Type a new one, at most {Annotation.MAX_TAG} characters, and press Enter. A line such as tag:method finds them."
)
_NOTE_HELP = "Kept when you leave the field. A line such as note:pump finds it."


def keep_button(ids: Sequence[str], *, key: str, what: str) -> None:
    """Draw a button that opens the library's collections; `what` names the documents, as "result 3"."""
    help_ = f"Keep {what} in a collection"
    with st.popover("Keep", icon=":material/bookmark:", key=f"keep-{key}", help=help_, on_change="rerun") as opened:
        if opened.open:
            _choices(ids, key)


def screen_button(ids: Sequence[str], about: str) -> None:
    """Draw a button that begins a review of these documents, in this order, and opens it."""

    def begin() -> None:
        session.update(part="screening", review=handles.library().reviews.make_of(ids, about))

    icon, help_ = ":material/rule:", f"Decide on each of these {len(ids):,}, in this order, in a review of their own"
    args = ("library", begin)
    st.button("Screen these", key="screen-these", icon=icon, help=help_, on_click=session.go_to, args=args)


def kept_in(id_: str) -> Markup:
    """Name the collections that a document is in; empty if none."""
    names = handles.library().collections.holding([id_])
    return element("p", f"Kept in {', '.join(names)}", class_="ps-quiet ps-kept") if names else Markup("")


def _choices(ids: Sequence[str], key: str) -> None:
    """Draw every collection to tick, and a field for a new one."""
    kept = handles.library().collections
    counts, holding = kept.counts(), kept.holding(ids)
    if counts:
        show(element("p", "Keep in", class_="ps-label"))
    for number, (name, count) in enumerate(counts.items()):
        _choice(ids, name, f"{key}-{number}", count=count, held=holding.get(name, 0))
    with st.form(f"form-{key}", border=False, clear_on_submit=True, enter_to_submit=True):
        field = f"new-collection-{key}"
        st.text_input("New collection", key=field, max_chars=kept.MAX_NAME, placeholder="To read")
        created = lambda: session.attempt(kept.add, st.session_state[field], ids)  # noqa: E731
        st.form_submit_button("Create it", on_click=created)


def _choice(ids: Sequence[str], name: str, key: str, *, count: int, held: int) -> None:
    """Draw one collection: ticked if it holds all the documents, with how many if it holds some."""
    kept = handles.library().collections
    bind(
        st.checkbox,
        in_label(f"{name} ({count:,})"),
        key=f"kept-{key}",
        value=held == len(ids),
        change=lambda is_ticked: session.attempt(kept.add if is_ticked else kept.take_out, name, ids),
        help=f"{held:,} of the {len(ids):,} are in it" if 0 < held < len(ids) else None,
    )


def notes_button(id_: str, *, key: str, what: str) -> None:
    """Draw a button that opens the tags and the note of a document; `what` names it, as "result 3"."""
    help_ = f"Tags and a note on {what}"
    with st.popover("Notes", icon=":material/edit_note:", key=f"notes-{key}", help=help_, on_change="rerun") as opened:
        if opened.open:
            annotate(id_, key=key)


def annotate(id_: str, *, key: str) -> None:
    """Draw the fields for tags, note and read mark; each is kept at once."""
    kept = handles.library().annotations
    (held,) = kept.of([id_])
    tags, note, read = f"tags-{key}", f"note-{key}", f"read-{key}"
    for field, value in ((tags, list(held.tags)), (note, held.note), (read, held.is_read)):
        if st.session_state.get(field) != value:  # else what is being typed would be lost when the page is drawn again
            st.session_state[field] = value
    st.multiselect(
        "Tags",
        list(dict.fromkeys([*kept.tags(), *held.tags])),
        key=tags,
        accept_new_options=True,
        placeholder="Choose or type",
        select_all=False,
        help=_TAG_HELP,
        on_change=lambda: session.attempt(lambda: _retag(id_, held, st.session_state[tags])),
    )
    st.text_area(
        "Note",
        key=note,
        max_chars=Annotation.MAX_NOTE,
        height="content",
        placeholder="What to remember about it",
        help=_NOTE_HELP,
        on_change=lambda: session.attempt(lambda: kept.note([id_], st.session_state[note])),
    )
    st.checkbox(
        "Read", key=read, on_change=lambda: session.attempt(lambda: kept.mark_read([id_], st.session_state[read]))
    )


def written_about(id_: str) -> Markup:
    """Return what was written about a document, to read; empty if nothing was."""
    (held,) = handles.library().annotations.of([id_])
    pieces: list[Markup] = []
    if held.tags or held.is_read:
        chips = [element("li", tag) for tag in held.tags]
        pieces.append(element("ul", *chips, *([read_mark()] if held.is_read else []), class_="ps-tags"))
    if held.note:
        pieces.append(element("p", held.note, class_="ps-note"))
    return joined(pieces)


def read_mark() -> Markup:
    """Return the mark that a document is read, among its tags."""
    return element("li", "✓ Read", class_="ps-done-mark")


def _retag(id_: str, held: Annotation, chosen: list[str]) -> None:
    """Give a document these tags and no other."""
    kept = handles.library().annotations
    for tag in chosen:
        if tag not in held.tags:
            kept.tag([id_], tag)
    for tag in held.tags:
        if tag not in chosen:
            kept.untag([id_], tag)
