"""A passage on the page of its PDF: a button, and the dialog that it opens with the page and the passage boxed."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from engine import reading
from engine.documents import Chunk, Document, LineBox
from engine.documents.markup import element
from engine.workspace import PageFile, lines_of
from explorer.shared import notices
from explorer.shared.document import heading
from explorer.shared.markup import SHARED, component, show
from explorer.shared.widgets import download_button
from explorer.state import drafts, handles

_FITTED = "Fit width"
_ZOOMS = {_FITTED: 0.0, "100 %": 1.0, "150 %": 1.5, "200 %": 2.0}
_PIXELS_A_POINT = 96 / 72
"""Of a browser at 100 %."""
_SCALES = {0.0: 2.0, 1.0: 2.0, 1.5: 2.0, 2.0: 8 / 3}
"""How many pixels a point are drawn for a zoom."""
_SIDE, _PAGE, _ZOOM = "page-view-side", "page-view-page", "page-view-zoom"
_ZOOM_KEPT = "page-view-zoom-kept"
_NAME_CHARACTERS = 60


class OnPage(NamedTuple):
    """A passage of a document, and whose it is: "In this one", "In your document"."""

    whose: str
    document: Document | None
    passage: Chunk


class _Found(NamedTuple):
    """The same with the PDF that shows it, and the lines that it stands on there."""

    whose: str
    document: Document
    passage: Chunk
    file: PageFile
    lines: Sequence[LineBox]

    @property
    def page(self) -> int:
        """The page where the passage begins."""
        return self.lines[0].page if self.lines else self.passage.page or 1


def page_view(passages: Sequence[OnPage], *, key: str) -> None:
    """Draw a button that shows passages on their pages, the first first; nothing where no PDF of them is kept."""
    found = [one for given in passages if (one := _found(given)) is not None]
    if not found:
        return
    label = "Show the page" if found[0].whose == passages[0].whose else f"Show the page: {found[0].whose.lower()}"
    if st.button(
        f"{label} (p. {found[0].page})",
        key=f"page-{key}",
        icon=":material/picture_as_pdf:",
        help="The passage, boxed on the page of its PDF",
    ):
        for name in (_SIDE, _PAGE):
            st.session_state.pop(name, None)
        st.session_state[_ZOOM] = st.session_state.get(_ZOOM_KEPT, _FITTED)  # a widget's value goes when it closes
        _dialog(found)


def _found(given: OnPage) -> _Found | None:
    whose, document, passage = given
    if document is None or passage.page is None:
        return None
    file = drafts.find_pdf(document.file) or handles.workspace().pages.file_of(document)
    return None if file is None else _Found(whose, document, passage, file, lines_of(document, passage))


@st.dialog("The page", width="large")
def _dialog(found: Sequence[_Found]) -> None:
    """Show the page of one of the passages, to turn and zoom; only this part of the screen is drawn again."""
    names = [f"{one.whose}, p. {one.page}" for one in found]
    side = 0
    if len(found) > 1:
        chosen = st.segmented_control(
            "Document",
            range(len(found)),
            format_func=lambda number: names[number],
            default=0,
            key=_SIDE,
            label_visibility="collapsed",
            on_change=lambda: st.session_state.pop(_PAGE, None),
        )
        side = chosen or 0
    one = found[side]
    page = st.session_state.get(_PAGE, one.page)
    show(element("p", element("strong", heading(one.document)), class_="ps-quiet"))
    with notices.shown_errors():
        zoom = _ZOOMS.get(st.session_state.get(_ZOOM) or "", 0.0)
        with st.spinner("Drawing the page"):
            picture = handles.workspace().pages.picture(one.file, page, one.lines, _SCALES[zoom])
        _controls(one, page, picture.pages)
        if not one.lines:
            notices.note(
                "Where the passage stands on this page is not known: the file was imported before that was kept. "
                "Import it again to have it boxed."
            )
        if page < (last := max((line.page for line in one.lines), default=page)):
            show(element("p", f"The passage goes on to page {last:,}.", class_="ps-quiet"))
        _sheet(one, page, picture, zoom)


def _controls(one: _Found, page: int, pages: int) -> None:
    """Draw what turns the page, zooms it, and saves the file."""

    def turn_button(label: str, key: str, icon: str, to: int, end: str) -> None:
        at_end = not 1 <= to <= pages
        st.button(label, key=key, icon=icon, disabled=at_end, help=end if at_end else None, on_click=turn, args=(to,))

    def turn(to: int) -> None:
        st.session_state[_PAGE] = to

    def zoomed() -> None:
        st.session_state[_ZOOM_KEPT] = st.session_state[_ZOOM]

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page-view-controls"):
        turn_button("Page before", "page-before", ":material/chevron_left:", page - 1, "This is the first page")
        with st.container(width="content"):
            show(element("p", f"Page {page:,} of {pages:,}", class_="ps-quiet", role="status"))
        turn_button("Page after", "page-after", ":material/chevron_right:", page + 1, "This is the last page")
        held = sorted({line.page for line in one.lines} or {one.page})
        if page not in held:
            st.button("Back to the passage", key="page-back", type="tertiary", on_click=turn, args=(one.page,))
        st.segmented_control(
            "Zoom", list(_ZOOMS), key=_ZOOM, label_visibility="collapsed", required=True, on_change=zoomed
        )
        words = re.sub(r"[^\w]+", "-", heading(one.document))[:_NAME_CHARACTERS].strip("-")
        name, icon = f"{words or 'document'}.pdf", ":material/download:"
        download_button("Save the PDF", one.file.read, name, key="page-save", icon=icon, type="tertiary")


def _sheet(one: _Found, page: int, picture: reading.PagePicture, zoom: float) -> None:
    marked = [line for line in one.lines if line.page == page]
    ends = [end for line in marked for end in (line.left, line.right)]
    top = marked and (min(ends), 1 - max(line.top for line in marked) / picture.height)
    data = {
        "png": base64.b64encode(picture.png).decode(),
        "alt": describe_page(one.document, page, picture.pages, boxed=one.passage.text if marked else ""),
        "label": f"Page {page} of {heading(one.document)}",
        "width": picture.width * _PIXELS_A_POINT,
        "zoom": zoom,
        "at": [top[0] / picture.width, top[1]] if top else None,
        "span": (max(ends) - min(ends)) / picture.width if ends else None,
    }
    sheet = component("page", SHARED / "page_script", "page.js", style="page.css")
    sheet(key="page-view-sheet", data=data)


def describe_page(document: Document, page: int, pages: int, *, boxed: str) -> str:
    """Describe the picture for those who do not see it: the document, the page, and the text that is boxed."""
    where = f"Page {page} of {pages} of “{heading(document)}”"
    return f"{where}, with this passage boxed: {' '.join(boxed.split())}" if boxed else where
