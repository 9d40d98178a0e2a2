"""Screening for a review: the review that is worked on, the next document to decide on, and the counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from textwrap import shorten
from typing import get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import exports
from engine.documents.markup import Markup, element, in_label
from engine.documents.text import how_many
from engine.exports import NO_REASON, flow_csv
from engine.library import Decision, Filters, Flow, Screened, Screening
from explorer.shared import notices
from explorer.shared.document import full_text, head, source_link
from explorer.shared.keeping import annotate
from explorer.shared.markup import number_list, show, table
from explorer.shared.options import documents_that_pass, other_filters
from explorer.shared.widgets import FileKind, bind, file_downloads, file_stem
from explorer.state import handles, session
from explorer.state.handles import encoder_name
from explorer.state.links import MAX_LISTED
from explorer.state.visit import Visit

_NEW, _TO, _SURE = "review-new", "review-to", "review-sure"
_OFFERED, _SHORT = 6, 40
_PUT_OFF, _LAST, _ORDER, _QUEUE = "screen-put-off", "screen-last", "screen-order", "screen-queue"
_RANKED = 100
"""Waiting documents that are put in order at once."""
_LEAD = (
    "Decide on one document at a time. The counts are those that PRISMA’s flow diagram asks for; filters limit them "
    "and the documents alike. You can keep several reviews, each with its own decisions."
)
_BEGIN = (
    "No review has begun. One that you begin here covers {} and what you import later. For a review of a search’s "
    "results alone, in their order, press “Screen these” above the results."
)


def screening(visit: Visit) -> None:
    """Draw the counts, the document to decide on, and the files."""
    show(element("p", _LEAD, class_="ps-quiet"))
    if not current_review():
        _first(visit)
        return
    flow = _decisions().flow(visit.filters)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="screen-head"):
        review_choice()
        other_filters(visit, key="screen", with_lines=True)
        _order_choice()
        _files(visit.filters, flow)
        _undo()
    _counts(flow)
    if not flow.documents:
        notices.empty_state("Nothing to screen", "No document passes the filters.")
    elif not flow.undecided:
        done = f"All {flow.documents:,} documents are" if flow.documents > 1 else "The only document is"
        notices.done(f"{done} decided.")
    else:
        _next(visit, flow)


def _first(visit: Visit) -> None:
    """Offer to begin the first review; nothing is screened before."""
    count = handles.library().count(visit.filters)
    some = "the" if visit.filters != Filters() or count == 1 else "all"
    with st.container(border=True, gap="small", key="screen-begin"):
        show(element("p", _BEGIN.format(f"{some} {documents_that_pass(count, visit.filters)}"), role="status"))
        other_filters(visit, key="screen", with_lines=True)
        _begin("Name of the review", handles.library().reviews.FIRST)


def _decisions() -> Screening:
    """Return the decisions of the review that is worked on."""
    return handles.library().screening.in_review(current_review())


def _counts(flow: Flow) -> None:
    show(
        number_list(
            {
                "Records identified": flow.identified,
                "Duplicates removed": flow.duplicates,
                "Screened": flow.screened,
                "Excluded": flow.excluded,
                "Included": flow.included,
                "Undecided": flow.undecided,
            }
        )
    )
    if flow.excluded:
        with st.expander(f"Reasons to exclude ({flow.excluded:,})", key="screen-reasons", type="compact"):
            rows = [(reason or NO_REASON, f"{count:,}") for reason, count in flow.reasons.items()]
            show(table(("Reason", "Documents"), rows, label="Reasons to exclude", numbers=(1,)))


def _next(visit: Visit, flow: Flow) -> None:
    """Draw the nearest undecided document or the first; those that were put off come last."""
    put_off = st.session_state.setdefault(_PUT_OFF, [])
    waiting = _nearest(visit, flow)
    ids = [one for one in waiting if one not in put_off] or waiting
    if waiting and ids is waiting:
        put_off.clear()
    last = put_off[-1] if put_off else ""
    id_ = ids[0] if ids else _decisions().next(visit.filters, after=last) or last  # which may be the only one left
    (document,) = handles.library().get([id_])
    with st.container(border=True, key="to-screen"):
        show(head(document))
        decided = lambda id_: st.session_state.update({_LAST: (current_review(), id_)})  # noqa: E731
        decide(id_, key="screen", done=decided, later=partial(put_off.append, id_))
        show(element("div", source_link(document), full_text(document)))
        with st.expander("Tags and note", key="screen-notes", type="compact", on_change="rerun") as notes:
            if notes.open:
                annotate(id_, key=f"screen-{id_}")


def _order_choice() -> None:
    """Draw the choice of what the waiting documents are put in order by."""
    names = {"": "As added", "included": "Nearest to the included"}
    names |= {f"in:{name}": f"Nearest to “{name}”" for name in handles.library().collections.counts()}
    if st.session_state.get(_ORDER) not in names:
        st.session_state[_ORDER] = ""
    change, look = partial(st.session_state.__setitem__, _ORDER), names.__getitem__
    key, order = "screen-order-choice", st.session_state[_ORDER]
    bind(st.selectbox, "Order", list(names), key=key, value=order, change=change, format_func=look, width=240)
    if order and not _seeds():
        show(element("p", "None yet to be near to: as added.", class_="ps-quiet", role="status"))


def _seeds() -> list[str]:
    """Return the documents to which the waiting ones should be near, as many as a search is steered by."""
    what, _, name = st.session_state.get(_ORDER, "").partition(":")
    if what == "in":
        return handles.library().collections.ids(name)[-MAX_LISTED:]
    return _decisions().included(MAX_LISTED) if what else []


def _nearest(visit: Visit, flow: Flow) -> list[str]:
    """Return undecided documents, the nearest to the seeds first; none without seeds.

    They are ranked again where that may change, and before the last of those that were ranked is decided on.
    """
    near, name, held = _seeds(), encoder_name(visit.encoder), handles.workspace()
    if not near:
        return []
    counts = (flow.documents, flow.screened // _RANKED, held.vector_count(name))

    def rank() -> list[str]:
        with st.spinner("Putting them in order"):
            return held.waiting(flow.review, visit.filters, near, name=name, most=_RANKED)

    ids = session.remember(_QUEUE, (flow.review, tuple(near), visit.filters, name, held.state(), counts), rank, most=2)
    return [id_ for id_, decided in zip(ids, _decisions().of(ids), strict=True) if decided is None]


def _undo() -> None:
    """Take the last decision of this visit back, and show that document again."""
    review, last = st.session_state.get(_LAST, ("", ""))
    if review != current_review():
        return

    def undone() -> None:
        _decisions().take_back([last])
        st.session_state.pop(_LAST)
        st.session_state.pop(_PUT_OFF, None)

    help_ = "The last one that you decided on is undecided again"
    st.button("Undo", key="screen-undo", icon=":material/undo:", type="tertiary", on_click=undone, help=help_)


def _files(filters: Filters, flow: Flow) -> None:
    """Offer the documents by decision as CSV and RIS, and the counts as CSV."""
    name = current_review()

    def made(decision: str, form: str) -> bytes:
        library = handles.library()
        lines = (*filters.lines, f'screen:"{name}/{decision}"')
        ids = library.ids(dataclasses.replace(filters, lines=lines))
        return exports.RECORD_FORMATS[form](library.listing.in_review(name).kept(ids)).encode()

    kinds: list[FileKind] = [("flow.csv", "Counts, CSV", lambda: flow_csv(flow).encode())]
    for decision in ("all", *get_args(Decision), "undecided"):
        called = "All with decisions" if decision == "all" else decision.capitalize()
        for form in ("csv", "ris"):
            kinds.append((f"{decision}.{form}", f"{called}, {form.upper()}", partial(made, decision, form)))
    several = len(handles.library().reviews.counts()) > 1
    stem = file_stem("priorscope screening", name if several else "")
    file_downloads(kinds, stem=stem, key="screening", what="Counts and decisions")


def current_review() -> str:
    """Return the name of the review that is worked on: the one chosen, else the first, "" where none has begun."""
    names = list(handles.library().reviews.counts())
    chosen = session.current().review
    return chosen if chosen in names else next(iter(names), "")


def review_choice() -> None:
    """Draw the reviews to choose from, and the button behind which they are changed."""
    counts = handles.library().reviews.counts()
    name = current_review()
    change, names = lambda chosen: session.update(review=chosen), list(counts)
    bind(st.selectbox, "Review", names, key="review-chosen", value=name, change=change, width=260)
    help_ = "Begin another review, with decisions of its own; rename or remove this one"
    with st.popover("Reviews", icon=":material/rule:", key="reviews", help=help_, on_change="rerun") as opened:
        if opened.open:
            _begin("Name of another review")
            _rename(name)
            _remove(name, counts[name])


def _begin(label: str, name: str = "") -> None:
    with st.form("review-begin", border=False, enter_to_submit=True, clear_on_submit=True), _in_a_row():
        st.text_input(label, name, key=_NEW, max_chars=handles.library().reviews.MAX_NAME, placeholder="Heat pumps")
        begin = lambda: session.attempt(_make, st.session_state[_NEW])  # noqa: E731
        st.form_submit_button("Begin the review", type="primary" if name else "secondary", on_click=begin)


def _rename(name: str) -> None:
    with st.form("review-rename", border=False, enter_to_submit=True), _in_a_row():
        field = f"{_TO}-{name}"
        st.text_input("Name of this review", name, key=field, max_chars=handles.library().reviews.MAX_NAME)
        st.form_submit_button("Rename", on_click=lambda: session.attempt(_rename_to, st.session_state[field]))


def _in_a_row() -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small")


def _remove(name: str, decided: int) -> None:
    """Remove the review, once the box is ticked that its decisions may go."""
    said = f"Its decisions on {how_many(decided, 'document')} may be lost; the documents stay"
    key = f"{_SURE}-{name}"
    sure = st.checkbox(said, key=key)
    why = None if sure else "Tick the box above first"
    label, act = "Remove this review", (_delete, name)
    st.button(label, key="review-remove", disabled=not sure, help=why, on_click=session.attempt, args=act)


def _make(name: str) -> None:
    session.update(review=handles.library().reviews.make(name))


def _rename_to(name: str) -> None:
    if name != current_review():
        session.update(review=handles.library().reviews.rename(current_review(), name))


def _delete(name: str) -> None:
    handles.library().reviews.delete(name)
    session.update(review="")


def decision_mark(screened: Screened) -> Markup:
    """Return a decision as a mark among a document's tags."""
    reason = f": {screened.reason}" if screened.reason else ""
    return element("li", f"{screened.decision.capitalize()}{reason}", class_=f"ps-{screened.decision}")


def decide(
    id_: str, *, key: str, done: Callable[[str], None] | None = None, later: Callable[[], None] | None = None
) -> None:
    """Include, exclude with a reason, or take the decision back; `done` gets the id of what was decided.

    With `later`, which puts the document off, the letters i, e and l press the buttons.
    """
    screening = handles.library().screening.in_review(current_review())
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
        st.text_input("Reason to exclude", key=field, max_chars=Screened.MAX_REASON, placeholder="Optional", width=300)
    _given(key, lambda reason: pressed(lambda: screening.decide([id_], "excluded", reason)))


def _given(key: str, exclude: Callable[[str], None]) -> None:
    """Draw a button for each of the reasons given most, which excludes for that reason at once."""
    reasons = handles.library().screening.in_review(current_review()).reasons()[:_OFFERED]
    if not reasons:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"given-{key}"):
        with st.container(width="content"):
            show(element("p", "Exclude for:", class_="ps-quiet"))
        for number, reason in enumerate(reasons):
            short = shorten(reason, _SHORT, placeholder=" …")
            st.button(in_label(short), key=f"given-{key}-{number}", type="tertiary", on_click=exclude, args=(reason,))
