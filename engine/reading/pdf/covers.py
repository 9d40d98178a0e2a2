"""Tells the cover that a repository puts before a paper from the paper's own first page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.reading.pdf.runs import Page

_SIGNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:persistent|stable|permanent) (?:url|link|identifier)|citable link|handle\.net|\bhdl\.|\bhandle\s*:",
        r"to cite this|please cite|citation\s*:|suggested citation|how to cite|cite as|citation for published|"
        r"citation \(published|original citation|recommended citation",
        r"terms (?:of use|and conditions|& conditions)|general rights|take ?down policy|copyright and reuse|"
        r"rights? statement|all rights reserved|licen[sc]e\s*:|copyright (?:matters|statement)",
        r"\bhal[- ]id\b|\bhal is a|multi-?disciplinary open access|archive ouverte",
        r"(?:final|accepted|produced|submitted|published|peer[- ]reviewed) (?:manuscript|version)|version of record|"
        r"document version|version\s*:|post-?print|pre-?print",
        r"eprints?\b|dspace|repository|research online|pure portal|white rose|digital commons|scholarworks|"
        r"scholarship|open (?:archive|articles|research|access archive)|researchgate|jstor|ssrn",
        r"downloaded (?:from|on|by)|deposited (?:in|on|by)|uploaded by|this (?:item|article|paper|version|document) "
        r"(?:was|has been|is) (?:downloaded|made available|kept|brought)|link to publi|see discussions, stats",
        r"as published|publisher\s*:|published (?:in|by)\s*:?|date deposited|submitted on|\bissn\b|\bisbn\b|source\s*:|"
        r"author\(s\)\s*:",
    )
]
"""What repositories print on their covers, by kind."""
_MOST_LETTERS = 3_000
_PAPER = re.compile(r"(?:^|\s)(?:abstract|summary|introduction)(?:\s|$)", re.IGNORECASE)


def without_covers(pages: Sequence[Page]) -> tuple[list[Page], str]:
    """The pages without a repository's covers (at most two), and the covers' text."""
    kept = list(pages)
    texts: list[str] = []
    while len(kept) > 1 and len(texts) < 2 and _is_cover(kept[0], kept[1]):
        texts.append(_text(kept.pop(0)))
    return kept, "\n".join(texts)


def _text(page: Page) -> str:
    return "\n".join(run.text for run in sorted(page.runs, key=lambda run: (run.y, run.x0)))


def _is_cover(page: Page, following: Page) -> bool:
    """Whether a page speaks of the paper that follows: two signs, and its title; or many signs and little else."""
    text = _text(page)
    letters = sum(map(str.isalpha, text))
    if letters > _MOST_LETTERS:
        return False
    signs = sum(bool(sign.search(text)) for sign in _SIGNS)
    title = _plain(_largest(following))
    if signs >= 2 and len(title) >= 12 and title in _plain(text):
        return True
    return signs >= 4 and letters < _MOST_LETTERS / 2 and not _PAPER.search(text)


def _largest(page: Page) -> str:
    """The largest text in a page's upper half: the title, if the paper begins here."""
    upper = [run for run in page.runs if run.y < 0.5 * page.height and len(run.text) > 2]
    size = max((run.size for run in upper), default=0.0)
    return " ".join(run.text for run in sorted(upper, key=lambda run: (round(run.y), run.x0)) if run.size > size - 0.3)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
