"""Claims in a plain text: where they begin, with a heading or without one, and which lines each takes.

They are told by their wording: one refers to another by its number, or is the one long sentence that claims are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.documents.patents import cancelled
from engine.reading.heading_names import CLAIM_NAMES

_CAPITAL = "[A-ZÀ-ÖØ-ÞА-Я]"
_CLAIM = re.compile(
    rf"\s*+(?P<open>[(\[【]?)\s*+(?:(?i:{CLAIM_NAMES})\s*+)?(?P<number>\d{{1,4}})"
    r"(?:\s*+(?P<mark>[.):\]】、．）]|(?<=\s)[—–-](?=\s))\s*+(?:$|(?=[^\s\d]))|\s++(?=[A-Z]))"
)
_NEXT_CLAIM = re.compile(
    rf"(?:(?<=[.;])|(?<=ed\)))\s+(?=(?:[(\[]?\d{{1,3}}\s*[.)\]]|(?i:{CLAIM_NAMES})\s\d{{1,3}}\s*[.:])\s+{_CAPITAL})"
    r"|(?<=。)\s*(?=【|\d{1,3}\s*[.．、)）])"
)
_REFERS = re.compile(
    r"(?<!proof\s)\b(?:of|in|to|with)\s(?:(?:any|one|of|the|preceding|previous)\s){0,6}claims?(?:\s\d|\b,)"
    r"|\bnach\s(?:\w+\s){0,4}(?:patent)?anspr(?:uch|üche)"
    r"|\bпо\s(?:\w+\s){0,3}(?:п\.|пункт)"  # noqa: RUF001
    r"|\b(?:selon|suivant|según|segundo|conforme|secondo|acordo com|del?|della|da)"
    rf"\s(?:(?:\w+|l['’]une)\s){{0,5}}(?:{CLAIM_NAMES})"
    r"|(?:权利要求|權利要求|請求項|请求项)\s?\d",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    rf"(?:[^.!?。]|\.(?!\s+(?-i:{_CAPITAL}))){{0,1000}}?"
    r"(?:\b(?:comprising|comprises|consist(?:ing|s)|characteri[sz]ed\s(?:in\sthat|by)|wherein|whereby|(?:combination|improvement),?\s(?:in|of|with)|said|substantially|provided\swith|combined\swith|"
    r"as\s(?:herein|specified|set\sforth)|for\sthe\spurposes?|ornamental\sdesign|pharmaceutically|"
    r"gekennzeichnet|umfassend|caract[ée]ris[ée]e?s?\s(?:en\sce|par)|comprenant|caracterizad[oa]s?|compreendendo|"
    r"comprendiendo|que\scomprende|caratterizzat[oa]|comprendente|отличающ\w+)\b"
    r"|其特征|其特徵|特徴とする|であって|備える)",
    re.IGNORECASE,
)
"""A claim from its start to the words that go on from what it is of to what belongs to it."""
_ABOUT_WORK = re.compile(
    r"\b(?:we|our|this paper|(?:is|are) (?:proposed|presented|provided|disclosed|described))\b", re.IGNORECASE
)
_OPENING = re.compile(
    rf"(?:what (?:is|we|i) claim(?:ed)?(?: is)?|(?:i|we) claim|(?:the )?(?:invention )?claimed is"
    rf"|【?(?:{CLAIM_NAMES})】?)"
    r"(?:\s*+[:.—–-]\s*+(?P<rest>.*)|\s*+)",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(rf"\n\s*\n\s*|(?<=[.;])\n\s*(?={_CAPITAL})")
_TWO_SENTENCES = re.compile(rf"[a-z]{{2}}[.!?]\s+{_CAPITAL}")
_LISTS = re.compile(
    r"[:;]\s|\bsaid\b|(?P<statement>,\s(?:comprising|consisting|characteri[sz]ed|wherein)\b)"
    r"|\bas\s(?:herein(?:before)?\s)?(?:shown|described|specified|set\sforth)"
    r"(?:(?:,\sand|\sand|,)\s(?:as|described|shown|specified|set\sforth|for\sthe\spurposes?(?:\s\w+){0,4}))*\W*$|\bfor\sthe\spurposes?(?:\s\w+){1,3}\W*$",
    re.IGNORECASE | re.DOTALL,
)
"""What one sentence by itself has as a claim, and not as a question; a `statement` only where a full stop ends it."""
_NEAR_ITS_START = 200
_FRONT, _LOOKED_AT = 200, 60  # lines: claims without a heading follow a title and an abstract at most
_LONGEST = 10_000  # characters of a line


def claims_at(lines: Sequence[str], at: int) -> str | None:
    """Return what stands on a line of the claims that begin there, told by their wording alone; None if none do."""
    if at >= _FRONT:
        return None
    text = lines[at]
    number = _CLAIM.match(text)
    opening = _OPENING.fullmatch(text.strip()) if number is None and len(text) < _LONGEST else None
    is_first = at < _LOOKED_AT and not any(map(str.strip, lines[:at]))
    if number is not None or opening is not None:
        rest = text if opening is None else opening["rest"] or ""
        counts = number is None or is_first or int(number["number"]) == 1
        found = claim_lines([rest, *lines[at + 1 : at + _LOOKED_AT]]) if counts else []
        return rest if _are_claims(["\n".join(one) for one in found]) else None
    if not is_first or not text.strip():
        return None
    is_end = text.lstrip()[0].islower() and any(_CLAIM.match(one) for one in lines[at : at + _LOOKED_AT])
    found = claim_lines(lines[at : at + _LOOKED_AT]) if is_end else [[one] for one in _without_numbers(lines)]
    return text if _are_claims(["\n".join(one) for one in found]) else None


def claim_lines(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of each claim: one that begins with the next number begins the next claim.

    Where the first number is not 1, the claims before it count as cancelled, so that the others keep their numbers.
    """
    texts = _NEXT_CLAIM.sub("\n", "\n".join(lines)).split("\n")
    following, form = _first_number(texts), ""
    found: list[list[str]] = []
    above: list[str] = []
    for text in texts:
        match = _CLAIM.match(text)
        gone = cancelled(text)
        if following in gone:
            found.append([text])
            following = gone.stop
        elif match is not None and int(match["number"]) == following and form in ("", _form(match)):
            found += [] if found else _missing(following, above)
            found.append([text[match.end() :]])
            following, form = following + 1, _form(match)
        else:
            (found[-1] if found else above).append(text)
    return found or [[one] for one in _without_numbers(lines)]


