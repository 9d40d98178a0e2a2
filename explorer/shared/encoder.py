"""An encoder on screen: a short card beside its choice, and its reading of the library."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from engine import encoders, search
from engine.core.errors import StorageError, VectorIndexError, VectorServerError
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from explorer.shared import notices, progress
from explorer.shared.markup import fact_list, show
from explorer.state import background, handles, session

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
_GOES_ON = "It goes on where it stopped. Every page can be used meanwhile."
_SECONDS_BETWEEN_LOOKS, _SECONDS_BETWEEN_COUNTS = 0.5, 2.0


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


def preparation(name: str, *, title: str = "") -> None:
    """Offer to encode what is not read unless that is asked for already, and say how long that takes here."""
    if is_being_read(name):
        return
    unread, documents = handles.workspace().unread_count(name), len(handles.library())
    is_begun = 0 < unread < documents
    if is_begun:
        verb = "is" if unread == 1 else "are"
        title = title or f"{how_many(unread, 'document')} of your library {verb} not read yet"
    with st.container(border=True, key="preparation", gap="small"):
        show(element("h2", title or NOT_READ, class_="ps-title"))
        reading_cost(name)
        with st.container(horizontal=True):
            label = "Read the rest" if is_begun else "Encode the library"
            icon = ":material/play_arrow:"
            st.button(label, type="primary", key="prepare", icon=icon, on_click=_read_on, args=(name,))
            keywords_instead()


def is_unread(name: str) -> bool:
    """Tell whether an encoder has documents of the library left to read; damaged vectors are told of by a search."""
    try:
        return handles.workspace().unread_count(name) > 0
    except (StorageError, VectorServerError):
        return False


def is_being_read(name: str) -> bool:
    """Tell whether an encoder reads the library now, or is about to: by a job in line, or in another process."""
    return background.encodes(name) or (not background.reads_passages() and handles.workspace().is_being_read())


def _read_on(name: str) -> None:
    for job in background.read_on(name, again=bool(reading(name).problem)):
        background.watch(job)
        handles.workspace().jobs.go_on(job.number)


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """How many of the library's documents an encoder has read; `problem` says why its vectors cannot be used.

    Where they are `away`, because their server does not answer, documents rank by their words meanwhile.
    """

    name: str
    count: int = 0
    problem: str = ""
    away: bool = False

    @property
    def can_be_searched(self) -> bool:
        """Whether to search: with what is read so far, unless the encoder has yet to learn from the library."""
        return self.away or (not self.problem and (self.count > 0 or not encoders.find(self.name).learns))


def reading(name: str) -> ReadSoFar:
    """Find out how far an encoder has read the library."""
    try:
        return ReadSoFar(name, handles.workspace().vector_count(name))
    except (StorageError, VectorIndexError) as error:
        return ReadSoFar(name, problem=str(error), away=isinstance(error, VectorServerError))


def show_unread(found: ReadSoFar) -> None:
    """Say that the vectors are damaged, or that the encoder has yet to learn, and offer to read; keywords meanwhile."""
    if found.problem:
        notices.problem(found.problem)
    preparation(found.name, title="This encoder's vectors are damaged" if found.problem else "")
    if is_being_read(found.name):
        keywords_instead()


def reading_line(name: str, answer: search.Answer) -> None:
    """Say how much of the library is read now, where a list was made before all was: live while it is being read.

    Offers to search again with what was read since or, where nobody reads, to read the rest.
    """
    seconds = _SECONDS_BETWEEN_COUNTS if _goes_on(name) else None
    st.fragment(_reading_line, run_every=seconds)(name, answer, goes_on=seconds is not None)


def _goes_on(name: str) -> bool:
    return is_being_read(name) or background.reads_passages()


def _reading_line(name: str, answer: search.Answer, *, goes_on: bool) -> None:
    if goes_on != _goes_on(name):
        st.rerun()  # the whole page, with the line of jobs
    try:
        unread, unmatched = handles.workspace().left_to_read(name)
        told = search.Among(len(handles.library()), unread=unread, unmatched=unmatched).read
    except (StorageError, VectorServerError):  # written this moment, or damaged or away, as the next search says
        told = answer.verdict.read
    told = told or "Your library is read; this list was made before."
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="reading-line"):
        show(element("p", f"{told}{' It is being read now.' if goes_on else ''}", class_="ps-quiet"))
        if not goes_on:
            label, args = "Read the rest", (name,)
            st.button(label, key="read-rest", type="primary", help=_GOES_ON, on_click=_read_on, args=args)
        elif st.button("Search again", key="search-again", help="With what was read since this list was made"):
            st.rerun()


def reading_cost(name: str) -> None:
    """Say what encoding takes; while that is being measured, look again until it is known."""
    if handles.workspace().reading_seconds(name) is None and not handles.workspace().has_vectors(name):
        _measuring(name)
        handles.workspace().warm(name)
    else:
        seconds = handles.workspace().reading_seconds(name)
        unread, documents = handles.workspace().unread_count(name), len(handles.library())
        seconds = seconds * unread / documents if seconds else None
        _said(f"about {progress.rough(seconds)} on this machine" if seconds else "", unread or documents)


def keywords_instead() -> None:
    """Offer the way to search before an encoder is ready."""
    change = {"ranking": "keywords"}
    st.button("Rank by keywords", key="use-keywords", help="Needs no encoder", on_click=session.update, kwargs=change)


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _measuring(name: str) -> None:
    if handles.workspace().reading_seconds(name) is not None:
        st.rerun()
    _said("how long is being measured", len(handles.library()))


def _said(duration: str, unread: int) -> None:
    once = f"once ({duration})" if duration else "once"
    documents = how_many(unread, "document")
    text = f"The encoder needs to read {documents} {once}. Every page can be used meanwhile."
    show(element("p", text, class_="ps-quiet", role="status"))
