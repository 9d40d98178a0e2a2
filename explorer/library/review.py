"""Screening for a systematic review: one undecided document after the other, and the counts of the review's flow."""

from __future__ import annotations

import dataclasses
from functools import partial

import streamlit as st

from engine.core.errors import UnknownDocumentError
from engine.documents.markup import element
from engine.documents.text import how_many
from engine.exports import NO_REASON, flow_csv
from engine.library import Filters, Flow, Screening
from explorer.library import review_choice
from explorer.library.deciding import decide
from explorer.library.documents import other_filters
from explorer.shared import notices
from explorer.shared.annotating import annotate
from explorer.shared.counts import number_list, table
from explorer.shared.document import full_text, head, source_link
from explorer.shared.downloads import Kind, file_downloads
from explorer.shared.markup import show
from explorer.state import handles
from explorer.state.links import Visit

_AFTER, _LAST = "screen-after", "screen-last"
_LEAD = (
    "Decide on one document at a time; the numbers are the ones that PRISMA’s flow diagram asks for. Filters "
    "limit both. Several reviews can stand side by side, each with decisions of its own."
)
_SETS = {"included": "Included", "excluded": "Excluded", "undecided": "Undecided"}


def screening(visit: Visit) -> None:
    """The counts, the document to decide on, and the files."""
    show(element("p", _LEAD, class_="ps-quiet"))
    flow = _decisions().flow(visit.filters)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="screen-head"):
        review_choice.review_choice()
        other_filters(visit, key="screen", with_lines=True)
        _files(visit.filters, flow)
        _undo()
    _counts(flow)
    if not flow.documents:
        notices.empty_state("Nothing to screen", "No document passes the filters.")
    elif not flow.undecided:
        notices.done(f"All {how_many(flow.documents, 'document')} are decided.")
    else:
        _next(visit.filters)


def _decisions() -> Screening:
    """Those of the review that is worked on."""
    return handles.library().screening.in_review(review_choice.current())


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


def _next(filters: Filters) -> None:
    """The first undecided document, or the first after one that was put off."""
    library = handles.library()
    try:
        id_ = _decisions().next(filters, after=st.session_state.get(_AFTER, ""))
    except UnknownDocumentError:  # the one that was put off was removed meanwhile
        st.session_state.pop(_AFTER)
        id_ = _decisions().next(filters)
    id_ = id_ or st.session_state[_AFTER]  # the one that was put off is the last
    (document,) = library.get([id_])
    with st.container(border=True, key="to-screen"):
        show(head(document))
        decide(id_, key="screen", done=_decided, later=partial(st.session_state.__setitem__, _AFTER, id_))
        show(element("div", source_link(document), full_text(document)))
        with st.expander("Tags and note", key="screen-notes", type="compact", on_change="rerun") as notes:
            if notes.open:
                annotate(id_, key=f"screen-{id_}")


def _decided(id_: str) -> None:
    st.session_state[_LAST] = (review_choice.current(), id_)


def _undo() -> None:
    """Take the last decision of this visit back, and show that document again."""
    review, last = st.session_state.get(_LAST, ("", ""))
    if review != review_choice.current():
        return

    def undone() -> None:
        _decisions().take_back([last])
        st.session_state.pop(_LAST)
        st.session_state.pop(_AFTER, None)

    help_ = "The last one that you decided on is undecided again"
    st.button("Undo", key="screen-undo", icon=":material/undo:", type="tertiary", on_click=undone, help=help_)


def _files(filters: Filters, flow: Flow) -> None:
    """The documents by decision as CSV and RIS, and the counts as CSV."""
    name = review_choice.current()

    def made(decision: str, form: str) -> bytes:
        from engine.exports import RECORD_FORMATS

        library = handles.library()
        lines = (*filters.lines, *((f'screen:"{name}/{decision}"',) if decision else ()))
        ids = library.ids(dataclasses.replace(filters, lines=lines))
        return RECORD_FORMATS[form](library.listing.in_review(name).kept(ids)).encode()

    kinds: list[Kind] = [("flow.csv", "Counts, CSV", "text/csv", lambda: flow_csv(flow).encode())]
    for decision, called in {"": "All with decisions", **_SETS}.items():
        for form, label, mime in (("csv", "CSV", "text/csv"), ("ris", "RIS", "application/x-research-info-systems")):
            kinds.append((f"{decision or 'all'}.{form}", f"{called}, {label}", mime, partial(made, decision, form)))
    file_downloads(kinds, stem=review_choice.stem(), key="screening", what="Counts and decisions")