def _first_number(texts: Sequence[str]) -> int:
    """Return the number that the first claim has: 1 where any line has it, else the first number with a mark."""
    numbers = [int(match["number"]) for one in texts if (match := _CLAIM.match(one)) and match["mark"]]
    return numbers[0] if numbers and 1 not in numbers and not any(map(cancelled, texts)) else 1


def _form(match: re.Match[str]) -> str:
    """Return how a claim's number is marked; steps within a claim are marked otherwise."""
    return match["open"] or (")" if match["mark"] == ")" else ".")


def _missing(number: int, above: Sequence[str]) -> list[list[str]]:
    """Return what stands for the claims before a first number: the last one's end may stand above it."""
    end = " ".join(above).strip()
    cut = [list(above)] if number > 1 and end[:1].islower() else []
    last = number - 1 - len(cut)
    return [*([[f"1-{last}. (canceled)"]] if last > 0 else []), *cut]


def _are_claims(texts: Sequence[str]) -> bool:
    """Tell whether texts read as claims: one refers to another near its start, or most are worded as claims."""
    if any(_REFERS.search(one[:_NEAR_ITS_START]) for one in texts):
        return True
    told = [one for one in texts if one.strip() and not cancelled(one)]
    return bool(told) and 2 * sum(_is_worded(one) for one in told) > len(told)


def _is_worded(text: str) -> bool:
    return _SENTENCE.match(text) is not None and _ABOUT_WORK.search(text) is None and text.rstrip()[-1:] != "?"


def _without_numbers(lines: Sequence[str]) -> list[str]:
    """Return claims that have no numbers, each a sentence of its own; none where the text is anything else."""
    texts = [one.strip() for one in _PARAGRAPHS.split("\n".join(lines)) if one.strip()]
    if not texts or any(not one[0].isupper() or _TWO_SENTENCES.search(one) for one in texts):
        return []
    if any(one[-1] not in ".;" for one in texts[:-1]):  # a title, or a heading
        return []
    marks = list(_LISTS.finditer(texts[0])) if _is_worded(texts[0]) else []
    listed = any(one["statement"] is None or texts[0].endswith(".") for one in marks)
    return texts if listed or any(_REFERS.search(one[:_NEAR_ITS_START]) for one in texts[1:]) else []
