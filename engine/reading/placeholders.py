"""What programs write where they have nothing: NA, nan, #N/A, "[No abstract available]"; the one table of every reader.

A mark or a phrase never is the text. A word may be: somebody is called Na or Null, a paper "None", and Na is a key word
beside K and Ca. So words count as they are printed by programs, letter case and all, and only where nothing speaks
against it: in a title where another field of the record has the same word, in a list where they stand alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.documents import Document

_WORDS = frozenset("NA na nan NaN NAN -nan None NONE none null NULL nil NIL NaT undefined".split())
_MARKS = frozenset(
    "n/a|n / a|#n/a|#n/a n/a|#na|<na>|[na]|(na)|#null!|#value!|#ref!|#name?|#div/0!|#num!|(null)|<null>|[null]|(none)|"
    "<none>|[none]|\\n|n.a.|n. a.|n.d.|s.n.|s. n.|[s.n.]|[n.d.]|k.a.|o.a.|o. a.".split("|")
)
_THING = (
    r"(?:abstracts?|summary|author(?:s|['’]s)?(?: names?| list)?|titles?|(?:author )?key ?words?|source(?: title)?|"
    r"journal(?: name| title)?|venue|publisher|description|(?:full )?text|data|information|value|name)"
)
_WORK = r"(?:article|paper|item|record|document|publication|entry|work|chapter|book|editorial|letter|report|thesis)"
_GIVEN = r"(?:available|provided|found|given|listed|supplied|present|recorded|indexed|specified|entered|assigned|known)"
_WHERE = r"(?: (?:for|in|from|with|at|on|yet|online|here)\b[^.,;]{0,100}(?:\. please\b[^.]{0,120})?)?"
_PHRASE = re.compile(
    rf"(?:there (?:is|are) )?no {_THING}(?:(?: (?:is|are|was|were))? {_GIVEN}{_WHERE})?|"
    rf"(?:(?:the|an?) )?{_THING} (?:(?:is|are|was|were) )?(?:(?:not |un){_GIVEN}{_WHERE}|missing|pending)|"
    rf"not {_GIVEN}|unavailable|unknown|unspecified|not applicable|in process citation|"
    rf"(?:(?:the|an?) )?{_THING} (?:of|for|to) (?:this|the) {_WORK} (?:is|are|was|were) "
    rf"(?:(?:not |un){_GIVEN}{_WHERE}|missing|pending)|"
    rf"(?:(?:the|an?) )?{_THING} (?:(?:is|are|was|were) )?(?:not |un){_GIVEN} "
    r"(?:due to|because of|by|under|as)\b[^.]{0,80}|"
    rf"this {_WORK} (?:is|was) (?:published |available )?without (?:an? )?{_THING}|"
    r"this (?:article|paper|item|record|document|publication|entry) (?:(?:has|contains) no|"
    r"does not (?:have|contain|include) an?) (?:abstract|summary)|"
    r"(?:keine?|ohne) (?:abstract|zusammenfassung|kurzfassung|autor\w{0,3})(?: (?:verfügbar|vorhanden|angegeben))?|"
    r"(?:pas de|sans|aucun|sin|sem|senza|brak|нет|без) (?:résumé|abstract|resumen|resumo|riassunto|auteurs?|"
    r"autor(?:es)?|streszczenia|abstraktu|аннотации)(?: (?:disponible|disponível|disponibile))?|"
    r"(?:résumé|abstract|resumen|resumo|riassunto|zusammenfassung) (?:non|no|não|nicht) "
    r"(?:disponible|disponível|disponibile|verfügbar)|аннотация (?:отсутствует|недоступна)|"
    r"(?:暂|暫)?[无無](?:中文|英文)?(?:摘要|作者|关键词)?|(?:抄録|要旨|要約|著者)(?:なし|無し)|초록 ?없음",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?i:(?P<who>anon(?:ymous|yme?|imo)?|unknown|unbekannt|n\.? ?n)(?:,? (?:(?P=who)|[a-z])\.?| authors?(?:\(s\))?)?)|"
    r"佚名|(?:作者|著者)不[详詳明]"
)
_LABEL = re.compile(
    r"\A(?:abstracts?|summary|zusammenfassung|résumé|resumen|resumo|riassunto|摘要|要約|аннотация)\s*(?:[:：.—–-]\s*|\Z)",
    re.IGNORECASE,
)
_TAGS = re.compile(r"</?[a-z][^<>]{0,200}>", re.IGNORECASE)
_RIGHTS = re.compile(
    r"(?<=[\w.\])>])\s+\(?(?:copyright\b|©|c\) |all rights reserved|published by\b|crown copyright)[^\n]{0,150}\Z|"
    r"\A(?:copyright )?(?:©|\(c\)) ?(?:copyright )?\d{4}\b[^.]{0,60}"
    r"(?:\.[\w.]{0,4}[ .]*(?:all rights reserved)?\.?)?\Z",
    re.IGNORECASE,
)
"""What stands around an abstract that is none: its label, tags, and whose rights it is under."""
_AROUND = " .;:,*!\"'“”[](){}<>"
_LONGEST = 300
_PARTED = re.compile(r"[\s,]+")


def says_nothing(text: str) -> bool:
    """Tell whether the text of a field stands for nothing, as "NA", "-" and "Abstract not available" do."""
    return text.strip(_AROUND) in _WORDS or _is_mark(text)


def _is_no_abstract(text: str) -> bool:
    """Tell whether an abstract says nothing below its label, its tags and its rights; or each of its paragraphs."""
    if len(text) > _LONGEST:
        return False
    plain = _TAGS.sub("\n", text) if "<" in text else text
    parts = [_LABEL.sub("", part.strip()) for part in _RIGHTS.sub("", plain.strip()).splitlines()]
    told = [part for part in parts if part]
    words = _WORDS | {"Null", "Nil", "none"}
    return bool(text.strip()) and all(says_nothing(part) or part.strip(_AROUND) in words for part in told)


def said(text: str) -> str:
    """Return the text of a field, or an empty one where it stands for nothing."""
    return "" if says_nothing(text) else text


def first_said(texts: Iterable[str]) -> str:
    """Return the first text that says something; the first of all where none does."""
    given = list(filter(None, texts))
    return next((text for text in given if not says_nothing(text)), next(iter(given), ""))


def without_placeholders(document: Document) -> Document:
    """Return a document without the fields that say nothing."""
    words = {document.abstract, document.venue, *document.authors, *document.keywords} & _WORDS
    kept: dict[str, str | tuple[str, ...]] = {
        "title": "" if _is_no_title(document.title) or document.title in words else document.title,
        "abstract": "" if _is_no_abstract(document.abstract) else document.abstract,
        "venue": said(document.venue),
        "authors": _people(document.authors),
        "keywords": _listed(document.keywords),
        "categories": _listed(document.categories),
    }
    changed = {name: value for name, value in kept.items() if value != getattr(document, name)}
    return replace(document, **changed) if changed else document  # type: ignore[arg-type]  # by the names above


def _is_mark(text: str) -> bool:
    plain = text.strip().lower()
    if not plain or len(plain) > _LONGEST:
        return False
    listed = plain in _MARKS or plain.rstrip(".") in _MARKS or not any(map(str.isalnum, plain))
    return listed or _PHRASE.fullmatch(plain.strip(_AROUND)) is not None


def _is_no_title(title: str) -> bool:
    """Tell whether a title is a dash, a mark of a program's, or a phrase in brackets or with the word itself."""
    plain = title.strip().lower()
    named = plain.startswith("[") or "title" in plain
    return plain in _MARKS or plain in ("-", "--", "–", "—") or (named and _is_mark(title))


def _listed(texts: tuple[str, ...]) -> tuple[str, ...]:
    kept = tuple(text for text in texts if not _is_mark(text))
    return () if all(text in _WORDS for text in kept) else kept


def _people(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of people; "NA" is one where all have no more than a surname: Kim, NA, Park."""
    kept = tuple(name for name in names if not (_is_mark(name) or _NOBODY.fullmatch(name.strip(_AROUND))))
    certain = [name for name in kept if not _WORDS.issuperset(_PARTED.split(name))]
    surnames = bool(certain) and all(len(name.split()) == 1 for name in certain)
    return kept if surnames else tuple(certain)
