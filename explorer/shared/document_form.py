"""What was read from a file or a text, open for correction before it is searched or compared."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from engine.documents import KIND_NAMES, Document, Kind, Section
from engine.documents.markup import element
from engine.documents.text import how_many
from explorer.shared import notices
from explorer.shared.document import outline
from explorer.shared.markup import name_groups, show
from explorer.shared.widgets import bind
from explorer.state.drafts import Draft

_ROWS_A_PAGE = 12
_FORM_KINDS: tuple[Kind, ...] = ("paper", "patent")
_OPEN = "draft_open_section"
_CANCELLED = "(canceled)"  # as patent offices write it
_BLANK_LINES = re.compile(r"\n\s*\n")


Update = Callable[[Document], Document]
Setter = Callable[[str], Update]


@dataclass(frozen=True, slots=True)
class _Form:
    """A draft with where its corrections go; `key` begins the names of its widgets."""

    draft: Draft
    change: Callable[[Update], None]
    key: str


def document_form(draft: Draft, *, change: Callable[[Update], None], key: str) -> None:
    """Show the draft and take corrections; `change` gets every correction at once, so that none is lost.

    Two forms on a page need keys of their own.
    """
    document = draft.document
    form = _Form(draft, change, f"{key}-{draft.generation}")
    consists = f": {outline(document, pages=draft.pages)}"
    show(element("div", element("p", element("strong", draft.name), consists), class_="ps-read", role="status"))
    notices.notes(draft.warnings)
    kind = document.kind
    bind(
        st.segmented_control,
        "Kind of document",
        _FORM_KINDS if kind in _FORM_KINDS else (kind, *_FORM_KINDS),
        key=f"{form.key}-kind",
        value=kind,
        change=lambda chosen: form.change(lambda d: dataclasses.replace(d, kind=chosen)),
        required=True,
        format_func=KIND_NAMES.__getitem__,
    )
    change_title = lambda text: form.change(lambda d: dataclasses.replace(d, title=text))  # noqa: E731
    bind(st.text_input, "Title", key=f"{form.key}-title", value=document.title, change=change_title)
    _area(form, "abstract", "Abstract", document.abstract, lambda text: lambda d: dataclasses.replace(d, abstract=text))
    _sections(form)
    if kind == "patent" or document.claims:
        _area(form, "claims", "Claims, one a paragraph", _listed(document.claims), _with_claims)


def _area(form: _Form, field: str, label: str, value: str, setter: Setter) -> None:
    key, change = f"{form.key}-{field}", lambda text: form.change(setter(text))
    bind(st.text_area, label, key=key, value=value, change=change, height=180)


def _listed(claims: Sequence[str]) -> str:
    return "\n\n".join(_BLANK_LINES.sub("\n", claim) or _CANCELLED for claim in claims)


def _with_claims(text: str) -> Update:
    found = (claim.strip() for claim in _BLANK_LINES.split(text) if claim.strip())
    claims = tuple("" if claim == _CANCELLED else claim for claim in found)
    return lambda document: dataclasses.replace(document, claims=claims)


def _sections(form: _Form) -> None:
    """Draw the sections, a page at a time: a title each, its length, and its text on demand."""
    sections = form.draft.document.sections
    pages = _pages(len(sections))
    show(element("p", f"Sections ({len(sections)})", class_="ps-label"))
    turned_to = min(st.session_state.get(f"{form.key}-turned-to", 1), pages)
    page = st.pagination(pages, default=turned_to, key=f"{form.key}-{len(sections)}-page") if pages > 1 else 1
    start = (page - 1) * _ROWS_A_PAGE
    shown = range(start, min(start + _ROWS_A_PAGE, len(sections)))
    with st.container(gap="xsmall"):
        for number in shown:
            _row(form, number, sections[number])
    name_groups(form.key, {f"{form.key}-row-{number}": f"Section {number + 1}" for number in shown})
    st.button(
        "Add a section", key=f"{form.key}-add", icon=":material/add:", on_click=_add, args=(form,), type="tertiary"
    )


def _pages(sections: int) -> int:
    return max(1, -(-sections // _ROWS_A_PAGE))


def _turn_to(form: _Form, page: int) -> None:
    """Start a list with one section more or less at this page: it is a new widget without a page."""
    st.session_state[f"{form.key}-turned-to"] = page


def _row(form: _Form, number: int, section: Section) -> None:
    key = f"{form.key}-{len(form.draft.document.sections)}-section-{number}"
    name = f"section {number + 1}"
    is_open = st.session_state.get(_OPEN) == (form.key, number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{form.key}-row-{number}"):
        bind(
            st.text_input,
            f"Title of {name}",
            key=f"{key}-title",
            value=section.title,
            change=lambda title: _replace(form, number, title=title),
            label_visibility="collapsed",
            placeholder="Untitled section",
        )
        st.button(
            how_many(len(section.text.split()), "word"),
            key=f"{key}-open",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            help=f"Read or correct {name}",
            width=130,
            on_click=_open,
            args=(None if is_open else (form.key, number),),
        )
        leave_out = f"Leave {name} out"
        st.button("Remove", key=f"{key}-remove", type="tertiary", help=leave_out, on_click=_remove, args=(form, number))
    if is_open:
        label, change = f"Text of {name}", lambda text: _replace(form, number, text=text)
        bind(st.text_area, label, key=f"{key}-text", value=section.text, change=change, height=260)


def _open(which: tuple[str, int] | None) -> None:
    st.session_state[_OPEN] = which


def _replace(form: _Form, number: int, *, text: str | None = None, **changes: Any) -> None:  # noqa: ANN401  Section's
    def update(document: Document) -> Document:
        sections = list(document.sections)
        section = sections[number].with_text(text) if text is not None else sections[number]
        sections[number] = dataclasses.replace(section, **changes)
        return dataclasses.replace(document, sections=tuple(sections))

    form.change(update)


def _remove(form: _Form, number: int) -> None:
    left = len(form.draft.document.sections) - 1
    _open(None)
    _turn_to(form, min(number // _ROWS_A_PAGE + 1, _pages(left)))
    form.change(lambda d: dataclasses.replace(d, sections=d.sections[:number] + d.sections[number + 1 :]))


def _add(form: _Form) -> None:
    form.change(lambda d: dataclasses.replace(d, sections=(*d.sections, Section("", ""))))
    number = len(form.draft.document.sections)
    _open((form.key, number))
    _turn_to(form, _pages(number + 1))
