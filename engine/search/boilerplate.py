"""Tells sentences that half of all papers or patents hold from those about this one's topic."""

from __future__ import annotations

import re
from collections.abc import Set

from engine.core import files

_STOCK_PHRASES = tuple(
    "letters patent|be it known|beit known|in testimony|in witness whereof|hereunto|hereby declare|a citizen of|"
    "residing at|residing in|subscribed|witnesses:|patent office|assignor to|assignor of|accompanying draw|"
    "letters of reference|letter of reference|reference letter|reference-letter|similar letters|like letters|"
    "similar reference|like reference|same reference|like numerals|similar parts|like parts|same parts|"
    "skilled in the art|spirit and scope|thus described|fully described|claims the benefit|claim the benefit|"
    "claims priority|claim priority|provisional application|cross-reference|cross reference|"
    "incorporated by reference|incorporated herein|all rights reserved|copyright|supported by the|"
    "supported in part|funded by|acknowledge|remainder of th|paper is organi|article is organi|"
    "subject classification|non-transitory|computer program product|machine-readable|computer-readable|"
    "primary examiner|assistant examiner|attorney, agent|references cited|computer program instructions|"
    "intended to include|computer readable|propagated signal|each block|block diagram|flowchart|local area network|"
    "programming language|conflict of interest|conflicts of interest|competing interest|informed consent|"
    "ethics committee|appended drawing|attached drawing|drawings in which|drawings, in which|drawings, wherein|"
    "appended claims|ordinary skill|without departing from|entirely hardware embodiment|entirely software embodiment|"
    "software and hardware aspects|hardware and software aspects|understood and appreciated".split("|")
)
"""What half of all papers or patents say, in lower case, and says nothing about the topic."""

_STOCK_WORDS = frozenset(
    "patent known beit testimony witness hereunto hereby citizen residing subscribed witnesses assignor accompanying "
    "letters letter reference similar like same skilled spirit thus fully claims claim provisional cross incorporated "
    "rights copyright copyrighted supported funded acknowledge acknowledges acknowledged acknowledgement "
    "acknowledgements remainder paper article classification transitory program machine computer fig figs figure "
    "figures examiner attorney cited intended propagated block blocks flowchart flowcharts area programming interest "
    "interests consent ethics appended attached drawings ordinary departing entirely aspects appreciated".split()
)
"""Every stock phrase has one of these words; looking up words is quicker than phrases."""

_DRAWING = re.compile(r"\W*+fig(?:ure)?s?\W++\w\S*+(?:\s++\S++)?\s++(?:is|are|shows?|represents?|illustrates?)\b")
"""Opens the description of a drawing: "Fig. 2 is a side view of the same". Written to read each run of characters once,
however often a text repeats."""

_INVENTORY_WORDS = frozenset(
    """
    arithmetic bluetooth bus buse cd central cloud communicably communicate communicating communication
    communicatively component computer computing controller coupled cpu desktop disk diskette display dvd electronic
    eprom executable execute executed executing flash floppy gpu handheld hardware input instruction interface
    internet intranet keyboard laptop media medium memory microprocessor mobile module monitor mouse network
    nonvolatile operably output peripheral personal phone portable printer processing processor program programmable
    ram read removable rom routine scanner server smartphone software speaker storage store stored storing tablet
    terminal touch touchscreen unit usb volatile wan wide wired wireless wirelessly workstation
    """.split()
)
"""What modern patents list to say that a computer does it, as keys of the vocabulary."""

_INVENTORY_LEAST, _INVENTORY_SHARE = 4, 0.5
_PROMPT = re.compile(r"\s*(?:R>|>>>|\$ |In \[\d+\]:|#include\b)")
"""Opens a line of code or of a console."""


_FURTHER_PHRASES = tuple(
    "whom it may concern|is a continuation|continuation-in-part|is a divisional|application serial n|"
    "application ser. n|rest of this paper|rest of the paper|organized as follows|organised as follows|"
    "structured as follows|we thank|like to thank|are grateful to|work was supported by|"
    "research was supported by|study was supported by|project was supported by|authors were supported by|"
    "supported by a grant|supported by grant|under grant|creative commons|licensed under|"
    "permission to make digital|corresponding author|approved the final|institutional review board|"
    "publisher's note".split("|")
)
_FURTHER_WORDS = frozenset(
    "application approved commons concern continuation corresponding diagram divisional grant grateful "
    "institutional licensed organised organized permission publisher's representation rest structured thank view "
    "views".split()
)
_FURTHER_DRAWING = re.compile(r"\d{1,2}[a-z]?\s++is\s++an?\s++(?:\w++\s++){0,3}?(?:view|representation|diagram)\b")
"""The same for what opens and closes a paper or a patent: its parts, thanks, licences, other applications.

Nobody should read such a sentence first, yet kept passages hold it: what they were cut by does not change.
"""

FINGERPRINT = files.fingerprint(
    *(*_STOCK_PHRASES, *sorted(_STOCK_WORDS), _DRAWING.pattern, *sorted(_INVENTORY_WORDS), _PROMPT.pattern)
)
"""Names what `is_boilerplate` reads; whoever changes it changes how passages are cut (`passages`)."""


def is_boilerplate(text: str, words: Set[str], keys: Set[str]) -> bool:
    """Tell whether a sentence is a stray heading, a stock phrase, a line of code, or an inventory of a computer.

    `words` are its distinct tokens, `keys` those that can be evidence. An inventory names at least four parts
    of a computer, and they are at least half of its keys: "the I/O devices may include a keyboard, a mouse and
    a display". In a library of papers such words are rare and would otherwise count most.
    """
    return _is_heading(text) or _is_stock_phrase(text, words) or _is_inventory(keys) or _PROMPT.match(text) is not None


def is_stock(text: str, words: Set[str]) -> bool:
    """Tell whether a sentence with these tokens is boilerplate, or tells of a document's parts, thanks or licences."""
    if is_boilerplate(text, words, frozenset()):
        return True
    if (_FURTHER_WORDS | _STOCK_WORDS).isdisjoint(words):
        return False
    text = text.lower()
    return any(phrase in text for phrase in _FURTHER_PHRASES) or _FURTHER_DRAWING.match(text) is not None


def _is_inventory(keys: Set[str]) -> bool:
    found = len(_INVENTORY_WORDS & keys)
    return found >= _INVENTORY_LEAST and found >= _INVENTORY_SHARE * len(keys)


def _is_heading(text: str) -> bool:
    """Tell whether most of a text is in capitals: a heading that stuck to a sentence, or a drawing's label."""
    return sum(map(str.isupper, text)) > 0.4 * len(text)


def _is_stock_phrase(text: str, words: Set[str]) -> bool:
    if _STOCK_WORDS.isdisjoint(words):
        return False
    text = text.lower()
    return any(phrase in text for phrase in _STOCK_PHRASES) or _DRAWING.match(text) is not None
