"""An encoder on screen: a short card beside its choice, its reading of the library, keywords until then."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from engine import encoders
from engine.core.errors import StorageError, VectorIndexError
from engine.core.progress import Report
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.shared import notices, progress
from explorer.shared.markup import fact_list, show
from explorer.state import background, handles, session
from explorer.state.handles import short
from explorer.state.visit import Visit

_BYTES = {"float32": "4 bytes", "float16": "2 bytes", "int8": "one byte"}
_CORPORA = {
    "arxiv-abstracts": "arXiv abstracts",
    "arxiv-subject": "arXiv papers",
    "acm-citation": "ACM papers",
    "patents-abstracts": "patent abstracts",
    "patents-citation": "patents",
    "acl-long": "whole ACL papers",
    "pmc-long": "whole biomedical articles",
    "patents-long": "whole patents",
}
NOT_READ = "This encoder has not read your library yet"
_SECONDS_BETWEEN_LOOKS = 0.5


def choice_card(name: str, *, folded: bool = False) -> Markup:
    """Return what to know about an encoder before choosing it: two sentences and four facts, to open where `folded`."""
    card, size = handles.workspace().encoder_card(name), handles.workspace().vector_bytes(name)
    facts = {
        "Vector": vector_size(card),
        "Trained on": corpora(card),
        "Licence": card.licence,
        "Your library": f"encoded, {size / 1000:.1f} KB a document" if size else "not encoded yet",
    }
    summary = element("p", card.summary)
    label = f"About the encoder {encoders.label(name)}"
    told = [summary, fact_list(facts)]
    if folded:
        told = [element("details", element("summary", "About this encoder"), *told)]
    return element("div", *told, class_="ps-choice", role="group", aria_label=label)


def vector_size(card: encoders.EncoderCard) -> str:
    """Say how many numbers a document becomes, and how much space each takes."""
    if not card.dim:
        return "known once it has read your library"
    if card.sparse:
        return f"a number for each of {card.dim:,} words"
    return f"{card.dim:,} numbers, {_BYTES[card.stored]} each"


def corpora(card: encoders.EncoderCard) -> str:
    """Name what an encoder learnt from."""
    return ", ".join(_CORPORA.get(name, name) for name in card.trained_on) or "nothing"


def preparation(name: str, *, title: str = NOT_READ) -> None:
    """Offer to encode the library unless that is asked for already, and say how long that takes here."""
    if background.encodes(name):
        return

    def work(report: Report) -> str:
        handles.workspace().prepare(name, report=report)
        return f"Your library is encoded with {short(name)}."

    with st.container(border=True, key="preparation", gap="small"):
        show(element("h2", title, class_="ps-title"))
        reading_cost(name)
        with st.container(horizontal=True):
            if st.button("Encode the library", type="primary", key="prepare", icon=":material/play_arrow:"):
                background.ask(f"Encoding your library with {short(name)}", work, key=background.encoding(name))
            keywords_instead()


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """How many of the library's documents an encoder has read; `problem` says why its vectors cannot be used.

    `working` says that a job ran when they were counted.
    """

    name: str
    working: bool
    count: int = 0
    documents: int = 0
    problem: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every document is read."""
        return not self.problem and self.count >= self.documents

    @property
    def can_be_searched(self) -> bool:
        """Whether to search what is read: all, or while an import runs, what was read before it."""
        return self.is_whole or (self.working and self.count > 0)


def reading(name: str) -> ReadSoFar:
    """Find out how far an encoder has read the library."""
    working = background.running() is not None
    try:
        return ReadSoFar(name, working, handles.workspace().vector_count(name), len(handles.library()))
    except (StorageError, VectorIndexError) as error:
        return ReadSoFar(name, working, problem=str(error))


def show_unread(found: ReadSoFar) -> None:
    """Say which documents are not read, or that the vectors are damaged, and offer to read them."""
    if found.problem:
        notices.problem(found.problem)
    if found.working and background.running() is None:
        st.rerun()  # the work has ended while its vectors were counted
    preparation(found.name, title="This encoder's vectors are damaged" if found.problem else NOT_READ)
    if found.working and found.count:
        notices.note(
            f"Documents that {short(found.name)} has not read yet: {found.documents - found.count:,}. They have just "
            "come in, and are found by their keywords only."
        )


def keywords_meanwhile(name: str, visit: Visit) -> bool:
    """Tell whether to rank by keywords, for now because an encoder reads the library, or because they were chosen.

    An encoder that learns from the library is unusable before, and meaning alone must be chosen by the visitor.
    """
    if not background.encodes(name):
        return False
    if visit.ranking == "encoder" or encoders.find(name).learns:
        keywords_instead()
        return False
    notices.note(f"{short(name)} has not read your library yet: until then, the order is that of the keywords alone.")
    return True


def reading_cost(name: str) -> None:
    """Say what encoding takes; while that is being measured, look again until it is known."""
    if handles.workspace().reading_seconds(name) is None and not handles.workspace().has_vectors(name):
        _measuring(name)
        handles.workspace().warm(name)
    else:
        seconds = handles.workspace().reading_seconds(name)
        _said(f"about {progress.rough(seconds)} on this machine" if seconds else "")


def keywords_instead() -> None:
    """Offer the way to search before an encoder is ready."""
    if st.button("Rank by keywords", key="use-keywords", help="Needs no encoder"):
        session.update(ranking="keywords")
        st.rerun()


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _measuring(name: str) -> None:
    if handles.workspace().reading_seconds(name) is not None:
        st.rerun()
    _said("how long is being measured")


def _said(duration: str) -> None:
    once = f"once ({duration})" if duration else "once"
    documents = how_many(len(handles.library()), "document")
    text = f"The encoder needs to read {documents} {once}. Every page can be used meanwhile."
    show(element("p", text, class_="ps-quiet", role="status"))
