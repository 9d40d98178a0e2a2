"""The matches of a comparison in words: aligned passages, strongest first, and the chart of a patent's claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import groupby

from engine.compare.base import ClaimElement, Passage
from engine.documents import Chunk
from engine.exports.comparison.outline import MAX_ELEMENTS, Half, Outline, number
from engine.generic_words import GENRE_WORDS
from engine.markup import Markup, element, escaped, joined, link
from engine.text import content_tokens

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def passages(outline: Outline) -> Markup:
    """Each match with the sections that it joins and both texts; words in both are set bold."""
    total, shown = len(outline.comparison.passages), len(outline.passage_cells)
    if not total:
        lead = "No passage of one document matches one of the other."
    else:
        lead = f"The {shown} strongest of {total:,}." if shown < total else f"{total}, the strongest first."
        lead += " Words that both sides use are bold."
    entries = [_entry(outline, place) for place in range(shown)]
    body = [element("h2", "Aligned passages"), element("p", lead, class_="quiet"), element("ol", *entries)]
    return element("section", *body, id="passages", class_="passages")


def _entry(outline: Outline, place: int) -> Markup:
    passage, (rows, columns) = outline.comparison.passages[place], outline.passage_cells[place]
    named = f"Passage {place + 1}"
    links = [link(f"t-{place}", "In both texts", aria_label=f"{named} in both texts")]
    if rows and columns:
        links.append(link(f"at-c-{rows[0]}-{columns[0]}", "In the heatmap", aria_label=f"{named} in the heatmap"))
    head = [f"{named}: ", element("strong", number(passage.score))]
    shared = set(content_tokens(passage.a.text)) & set(content_tokens(passage.b.text)) - GENRE_WORDS
    line = element("p", element("span", *head), *links, class_="head")
    return element("li", line, quoted(outline, passage, shared), id=f"p-{place}")


def quoted(outline: Outline, passage: Passage, shared: Set[str] = frozenset()) -> Markup:
    """Both sides of a match beside each other, each under its section's name."""
    sides = zip(outline.halves, (passage.a, passage.b), strict=True)
    return element("div", *(_side(half, chunk, shared) for half, chunk in sides), class_="two")


def _side(half: Half, chunk: Chunk, shared: Set[str]) -> Markup:
    name = element("p", element("b", half.letter, class_="letter"), " ", chunk.place, class_="label", dir="auto")
    return element("blockquote", name, element("p", *_emphasised(chunk.text, shared), dir="auto"))


def _emphasised(text: str, shared: Set[str]) -> Iterator[Markup]:
    """Text with the shared words bold."""
    position = 0
    for match in _WORD.finditer(text):
        if shared.isdisjoint(content_tokens(match.group())):
            continue
        yield escaped(text[position : match.start()])
        yield element("b", match.group())
        position = match.end()
    yield escaped(text[position:])


def claim_chart(outline: Outline) -> Markup:
    """Every element of a patent's claims beside the passages of the other document that come nearest to it."""
    elements = outline.comparison.claims[:MAX_ELEMENTS]
    if not elements:
        return Markup("")
    charts = [_chart(outline, side, list(found)) for side, found in groupby(elements, key=lambda one: one.side)]
    return element("section", element("h2", "Claim chart"), *charts, id="claims")


def _chart(outline: Outline, side: str, elements: list[ClaimElement]) -> Markup:
    ours, theirs = outline.halves if side == "a" else outline.halves[::-1]
    head = element(
        "tr",
        element("th", "Claim", scope="col"),
        element("th", f"Element of {ours.letter}", scope="col"),
        element("th", f"Nearest passages of {theirs.letter}", scope="col"),
    )
    claims = [list(found) for _, found in groupby(elements, key=lambda one: one.claim)]
    bodies = [element("tbody", *(_line(ours, theirs, claim, place) for place in range(len(claim)))) for claim in claims]
    title = element("h3", f"Claims of {ours.letter} read on {theirs.letter}")
    table = element("table", element("thead", head), *bodies, class_="chart")
    return joined([title, element("div", table, class_="wide", role="region", aria_label="Claim chart", tabindex=0)])


def _line(ours: Half, theirs: Half, claim: list[ClaimElement], place: int) -> Markup:
    """An element of a claim; the claim's number stands beside its first."""
    one = claim[place]
    name = element("th", _into(ours, one.element, str(one.claim)), scope="rowgroup", rowspan=len(claim))
    found = [_nearest(theirs, match.score, match.b if one.side == "a" else match.a) for match in one.passages]
    return element(
        "tr",
        "" if place else name,
        element("td", one.element.text, dir="auto"),
        element("td", *found) if found else element("td", "No passage comes near."),
    )


def _nearest(half: Half, score: float, chunk: Chunk) -> Markup:
    place = _into(half, chunk, chunk.place or "Untitled section")
    return element("p", element("strong", number(score)), " ", place, ": ", chunk.text, dir="auto")


def _into(half: Half, chunk: Chunk, said: str) -> Markup:
    """A link to where a passage stands in its text; only its words where that part was not compared."""
    chunks = half.chunks_of(chunk)
    return link(f"{half.key}-{chunks[0]}", said) if chunks else escaped(said)
