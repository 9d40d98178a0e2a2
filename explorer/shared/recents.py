"""This visitor's recent searches and comparisons: noted as a page shows them, listed, restored, forgotten."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import element, in_label
from engine.documents.text import how_many
from engine.workspace import KeepingSettings, Page, RecentEntry, change_keeping, keeping_settings
from explorer.shared import notices
from explorer.shared.markup import name_groups, show
from explorer.shared.widgets import bind
from explorer.state import handles, session
from explorer.state.links import to_link

_WORDS = 14
AT_FIRST = 8
_MORE, _REFUSED = "recent-more", "limits-refused"
_LIMITS = {"days": "Days after the last use", "documents": "Documents of your own", "megabytes": "Megabytes in all"}
_PAGES: dict[Page, str] = {"search": "Search", "compare": "Comparison"}


def note_search(query: Document) -> None:
    """Note the search that is shown, unless its link cannot restore it."""
    visit = session.current()
    if visit.query or (visit.liked and not query.text):
        _note("search", in_words(query) if query.text else _seeds(visit.liked))


def note_comparison(documents: Sequence[Document]) -> None:
    """Note the comparison that is shown: of two or three documents, or of one with the library."""
    pair = session.current().pair
    sides = [side for side in (pair.a, pair.b, pair.c) if side.origin]
    if all(side.query for side in sides):
        others = [in_words(document) for document in documents] + (["your library"] if len(documents) == 1 else [])
        _note("compare", " and ".join(others))


def in_words(document: Document) -> str:
    """Name a document by its title, or by the first words of a text without one."""
    if document.title:
        return document.title
    words = document.text.split()
    return " ".join(words[:_WORDS]) + ("…" if len(words) > _WORDS else "") if words else document.name


def _seeds(liked: Sequence[str]) -> str:
    first = in_words(handles.library().get([liked[0]])[0])
    return f"Like {first}" + (f" and {len(liked) - 1} more" if len(liked) > 1 else "")


def _note(page: Page, title: str) -> None:
    link = to_link(session.current())

    def record() -> None:
        try:
            handles.workspace().recent.record(page, title, link)
        except EngineError as error:
            session.tell(f"This is not remembered. {error}")

    session.remember("noted_as_recent", (page, repr(sorted(link.items()))), record)


def recent_list() -> None:
    """Draw the list, if anything is remembered or nothing is to be."""
    try:
        settings, found = keeping_settings(_folder()), handles.workspace().recent.listed()
    except EngineError as error:
        notices.problem(str(error))
        return
    if settings.remember and not found.entries and not found.damaged:
        return
    st.header("Recent", anchor=False)
    if found.damaged:
        damaged = how_many(found.damaged, "entry")
        notices.note(f"This list leaves out {damaged}: what was kept was changed or damaged.")
    wanted = len(found.entries) if st.session_state.get(_MORE) else AT_FIRST
    with st.container(gap="xsmall", key="recent"):
        for number, entry in enumerate(found.entries[:wanted], start=1):
            _entry(entry, number)
    name_groups("recent", {f"recent-{n}": f"Recent {n}: {e.title}" for n, e in enumerate(found.entries[:wanted], 1)})
    _foot(settings, len(found.entries))


def own_note(*, is_kept: bool) -> str:
    """Say what becomes of a document of the visitor's own, in a sentence or two."""
    if not is_kept:
        return (
            "Your own text or file is not kept, and no part of the link: after a reload, bring it again. To share this "
            "search, send it along."
        )
    return f"{kept_for()} The link names yours by a key alone: to share this search, send the document along."


def kept_for() -> str:
    """Say how long documents of the visitor's own are kept."""
    try:
        settings = keeping_settings(_folder())
    except EngineError:
        return ""
    if not settings.remember:
        return "Your own texts and files are not kept: a reload loses them."
    return (
        "Your own texts and files are kept on this machine alone, beside your library, until "
        f"{how_many(settings.days, 'day')} after their last use, up to {how_many(settings.documents, 'document')} and "
        f"{settings.megabytes:,} MB in all."
    )


def ago(seconds: float) -> str:
    """Say how long ago something was."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{how_many(int(seconds // length), unit)} ago"
    return "just now"


def _entry(entry: RecentEntry, number: int) -> None:
    page = _PAGES[entry.page]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"recent-{number}"):
        st.button(
            in_label(entry.title),
            key=f"recent-{entry.key}",
            type="tertiary",
            help=f"Open it again · {page}",
            on_click=session.go_to,
            args=(entry.page, lambda: session.follow(entry.link)),
        )
        show(element("p", f"{page}, {ago(time.time() - entry.when)}", class_="ps-quiet"))
        st.button(
            "Forget",
            key=f"forget-{entry.key}",
            type="tertiary",
            help=f"Forget “{in_label(entry.title)}”, and what you brought for it alone",
            on_click=session.attempt,
            args=(lambda: handles.workspace().recent.forget(entry.key),),
        )


def _foot(settings: KeepingSettings, count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="recent-foot"):
        if count > AT_FIRST:
            is_open = bool(st.session_state.get(_MORE))
            label = "Show fewer" if is_open else f"Show {count - AT_FIRST:,} more"
            turned = {_MORE: not is_open}
            st.button(label, key="recent-turn", type="tertiary", on_click=st.session_state.update, args=(turned,))
        if count:
            with st.popover("Forget all", type="tertiary", key="recent-forget"):
                show(element("p", "Forget this list, and every text and file of your own that is kept?"))
                st.button(
                    "Forget all of it",
                    key="recent-forget-all",
                    type="primary",
                    on_click=session.attempt,
                    args=(handles.workspace().recent.forget_all,),
                )
        bind(
            st.toggle,
            "Do not remember",
            key="recent-off",
            value=not settings.remember,
            change=lambda is_off: session.attempt(lambda: change_keeping(_folder(), remember=not is_off)),
            help="Keep no list, and no text or file of your own",
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="recent-limits"):
        show(element("p", kept_for(), class_="ps-quiet"))
        limits_button()


def limits_button() -> None:
    """Offer the limits of what is kept, to be changed."""
    try:
        settings, kept = keeping_settings(_folder()), handles.workspace().own.files()
    except EngineError:  # what tells of the limits says so
        return
    if not settings.remember:
        return
    with st.popover("Change the limits", type="tertiary", key="limits"):
        megabytes = sum(file.bytes for file in kept) / 1e6
        show(element("p", f"Kept now: {how_many(len(kept), 'document')}, {megabytes:,.1f} MB.", class_="ps-quiet"))
        if refusal := st.session_state.pop(_REFUSED, ""):
            notices.problem(refusal)
        with st.form("limits-form", border=False):
            for name, label in _LIMITS.items():
                key = f"limit-{name}"
                help_ = f"From 1 to {KeepingSettings.MOST[name]:,}"
                st.number_input(label, value=getattr(settings, name), step=1, key=key, help=help_)
            st.form_submit_button("Keep these limits", key="limits-keep", type="primary", on_click=_limit)
        show(element("p", "What is over them is forgotten at once, the oldest first.", class_="ps-quiet"))


def _limit() -> None:
    try:
        handles.workspace().own.limit(**{name: int(st.session_state[f"limit-{name}"]) for name in _LIMITS})
    except EngineError as error:
        st.session_state[_REFUSED] = str(error)


def _folder() -> Path:
    return handles.workspace().folder
