"""Words as they are searched: without accents, cut where a script has no spaces, all writings of one word as one.

A term is what the writings of a word meet under: "Schrödinger" and "schrodinger" are one, and so are CO₂, CO2, CO$_2$
and CO<sub>2</sub>. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese are cut into pairs of letters that overlap:
机器学习 is 机器, 器学, 学习. Pairs find about as much as a segmentation into words does (Nie, Gao, Zhang and Zhou 2000,
On the use of words and n-grams for Chinese information retrieval). They cut a question as they cut a document, whatever
stands around it, and need no dictionary, which would lack a field's new words. Korean has spaces, but its particles are
part of a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.documents.text import EXTRA_LETTERS, tokens

# Letters -------------------------------------------------------------------------------------

_ACCENT = re.compile("[\u0300-\u036f]")
_UNSEEN = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670⁺⁻⁼⁽⁾₊₋₌₍₎]")
"""What a word is the same without: accents that stand alone, points of Hebrew and Arabic, signs of charges."""
_OWN = "йЙ"
"""A letter of its own, not one with an accent."""


class _Folds(dict[int, str]):
    """What stands for a character in a term, found once for each."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        apart = unicodedata.normalize("NFKD", character)
        bare = _ACCENT.sub("", apart)
        if _UNSEEN.match(character):
            found = ""
        elif unicodedata.category(character)[0] not in "LN" or character in "ªº" or UNSPACED.match(character):
            found = character
        else:
            found = bare if bare != apart and character not in _OWN else unicodedata.normalize("NFKC", character)
        self[code] = found.lower().translate(EXTRA_LETTERS)
        return self[code]


_FOLDS = _Folds()
_POWER = re.compile("10[⁻⁰¹²³⁴-⁹]")


def plain(word: str) -> str:
    """Return a token without accents, its letters and digits in their usual form; a power of ten stays."""
    if word.isascii() or _POWER.search(word):
        return word
    found = unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).translate(_FOLDS))
    return found if any(map(str.isalpha, found)) else word


# Scripts without spaces ----------------------------------------------------------------------

