"""A claim chart: the elements of a patent's claims, each with the nearest sentences of another document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.compare.coverage import OPENING, parent_of
from engine.compare.model import DIGITS, ClaimElement, Passage
from engine.compare.pairs import BLOCK_PAIRS
from engine.compare.stretches import Similarities, Stretches
from engine.core.rows import Flags, largest
from engine.documents import Chunk, Document
from engine.documents.text import Span

_CUT = re.compile(
    r";\s*+(?:and\b|or\b)?[ \t]*+"  # after a semicolon
    r"|(?<!\s)\s*\n\s*"  # at a line's end
    r"|(?:(?<=\bcomprising)|(?<=\bcomprises)|(?<=\bcomprise)|(?<=\bconsisting of)|(?<=\bincluding)|(?<=\bincludes)):\s*"
    r"|(?<=\bcomprising)\s+(?=an?\b|at least\b|one or more\b)"
    r"|(?:,|(?<![\s,]))\s++(?:and\s++)?(?=(?:wherein|whereby)\b)"
    r"|(?<=:)\s+(?=(?:\(?[a-z0-9]{1,3}\)|an?\b)\s)",  # before "(a) ..." or "a ..."
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:\d++\s*+\.\s*+)?an?\b", re.IGNORECASE)
_NAMES_A_CLAIM = re.compile(r"\bclaims?\s++\d", re.IGNORECASE)
_DOES = re.compile(
    r"\b(?:compris|configur|adapt|arrang|stor(?:es?|ing)\b|caus|perform|carr(?:y|ies)|execut|implement)", re.IGNORECASE
)
_FEWEST_WORDS = 3  # of an element; fewer stay with what follows
_WORD = re.compile(r"[^\W_]+")
_MOST_PASSAGES = 3  # of an element


def elements(document: Document) -> list[tuple[int, Chunk]]:
    """Return the elements of every claim with the claim's number, from 1, in reading order; empty for a paper.

    A claim's preamble is its first element; the others begin after a semicolon, a line's end, "comprising:", or with
    "wherein". Together they are the claim except for white space and marks between them. A cancelled claim, an empty
    text, has none.
    """
    first = len(document.parts) - len(document.claims)
    return [
        (
            number + 1,
            Chunk(
                document.id, first + number, f"Claim {number + 1}", span.start, span.stop, claim[span.start : span.stop]
            ),
        )
        for number, claim in enumerate(document.claims)
        for span in cut_claim(claim)
    ]


def claim_chart(
    elements: Stretches, claim_of: Sequence[int], sentences: Stretches, kept: Flags
) -> tuple[ClaimElement, ...]:
    """Return each element of a document's claims with the nearest of another document's s sentences, best first.

    `claim_of` holds each element's claim number, `kept` (s,) says which sentences count. The document with the claims
    is "a".
    """
    if not len(elements) or not len(sentences):
        return ()
    table, found = Similarities(elements, sentences), []
    step = max(1, BLOCK_PAIRS // len(sentences))
    for start in range(0, len(elements), step):
        some = slice(start, min(len(elements), start + step))
        scores = table.rows(some.start, some.stop)  # (n, s)
        scores[:, ~kept] = 0
        for number, element, row in zip(claim_of[some], elements.chunks[some], scores, strict=True):
            best = (n for n in largest(row, _MOST_PASSAGES).tolist() if row[n] > 0)
            chosen = (Passage(round(float(row[n]), DIGITS), element, sentences.chunks[n]) for n in best)
            found.append(ClaimElement("a", number, element, tuple(chosen)))
    return tuple(found)


def independent_claims(claims: Sequence[str]) -> list[int]:
    """Return for each claim the number, from 1, of the independent claim under which it stands: its own for that one.

    A claim that names a later one, or itself, stands alone; so does one of another thing: "A pump that performs the
    method of claim 1".
    """
    found: list[int] = []
    for number, claim in enumerate(claims, start=1):
        parent = None if _is_of_another_thing(claim[:OPENING]) else parent_of(claim)
        found.append(found[parent - 1] if parent is not None and 0 < parent < number else number)
    return found


def _is_of_another_thing(opening: str) -> bool:
    """Tell whether a claim says what a thing does before it names another claim."""
    begins, named = _BEGINS.match(opening), _NAMES_A_CLAIM.search(opening)
    return begins is not None and named is not None and _DOES.search(opening, begins.end(), named.start()) is not None


def cut_claim(claim: str) -> Iterator[Span]:
    """Yield the stretches of a claim, each with enough words to look for."""
    start = 0
    for match in _CUT.finditer(claim):
        enough = len(_WORD.findall(claim, start, match.start())) >= _FEWEST_WORDS
        if enough and len(_WORD.findall(claim, match.end())) >= _FEWEST_WORDS:
            yield _trimmed(claim, start, match.start())
            start = match.end()
    if claim[start:].strip():
        yield _trimmed(claim, start, len(claim))


def _trimmed(claim: str, start: int, stop: int) -> Span:
    text = claim[start:stop]
    return Span(start + len(text) - len(text.lstrip()), stop - len(text) + len(text.rstrip()))
