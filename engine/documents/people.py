"""Names of people: how they look beside institutions and prose, how lists of them are split, and when two fit.

A name stays as its source writes it, "Ada Lind" or "Lind, Ada". Lists come in two kinds. Those of catalogues and
reference files may give surnames first (`split_names`); a byline, as it stands below a title, gives names in the order
of speech, among marks of notes, degrees and addresses (`split_byline`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from engine.documents.identifiers import ORCID
from engine.documents.text import one_line, without_accents

# Pieces of patterns --------------------------------------------------------------------------

CAPITALS = "A-Z" + "".join(filter(str.isupper, map(chr, range(0xC0, 0x530))))
"""Capital letters of Latin, Greek and Cyrillic names, for a set in a pattern."""

EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of Japanese, Chinese and Korean names, for a set in a pattern."""

INITIALS = rf"[{CAPITALS}]\.?(?:[ -]?[{CAPITALS}]\.?){{0,3}}"
"""A, AB, A. B., J.-P.: the first letters of given names."""

PARTICLE = r"(?:v[ao]n|de[rnls]?|d[aiou]|d[ao]s|dal|della|la|le|el|al|bin|ibn|ten?|ter|zu[mr]?|a[fv]|['’]t|y|e)"
"""A word of a surname that is written small."""

GENERATION = r"(?i:jr|sr|i{2,3}|iv|2nd|3rd)"
"""What tells a father from a son, behind a name; a stop may follow."""

TITLE = r"(?i:dr|prof(?:essor)?|mrs?|ms|sir|ing|dipl|dott|mag)"
"""What stands before a name; a stop may follow."""

DEGREE = r"(?i:ph\.?\s?d|m\.?d|[mb]\.?\s?sc|m\.?\s?p\.?\s?h|m\.?\s?b\.?\s?a|d\.?\s?phil|f\.?r\.?s|frc\w+|facs|esq)"
"""What stands behind a name; a stop may follow. Those of two letters, such as MA, would often be initials or places."""

ET_AL = r"(?:et\.? al\b\.?)"
OTHERS = rf"(?:{ET_AL}|(?:and )?others\b)"
"""What stands for names that are left out."""

AND = r"(?:and|und|et|och|og|и)"
"""What stands before the last name of a list; "e", "y" and "i" may also be part of a name."""

INSTITUTION = (
    r"(?:\b(?:universit(?:y|ät|é|à|ies)|universida[ds]e?|institut(?:e|es|o|ion)?|istituto|d[ée]parte?ment|departamento|"
    r"dipartimento|fakultät|facult(?:y|é|ad)|faculdade|facoltà|hochschule|laborator(?:y|ies|io|ium|ório)|laboratoire|"
    r"college|[ée]cole|escuela|school of|inc\.|corp(?:oration|\.)|ltd|gmbh|университет\w*|институт\w*|академи[яи]|"
    r"кафедра)\b|大学|学院|研究所|研究院|研究室|实验室|大學|學院|株式会社|有限公司|医院|病院)"
)
"""A word that names an institution and hardly anything else, also in a sentence, without regard to letter case."""