_MARK = (  # vowels and tones above, below and behind a letter
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u17dd"
    "\u3099\u309a"
)
_LETTER = (
    "[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf\u1000-\u102a\u1780-\u17b3"
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
UNSPACED = re.compile(f"{_LETTER}(?:{_LETTER}|[{_MARK}])*")
"""A run of letters of a script that is cut into pairs."""
_ONE = re.compile(f"{_LETTER}(?:[{_MARK}]|(?<=\u17d2){_LETTER})*")
"""A letter with its marks; in Khmer, with the letters written below it, too."""
_GRAMMAR = re.compile("[\u3041-\u309f]+|.*[的了和与與及之].*|.?[을를이가은는의에과와도로]")
"""Pairs that hold no noun: endings of Japanese verbs, particles of Chinese; in Korean a particle ends what it marks."""


def letters(run: str) -> list[str]:
    """Return the letters of a run, each with its marks."""
    return _ONE.findall(run)


def stretches(text: str, pairs: Container[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and stop of the longest stretches of a text's runs whose pairs are all among some."""
    for run in UNSPACED.finditer(text):
        start, stop = -1, 0
        for one, two in pairwise(_ONE.finditer(text, run.start(), run.end())):
            if text[one.start() : two.end()] in pairs:
                start, stop = one.start() if start < 0 else start, two.end()
            elif start >= 0:
                yield start, stop
                start = -1
        if start >= 0:
            yield start, stop


def in_stretches(found: Iterable[str], text: str) -> dict[str, str]:
    """Return how each of some words is shown: pairs of letters by the longest stretch of a text that they make."""
    shown = {word: word for word in found}
    for start, stop in stretches(text, frozenset(shown)):
        whole = text[start:stop]
        shown |= {pair: whole for pair in map("".join, pairwise(letters(whole))) if len(whole) > len(shown[pair])}
    return shown


def names_something(pair: str) -> bool:
    """Tell whether a pair of letters may be of a noun; always true for a word of a script with spaces."""
    return UNSPACED.fullmatch(pair) is None or (len(letters(pair)) > 1 and not _GRAMMAR.fullmatch(pair))


def _cut(token: str, *, ends: bool) -> Iterator[str]:
    """Yield the pairs of a token's runs, and what stands between them; `ends` adds the last letter of each run."""
    at = 0
    for run in UNSPACED.finditer(token):
        if any(map(str.isalpha, token[at : run.start()])):
            yield token[at : run.start()]
        at, own = run.end(), letters(run[0])
        yield from map("".join, pairwise(own))
        if ends or len(own) == 1:
            yield own[-1]
    if not at or any(map(str.isalpha, token[at:])):
        yield token[at:]


# Words and terms -----------------------------------------------------------------------------

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TO_RAISED = str.maketrans("0123456789-\u2212", f"{_RAISED}⁻⁻")
_SCRIPT = re.compile(
    r"(?:\$[_^]|[_^])(?:\{([-\u2212]?\d{1,3})\}|([-\u2212]?\d{1,3})(?!\d))\$?|<su[bp]>([-\u2212]?\d{1,3})</su[bp]>|"
    rf"(-\d|\u2212\d{{1,2}})\b|[⁻\u2212]([\d{_RAISED}]+)"
)
"""What is raised or lowered, and 10-3, as 10⁻³ comes out of many a PDF."""
_SYMBOL = re.compile(r"[A-Z][A-Za-z]$|[a-z\d][A-Z]$")
"""What a subscript belongs to: CO and the O of Fe_2O_3, not the x_1 of a formula."""


def _on_the_line(found: re.Match[str]) -> str:
    """Return a subscript or exponent as its word has it: "2" of CO$_2$, a raised one behind 10, none of cm⁻¹."""
    before, number = found.string[max(0, found.start() - 3) : found.start()], found[1] or found[2] or found[3]
    if before.lstrip(" (~$") == "10" or before.endswith(("}10", "x10", "×10", "·10")):
        return (number or found[4] or f"-{found[5]}").translate(_TO_RAISED)
    if before[-1:].isalpha() and (found[5] or (number and not number.isdigit())):
        return " "
    is_formula = "_" in found[0] and (_SYMBOL.search(before) or found.string[found.end() : found.end() + 1].isupper())
    is_word = len(before) == 3 and before.isalpha() and before.islower()
    return number if number and (found[3] or is_formula) and before[-1:].isalpha() and not is_word else found[0]


def words(text: str, *, ends: bool = True) -> list[str]:
    """Return the tokens of a text with subscripts as digits, and pairs of letters where a script has no spaces.

    With `ends` the last letter of such a run is a word, too: so one letter finds all words that it begins, wherever it
    stands.
    """
    text = _SCRIPT.sub(_on_the_line, text).replace("\u2212", "-")
    found = tokens(text)
    if text.isascii() or UNSPACED.search(text) is None:
        return found
    return [word for token in found for word in ([token] if token.isascii() else _cut(token, ends=ends))]


def terms(text: str, *, ends: bool = True) -> list[str]:
    """Return the terms of a text in its order: its `words`, each as `plain` writes it."""
    found = words(text, ends=ends)
    return found if text.isascii() else list(map(plain, found))


def phrase(text: str) -> tuple[list[str], bool]:
    """Return the terms of a phrase, which may go on behind its end, and whether its last one is but a beginning."""
    found = terms(text)
    if len(found) > 1 and len(letters(found[-1])) == 1 and found[-2].endswith(found[-1]) and UNSPACED.match(found[-2]):
        found.pop()
    return found, bool(found) and UNSPACED.fullmatch(found[-1]) is not None and len(letters(found[-1])) == 1


# Writings of one word ------------------------------------------------------------------------

_BOUND = (
    "non|semi|multi|pre|anti|inter|intra|micro|macro|nano|ultra|hyper|hypo|mono|poly|pseudo|quasi|hydro|electro|thermo|"
    "geo|tele|infra"
)
"""Prefixes that never stand alone: they belong to the word behind them, with a hyphen, a space or neither."""
_BOUNDS = frozenset(_BOUND.split("|"))
PREFIX = re.compile(
    f"(?:(?P<bound>{_BOUND})|post|auto|photo|sub|super|trans|under|over|bio|counter|cross|co|re|un|bi|tri|de)(?=[a-z]{{4}})"
)
_APART = re.compile(rf"\b({_BOUND})\s([^\W\d_]{{4,}}+)", re.IGNORECASE)
_INSIDE = frozenset("-\u2010\u2011_0123456789")
"""What parts a word in more than two."""
_HYPHEN = re.compile(r"[-\u2010\u2011]([^\W\d_]{2,}+)")


class Compound(NamedTuple):
    """What a text writes in two words and others write `solid`: "nonlinear" of "non-linear"; `parted` has a hyphen."""

    solid: str
    parted: str
    start: int
    stop: int


def compounds(text: str, listed: Iterable[str] | None = None) -> Iterator[Compound]:
    """Yield the compounds of a text that stand in two words; with its terms, `listed`, in a quarter of the time."""
    for found in _HYPHEN.finditer(text):
        start, stop = found.start(), found.end()
        while start and text[start - 1].isalpha():
            start -= 1
        if text[start - 1 : start] in _INSIDE or text[stop : stop + 1] in _INSIDE or start == found.start():
            continue
        one, two = plain(text[start : found.start()].lower()), plain(found[1].lower())
        if one.isascii() or UNSPACED.search(one) is None:
            yield Compound(one + two, f"{one}-{two}", start, stop)
    for found in _APART.finditer(text) if listed is None or not _BOUNDS.isdisjoint(listed) else ():
        one, two = found[1].lower(), plain(found[2].lower())
        yield Compound(one + two, f"{one}-{two}", found.start(), found.end())


def in_two(word: str) -> tuple[str, str] | None:
    """Return the prefix of a word and the rest, "non" and "linear"; None for others and where the prefix is a word."""
    found = PREFIX.match(word)
    return (found[0], word[found.end() :]) if found is not None and found["bound"] else None


_SPELT_TWICE = """
our or ction xion sulph sulf mould mold inium inum artef artif grey gray tyre tire geing ging plough plow dgement dgment
"""
_SPELT_WITHIN = r"""
(?<=[a-z]{2})is(?=e|ing|ation|able) iz (?<=[a-z]{2})iz(?=e|ing|ation|able) is ys(?=e|ing) yz yz(?=e|ing) ys
re(?=s?$|d$) er er(?=s?$) re re(?=d$) ere ere(?=d$) re r(?=ing$) er er(?=ing$) r ogue og og(?=s?$|ed$) ogue
(?<=[aeiouy][a-z])([a-z]{0,6}[aeiou])ll(?=ed|ing|er|or|ist) \1l (?<=[aio])ll(?=s?$|ful|ment) l
(?<=[aeiouy][a-z])([a-z]{0,6}[aeiou])l(?=ed|ing|er|or|ist) \1ll (?<=[aio])l(?=s?$|ful|ment) ll
[ao]e e (?<![ao])e ae (?<![ao])e oe nc(?=e) ns ns(?=e) nc gramme gram gram(?!me) gramme
"""
_TWICE, _WITHIN = _SPELT_TWICE.split(), _SPELT_WITHIN.split()
_PAIRS = [*zip(_TWICE[::2], _TWICE[1::2], strict=True), *zip(_TWICE[1::2], _TWICE[::2], strict=True)]
_OF_SHORT = len(_PAIRS)
_PAIRS += zip(_WITHIN[::2], _WITHIN[1::2], strict=True)
_SPELLINGS = tuple((re.compile(pattern), instead) for pattern, instead in _PAIRS)
"""How British and American spellings differ: what stands in a word, and what may stand instead.

The first few are also tried on words of four letters ("grey"), where others make one word of another: "tier", "tire".
"""


@lru_cache(maxsize=4096)
def other_spellings(word: str) -> frozenset[str]:
    """Return what a word may be in the other of British and American spelling; most are not words, which does no harm.

    At most two rules are applied: "haemolysed" is "hemolyzed".
    """
    once = set(_respelt(word))
    found = once | {other for one in once for other in _respelt(one)}
    return frozenset(one for one in found if one != word and len(one) > 3)


def _respelt(word: str) -> Iterator[str]:
    """Yield a word with one rule applied at one place, in either direction."""
    for pattern, instead in _SPELLINGS[: None if len(word) > 4 else _OF_SHORT if len(word) == 4 else 0]:
        for found in pattern.finditer(word):
            yield word[: found.start()] + found.expand(instead) + word[found.end() :]
