"""An answer as one HTML file: the question, what lies near it, and why, to read, print and send."""

from __future__ import annotations

from datetime import date

from engine.documents import Chunk, Document
from engine.encoders.base import Coupling
from engine.evidence import owned
from engine.exports.page import base_sheet, day, page
from engine.library import Filters
from engine.markup import Markup, element, escaped, joined, link
from engine.questions import Ranking
from engine.search import Answer, Question, Result

_ORDERS: dict[Ranking, str] = {
    "default": "meaning and keywords together",
    "encoder": "meaning alone",
    "keywords": "keywords alone (BM25)",
}
_APART = ", papers and patents each among their own"
_KINDS = {"paper": "Paper", "patent": "Patent", "query": "Question"}
_NEARNESS = (
    "Nearness is a similarity in meaning, not a probability: 0 is no nearer than the library's average document, 1 the "
    "same as the document that asks. "
)
_SHARE = "The number is the keyword score as a share of the best result's. "
_STANDS_ALONE = "This file holds all that it shows; it asks the network for nothing and runs nothing."
_OPENING = 1_200
_LISTED = 200


def search_report(question: Question, answer: Answer, *, made_on: date | None = None) -> str:
    """The file's text. No text of a document becomes markup; only its http and https address becomes a link."""
    name = question.document.name if question.document.text else f"{len(question.liked)} documents"
    body = element(
        "body",
        element("header", element("p", "Priorscope", class_="mark"), element("h1", "What lies near")),
        element(
            "main",
            _asked(question),
            _contents(answer, question),
            *(_result(result, question) for result in answer.results),
            _making(question, answer, made_on),
        ),
    )
    return page(f"What lies near {name}", base_sheet(), body)


def _asked(question: Question) -> Markup:
    """The document that asks."""
    document = question.document
    if not document.text:
        liked = element("p", ", ".join(question.liked))
        return element("article", element("h2", "Documents of the library, all together"), liked, class_="card")
    opening = document.abstract or document.text
    shown = opening[:_OPENING].rstrip() + (" …" if len(opening) > _OPENING else "")
    sections = ", ".join(section.title for section in document.sections[:_LISTED] if section.title)
    return element(
        "article",
        element("h2", document.name, dir="auto"),
        _facts(document),
        element("p", shown, dir="auto") if shown else "",
        element("p", f"Sections: {sections}", class_="quiet", dir="auto") if sections else "",
        class_="card",
    )


def _contents(answer: Answer, question: Question) -> Markup:
    """Every result by its title, as a way to it."""
    if not answer.results:
        return element("p", question.unanswered)
    lines = [element("li", link(f"r{result.rank}", result.document.name)) for result in answer.results]
    return element("nav", element("ol", *lines), aria_label="Results")


def _result(result: Result, question: Question) -> Markup:
    """One document and why it is near."""
    document, evidence = result.document, result.evidence
    terms = ", ".join(term.term for term in evidence.terms)
    pieces: list[str] = [
        element("h2", f"{result.rank}. ", element("span", document.name, dir="auto")),
        _facts(document),
        element("p", element("b", _score(result, question))),
    ]
    if terms:
        pieces.append(element("p", element("span", "Shared terms: ", class_="label"), terms))
    if evidence.couplings and question.document.text:
        pieces.append(element("ul", *(element("li", _met(met)) for met in evidence.couplings), class_="facts"))
    if evidence.passage is not None:
        yours = _quoted("In your document" if question.document.text else "In one of these", evidence.passage.query)
        pieces.append(element("div", yours, _quoted("In this one", evidence.passage.document), class_="two"))
    if document.abstract:
        pieces.append(
            element("details", element("summary", "Abstract"), element("p", document.abstract, dir="auto"), open="open")
        )
    if result.folded:
        pieces.append(element("p", f"Also in the library as {', '.join(result.folded)}", class_="quiet"))
    return element("section", *pieces, id=f"r{result.rank}")


def _facts(document: Document) -> Markup:
    """Kind, year, authors and the like, and the address where it may be followed."""
    facts: list[str] = [
        _KINDS[document.kind],
        str(document.year or ""),
        ", ".join(document.authors),
        document.venue,
        ", ".join(document.categories),
        document.public_id,
    ]
    lines = [element("li", fact, dir="auto") for fact in facts if fact]
    if address := document.web_address:
        lines.append(element("li", element("a", address, href=address, rel="noreferrer noopener")))
    return element("ul", *lines, class_="facts")


def _score(result: Result, question: Question) -> str:
    if question.ranking == "keywords":
        return f"{result.score:.0%} of the best keyword match"
    return f"Nearness {result.score:.2f}"


def _met(coupling: Coupling) -> str:
    """Which part of the document met which of the query."""
    theirs, ours = owned(coupling.document_part, "their"), owned(coupling.query_part, "your")
    return f"{theirs[:1].upper()}{theirs[1:]} met {ours}: {coupling.similarity:.2f}"


def _quoted(whose: str, chunk: Chunk) -> Markup:
    place = f"{whose} · {chunk.place}" if chunk.place else whose
    whole = chunk.text.rstrip().endswith((".", "!", "?", ":", '"', "”", ")"))
    text = chunk.text if whole else f"{chunk.text.rstrip()} …"
    return element("blockquote", element("p", place, class_="label"), element("p", text, dir="auto"))


def _making(question: Question, answer: Answer, made_on: date | None) -> Markup:
    """What someone needs to ask the same again."""
    facts = {
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
    rows = joined(joined([element("dt", name), element("dd", fact)]) for name, fact in facts.items() if fact)
    scale = _SHARE if question.ranking == "keywords" else _NEARNESS
    note = element("p", escaped(scale + _STANDS_ALONE), class_="quiet")
    return element("section", element("h2", "How this was made"), element("dl", rows), note, id="making")


def _filters(filters: Filters) -> str:
    parts = [", ".join(f"{_KINDS[kind].lower()}s" for kind in sorted(filters.kinds))]
    if filters.year_from is not None or filters.year_to is not None:
        parts.append(f"years {filters.year_from or 'any'} to {filters.year_to or 'any'}")
    for name in ("categories", "venues", "collections"):
        if values := sorted(getattr(filters, name)):
            parts.append(f"{name} {', '.join(values)}")
    return "; ".join(part for part in parts if part)
