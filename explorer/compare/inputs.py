"""The ways to bring the two documents that are compared: upload, paste, pick from the library, or an example pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from engine.errors import EngineError
from explorer.compare import compared
from explorer.compare.pair import Place
from explorer.map.group_names import name_groups
from explorer.search.examples import EXAMPLE_PAIRS, ExamplePair, every_example
from explorer.search.title_search import title_search
from explorer.shared import notices
from explorer.shared.document import head, kind_badge, outline
from explorer.shared.document_form import document_form
from explorer.shared.markup import element, joined, show
from explorer.state import drafts, session
from explorer.state.drafts import Draft

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

NAMES: dict[Place, str] = {"a": "First document", "b": "Second document"}
_WAYS = ("Upload a file", "Paste a text", "Pick from the library")


def side(place: Place, draft: Draft | None, *, has_library: bool) -> None:
    """One side: the document that was chosen, or the ways to choose one."""
    with st.container(border=True, key=f"side-{place}", gap="small"):
        if draft is None:
            show(element("h2", NAMES[place], class_="ps-title"))
            _ways(place, has_library=has_library)
        elif (corrected := compared.correcting(place)) is not None:
            _form(place, corrected)
        else:
            _chosen(place, draft)
    name_groups(f"side-{place}", {f"side-{place}": NAMES[place]})


def swap_button() -> None:
    """Exchange the two sides."""
    st.button("Swap", icon=":material/swap_horiz:", key="swap", on_click=compared.swap, help="Exchange the two sides")


def example_pairs() -> None:
    """Pairs of ours, which need no library."""
    st.header("Or try an example pair", anchor=False)
    for column, pair in zip(st.columns(len(EXAMPLE_PAIRS), gap="small"), EXAMPLE_PAIRS, strict=True):
        key = f"examples-{pair.first}"
        with column, st.container(border=True, height="stretch", vertical_alignment="distribute", key=key):
            _example_pair(pair)
    name_groups("pairs", {f"examples-{pair.first}": f"Example pair: {pair.lead}" for pair in EXAMPLE_PAIRS})


def _example_pair(pair: ExamplePair) -> None:
    first, second = (every_example()[name] for name in (pair.first, pair.second))
    lines = [element("h3", example.title, class_="ps-title") for example in (first, second)]
    lead = element("p", pair.lead, class_="ps-quiet")
    show(element("div", kind_badge(first.kind), *lines, lead, class_="ps-example"))
    st.button("Compare these", key=f"pair-{pair.first}", on_click=_choose_pair, args=(pair,), help=pair.lead)


def _choose_pair(pair: ExamplePair) -> None:
    _said(lambda: compared.choose_both(drafts.from_example(pair.first), drafts.from_example(pair.second)))


def _chosen(place: Place, draft: Draft) -> None:
    pages = f", {draft.pages:,} pages" if draft.pages else ""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        show(element("p", NAMES[place], class_="ps-label"))
        with st.container(horizontal=True, width="content"):
            st.button(
                "Correct",
                key=f"correct-{place}",
                icon=":material/edit:",
                type="tertiary",
                on_click=compared.correct,
                args=(place, draft),
                help=f"Correct what was read of the {NAMES[place].lower()}: title, abstract and sections",
            )
            st.button(
                "Change",
                key=f"change-{place}",
                icon=":material/file_open:",
                type="tertiary",
                on_click=compared.drop,
                args=(place,),
                help=f"Choose another {NAMES[place].lower()}",
            )
    show(head(draft.document, note=f"{outline(draft.document)}{pages}"))
    show(joined([element("p", warning, class_="ps-quiet", role="note") for warning in draft.warnings]))


def _form(place: Place, draft: Draft) -> None:
    """What was read, open for correction."""
    show(element("h2", f"{NAMES[place]}: check what was read", class_="ps-title"))
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Use it",
            key=f"use-{place}",
            icon=":material/check:",
            type="primary",
            on_click=_said,
            args=(lambda: compared.use(place),),
            help="Compare the text as it stands here",
        )
        st.button(
            "Discard",
            key=f"leave-{place}",
            on_click=compared.leave,
            args=(place,),
            help="Keep what was read, without these corrections",
        )
    with st.container(key=f"correct-form-{place}"):
        document_form(draft, change=lambda update: compared.change(place, update), key=f"correct-{place}")


def _ways(place: Place, *, has_library: bool) -> None:
    ways = st.tabs(_WAYS if has_library else _WAYS[:2], key=f"ways-{place}")
    with ways[0]:
        _upload(place)
    with ways[1]:
        _paste(place)
    if has_library:
        with ways[2]:
            _pick(place)


def _upload(place: Place) -> None:
    from engine.readers.formats import spoken
    from engine.readers.limits import LIMITS

    megabytes, count = LIMITS.max_file_bytes >> 20, f"uploads-{place}"
    file = st.file_uploader(
        f"One file, up to {megabytes} MB: {spoken(single=True)}",
        key=f"upload-{place}-{st.session_state.get(count, 0)}",
        max_upload_size=megabytes,
        help="The content decides how a file is read, not its name. Nothing leaves this machine.",
    )
    if file is not None and _read_upload(place, file):
        st.session_state[count] = st.session_state.get(count, 0) + 1
        st.rerun()


def _read_upload(place: Place, file: UploadedFile) -> bool:
    """Read a new upload once; a file that was refused keeps its sentence on its side. Returns whether it was read."""
    key = f"refused-{place}"
    refused = st.session_state.get(key)
    if refused is not None and refused[0] == file.file_id:
        notices.problem(refused[1])
        return False
    with st.spinner("Reading the file"):
        try:
            compared.choose(place, compared.titled(drafts.from_upload(file.getvalue(), file.name)))
        except EngineError as error:
            st.session_state[key] = (file.file_id, str(error))
            notices.problem(str(error))
            return False
    return True


def _paste(place: Place) -> None:
    with st.form(f"paste-{place}", border=False):
        text = st.text_area(
            f"Text of the {NAMES[place].lower()}",
            key=f"paste-text-{place}",
            height=140,
            placeholder="Paste an abstract, a draft, or a patent's text with its claims.",
            persist_state="session",
        )
        pressed = st.form_submit_button("Read this text", icon=":material/article:", key=f"paste-read-{place}")
    if pressed:
        with notices.shown_errors():
            compared.choose(place, drafts.from_text(text or ""))
            st.rerun()


def _pick(place: Place) -> None:
    found = title_search(f"pick-words-{place}")
    for number, document in enumerate(found, start=1):
        with st.container(border=True, key=f"match-{place}-{number}", gap="xsmall"):
            show(head(document, level=3))
            st.button(
                "Choose",
                key=f"pick-{place}-{document.id}",
                on_click=_choose_held,
                args=(place, document.id),
                help=f"Compare match {number}",
            )
    names = {f"match-{place}-{number}": document.name for number, document in enumerate(found, start=1)}
    name_groups(f"matches-{place}", names)


def _choose_held(place: Place, id_: str) -> None:
    _said(lambda: compared.choose(place, drafts.from_library(id_)))


def _said(act: Callable[[], object]) -> None:
    """Do something in a button's callback; what goes wrong is said when the page is drawn."""
    try:
        act()
    except EngineError as error:
        session.tell(str(error))
