"""The ways to bring the two documents that are compared: upload, paste, pick from the library, or an example pair."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.documents import Document
from engine.documents.markup import element, joined
from explorer.shared import bring, notices
from explorer.shared.bring import Desk, Pick
from explorer.shared.document import head, kind_badge, outline
from explorer.shared.document_form import document_form
from explorer.shared.group_names import name_groups
from explorer.shared.markup import show
from explorer.state import compared, drafts, session
from explorer.state.drafts import Draft
from explorer.state.examples import EXAMPLE_PAIRS, ExamplePair, every_example
from explorer.state.pair import Place

NAMES: dict[Place, str] = {"a": "First document", "b": "Second document", "c": "Third document"}
_ASKED = "asks_for_a_third"
_PASTE = "Paste an abstract, a draft, or a patent's text with its claims."
_WAYS = ("Upload a file", "Paste a text", "Pick from the library")


def side(place: Place, draft: Draft | None, *, has_library: bool) -> None:
    """One side: the chosen document, or the ways to choose one."""
    with st.container(border=True, key=f"side-{place}", gap="small"):
        if draft is None:
            show(element("h2", NAMES[place], class_="ps-title"))
            _ways(place, has_library=has_library)
        elif (corrected := compared.form(place).held()) is not None:
            _form(place, corrected)
        else:
            _chosen(place, draft)
    name_groups(f"side-{place}", {f"side-{place}": NAMES[place]})


def swap_button() -> None:
    """Exchange the two sides."""
    st.button("Swap", icon=":material/swap_horiz:", key="swap", on_click=compared.swap, help="Exchange the two sides")


def third_button() -> None:
    """Ask for a third document, a second candidate."""
    st.button(
        "Add a third document",
        icon=":material/add:",
        key="add-third",
        on_click=lambda: st.session_state.update({_ASKED: True}),
        help="One question and two candidates: every two of three documents, on one scale of colours",
    )


def asks_for_a_third() -> bool:
    """Whether a third document is asked for, or there."""
    return bool(st.session_state.get(_ASKED) or session.current().pair.c.origin)


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
    session.attempt(lambda: compared.choose_both(drafts.from_example(pair.first), drafts.from_example(pair.second)))


def _chosen(place: Place, draft: Draft) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        show(element("p", NAMES[place], class_="ps-label"))
        with st.container(horizontal=True, width="content"):
            st.button(
                "Correct",
                key=f"correct-{place}",
                icon=":material/edit:",
                type="tertiary",
                on_click=compared.form(place).keep,
                args=(draft,),
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
    show(head(draft.document, note=outline(draft.document, pages=draft.pages)))
    if len(draft.warnings) > notices.MOST_BOXES:
        notices.notes(draft.warnings)
    else:
        show(joined([element("p", warning, class_="ps-quiet", role="note") for warning in draft.warnings]))
    if _is_abstract_only(draft.document):
        _whole(place)


def _is_abstract_only(document: Document) -> bool:
    """Whether of a titled document only the abstract is known."""
    return bool(document.title and document.abstract) and not (document.sections or document.claims)


def _whole(place: Place) -> None:
    """Say that only an abstract is compared, and take the whole text in its place."""
    show(element("p", "Only its abstract is here, so only that is compared.", class_="ps-quiet", role="note"))
    with st.expander("Give its PDF", key=f"whole-{place}", type="compact"):
        bring.upload(Desk(lambda draft: compared.choose(place, compared.titled(draft)), f"{place}-whole"))


def _form(place: Place, draft: Draft) -> None:
    """The read document, open for correction."""
    show(element("h2", f"{NAMES[place]}: check what was read", class_="ps-title"))
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Use it",
            key=f"use-{place}",
            icon=":material/check:",
            type="primary",
            on_click=session.attempt,
            args=(lambda: compared.use(place),),
            help="Compare the text as it stands here",
        )
        st.button(
            "Discard",
            key=f"leave-{place}",
            on_click=compared.form(place).drop,
            help="Keep what was read, without these corrections",
        )
    with st.container(key=f"correct-form-{place}"):
        document_form(draft, change=compared.form(place).change, key=f"correct-{place}")


def _ways(place: Place, *, has_library: bool) -> None:
    ways = st.tabs(_WAYS if has_library else _WAYS[:2], key=f"ways-{place}")
    desk = Desk(lambda draft: compared.choose(place, draft), place)
    with ways[0]:
        bring.upload(replace(desk, take=lambda draft: compared.choose(place, compared.titled(draft))))
    with ways[1]:
        bring.paste(desk, label=f"Text of the {NAMES[place].lower()}", placeholder=_PASTE, height=140)
    if has_library:
        with ways[2]:
            how = Pick(
                lambda id_: compared.choose(place, drafts.from_library(id_)),
                "Choose",
                lambda number: f"Compare match {number}",
                level=3,
                beside=False,
            )
            bring.pick(desk, how)
