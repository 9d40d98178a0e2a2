"""An answer as one HTML file: the question, what lies near it, and why, to read, print and send."""

from __future__ import annotations

from datetime import date

from engine.documents import KIND_NAMES, Document
from engine.encoders.base import Coupling
from engine.evidence import owned
from engine.exports.page import day, render
from engine.library import Filters
from engine.questions import Ranking
from engine.search import Answer, Question, Result

_ORDERS: dict[Ranking, str] = {
    "default": "meaning and keywords together",
    "encoder": "meaning alone",
    "keywords": "keywords alone (BM25)",
}
_APART = ", papers and patents ranked separately"
_NEARNESS = (
    "Nearness is a similarity in meaning, not a probability: 0 is as near as the library's average document, 1 the "
    "same as the document that asks."
)
_SHARE = "The number is the keyword score as a share of the best result's."
_OPENING = 1_200
_LISTED = 200


def search_report(question: Question, answer: Answer, *, made_on: date | None = None) -> str:
    """The file's text. No text of a document becomes markup; only its http and https address becomes a link."""
    document, by_keywords = question.document, question.ranking == "keywords"
    opening = document.abstract or document.text
    return render(
        "search_report.html",
        title=f"What lies near {document.name if document.text else f'{len(question.liked)} documents'}",
        heading="What lies near",
        making=_making(question, answer, made_on),
        note=_SHARE if by_keywords else _NEARNESS,
        document=document,
        opening=opening[:_OPENING].rstrip() + (" …" if len(opening) > _OPENING else ""),
        sections=", ".join(section.title for section in document.sections[:_LISTED] if section.title),
        liked=", ".join(question.liked),
        results=answer.results,
        unanswered=question.unanswered,
        facts_of=_facts,
        score=_share if by_keywords else _nearness,
        met=_met,
        whole=_whole,
    )


def _facts(document: Document) -> tuple[str, ...]:
    """Kind, year, authors and the like; what is not known is empty."""
    return (
        KIND_NAMES[document.kind],
        str(document.year or ""),
        ", ".join(document.authors),
        document.venue,
        ", ".join(document.categories),
        document.public_id,
    )


def _share(result: Result) -> str:
    return f"{result.score:.0%} of the best keyword match"


def _nearness(result: Result) -> str:
    return f"Nearness {result.score:.2f}"


def _met(coupling: Coupling) -> str:
    """Which part of the document met which of the query."""
    theirs, ours = owned(coupling.document_part, "their"), owned(coupling.query_part, "your")
    return f"{theirs[:1].upper()}{theirs[1:]} met {ours}: {coupling.similarity:.2f}"


def _whole(text: str) -> str:
    """A passage, with an ellipsis where it does not end like a sentence."""
    return text if text.rstrip().endswith((".", "!", "?", ":", '"', "”", ")")) else f"{text.rstrip()} …"


def _making(question: Question, answer: Answer, made_on: date | None) -> dict[str, str]:
    """What someone needs to ask the same again."""
    return {
        "Ranked by": _ORDERS[question.ranking] + (_APART if answer.kinds_apart else ""),
        "Encoder": answer.encoder if question.ranking != "keywords" else "",
        "Filters": _filters(question.filters),
        "More like": ", ".join(question.liked),
        "Less like": ", ".join(question.disliked),
        "Words stressed": ", ".join(question.stressed),
        "Words left out": ", ".join(question.muted),
        "Left out": f"{', '.join(answer.query_duplicates)}: the document itself" if answer.query_duplicates else "",
        "Made on": day(made_on) if made_on else "",
    }


def _filters(filters: Filters) -> str:
    parts = [", ".join(f"{KIND_NAMES[kind].lower()}s" for kind in sorted(filters.kinds))]
    if filters.year_from is not None or filters.year_to is not None:
        parts.append(f"years {filters.year_from or 'any'} to {filters.year_to or 'any'}")
    for name in ("categories", "venues", "collections"):
        if values := sorted(getattr(filters, name)):
            parts.append(f"{name} {', '.join(values)}")
    return "; ".join(part for part in parts if part)
