"""The phrases of a document that could be key words: runs of words that name things, however they are inflected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.documents import Document
from engine.documents.text import STOP_WORDS, sentences, stems, tokens, without_tags
from engine.search.boilerplate import is_stock
from engine.search.vocabulary import GENERAL_WORDS, HALVES, NO_NAMES

PhraseKey = tuple[str, ...]
"""The stems of a phrase's words, with hyphens taken apart: "mixed-effects models" is ("mix", "effect", "model")."""

MOST_WORDS = 4
_MOST_STEMS = 5
_FORMULA = re.compile(
    r"\$\$?[^$\n]{1,300}\$\$?|\\\(.{1,300}?\\\)|\\\[.{1,500}?\\\]|"
    r"\\begin\{(?:equation|align|eqnarray|math)\*?\}.{0,2000}?\\end\{\w+\*?\}",
    re.DOTALL,
)
_MARKUP = re.compile(
    r"\\(?:mbox|text\w*|emph|textit|textbf)\{|\\[A-Za-z]+\*?|"
    r"\{?(?<![\w\\])[\w\\]{0,60}\}?[_^](?:\{[^{}]{0,80}\}|[^\s{}]*)|[_^](?:\{[^{}]{0,80}\}|[^\s{}]*)|"
    r"https?://\S+|www\.\S+|[^\s@]{1,80}@\S+|\[[\d,;\s–-]+\]|&#?\w{1,8};"
)
"""What is written for a machine, not for a reader: commands, indices, addresses, marks of citations."""

_PROSE = re.compile(r"[A-Za-z]{4}")
_SIGNS = re.compile(r"[$\\_^&@\[<]|://|www\.")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?(?:[-\u2010\u2011][^\W_]+)*\+{0,2}")
_HYPHEN = re.compile("[-\u2010\u2011]")
_APART = re.compile(r"[\s\-\u2010\u2011/]+")
_LETTER = re.compile(r"[^\W\d_]")
_NO_WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{7}|.{50}")
"""A clause of a script that puts no spaces between words, such as Chinese, or what no reader takes for a word."""
_NOUNS_IN_LY = frozenset("anomaly assembly butterfly family monopoly supply".split())
_BEFORE_VERBS = frozenset("can cannot could i may might must shall should they we who will would".split())
"""A word behind one of these is a verb, whatever it is elsewhere: "we fit models"."""

_CLOSES_NO_NAME = frozenset("art aware based called known level like of related specific style the wise".split())
_ENDS_NO_NAME = re.compile(rf"[.;:,()|]|\b(?:{'|'.join(sorted(STOP_WORDS))})$")
_SHORT_FORM = re.compile(r"\(\s*([A-Z][A-Za-z0-9&/-]{1,9}?)s?\s*[);,]")


class Word(NamedTuple):
    """A word as written, and as key words see it: 0 ends a phrase, 1 may stand in one, 2 can name a thing alone."""

    text: str
    stems: PhraseKey
    role: int


@dataclass(slots=True)
class Phrase:
    """One phrase of a document in all its forms.

    `places` are the numbers of its sentences, from 0, one an occurrence; `first` counts the words before its first
    occurrence. `alone` counts occurrences outside of longer runs, `longer` those of the longer phrase that
    holds it most often. `also` is its abbreviation where the text gives one.
    """

    key: PhraseKey
    words: int
    first: int
    forms: Counter[str] = field(default_factory=Counter)
    places: list[int] = field(default_factory=list)
    alone: int = 0
    longer: int = 0
    in_title: bool = False
    in_abstract: bool = False
    capitals: int = 0
    also: str = ""

    @property
    def count(self) -> int:
        """How often it stands in the document."""
        return len(self.places)

    @property
    def form(self) -> str:
        """How the document writes it most often, without hyphens where it writes it so at all: "random effects"."""
        open_forms = [form for form in self.forms if not _HYPHEN.search(form)] if len(self.key) > 1 else []
        return max(open_forms or self.forms, key=self.forms.__getitem__)

    @property
    def name(self) -> str:
        """How it is shown: "restricted maximum likelihood (REML)"."""
        return f"{self.form} ({self.also})" if self.also else self.form


