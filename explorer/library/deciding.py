"""The buttons that decide on a document for a review, and a decision in words."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import shorten

import streamlit as st

from engine.documents.markup import Markup, element, in_label
from engine.library import Decision, Screened
from explorer.library import review_choice
from explorer.shared.markup import show
from explorer.state import handles, session

_OFFERED, _SHORT = 6, 40
_WORDS = {"included": "Included", "excluded": "Excluded"}


def said_of(screened: Screened) -> Markup:
    """A decision as a mark among a document's tags."""
    reason = f": {screened.reason}" if screened.reason else ""
    return element("li", f"{_WORDS[screened.decision]}{reason}", class_=f"ps-{screened.decision}")


def decide(
    id_: str, *, key: str, done: Callable[[str], None] | None = None, later: Callable[[], None] | None = None
) -> None:
    """Include, exclude with a reason, or take the decision back; `done` gets the id of what was decided.

    With `later`, which puts the document off, the letters i, e and l press the buttons.
    """
    screening = handles.library().screening.in_review(review_choice.current())
    (held,) = screening.of([id_])
    decision = held.decision if held else ""
    field = f"reason-{key}-{id_}"

    def pressed(act: Callable[[], object]) -> None:
        session.attempt(act)
        if done is not None:
            done(id_)

    def exclude() -> None:
        screening.decide([id_], "excluded", st.session_state[field])

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"decide-{key}"):
        offered: tuple[tuple[str, str, Decision, Callable[[], object]], ...] = (
            ("Include", ":material/check:", "included", lambda: screening.decide([id_], "included")),
            ("Exclude", ":material/close:", "excluded", exclude),
        )
        for label, icon, what, act in offered:
            st.button(
                label,
                key=f"{label.lower()}-{key}",
                icon=icon,
                type="primary" if decision == what else "secondary",
                on_click=pressed,
                args=(act,),
                shortcut=label[0].lower() if later else None,
            )
        if decision:
            undo = (lambda: screening.take_back([id_]),)
            st.button("Take back", key=f"undecide-{key}", type="tertiary", on_click=pressed, args=undo)
        if later:
            icon, help_ = ":material/skip_next:", "Show the next one; this one comes again"
            st.button("Later", key=f"later-{key}", icon=icon, on_click=later, help=help_, shortcut="l")
        st.session_state.setdefault(field, held.reason if held else "")
        st.text_input(
            "Reason to exclude", key=field, max_chars=Screened.MAX_REASON, placeholder="May stay empty", width=300
        )
    _given(key, lambda reason: pressed(lambda: screening.decide([id_], "excluded", reason)))


def _given(key: str, exclude: Callable[[str], None]) -> None:
    """A button for each of the reasons given most, which excludes for that reason at once."""
    reasons = handles.library().screening.in_review(review_choice.current()).reasons()[:_OFFERED]
    if not reasons:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"given-{key}"):
        with st.container(width="content"):
            show(element("p", "Exclude for:", class_="ps-quiet"))
        for number, reason in enumerate(reasons):
            short = shorten(reason, _SHORT, placeholder=" …")
            st.button(in_label(short), key=f"given-{key}-{number}", type="tertiary", on_click=exclude, args=(reason,))
