"""Clean text, tokens, sentences and chunks: what is true of a text before any model reads it."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f"  # tags, which show a reader nothing and an agent a text
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_ODD = re.compile(f"[{_UNSEEN}\x0b\x0c\r\x85\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}  # ff, fi, fl, ffi ...

_TAG = re.compile(
    r"""</?[a-z][a-z0-9:-]*+(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]++))*+\s*+/?>|<!--[^<>]*-->""",
    re.IGNORECASE,
)
"""A tag or a comment of HTML. Comparison signs do not make a tag: "p < .05, n > 30" stays text."""

_TYPOGRAPHIC = (
    r"«»\u2010-\u2015\u2018\u201c-\u201f\u2039\u203a…•·、。【】「」\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
)
_SEPARATORS = re.compile(rf"""[!@#$%^&*()_+\-=\[\]\\{{}}|;:"<>?,./~\s{_TYPOGRAPHIC}]+""")
"""The marks of the paper's step 4, and the same ones as typographers and East Asian texts write them."""

_HAS_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = re.compile(r"""(?<![.!?])[.!?]++["'”’)\]]*+(?=\s+["'“‘(\[]*[A-Z0-9“‘"'(\[]|\s*$)|\n\s*\n""")
_BEFORE_MORE = (
    "[Ff]igs?|FIGS?|[Ee]qn?s?|[Rr]efs?|[Pp]at|[Ss]er|[Cc]f|vs?|[Vv]iz|[Ee]\\.g|[Ii]\\.e|ca|[Aa]pprox|[Rr]esp|Drs?|Profs?|Mrs?|Ms|"
    "St|Ft|Mt|var|subsp|ssp|cv|aff"
)
_BEFORE_NUMBER = (
    "[Nn]os?|NOS?|[Ss]ecs?|[Tt]abs?|[Cc]hap|[Cc]h|[Cc]ols?|[Ee]xs?|[Aa]pp|[Aa]rt|pp?|[Vv]ols?|n|c|[Dd]ef|[Pp]rop|[Tt]hm|[Ll]em|"
    "(?i:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_BEFORE_NAME = (
    "al|etc|spp?|wt|[A-Z]|(?:[A-Za-z]\\.)+[A-Za-z]|Inc|Ltd|Co|Corp|Jr|Sr|Eds?|Univ|Dept|Pub|Publ|Ariz|Calif|Colo|Conn|Fla|Ill|"
    "Mass|Md|Mich|Minn|Okla|Ore|Pa|Tenn|Tex|Va|Wash|Wis|Acad|Am|Anal|Ann|Appl|Biochem|Biol|Biophys|Chem|Clin|Commun|Curr|Eng|"
    "Engl|Environ|Exp|Immunol|Int|Lett|Math|Med|Microbiol|Mol|Nat|Natl|Nucl|Oncol|Opin|Pharmacol|Phys|Physiol|Proc|Rep|Res|Rev|"
    "Sci|Soc|Symp|Technol|Ther|Trans"
)
_ABBREVIATION = re.compile(
    rf"""(?:^|[\s(\[{{"'“‘\u2013\u2014])(?:(?P<more>{_BEFORE_MORE})|(?P<number>{_BEFORE_NUMBER})|{_BEFORE_NAME})\.$"""
)
"""Abbreviations of papers and patents: those that something always follows, those that stand before a number, and those
that end a sentence only where a function word with a capital follows."""
_LONGEST_ABBREVIATION = 12
_A_NUMBER = re.compile(r"\s*[(\[“\"#§]*(?:\d|[A-Z]{2}|[IVXLC]+\b|[A-Z]\b|[A-Z]-?\d)")
_CAPITAL_WORD = re.compile(r"\s*([A-Z][a-z]*)\b(?!\.)")
_LETTER_OF_A_LIST = re.compile(r"(?:^|[.,;:)]\s+)[a-z]\.$")

_RAISED = re.compile(r"([-+\N{MINUS SIGN}\N{EN DASH}]?)\d")
_SPACE = re.compile(r"[ \t\n\r\f]")  # no HTML entity holds one of these
_ANGLE = re.compile(r"[<>]")
_STRETCH_CHARACTERS = 2_000
CHARACTERS_A_TOKEN = 8  # a word and its space, seldom more
_STOP_WORDS_TEXT = """
a about above after again against all also although always am among an and another any are as at be because
been before being below between both but by can cannot could did do does doing done down due during each
either else etc even ever every few for from further had has have having he hence her here hers him his how
however i if in into is it its itself just least less like made mainly make many may me might more most
mostly much must my nearly neither no nor not now of off often on once one only onto or other others our out
over own per perhaps quite rather same seem several shall she should since so some still such than that the
their them then there thereby therefore these they this those though through thus to together too toward
towards under until up upon use used using various very via was we well were what when where whereas whereby
wherein whether which while who whole whom whose why will with within without would yet you your
"""

STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
"""English function words: they carry no topic, so terms shown as evidence leave them out."""


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch [start, stop) of a text, in characters."""

    start: int
    stop: int


_TEX_ACCENTS = {
    **{"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"},
    **{"u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323"},
}
"""The combining character of each accent."""
_TEX_NAMED = {
    **{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å"},
    **{"l": "ł", "L": "Ł", "i": "i", "j": "j", "S": "§", "textendash": "–", "textemdash": "—"},
    **{"textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”"},
}
_TEX_ACCENTED = re.compile(r"""\\(?:(['`^"~=.])|([uvHckrd])(?=[{\\\s]))[ ]?\{?(?:\\([ij])(?![A-Za-z])|([^\W\d_]))\}?""")
_TEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s?|\\(.)|~", re.DOTALL)


def clean(text: str) -> str:
    """Return a text in Unicode's composed form, its lines ended by line feeds and its ligatures spelt out.

    Control characters, soft hyphens, zero-width spaces and marks that turn the writing direction
    go: they split words, cut text short in a database, or make it look like other text. Lone
    surrogates cannot be stored as UTF-8, so each becomes the replacement character.
    """
    if _ODD.search(text):  # most texts hold none, and one pass is cheaper than three
        text = without_surrogates(_INVISIBLE.sub("", _LINE_ENDS.sub("\n", text)))
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_LIGATURES))


def without_surrogates(text: str) -> str:
    """Return a text with the replacement character for each lone surrogate, as it can be stored as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Return a text cleaned, with every run of white space as one space."""
    return " ".join(clean(text).split())


def tidy(text: str) -> str:
    """Clean a text but keep its paragraphs and lines: one space, one line end, at most one blank line."""
    lines = [" ".join(line.split()) for line in clean(text).split("\n")]
    text = "\n".join(lines).strip()
    return re.sub(r"\n{3,}", "\n\n", text) if "\n\n\n" in text else text


def raised(before: str, text: str) -> str:
    """Return a superscript as text: 10^5 and s^-1, as it would change the number before it; 1st, Ca2+ and marks stay.

    `before` is the character in front of it.
    """
    number = _RAISED.match(text.strip())
    power = number is not None and (before.isdecimal() or (before.isalpha() and bool(number[1])))
    return f"^{text.strip()}" if power else text


def lowered(before: str, text: str) -> str:
    """Return a subscript as text: 101_2, as it would go on with the number before it; H2O stays."""
    return f"_{text.strip()}" if before.isdecimal() and text.strip()[:1].isdecimal() else text


def tokens(text: str) -> list[str]:
    """Split text into the tokens that every method reads.

    Lower-case, HTML tags stripped, HTML entities unescaped, split on punctuation and white space,
    tokens without a letter dropped (CTPE, section 4.1, steps 1 to 5). A typographic apostrophe is a plain one.
    """
    text = without_tags(text.lower())
    if "&" in text:
        text = html.unescape(text)
    text = text.replace("’", "'")
    return [token for token in _SEPARATORS.split(text) if token.isalpha() or _HAS_LETTER.search(token)]


EXTRA_LETTERS = str.maketrans(
    dict(zip("łøđðħŧıŁØĐÐĦŦ", "loddhtiLODDHT", strict=True))
    | {"æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "Æ": "AE", "Œ": "OE", "ẞ": "SS", "Þ": "TH"}
)
"""Letters that no accent is taken off, and what people write for them who lack the key."""


def without_accents(text: str) -> str:
    """Return a text in its compatible form, each letter without accents: "é" as "e", "ł" as "l"."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if not unicodedata.combining(one)).translate(EXTRA_LETTERS)


def stems(words: Sequence[str]) -> list[str]:
    """Return the stem of each token, under which the forms of an English word meet: filter, filters, filtering.

    Snowball's English stemmer (Porter 2001), which also takes off a possessive; other languages' words mostly stay.
    Each call makes its own stemmer, in less than a microsecond, because two threads must not share one; without a
    cache, as looking a word up there takes three times as long as finding its stem.
    """
    return list(Stemmer.Stemmer("english", 0).stemWords(words))


def trigrams(word: str) -> list[str]:
    """Return the letters of a word between marks, three by three: "#ab#" gives "#ab" and "ab#" (DSSM, section 3.2)."""
    marked = f"#{word}#"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def most_frequent(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """Return at most `most` names of the largest counts, largest first; equal counts in alphabetical order."""
    return tuple(sorted(counts, key=lambda one: (-counts[one], one))[:most])


def without_tags(text: str, *, gap: str = " ") -> str:
    """Return a text with `gap` in place of its HTML tags and comments."""
    return _TAG.sub(gap, text) if "<" in text else text


def content_tokens(text: str) -> list[str]:
    """Return the tokens of a text without function words and single letters."""
    return [token for token in tokens(text) if len(token) > 1 and token not in STOP_WORDS]


def sentences(text: str) -> list[Span]:
    """Find sentences by their end punctuation, before tokens are made (CTPE, section 4.1).

    A decimal point does not end a sentence, nor does an abbreviation ("Fig.", "No. 5", an initial), unless a new one
    plainly begins ("Smith et al. The ..."); a blank line does. Spans carry no white space at either end, and none is
    empty.
    """
    spans: list[Span] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        stop = match.end()
        if match.group().startswith(".") and stop < len(text) and _is_abbreviated(text, start, match.start() + 1):
            continue
        _append_trimmed(spans, text, start, stop)
        start = stop
    _append_trimmed(spans, text, start, len(text))
    return spans


def _is_abbreviated(text: str, start: int, stop: int) -> bool:
    """Tell whether a sentence that begins at `start` goes on after the dot before `stop`."""
    end = text[max(start, stop - _LONGEST_ABBREVIATION) : stop]
    if _LETTER_OF_A_LIST.search(end.lstrip() if stop - start < _LONGEST_ABBREVIATION else end):
        return True
    found = _ABBREVIATION.search(end)
    if found is None or found["more"]:
        return found is not None
    if found["number"]:
        return _A_NUMBER.match(text, stop) is not None
    follows = _CAPITAL_WORD.match(text, stop)
    return follows is None or follows[1].lower() not in STOP_WORDS


def chunks(text: str, max_tokens: int) -> list[Span]:
    """Cut a text into stretches of at most `max_tokens` white-space words, without overlap."""
    if max_tokens < 1:
        raise ValueError(f"max_tokens must be at least 1, got {max_tokens}.")
    words = list(re.finditer(r"\S+", text))
    return [
        Span(words[first].start(), words[min(first + max_tokens, len(words)) - 1].end())
        for first in range(0, len(words), max_tokens)
    ]


def singular(word: str) -> str:
    """Return the key under which singular and plural of an English noun meet; not always a word itself."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]


@lru_cache(maxsize=4096)
def how_many(count: int, noun: str) -> str:
    """Return a count with its noun: "1 page", "2,000 entries"; `noun` is the singular of a regular plural."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if re.search("[^aeiou]y$", noun) else f"{count:,} {noun}s"


def in_percent(share: float, digits: int = 0) -> str:
    """Return a share as people write it, "8 %", which no line end parts."""
    return f"{share:.{digits}%}".replace("%", "\N{NO-BREAK SPACE}%")


def normalised_title(title: str) -> str:
    """Return a title as duplicates are found by it: its words and digits, lower-case, joined by one space."""
    return " ".join(re.findall(r"[^\W_]+", html.unescape(without_tags(title)).lower()))


def stretches(text: str, characters: int = _STRETCH_CHARACTERS) -> Iterator[str]:
    """Cut the text into pieces of about `characters` characters, at white space outside of tags.

    The tokens of the pieces, one after the other, are the tokens of the text.
    """
    start = 0
    while start < len(text):
        stop = _end(text, start, start + characters)
        yield text[start:stop]
        start = stop


def first_tokens(text: str, count: int) -> list[str]:
    """Return the first `count` tokens of a text, or all if it has fewer; the rest is not read."""
    found: list[str] = []
    for stretch in stretches(text, count * CHARACTERS_A_TOKEN):
        found += tokens(stretch)
        if len(found) >= count:
            break
    return found[:count]


def _append_trimmed(spans: list[Span], text: str, start: int, stop: int) -> None:
    """Append [start, stop) without white space at its ends, unless nothing is left."""
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start < stop:
        spans.append(Span(start, stop))


def _end(text: str, start: int, place: int) -> int:
    """Return the first white space at or after `place` outside of a tag, or the end of the text."""
    while (space := _SPACE.search(text, place)) is not None:
        place = space.start()
        if text.rfind("<", start, place) <= text.rfind(">", start, place):
            return place
        angle = _ANGLE.search(text, place)
        if angle is None or angle.group() == "<":
            return place  # the open bracket begins no tag
        place = angle.end()
    return len(text)


def plain_venue(text: str) -> str:
    r"""Return a venue's name without TeX (`Int.\ J.\ Phys.`), accents as letters; other names stay."""
    if "\\" not in text and "{" not in text:
        return text
    made = _TEX_COMMAND.sub(_without_tex, _TEX_ACCENTED.sub(_accented, text)).replace("{", "").replace("}", "")
    return unicodedata.normalize("NFC", " ".join(made.split()))


def _accented(match: re.Match[str]) -> str:
    mark, named, dotless, letter = match.groups()
    return f"{letter or dotless}{_TEX_ACCENTS[mark or named]}"


def _without_tex(match: re.Match[str]) -> str:
    command, sign = match.groups()
    if command:
        return _TEX_NAMED.get(command, "")
    return sign if sign and sign in "&%#$_'{}" else " "
