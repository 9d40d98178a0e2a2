"""Tells the entries of a reference list that slipped into the body of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.documents import Section

_HEADING = re.compile(r"\W*(?:\d+\W+)?(?:references?|bibliography|literature cited|works cited|citations)\W*", re.I)
_NAME = (
    r"(?:[A-Z][\w'’-]{1,40},? (?:[A-Z]\.[ -]?){1,3}|(?:[A-Z]\.[ -]?){1,3} ?[A-Z][\w'’-]{1,40}"
    r"|[A-Z]{1,3} [A-Z][a-z][\w'’-]{1,40})"
)
"""Smith, J. A. or J. A. Smith or JA Smith."""

_NAMES = re.compile(rf"(?:\W|^){_NAME}(?:,|;| and\b| &|\.$|\. ?\(| \()|{_NAME},? (?:and|&) {_NAME}")
_MANY_NAMES = re.compile(rf"(?:{_NAME}[,;] ?(?:and |& )?){{2}}|(?:[A-Z][\w'’-]{{1,40}} [A-Z]{{1,3}}, ){{2}}")
_VENUE = re.compile(
    r"\b(?:[Ii]n )?Proc(?:eedings\b|\.)|\barXiv\b|\b(?:Springer|Elsevier|Wiley)\b|\bdoi\b|\bUniversity Press\b"
    r"|\b(?:Trans(?:actions|\.)|J(?:ournal|\.)|Conf(?:erence|\.)) (?:on|of)\b"
    r"|\bTech(?:nical|\.) [Rr]ep|\bPh\.? ?D\.? thesis\b"
)
_PAGES = re.compile(
    r"\bpages? \d+ ?[-\u2013]|\bpp?\. ?\d|\b[Vv]ol(?:ume|\.) ?\d|\b\d+ ?\(\d+\) ?[:,] ?\d|\b\d+ ?: ?\d+ ?[-\u2013] ?\d+"
)
_YEAR = re.compile(r"(?<!\d)\(?(?:1[89]|20)\d\d[a-z]?\)?(?=[.,;:\n]|$)")
_YEAR_ALONE = re.compile(r"\(?(?:1[89]|20)\d\d[a-z]?\)?\.")
_NUMBERED = re.compile(r"\s*(?:\[\w{1,12}\]|\d{1,3}\.)\s+[A-Z]")
_DIGIT, _INITIAL = re.compile(r"\d"), re.compile(r"[A-Z][., ]")
"""Characters in any pages and years, and in any name: looked for first, because a miss is quickly found."""

_OF_VENUES = ("Proc", "arXiv", "Springer", "Elsevier", "Wiley", "doi", "Univ", "Trans", "J", "Conf", "Tech", "Ph")
_ENOUGH, _WINDOW, _SHARE = 2, 7, 0.3
_COMMAS = 2  # of a list of names


def is_list(section: Section) -> bool:
    """Whether a whole section is a reference list, by its role or its title."""
    return section.role == "references" or _HEADING.fullmatch(section.title) is not None


def entries(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which sentences of one section, in order, are entries of a reference list: (s,).

    An entry shows two of: authors with initials, where it appeared, a year that ends a clause, a number in front.
    A sentence that shows fewer also counts where it stands between two that do and three in ten around it show
    something: a list is cut at every full stop, so that a title stands alone.
    """
    signs = np.asarray([_signs(text) for text in texts], np.int64)
    sure = signs >= _ENOUGH
    if not sure.any():
        return sure
    window = np.ones(min(_WINDOW, len(signs)))
    around = np.convolve(signs > 0, window, "same") / np.convolve(np.ones(len(signs)), window, "same")
    places = np.arange(len(signs))
    before = np.maximum.accumulate(np.where(sure, places, -_WINDOW))
    after = np.minimum.accumulate(np.where(sure, places, len(signs) + _WINDOW)[::-1])[::-1]
    near = (places - before < _WINDOW) & (after - places < _WINDOW)
    alone = np.convolve(sure, window, "same") <= 1  # a single one may just mention a work
    return np.asarray((sure & ~alone) | (near & (around >= _SHARE)), np.bool_)


def _signs(text: str) -> int:
    """How many marks of an entry a sentence shows; names, which take longest, are sought only if they may decide."""
    if _YEAR_ALONE.fullmatch(text):
        return _ENOUGH
    shown = int(any(word in text for word in _OF_VENUES) and _VENUE.search(text) is not None)
    if _DIGIT.search(text):
        shown += (_PAGES.search(text) is not None) + (_YEAR.search(text) is not None)
    shown += _NUMBERED.match(text) is not None
    if shown >= _ENOUGH or not _INITIAL.search(text):
        return shown
    if text.count(",") >= _COMMAS and _MANY_NAMES.search(text):
        return _ENOUGH
    return shown + (shown == 1 and _NAMES.search(text) is not None)