@dataclass(frozen=True)
class Phrases:
    """The phrases of a document by their keys, of how many words and sentences; `sentences` (part, start) of each."""

    found: dict[PhraseKey, Phrase]
    words: int
    sentences: tuple[tuple[int, int], ...]


class PhraseReader:
    """Finds phrases without a tagger: function words, verbs and adverbs from lists end a phrase, and so do marks.

    A phrase has at most four words. A general word is none alone, but two may be one ("time series"). Formulas,
    commands of LaTeX, tags, addresses, boilerplate and the reference list are skipped. One reader reads many documents
    fastest, because it remembers words.
    """

    def __init__(self) -> None:
        """Know no word yet."""
        self._known: dict[str, Word] = {}

    def read(self, document: Document) -> Phrases:
        """Return the phrases of a document; none in a text without a word that names a thing."""
        found: dict[PhraseKey, Phrase] = {}
        places: list[tuple[int, int]] = []
        long_forms: dict[str, str] = {}
        words = 0
        for number, part in enumerate(document.parts):
            if part.role == "references":
                continue
            for span in sentences(part.text):
                text = part.text[span.start : span.stop]
                if part.role != "title" and is_stock(text, set(tokens(text))):
                    continue
                text = without_markup(text)
                runs, count = self._runs(text)
                for run, first, opens in runs:
                    _add(found, run, words + first, len(places), part.role, opens=opens)
                words += count
                places.append((number, span.start))
                for short, long in long_forms_in(text) if "(" in text else ():
                    long_forms.setdefault(short, long)
        for short, long in long_forms.items():
            _join(found, short, long)
        _count_longer(found)
        return Phrases(found, words, tuple(places))

    def _runs(self, text: str) -> tuple[list[tuple[list[Word], int, bool]], int]:
        """Return the runs of words that could be phrases, each with its place and whether it opens the sentence."""
        runs: list[tuple[list[Word], int, bool]] = []
        run: list[Word] = []
        end, place, first, verb_follows = 0, 0, 0, False
        for place, match in enumerate(_WORD.finditer(text), start=1):
            word = self._word(match.group())
            names = word.role > 0 and not verb_follows
            if run and (not names or text[end : match.start()].strip()):
                runs.append((run, first, first == 1))
                run = []
            verb_follows = not word.role and word.text.lower() in _BEFORE_VERBS
            if names:
                first = first if run else place
                run.append(word)
            end = match.end()
        return ([*runs, (run, first, first == 1)] if run else runs), place

    def _word(self, text: str) -> Word:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = _word(text)
        return known


def without_markup(text: str) -> str:
    """Return a text without formulas, commands, tags and addresses; each leaves a mark at which a phrase ends."""
    if not _SIGNS.search(text):
        return text
    if "$" in text or "\\" in text:
        text = _FORMULA.sub(_without_formula, text)
    return _MARKUP.sub(" | ", without_tags(text, gap=" | "))


