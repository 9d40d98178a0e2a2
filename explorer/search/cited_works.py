"""What your document cites: the filter, the mark on a hit, what is near and not cited, and which parts met."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import streamlit as st

from engine import encoders, search
from engine.documents import Document
from engine.documents.markup import Markup, element, joined
from engine.documents.text import how_many
from engine.search import references_of
from explorer.shared.document import head
from explorer.shared.evidence import reading_line
from explorer.shared.markup import show
from explorer.shared.widgets import bind, document_downloads, file_stem
from explorer.state import handles, session
from explorer.state.visit import CITED, Cited, Visit

TITLE = "Near and not cited"
_NAMES: dict[Cited, str] = {"": "All", "yes": "Cited by you", "no": "Not cited"}
_LOOKED_THROUGH = 50
_HELP = "Your reference list is matched to the library by DOI and other numbers, and by title, year and authors"
_EMPTY = {
    "yes": "Your library holds none of the works that you cite, or the filters leave them out.",
    "no": "Everything near is cited by you, or the filters leave it out.",
}
COUPLINGS = "Which part met which"
_NUMBERS = "A number says how well their text, or a half of it, goes with a half of yours, 1 at most."
_READERS = dict.fromkeys(("blend", "blend-large"), "CTPE, a part of this encoder,")
_LISTED, _SHORT = 2, 34


def citation_filter(query: Document, visit: Visit) -> bool | None:
    """Return the filter as a question has it; None where the query has no reference list."""
    return {"yes": True, "no": False}.get(visit.cited) if references_of(query) else None


def has_filter(answer: search.Answer, visit: Visit) -> bool:
    """Tell whether the filter is shown: without a cited work in the library it could only empty the list."""
    return bool(answer.cites) and bool(answer.citations.held or visit.cited)


def citation_bar(answer: search.Answer, visit: Visit) -> None:
    """Say what the query cites, and draw the filter; nothing without a filter to show."""
    if not has_filter(answer, visit):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="citation-bar"):
        show(element("p", answer.cites, class_="ps-quiet", role="status"))
        bind(
            st.segmented_control,
            "Citations",
            CITED,
            key="option-cited",
            value=visit.cited,
            change=lambda cited: session.update(cited=cited),
            required=True,
            format_func=_NAMES.__getitem__,
            label_visibility="collapsed",
            help=_HELP,
        )


def explain_empty(visit: Visit) -> str:
    """Say why a filtered answer is empty."""
    return _EMPTY[visit.cited]


def near_and_not_cited(question: search.Question, ask: Callable[[search.Question], search.Answer]) -> None:
    """List, folded, what is closely related or nearer and not cited, and which part of the query it is near to."""
    with st.expander(TITLE, icon=":material/playlist_add:", key="near-not-cited", on_change="rerun") as opened:
        if not opened.open:
            return
        with st.spinner("Looking through the nearest documents"):
            wider = dataclasses.replace(question, k=max(_LOOKED_THROUGH, question.k), cited=False)
            near = ask(wider).near_and_not_cited()
            found = near.results
        if not found:
            show(element("p", near.explain_empty(wider, not_cited=True), class_="ps-quiet"))
            return
        count = how_many(len(found), "document")
        verb = "is" if len(found) == 1 else "are"
        said = f"Of the {wider.k:,} nearest that you do not cite, {count} {verb} closely related or nearer."
        show(element("p", said, class_="ps-quiet"))
        show(element("ol", *(element("li", _near_entry(result)) for result in found), class_="ps-near-list"))
        with st.container(horizontal=True, gap="small"):
            ids = [result.document.id for result in found]
            document_downloads(
                ids,
                handles.library().get,
                stem=file_stem("near and not cited by", question.document.name),
                key="near-not-cited",
            )


def _near_entry(result: search.Result) -> Markup:
    nearest = result.by_passage if result.by_passage is not None else result.reading
    near_to = result.near_to
    pieces = [head(result.document, level=3), reading_line(nearest)]
    if near_to is not None:
        where = f"Near to your document · {near_to.place}" if near_to.place else "Near to this passage of yours"
        pieces += [element("p", where, class_="ps-label"), element("p", near_to.text, class_="ps-quiet ps-clamp")]
    return joined(pieces)


def citation_mark(result: search.Result) -> Markup:
    """Mark whether the query cites a hit; empty where it has no reference list."""
    if result.cited is None:
        return Markup("")
    said, kind = ("Cited by you", "yes") if result.cited else ("Not cited", "no")
    return element("span", said, class_=f"ps-cited ps-cited-{kind}")


def explain_couplings(encoder: str) -> str:
    """Explain the lines in a sentence or two; `encoder` is the name of the encoder behind the hits."""
    return f"{_READERS.get(encoder, 'This encoder')} reads every question as two halves. {_NUMBERS}"


def coupling_list(couplings: Sequence[encoders.Coupling]) -> Markup:
    """Return one line for each pair of parts, nearest first."""
    lines = [element("li", *_line(coupling)) for coupling in couplings]
    is_two_by_two = len(lines) > _LISTED and max(len(coupling_sentence(coupling)) for coupling in couplings) <= _SHORT
    class_ = "ps-couplings ps-couplings-many" if is_two_by_two else "ps-couplings"
    return element("ul", *lines, class_=class_, aria_label=COUPLINGS, title=_NUMBERS)


def coupling_sentence(coupling: encoders.Coupling) -> str:
    """Say what met what: "Their title met your abstract"."""
    theirs, ours = coupling.parts
    return f"{theirs[:1].upper()}{theirs[1:]} met {ours}".replace(" %", "\N{NO-BREAK SPACE}%")


def _line(coupling: encoders.Coupling) -> tuple[Markup, ...]:
    width = min(1.0, max(0.0, coupling.similarity))
    fill = element("span", class_="ps-fill", style=f"width:{width:.1%}")
    return (
        element("span", coupling_sentence(coupling)),
        element("span", fill, class_="ps-track", aria_hidden="true"),
        element("strong", f"{coupling.similarity:.2f}"),
    )
