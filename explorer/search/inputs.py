"""Four ways to enter a query: paste it, upload it, find it in the library, or try an example."""

from __future__ import annotations

import streamlit as st

from engine.documents.markup import element
from explorer.shared import bring
from explorer.shared.bring import Desk, Pick
from explorer.shared.document import kind_badge
from explorer.shared.group_names import name_groups
from explorer.shared.markup import show
from explorer.state import drafts, session
from explorer.state.drafts import Draft
from explorer.state.examples import Example, examples

_PASTE = (
    "Paste an abstract, a draft, or a patent's text with its claims: title, abstract and sections are found for you, "
    "and you can correct them before the search. Or ask a question in a sentence or two, or give the title, DOI, arXiv "
    "id or patent number of a document in your library, or an author's name."
)
_WAYS = ("Paste a text", "Upload a file", "Pick from the library")
_SHORT_WORDS = 60


def query_inputs(*, has_library: bool) -> None:
    """Draw these ways; what is read becomes a draft, or the query at once if nothing needs checking."""
    ways = st.tabs(_WAYS if has_library else _WAYS[:2])
    with ways[0]:
        desk = Desk(_ask_or_check if has_library else drafts.QUERY.keep)
        label = "Text of a paper or a patent, or a question"
        bring.paste(desk, label=label, placeholder=_PASTE, height=220, primary=True)
    with ways[1]:
        bring.upload(Desk(drafts.QUERY.keep))
    if has_library:
        with ways[2]:
            bring.pick(
                Desk(drafts.QUERY.keep),
                Pick(
                    lambda id_: drafts.ask(drafts.from_library(id_)),
                    "Find what is near",
                    lambda number: f"Search with match {number}",
                ),
            )


def example_cards() -> None:
    """The example papers and patents, three a row."""
    st.header("Or try an example", anchor=False)
    found = list(examples().values())
    for start in range(0, len(found), 3):
        for column, example in zip(st.columns(3, gap="small"), found[start : start + 3], strict=False):
            with column:
                _example_card(example)
    name_groups("examples", {f"example-{example.name}": f"Example: {example.title}" for example in found})


def _ask_or_check(draft: Draft) -> None:
    """Search for a question of a sentence or two, or a document of the library, at once; the rest is checked first."""
    if draft.origin == "library":
        drafts.ask(draft)
    elif draft.document.kind == "query" and len(draft.document.text.split()) <= _SHORT_WORDS:
        drafts.ask(draft)
    else:
        drafts.QUERY.keep(draft)


def _example_card(example: Example) -> None:
    with st.container(border=True, height="stretch", vertical_alignment="distribute", key=f"example-{example.name}"):
        opening = element("p", example.opening, class_="ps-quiet ps-clamp")
        title = element("h3", example.title, class_="ps-title")
        show(element("div", kind_badge(example.kind), title, opening, class_="ps-example"))
        args = (lambda name=example.name: drafts.ask(drafts.from_example(name)),)
        st.button(
            "Search with this",
            key=f"try-{example.name}",
            on_click=session.attempt,
            args=args,
            help=f"Example: {example.title}",
        )
