"""Splits a patent's claims into their elements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.documents import Chunk, Document
from engine.text import Span

_CUT = re.compile(
    r";\s*(?:and\b|or\b)?[ \t]*"  # after a semicolon
    r"|\s*\n\s*"  # at a line's end
    r"|(?:(?<=\bcomprising)|(?<=\bcomprises)|(?<=\bcomprise)|(?<=\bconsisting of)|(?<=\bincluding)|(?<=\bincludes)):\s*"
    r"|(?<=\bcomprising)\s+(?=an?\b|at least\b|one or more\b)"
    r"|,?\s+(?:and\s+)?(?=(?:wherein|whereby)\b)"
    r"|(?<=:)\s+(?=(?:\(?[a-z0-9]{1,3}\)|an?\b)\s)",  # before "(a) ..." or "a ..."
    re.IGNORECASE,
)
_FEWEST_WORDS = 3  # of an element; fewer stay with what follows
_WORD = re.compile(r"[^\W_]+")


def elements(document: Document) -> list[tuple[int, Chunk]]:
    """The elements of every claim with the claim's number from 1, in reading order; none for a paper.

    A claim's preamble is its first element; the others begin after a semicolon, a line's end, "comprising:", or with
    "wherein". Together they are the claim but for the white space and the signs between them. A cancelled claim, which
    is an empty text, has none.
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
        for span in _spans(claim)
    ]


def _spans(claim: str) -> Iterator[Span]:
    """Stretches of a claim, each with words enough to be looked for."""
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