_BESIDE_NAMES = re.compile(
    rf"@|https?:|\b(?:arxiv:|doi:|received|accepted|orcid|{ORCID})\b|{INSTITUTION}", re.IGNORECASE
)
_ADDRESS = re.compile(
    rf"{INSTITUTION}|@|https?:|www\.|universi|institut|hochschule|laborator|stra(?:ss|ß)e\b|polite[ck]|polyte[ck]|"
    r"\b(?:dep(?:t|art)|labs?\b|schools?\b|facult|cent(?:er|re|ro)s?\b|hospital|acad[eé]m|inc\b|corp\b|research|compan|"
    r"clinic|technolog|technik|street|avenue|boulevard|division|ministry|agency|museum|observator|foundation|society\b|"
    r"association|organi[sz]ation|council\b|bureau|consiglio|consejo|conseil|e-?mail|affiliation|address|usa\b|china\b|"
    r"united (?:states|kingdom)|google|facebook|microsoft)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    rf"anonymous|(?:authors?|names?)$|{ET_AL}|correspond|submitted|in collaboration|open access$|"
    r"(?:[a-z]{4,12} )?(?:article|paper|report|thesis|dissertation)$",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_](?:[^\W\d_]|[.'’‘`\u00b4\u02bc\u2010\u2011-])*+"
_WORDS_OF_NAME = re.compile(rf"{_WORD}(?: {_WORD}){{1,5}}")
_SMALL = re.compile(rf"(?:{PARTICLE}|[dl]['’].*)")
_EAST_ASIAN_NAME = re.compile(rf"[{EAST_ASIAN}]{{2,5}}|[{EAST_ASIAN}]{{1,4}}[ \u3000·][{EAST_ASIAN}]{{1,4}}")
_LONGEST_NAME, _MOST_WORDS = 60, 5
_LONGEST_LIST = 600


def is_name(text: str, *, sure: bool = False) -> bool:
    """Tell whether a text looks like a person's name: two to five words with capitals, none of an institution.

    Words in small letters must be particles. Where a place is `sure` to name people they may be others, and there
    may be six, or a writing without capitals.
    """
    if _EAST_ASIAN_NAME.fullmatch(text):
        return True
    if len(text) > _LONGEST_NAME or not _WORDS_OF_NAME.fullmatch(text) or is_place(text) or _NO_NAME.match(text):
        return False
    words = text.split()
    if sure:
        return text != text.lower() or text == text.upper()
    if len(words) > _MOST_WORDS:
        return False
    capital = sum(word[:1].isupper() or word[:2] in ("d'", "d’") for word in words)
    small = all(_SMALL.fullmatch(word) for word in words if word.islower())
    return capital >= 2 and small and any(len(word.strip(".")) > 1 for word in words)


def is_place(text: str) -> bool:
    """Tell whether a piece of a byline names an institution or gives an address, of whatever kind."""
    return _ADDRESS.search(text) is not None


def has_address(text: str) -> bool:
    """Tell whether a line, which may be prose, has an institution, an address, or what stands beside one."""
    return _BESIDE_NAMES.search(text) is not None


# Bylines -------------------------------------------------------------------------------------

_BETWEEN = re.compile(
    rf"(?:(?<!\s)\s++)?(?:[,;&·|•\u0001，、；]|(?<=\s)(?i:{AND})(?=\s)|(?<=\w\w )(?:e|y|i|en)(?= \w{{1,40}}\.? \w))\s*+"
)
"""What parts the names of a byline; U+0001 stands for a raised mark between two."""
_IN_BRACKETS = re.compile(
    rf"\([^()]{{0,60}}\)|\((?=[^()]{{0,200}}?{INSTITUTION})[^()]{{0,300}}\)|\[?\b{ORCID}\b\]?", re.I
)
_PLACE = re.compile(INSTITUTION, re.IGNORECASE)
_BESIDE_ONE = re.compile(r"\(([^()]{1,300})\)")
_DASH = re.compile(rf"\s[-–—]\s(?=[^,;–—]{{0,80}}?{INSTITUTION})", re.IGNORECASE)
"""Stands between a name and its place."""
_LABEL = re.compile(r"(?:(?:written |authored )?by\s|authors?\s?:\s?)", re.IGNORECASE)
_SIGNS = re.compile(r"[\u2217\u204e*†‡§¶‖☯✉]|\b\d{1,3}(?:st|nd|rd|th)\b")
_MARKS = "0123456789¹²³⁰⁴⁵⁶⁷⁸⁹ᵃᵇᶜ#,. "
_LONE_LETTERS = re.compile(r"\s[a-z](?:\s?,\s?[a-z]){0,6}$")
"""Letters that tell an author's address, as Elsevier prints them."""
_STOPPED = re.compile(r"(?:(?:^|[ .-])[^\W\d_]|\b[JS]r|\b[A-Z]h)\.$")
"""A stop that belongs to the word before it."""
_MOST_MARKS = 4
_BEFORE_NAME = re.compile(
    rf"^(?:(?:(?i:and|und|et|with)|y|e|von|par|por|di)\s+(?=\S+\s+\S)|(?i:{_LABEL.pattern})(?=\S)|{TITLE}(?:\.-?\s*|\s+)(?=\S)|"
    r"(?:rer|nat|med|habil|phil)\.\s*)+"
)
_AFTER_NAME = re.compile(
    rf"(?:(?:{DEGREE}|m\. d|r\.?n)\.? ?){{1,4}}|{GENERATION}\.?|"
    r"(?:(?:graduate|senior|student|life|associate) )*(?:member|fellow)|ieee|acm|asce|osa|aiaa|asme|siam|(?-i:[a-z])",
    re.IGNORECASE,
)
"""Degrees and memberships between names, and marks that are left of them."""


def split_byline(text: str) -> list[str]:
    """Return the pieces of a byline, names and addresses, without marks, titles and degrees."""
    pieces: list[str] = []
    for one in _BETWEEN.split(_DASH.sub(", ", _IN_BRACKETS.sub(_without, text))):
        piece = _BEFORE_NAME.sub("", unmarked(one))
        if pieces and re.fullmatch(rf"{GENERATION}\.?", piece):
            pieces[-1] += f" {piece}"
        elif piece and not _AFTER_NAME.fullmatch(piece):
            pieces.append(piece)
    return pieces


def _without(brackets: re.Match[str]) -> str:
    """Return what stays of a text in brackets: an address also parts names."""
    return ", " if _PLACE.search(brackets[0]) else ""


def unmarked(text: str) -> str:
    """Return a piece of a byline without the marks of notes and addresses around it; the stop of an initial stays."""
    text = _SIGNS.sub("", text).strip()
    for _ in range(_MOST_MARKS):
        bare = text.rstrip(_MARKS)
        stop = "." if text.startswith(".", len(bare)) and _STOPPED.search(f"{bare}.") else ""
        text = _LONE_LETTERS.sub("", bare + stop)
    return " ".join(text.lstrip(f"{_MARKS}·•|–—-").split())


def is_names(text: str) -> bool:
    """Tell whether a text is a list of names, with nothing beside them but addresses; one name needs "by" or a place.

    Never for Chinese and Japanese, in which a sentence between commas looks like a list of names.
    """
    if len(text) >= _LONGEST_LIST or re.search(rf"[{EAST_ASIAN}]", text):
        return False
    pieces = split_byline(text)
    if len(pieces) < 2 and not (_LABEL.match(text) or any(map(has_address, _BESIDE_ONE.findall(text)))):
        return False
    return bool(pieces) and is_name(pieces[0]) and all(is_name(one) or is_place(one) for one in pieces)


def names_in(blocks: Iterable[str]) -> tuple[str, ...]:
    """Return the names in blocks that are lists of names and nothing else, on one line or one on each."""
    listed = filter(is_names, map(_listed, blocks))
    return tuple(dict.fromkeys(name for one in listed for name in split_byline(one) if is_name(name)))


def _listed(block: str) -> str:
    """Return a block on one line, with a sign between its lines where each begins with a name."""
    lines = [line for one in block.split("\n") if (line := one_line(one))]
    apart = "; ".join(lines)
    begun = len(lines) > 1 and all((pieces := split_byline(one)) and is_name(pieces[0]) for one in lines)
    return apart if begun and is_names(apart) else one_line(block)


def is_about_authors(block: str) -> bool:
    """Tell whether a short block is names, places and addresses, not prose."""
    text = one_line(block)
    sentences = len(re.findall(r"[a-z]{3}[.!?](?:\s|$)|[。！？]", text))
    if len(text.split()) > 60 or sentences > 1 or (len(text) > 200 and re.search(rf"[{EAST_ASIAN}]{{2}}", text)):
        return False
    return is_names(text) or (has_address(text) and sentences == 0)


# Lists of catalogues and reference files -----------------------------------------------------

_SURE = re.compile(r"[;|\n\r\t\uff1b\uff0c\u3001]|\s•\s")
_LAST = re.compile(rf"(?:,\s++|(?<![\s,])\s++)(?:{AND}|&)\s++(?=\S)")
_REST = re.compile(rf"^(?:{OTHERS}|\.\.|…)[\s.,…]*+$", re.IGNORECASE)
_REST_BEHIND = re.compile(rf"(?<![\s,])[\s,]++(?:{ET_AL}|and others|\.{{3}}|…)$", re.IGNORECASE)
_NUMBER = re.compile(rf"(?:(?<!\s)\s++)?(?:\[[A-Z]{{2}}\]|\((?:\d{{4,12}}|{ORCID})\))$|(?<!\s)\s++0\d{{3}}$")
HOMONYM = re.compile(r"(?<=\S) 0\d{3}$")
"""The number by which dblp tells persons of one name apart."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,5}|[A-Z]{1,3}|[A-Z] [A-Z]")
"""No more than three without stops: lists in capitals have names of four letters."""
_SUFFIX = re.compile(rf"(?:{GENERATION}|{DEGREE})\.?")
_ENDS_IN_INITIALS = re.compile(r"\S\s++[A-Z]{1,3}\.$")
_GLUED = re.compile(
    r"(?<=[^\W\d_A-Z])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bLe)(?<!\bVan)(?=[A-ZÀ-ÖØ-Þ][^\WA-Z]*+[.\s-])"
)


def split_names(text: str) -> list[str]:
    """Return the names in a text, each as it is written there: "Lind, Ada" or "Ada Lind".

    They may be parted as services part them: by semicolons, strokes, line ends, commas or "and".
    """
    text = _REST_BEHIND.sub("", text.strip()).removesuffix("...").removesuffix("…")
    if _SURE.search(text):
        return _clean(_SURE.split(text))
    parts = [part.strip(" ,") for part in _LAST.split(text)]
    if "," not in text:  # "Research and Development Group" is one
        return _clean(parts if len({min(len(part.split()), 2) for part in parts}) == 1 else [text])
    if any("," in part for part in parts) and all(map(_is_one_name, parts)):
        return _clean(parts)  # "Lind, Ada and Ek, Bo"
    return _clean(_between_commas(", ".join(parts)))


def split_glued(text: str) -> list[str]:
    """Return names that SpringerLink writes one after the other: "Ada LindBo Ek"."""
    return _clean(_GLUED.split(text)) if not re.search(r"[;,|]", text) else split_names(text)


def _between_commas(text: str) -> list[str]:
    found = [part for one in text.split(",") if (part := one.strip())]
    if _are_pairs(found):  # before degrees are looked for: "Lind, M.D., Ek, B."
        return [", ".join(pair) for pair in zip(found[::2], found[1::2], strict=True)]
    parts: list[str] = []
    for part in found:
        if parts and _SUFFIX.fullmatch(part):
            parts[-1] = f"{parts[-1]}, {part}"
        else:
            parts.append(part)
    if _is_one_name(text):
        return [text]
    if _are_pairs(parts):
        return [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    ended = [part for part in parts if part.endswith(".")]
    if ended == parts[-1:] and _ENDS_IN_INITIALS.search(parts[-1]):
        parts[-1] = parts[-1].removesuffix(".")  # PubMed: "Lind A, Ek B."
    return parts


def _are_pairs(parts: Sequence[str]) -> bool:
    """Tell whether parts are the names of families, each followed by a given name: "Lind, A., Ek, B."."""
    if len(parts) < 4 or len(parts) % 2:
        return False
    return all(map(_INITIALS.fullmatch, parts[1::2])) or all(len(part.split()) == 1 for part in parts)


def _is_one_name(text: str) -> bool:
    """Tell whether a text is a single name: without a comma, or with the family's name before one.

    A suffix may stand between two commas.
    """
    family, *rest = (part.strip() for part in text.strip(" ,").split(","))
    if not rest:
        return True
    if re.search(rf"[{EAST_ASIAN}]", text):
        return False
    words = family.split()
    is_family = len(words) == 1 or _SMALL.fullmatch(words[0]) is not None
    if len(rest) == 2:
        return is_family and _SUFFIX.fullmatch(rest[0]) is not None
    return len(rest) == 1 and (is_family or (len(rest[0].split()) == 1 and not _INITIALS.fullmatch(words[-1])))


def _clean(names: Sequence[str]) -> list[str]:
    stripped = (_NUMBER.sub("", name.strip().strip(",").strip()) for name in names)
    return [name for name in stripped if name and not _REST.match(name)]


# One name ------------------------------------------------------------------------------------


def natural_name(name: str) -> str:
    """Return a person's name in the order of speech: "Osei, Mara" is Mara Osei; a text with more in it stays."""
    text = one_line(name)
    family, given, generation = name_parts(text)
    if len(given) != 1 or _SUFFIX.fullmatch(given[0]) or _REST.match(given[0]) or re.match(rf"{AND}\b", given[0]):
        return text
    return " ".join((*given, family, *generation))


def name_parts(name: str) -> tuple[str, list[str], list[str]]:
    """Return what stands before a name's first comma, the parts behind it, and those that are a generation, apart."""
    family, *rest = (part.strip() for part in name.split(","))
    generation = [part for part in rest if re.fullmatch(rf"{GENERATION}\.?", part)]
    return family, [part for part in rest if part not in ("", *generation)], generation


def surnames(authors: Iterable[str]) -> set[str]:
    """Return authors' surnames, lower-case, without accents: the part before a comma, else the last word of a name.

    "Jr." and the like do not count as surnames, nor do initials that follow one, as in "Gale AB".
    """
    return {found for name in authors if (found := _surname(name))}


def _surname(name: str) -> str:
    words = re.findall(r"[^\W\d_]+", without_accents(name).split(",")[0])
    while len(words) > 1 and re.fullmatch(GENERATION, words[-1]):
        words.pop()
    while len(words) > 1 and re.fullmatch("[A-Z]{1,3}", words[-1]) and not words[0].isupper():
        words.pop()
    return words[-1].lower() if words else ""


def name_words(name: str) -> list[str]:
    """Return the words of a name as they are compared: small letters without accents."""
    return re.findall(r"[^\W_]+", without_accents(name.casefold()))


_TYPED_PART = r"[^\W\d_]+(?:\.?[’'-][^\W\d_]+)*\.?"
_TYPED = re.compile(rf"{_TYPED_PART}(?:(?: ?, ?| |(?<=\.)){_TYPED_PART}){{0,5}}")
_TYPED_INITIALS = re.compile(r"[^\W\d_]\.?|(?:[^\W\d_]\.-?){2,3}")
_ET_AL_BEHIND = re.compile(rf",? {ET_AL}\Z", re.IGNORECASE)
_MOST_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person as somebody types them: the words of the surname, and the others, an initial as one letter.

    `is_written` says that it begins with capitals. Any other text may be common words, and fits only the same words.
    """

    surname: tuple[str, ...]
    given: tuple[str, ...]
    is_written: bool

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the name that a text is, "Pang, B.", "Christopher Manning" or "Manning et al."; None for others."""
        text = _ET_AL_BEHIND.sub("", " ".join(text.split()))
        if len(text) > _MOST_CHARACTERS or text.count(",") > 1 or _TYPED.fullmatch(text) is None:
            return None
        before, comma, behind = text.partition(",")
        family, others = (before.split(), behind.split()) if comma else _surname_and_given(before.split())
        given = [word for one in others for word in _letters(one)]
        capitals = all(one[0].isupper() for one in (family[-1], *others[:1]))
        return cls(tuple(name_words(" ".join(family))), tuple(given), capitals)

    def fits(self, name: str) -> bool:
        """Tell whether a name of a document may be this person's: with the surname, and given names that do not differ.

        An initial stands for a name in its own place: "B. C. Manning" does not fit "Christopher Manning".
        """
        left = name_words(name)
        for one in self.surname:
            if one not in left:
                return False
            left.remove(one)
        for place, one in enumerate(self.given):
            fitting = [one] if one in left and len(one) > 1 else []
            fitting += [other for other in (left if place else left[:1]) if self._abbreviates(one, other)]
            if not fitting:
                return False
            left.remove(fitting[0])
        return True

    def _abbreviates(self, one: str, other: str) -> bool:
        return self.is_written and min(len(one), len(other)) == 1 and one[0] == other[0]


def _surname_and_given(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the surname and the other words of a name without a comma: initials follow a surname, as in "Pang BL"."""
    if len(words) > 1 and words[-1].isupper() and len(words[-1].strip(".")) <= 2 < len(words[0]):
        return words[:-1], list(words[-1].strip("."))
    return words[-1:], words[:-1]


def _letters(word: str) -> list[str]:
    """Return a given name as its words; initials, each as a letter."""
    return name_words(word.replace(".", " ") if _TYPED_INITIALS.fullmatch(word) else word)
