"""What was read from a file or a text, open for correction before it is searched."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import streamlit as st

from engine.documents import Document, Kind, Section
from explorer import drafts
from explorer.drafts import Draft
from explorer.widgets import notices
from explorer.widgets.document import KIND_NAMES, outline
from explorer.widgets.markup import element, show

_ROWS_A_PAGE = 12
_FORM_KINDS: tuple[Kind, ...] = ("paper", "patent")
_OPEN = "draft_open_section"


def document_form(draft: Draft) -> None:
    """Show the draft and take corrections; every correction goes into the draft at once, so none is lost."""
    document = draft.document
    _head(draft)
    for warning in draft.warnings:
        notices.note(warning)
    kind: Kind = document.kind if document.kind in _FORM_KINDS else "paper"
    _kind(draft, kind)
    _text(draft, "title", "Title", document.title, lambda text: lambda d: dataclasses.replace(d, title=text))
    _area(
        draft, "abstract", "Abstract", document.abstract, lambda text: lambda d: dataclasses.replace(d, abstract=text)
    )
    _sections(draft)
    if kind == "patent" or document.claims:
        _area(draft, "claims", "Claims, one a paragraph", "\n\n".join(document.claims), _with_claims)


def _head(draft: Draft) -> None:
    pages = f", {draft.pages:,} pages" if draft.pages else ""
    name = element("strong", draft.name)
    show(element("div", element("p", name, f": {outline(draft.document)}{pages}"), class_="ps-read", role="status"))


def _kind(draft: Draft, kind: Kind) -> None:
    key = f"draft-{draft.generation}-kind"
    st.session_state[key] = kind
    st.segmented_control(
        "Kind of document",
        _FORM_KINDS,
        required=True,
        format_func=lambda name: KIND_NAMES[name],
        key=key,
        on_change=lambda: drafts.change(lambda d: dataclasses.replace(d, kind=st.session_state[key])),
    )


Setter = Callable[[str], Callable[[Document], Document]]


def _text(draft: Draft, field: str, label: str, value: str, setter: Setter) -> None:
    key = f"draft-{draft.generation}-{field}"
    st.session_state[key] = value
    st.text_input(label, key=key, on_change=lambda: drafts.change(setter(st.session_state[key])))


def _area(draft: Draft, field: str, label: str, value: str, setter: Setter) -> None:
    key = f"draft-{draft.generation}-{field}"
    st.session_state[key] = value
    st.text_area(label, key=key, height=180, on_change=lambda: drafts.change(setter(st.session_state[key])))


def _with_claims(text: str) -> Callable[[Document], Document]:
    claims = tuple(claim.strip() for claim in text.split("\n\n") if claim.strip())
    return lambda document: dataclasses.replace(document, claims=claims)


def _sections(draft: Draft) -> None:
    """The section list, a page at a time: a title each, its length, and its text on demand."""
    sections = draft.document.sections
    pages = max(1, -(-len(sections) // _ROWS_A_PAGE))
    show(element("p", f"Sections ({len(sections)})", class_="ps-label"))
    page = st.pagination(pages, key=f"draft-{draft.generation}-page") if pages > 1 else 1
    start = (page - 1) * _ROWS_A_PAGE
    with st.container(gap="xsmall"):
        for number in range(start, min(start + _ROWS_A_PAGE, len(sections))):
            _row(draft, number, sections[number])
    st.button(
        "Add a section", key=f"draft-{draft.generation}-add", icon=":material/add:", on_click=_add, type="tertiary"
    )


def _row(draft: Draft, number: int, section: Section) -> None:
    key = f"draft-{draft.generation}-{len(draft.document.sections)}-section-{number}"
    name = f"section {number + 1}"
    is_open = st.session_state.get(_OPEN) == (draft.generation, number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.session_state[f"{key}-title"] = section.title
        st.text_input(
            f"Title of {name}",
            key=f"{key}-title",
            label_visibility="collapsed",
            placeholder="Untitled section",
            on_change=lambda: _replace(number, title=st.session_state[f"{key}-title"]),
        )
        show_label = f"{len(section.text.split()):,} words"
        icon = ":material/expand_less:" if is_open else ":material/expand_more:"
        args = (None if is_open else (draft.generation, number),)
        st.button(
            show_label,
            key=f"{key}-open",
            icon=icon,
            help=f"Read or correct {name}",
            width=130,
            on_click=_open,
            args=args,
        )
        st.button(
            "Remove", key=f"{key}-remove", type="tertiary", help=f"Leave {name} out", on_click=_remove, args=(number,)
        )
    if is_open:
        st.session_state[f"{key}-text"] = section.text
        changed = lambda: _replace(number, text=st.session_state[f"{key}-text"])  # noqa: E731
        st.text_area(f"Text of {name}", key=f"{key}-text", height=260, on_change=changed)


def _open(which: tuple[int, int] | None) -> None:
    st.session_state[_OPEN] = which


def _replace(number: int, **changes: Any) -> None:  # noqa: ANN401  the fields of Section
    def update(document: Document) -> Document:
        sections = list(document.sections)
        sections[number] = dataclasses.replace(sections[number], **changes)
        return dataclasses.replace(document, sections=tuple(sections))

    drafts.change(update)


def _remove(number: int) -> None:
    _open(None)
    drafts.change(lambda d: dataclasses.replace(d, sections=d.sections[:number] + d.sections[number + 1 :]))


def _add() -> None:
    drafts.change(lambda d: dataclasses.replace(d, sections=(*d.sections, Section("", ""))))
    draft = drafts.held()
    if draft is not None:
        _open((draft.generation, len(draft.document.sections) - 1))