def long_forms_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the abbreviations of a text with what they stand for: ("REML", "restricted maximum likelihood").

    Schwartz and Hearst, Pacific Symposium on Biocomputing 2003: the shortest stretch before the bracket that has the
    letters of the abbreviation in order, the first at the beginning of a word.
    """
    for match in _SHORT_FORM.finditer(text):
        short = match[1]
        if sum(map(str.isupper, short)) < 2:
            continue
        before = re.findall(r"\S+", text[max(0, match.start() - 200) : match.start()])
        said = " ".join(before[-min(len(short) + 5, 2 * len(short)) :])
        start = _start_of_long_form(short, said)
        long = said[start:] if start is not None else ""
        if len(long) > len(short) and _APART.search(long) and not _ENDS_NO_NAME.search(long.lower()):
            yield short, long


def _start_of_long_form(short: str, said: str) -> int | None:
    at = len(said)
    for place in range(len(short) - 1, -1, -1):
        letter = short[place].lower()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and (said[at].lower() != letter or (place == 0 and at > 0 and said[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return at


def _without_formula(match: re.Match[str]) -> str:
    """Return a mark in place of a formula; the dollars of prices, which stand around words, stay."""
    text = match.group()
    is_price = text.startswith("$") and not re.search(r"[\\_^={}]", text) and _PROSE.search(text)
    return text if is_price else " | "


def _word(text: str) -> Word:
    parts = split_words(text)
    held = [part.removesuffix("'s") for part in parts]
    return Word(text.removesuffix("'s").removesuffix("’s"), tuple(stems(held)), _role(text, held))


def _role(text: str, parts: list[str]) -> int:
    if not parts or not _LETTER.search(text) or _NO_WORD.search(text):
        return 0
    if len(parts) == 1:
        return _role_of_one(text, parts[0])
    telling = any(len(part) > 1 and part not in STOP_WORDS and part not in GENERAL_WORDS for part in parts)
    if parts[-1] in STOP_WORDS:
        return 0
    return 2 if telling and parts[-1] not in _CLOSES_NO_NAME else 1


def _role_of_one(text: str, word: str) -> int:
    if word in STOP_WORDS or word in NO_NAMES or word in HALVES:
        return 0
    if word.endswith("ly") and len(word) > 5 and word not in _NOUNS_IN_LY:
        return 0
    if len(word) == 1:
        return 0 if text.islower() else 1
    return 1 if word in GENERAL_WORDS or (len(word) == 2 and text.islower()) else 2


def _join(found: dict[PhraseKey, Phrase], short: str, long: str) -> None:
    """Count an abbreviation where it stands as its long form, under which it is then shown."""
    own, whole = found.pop(phrase_key(short), None), found.get(phrase_key(long))
    if whole is None and own is not None and len(split_words(long)) <= _MOST_STEMS + 1:
        whole = found[phrase_key(long)] = Phrase(phrase_key(long), len(long.split()), own.first, Counter({long: 1}))
    if whole is None:
        if own is not None:
            found[own.key] = own
        return
    whole.also = short
    if own is not None:
        whole.places += own.places
        whole.alone += own.alone
        whole.in_title |= own.in_title
        whole.in_abstract |= own.in_abstract
        whole.first = min(whole.first, own.first)


def phrase_key(phrase: str) -> PhraseKey:
    """Return the key under which the forms of a phrase meet."""
    return tuple(stems([word.removesuffix("'s") for word in split_words(phrase)]))


def split_words(phrase: str) -> list[str]:
    """Return the words of a phrase in lower case, those that a hyphen or a slash joins apart."""
    return [word for word in _APART.split(phrase.lower().replace("’", "'")) if word]


def _add(found: dict[PhraseKey, Phrase], run: list[Word], first: int, sentence: int, role: str, *, opens: bool) -> None:
    """Count every phrase within a run of words."""
    size = len(run)
    for start in range(size):
        for stop in range(start + 1, min(size, start + MOST_WORDS) + 1):
            words = run[start:stop]
            if len(words) == 1 and words[0].role < 2:
                continue
            key = tuple(stem for word in words for stem in word.stems)
            if len(key) > _MOST_STEMS or len(set(key)) < len(key):
                continue
            phrase = found.get(key)
            if phrase is None:
                phrase = found[key] = Phrase(key, len(key), first + start)
            written = [word.text for word in words]
            if role == "title" or (opens and start == 0):
                written = [
                    _uncapitalised(text) if role == "title" or not at else text for at, text in enumerate(written)
                ]
            phrase.forms[" ".join(written)] += 1
            phrase.places.append(sentence)
            phrase.alone += len(words) == size
            phrase.in_title |= role == "title"
            phrase.in_abstract |= role == "abstract"
            phrase.capitals += role != "title" and words[0].text[0].isupper() and not (opens and start == 0)


def _uncapitalised(word: str) -> str:
    """Return a word without the capital of a title or of a sentence's beginning; names in capitals stay."""
    return word.lower() if word[1:].islower() and word[0].isupper() else word


def _count_longer(found: dict[PhraseKey, Phrase]) -> None:
    for key, phrase in found.items():
        size = len(key)
        for start in range(size if size > 1 else 0):
            for stop in range(start + 1, size + (start > 0)):
                part = found.get(key[start:stop])
                if part is not None and part.longer < phrase.count:
                    part.longer = phrase.count
