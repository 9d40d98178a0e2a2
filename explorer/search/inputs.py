"""Four ways to bring a document: paste it, upload it, find it in the library, or try an example."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from engine.errors import EngineError
from explorer.map.group_names import name_groups
from explorer.search.examples import Example, examples
from explorer.search.title_search import title_search
from explorer.shared import notices
from explorer.shared.document import head, kind_badge
from explorer.shared.markup import element, show
from explorer.state import drafts, session
from explorer.state.drafts import Draft

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_PASTE = (
    "Paste an abstract, a draft, or a patent's text with its claims: title, abstract and sections are found for you, "
    "and you can correct them before the search. Or ask a question in a sentence or two."
)
_WAYS = ("Paste a text", "Upload a file", "Pick from the library")
_SHORT_WORDS = 60
_REFUSED = "refused_upload"


def query_inputs(*, has_library: bool) -> None:
    """Draw the ways in; what is read becomes the draft, or at once the query where nothing needs checking."""
    ways = st.tabs(_WAYS if has_library else _WAYS[:2])
    with ways[0]:
        _paste(has_library=has_library)
    with ways[1]:
        _upload()
    if has_library:
        with ways[2]:
            _pick()


def example_cards() -> None:
    """The example papers and patents, three a row."""
    st.header("Or try an example", anchor=False)
    found = list(examples().values())
    for start in range(0, len(found), 3):
        for column, example in zip(st.columns(3, gap="small"), found[start : start + 3], strict=False):
            with column:
                _example_card(example)
    name_groups("examples", {f"example-{example.name}": f"Example: {example.title}" for example in found})


def ask_at_once(read: Callable[[], Draft]) -> None:
    """Read something that needs no checking and search it; used as a button's callback."""
    try:
        drafts.ask(read())
    except EngineError as error:
        session.tell(str(error))


def _paste(*, has_library: bool) -> None:
    with st.form("paste", border=False):
        text = st.text_area(
            "Text of a paper or a patent, or a question",
            key="paste-text",
            height=220,
            placeholder=_PASTE,
            persist_state="session",
        )
        pressed = st.form_submit_button("Read this text", type="primary", icon=":material/article:")
    if pressed:
        with notices.shown_errors():
            draft = drafts.from_text(text or "")
            if has_library and _is_short_question(draft):
                drafts.ask(draft)
            else:
                drafts.keep(draft)
            st.rerun()


def _is_short_question(draft: Draft) -> bool:
    """Whether there is nothing to check before the search: a sentence or two, which can be corrected later too."""
    return draft.document.kind == "query" and len(draft.document.text.split()) <= _SHORT_WORDS


def _upload() -> None:
    from engine.readers.formats import spoken
    from engine.readers.limits import LIMITS

    megabytes = LIMITS.max_file_bytes >> 20
    file = st.file_uploader(
        f"One file, up to {megabytes} MB: {spoken(single=True)}",
        key=f"upload-{st.session_state.get('uploads', 0)}",
        max_upload_size=megabytes,
        help="The content decides how a file is read, not its name. Nothing leaves this machine.",
    )
    if file is not None:
        _read_upload(file)


def _read_upload(file: UploadedFile) -> None:
    """Read a new upload once; a file that was refused keeps its sentence on the page without being read again."""
    refused = st.session_state.get(_REFUSED)
    if refused is not None and refused[0] == file.file_id:
        notices.problem(refused[1])
        return
    with st.spinner("Reading the file"):
        try:
            drafts.keep(drafts.from_upload(file.getvalue(), file.name))
        except EngineError as error:
            st.session_state[_REFUSED] = (file.file_id, str(error))
            notices.problem(str(error))
            return
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1
    st.rerun()


def _pick() -> None:
    found = title_search("pick-words")
    for number, document in enumerate(found, start=1):
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"match-{number}"):
            show(head(document))
            args = (lambda id_=document.id: drafts.from_library(id_),)
            st.button(
                "Find what is near",
                key=f"pick-{document.id}",
                on_click=ask_at_once,
                args=args,
                help=f"Search with match {number}",
            )
    name_groups("matches", {f"match-{number}": document.name for number, document in enumerate(found, start=1)})


def _example_card(example: Example) -> None:
    with st.container(border=True, height="stretch", vertical_alignment="distribute", key=f"example-{example.name}"):
        opening = element("p", example.opening, class_="ps-quiet ps-clamp")
        title = element("h3", example.title, class_="ps-title")
        show(element("div", kind_badge(example.kind), title, opening, class_="ps-example"))
        args = (lambda name=example.name: drafts.from_example(name),)
        st.button(
            "Search with this",
            key=f"try-{example.name}",
            on_click=ask_at_once,
            args=args,
            help=f"Example: {example.title}",
        )
