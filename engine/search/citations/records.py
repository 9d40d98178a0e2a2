"""What kind of record a title names: a work, or an erratum, a reply, a review, a supplement ... of another.

Such a record has the other's title, and often its authors and year; only what stands before or after the title tells
them apart: "Comment on", "a rejoinder", "[Book review]". What later became of a work ("RETRACTED:") and what was
printed with it ("(with discussion)") is of the work itself, and an erratum and a corrigendum are of one kind.
"""

from __future__ import annotations

import re
from functools import lru_cache

_BY = (
    r"(?:(?:an?|the|our|some|more|further|additional|brief|short|critical|general|invited|final|second|guest|published"
    r"|english)\s|(?:author|editor|publisher|reader|discussant|reviewer)s?['\u2019]?s?['\u2019]?\s){0,6}+"
)
"""What stands before the kind: "the authors' reply", "published erratum"."""
_QUOTE, _TO = r"[\"\u201c\u201e\u2018'`\u00ab]", r"(?:to|on|of|for|upon|regarding|concerning|about|from)\b"
_KINDS = {
    "erratum": (
        r"errat(?:um|a)|corrigend(?:um|a)|corrections?(?! (?:of|for|in)\b)",
        r"errat(?:um|a)|corrigend(?:um|a)|corrections?",
    ),
    "reply": (
        r"rejoinders?|repl(?:y|ies)|responses?(?! (?:of|in|on|from)\b)|rebuttals?|decision letter|re(?=:)",
        r"rejoinders?|repl(?:y|ies)|rebuttals?|responses?(?! to)|(?<=\ba )(?:response|answer)(?= to)",
    ),
    "comment": (
        rf"comment(?:s|ary|aries)?|discussions?|remarks?|notes?(?= on)|critique(?=\s+of\s+{_QUOTE})"
        r"|letter(?: to the editors?)?(?= (?:on|re|regarding|concerning|about)\b)",
        r"comment(?:s|ary)?|(?<!\ba )(?:discussion|remarks?)",
    ),
    "review": (
        rf"book reviews?|reviews? of the book|(?:peer )?reviews?(?: \d)?(?=(?:\s+{_TO})?:?\s*{_QUOTE})"
        r"|(?:faculty opinions|f1000\w*) recommendation",
        r"book reviews?|reviews? of the book",
    ),
    "retraction": (r"(?:notice of )?retractions?|expressions? of concern|withdrawal",) * 2,
    "editorial": (
        r"editorials?|foreword|preface"
        rf"|(?:editorial )?introduction(?=\s*[:.]|\s+to\s+(?:the (?:special|theme)|{_QUOTE}))",
        r"editorial introduction|foreword|preface",
    ),
    "supplement": (
        r"(?:online )?(?:supplement(?:s|al|ary)?|supporting|appendix)(?: (?:materials?|information|data|appendix))?"
        r"|adden(?:dum|da)|(?:replication )?(?:data|code|package|materials)(?= (?:from|for)\b:?)"
        r"|(?:solutions?|instructor['\u2019]?s) manual",
        r"(?:online )?(?:supplement(?:ary (?:materials?|information))?|appendix)"
        r"|supporting information|adden(?:dum|da)",
    ),
    "translation": (rf"translation(?=\s+of:?\s+{_QUOTE})", r"(?:\w+ )?translation"),
}
"""What each kind is called before the other work's title, and after it."""
_HEAD, _TAIL = ("|".join(f"(?P<{kind}>{of[at]})" for kind, of in _KINDS.items()) for at in (0, 1))
_NOTED = r"(?:\s(?:notice|note|article))?"
_BEFORE = rf"{_BY}(?:{_HEAD}){_NOTED}(?:\s*[:.\u2014]|\s+{_TO}:?|(?=\s*{_QUOTE})|(?=[)\]\s]*$))[)\]]*"
_AFTER = (
    r"(?:[:\u2014(\[]|\s[\u2013-]\s"
    r"|[.?!,;][\"\u201d\u2019]?\s+(?=an?\s|authors?\b|repl(?:y|ies)\b|rejoinder|errat|corrigend))"
    rf"\s*{_BY}(?:{_TAIL}){_NOTED}(?:(?=\s*(?:[.)\],;]|$))|\s+(?:to|on|by|from|of)\b[^.:)\]]*)"
)
_PART = r"(?<=[.,:;])\s(?:(?:part|pt\.?)\s(?:\d{1,2}|[ivx]+)\b|(?-i:I{2,3}|IV|VI{1,3}|IX)(?=[.:]))"
_AT_HEAD, _AT_END, _LEAD, _TRAIL, _OF_THE_WORK = (
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\W*+{_BEFORE}",
        rf"{_AFTER}\W*$",
        rf"(?<![^\s(\[\"\u201c]){_BEFORE}\W*$",
        rf"\W{{0,3}}(?:{_AFTER}|{_PART})",
        r"^\s*\[?(?:retracted|withdrawn)(?: article| paper)?\s*[:\]]"
        r"|[(\[](?:with (?:discussion|comments?|(?:an? )?rejoinder)|retracted|letter)\b[^()\[\]]{0,100}[)\]]",
    )
)
_SIGNS = ' .,:;?!-\u2013\u2014(["\u201d\u2019'
_BESIDE = 80
"""The name of the kind stands among this many characters beside its title."""


@lru_cache(maxsize=8192)
def kind_of_record(title: str) -> tuple[str, str]:
    """Return what kind of record about another work a title names, and that title; for a work, "" and its own title."""
    title = _OF_THE_WORK.sub(" ", title)
    if (found := _AT_HEAD.match(title)) is not None:
        return str(found.lastgroup), title[found.end() :]
    if (found := _AT_END.search(title)) is not None:
        return str(found.lastgroup), title[: found.start()]
    return "", title


def with_kind(entry: str, start: int, stop: int) -> str:
    """Return a stretch of an entry with what stands beside it that names the kind of record, or the part of a work."""
    stop -= len(entry[start:stop]) - len(entry[start:stop].rstrip(_SIGNS))
    lead, trail = _LEAD.search(entry[max(0, start - _BESIDE) : start]), _TRAIL.match(entry[stop : stop + _BESIDE])
    return f"{lead[0] if lead is not None else ''}{entry[start:stop]}{trail[0] if trail is not None else ''}"
