"""An answer as one HTML file: the question, what lies near it, and why, to read, print and send."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from engine.documents import KIND_NAMES, Document
from engine.documents.questions import Ranking
from engine.documents.text import how_many
from engine.encoders import Coupling
from engine.exports.page import day, render
from engine.library import Filters
from engine.search import Answer, Question, Reading

_ORDERS: dict[Ranking, str] = {
    "default": "meaning and keywords together",
    "encoder": "meaning alone",
    "keywords": "keywords alone (BM25)",
}
_APART = ", papers and patents ranked separately"
_NEARNESS = (
    "A word says how near a document is, with its probability. It reads the two texts alone and means the same in "
    "every library. Nearness is the similarity in meaning behind it; the usual ones are: "
)
_OPENING = 1_200
_LISTED = 200


def search_html(question: Question, answer: Answer, *, made_on: date | None = None) -> str:
    """Return the file's text. No text of a document becomes markup; only its http and https address becomes a link."""
    document = question.document
    opening = document.abstract or document.text
    return render(
        "search_report.html",
        title=(
            title := f"What lies near {document.name if document.text else how_many(len(question.liked), 'document')}"
        ),
        heading=title,
        making=_making(question, answer, made_on),
        note=_NEARNESS + ", ".join(f"{name} {median:.2f}" for name, median in Reading.usual().items()) + ".",
        document=document,
        opening=opening[:_OPENING].rstrip() + (" …" if len(opening) > _OPENING else ""),
        sections=", ".join(section.title for section in document.sections[:_LISTED] if section.title),
        liked=", ".join(question.liked),
        results=answer.results,
        unanswered="" if answer.verdict.is_gibberish else answer.explain_empty(question),
        facts_of=_facts,
        verdict=answer.sentence if answer.results or answer.verdict.is_gibberish else "",
        cites=answer.cites,
        met=_met,
        # a passage that does not end like a sentence gets an ellipsis
        whole=lambda text: text if text.rstrip().endswith((*'.!?:"”)',)) else f"{text.rstrip()} …",
    )


def _facts(document: Document) -> tuple[str, ...]:
    """Return kind, year, authors and the like; what is not known is empty."""
    return (
        KIND_NAMES[document.kind],
        str(document.year or ""),
        ", ".join(document.authors),
        document.venue,
        ", ".join(document.categories),
        document.public_id,
    )


def _met(coupling: Coupling) -> str:
    """Return which part of the document met which of the query."""
    theirs, ours = coupling.parts
    return f"{theirs[:1].upper()}{theirs[1:]} met {ours}: {coupling.similarity:.2f}"


def _making(question: Question, answer: Answer, made_on: date | None) -> dict[str, str]:
    """Return what someone needs to ask the same again."""
    return {
        "Ranked by": _ORDERS[question.ranking] + (_APART if answer.kinds_apart else ""),
        "Encoder": answer.encoder if question.ranking != "keywords" else "",
        "Filters": _filters(question.filters),
        "Citations": {True: "only cited works", False: "only works not cited", None: ""}[question.cited],
        "More like": ", ".join(question.liked),
        "Less like": ", ".join(question.disliked),
        "Words stressed": _words(question.stressed, answer),
        "Words left out": _words(question.muted, answer),
        "Left out": f"{', '.join(answer.query_duplicates)}: the document itself" if answer.query_duplicates else "",
        "Made on": day(made_on) if made_on else "",
    }


def _words(words: Sequence[str], answer: Answer) -> str:
    """Return words, each with the number of documents that hold it."""
    return ", ".join(f"{word} ({how_many(answer.holders.get(word, 0), 'document')})" for word in words)


def _filters(filters: Filters) -> str:
    parts = [", ".join(f"{KIND_NAMES[kind].lower()}s" for kind in sorted(filters.kinds))]
    if filters.year_from is not None or filters.year_to is not None:
        parts.append(f"years {filters.year_from or 'any'} to {filters.year_to or 'any'}")
    for name in ("categories", "venues", "collections"):
        if values := sorted(getattr(filters, name)):
            parts.append(f"{name} {', '.join(values)}")
    if filters.files:
        parts.append(f"imported from {', '.join(sorted(filters.files))}")
    parts += [f"line {line}" for line in filters.lines]
    return "; ".join(part for part in parts if part)
