"""The reference list of a document as entries: those its reader parsed, else those that its text prints.

An entry is read for its title, authors, year and numbers, in the styles that journals print. Its parts stand in one of
a few orders: "Authors (2004). Title. Venue" (APA, Harvard, R), "Authors. 2004. Title. Venue" (ACM), "Authors, “Title,”
Venue, 2004" (IEEE), "Authors: Title. Venue (2004)" (Springer), "Authors. Title. Venue. 2004;5:6" (Vancouver, plain
BibTeX) or "Authors, Title, Venue 5 (2004) 6" (Elsevier).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from engine.core.patterns import LatePattern
from engine.documents import Document, Identifier, Reference
from engine.documents.dates import CITED_YEAR, DATED
from engine.documents.identifiers import ARXIV, BEFORE_ARXIV, BEFORE_PUBMED, DOI, PUBMED
from engine.documents.patents import patent_id
from engine.documents.people import CAPITALS, GENERATION, INITIALS, OTHERS, PARTICLE

_LABEL = re.compile(r"\s*(?:\[[\w+,.&’' -]{1,30}\]|\(\d{1,3}\)|\d{1,3}[.)](?=\s)|[•*\u2013-](?=\s))\s*")
_DOI = re.compile(rf"\b{DOI}[^\s\"<>“”]+")
_ARXIV = re.compile(rf"(?:{BEFORE_ARXIV}|arxiv\s+preprint\s+)({ARXIV})", re.IGNORECASE)
_PMID = re.compile(rf"\b{BEFORE_PUBMED}(?=\d{{4}})({PUBMED})\b", re.IGNORECASE)
_PMC = re.compile(rf"\bPMC\s?(?=\d{{4}})({PUBMED})\b")
_PATENT = re.compile(
    r"\b(?:(?P<us>U\.?\s?S\.?)(?:\s+(?:Pat(?:ent)?|Appl?(?:ication)?|Publ?(?:ication)?)\b\.?)*"
    r"|(?P<office>EP|WO|JP|DE|GB|FR|CN|KR|CA))(?:\s*(?:Nos?|Nr|Pub)\.?)*(?:\s*|[-/](?:[ABCU]\d?-)?)"
    r"(?P<number>\d{1,3}(?:,\d{3}){1,3}|\d{4}/\d{6,7}|(?:(?<=WO)[ /-]?|(?<=WO-A-))\d\d/\d{5,6}|\d(?: \d{3}){2}"
    r"|\d{6,12})(?![,/]?\d)(?:[\s-]?(?P<kind>[ABCSUE]\d?)\b)?"
)
_IN_BRACKETS = re.compile(rf"\(\s*({CITED_YEAR})[a-z]?(?:[,/;:\s-][^()]{{0,25}})?\s*\)")
_AFTER_NAMES = re.compile(rf"[.,]\s({CITED_YEAR})[a-z]?[.:]\s")
_ANY_YEAR = re.compile(rf"(?<![\d/.\u2013-])({CITED_YEAR})[a-z]?(?![\d\u2013/]|-\d|\.\d)")
_CLOSED = r"[,.]?\s?[”\"](?=[\s,.;:()]|$)"
_QUOTED = re.compile(  # no title holds the mark that opens it: each opening would read on to the end of the longest
    rf"[“„]\s?([^“„]{{8,400}}?){_CLOSED}|(?<!\w)\"\s?((?:[^\"]|(?<=\w)\"){{8,400}}?){_CLOSED}"
    r"|``\s?([^`]{8,400}?)[,.]?\s?''|‘\s?([^‘]{12,400}?)[,.]?\s?[’](?=[\s,.;:(]|$)"
)
_LONGEST = 40
"""No word of a name has more letters."""
_INITIALS = rf"(?:{INITIALS})(?![\w’'])"
_PARTICLES = rf"(?:{PARTICLE}\s){{0,3}}(?:[dlO][’'])?"
_GENERATION = rf"(?:,? {GENERATION}\b\.?)?"
_WORD = rf"[{CAPITALS}](?:[’'][{CAPITALS}])?[^\W\d_{CAPITALS}][\w’'`-]{{0,{_LONGEST}}}+"
_IN_CAPITALS = rf"[{CAPITALS}][{CAPITALS}’'-]{{2,{_LONGEST}}}+"
_SURNAME = rf"{_PARTICLES}(?:{_WORD}(?: {_WORD})?|{_IN_CAPITALS}){_GENERATION}"
_LAST_FIRST = rf"(?:{_SURNAME},? {_INITIALS}{_GENERATION}|{OTHERS}|R Core Team)"
_FIRST_LAST = rf"(?:{_INITIALS} ?{_SURNAME}|{OTHERS})"
_FULL = rf"(?:(?:{_WORD}|{_INITIALS})(?: (?:{_WORD}|[{CAPITALS}]\.?)){{0,3}} {_SURNAME}|{OTHERS}|R Core Team)"
_FULL_LAST_FIRST = rf"(?:{_SURNAME}, (?:{_WORD}|{_INITIALS})(?: [{CAPITALS}]\.?)*|{OTHERS})"
_AND = r"(?:\s*[,;]\s*(?:(?:and|AND|&|…|\.\.\.)\s)?|\s+(?:and|AND|&)\s+|,?\s+(?=et al))"
_ENDED = r"(?=\s*[.,:;(“\"]|\s*$|(?<=\.)\s|\s+(?:and|AND|&)\s|\s+et al)"
_ORDERS = tuple(
    LatePattern(rf"(?>{first}{_ENDED})(?>{_AND}{other}{_ENDED})*+")
    for first, other in (
        (_LAST_FIRST, _LAST_FIRST),
        (_FIRST_LAST, _FIRST_LAST),
        (_LAST_FIRST, _FIRST_LAST),
        (_FULL_LAST_FIRST, rf"(?:{_FULL}|{_FULL_LAST_FIRST})"),
        (_FULL, _FULL),
    )
)
"""The orders in which lists give surnames, initials and given names, those that a title could be taken for last."""
_OF_NAMES = ((_LAST_FIRST,), (_FIRST_LAST,), (_LAST_FIRST, _FIRST_LAST), (_FULL_LAST_FIRST, _FULL), (_FULL,))
_INSTITUTION = re.compile(
    r"(?:[A-Z][\w’'-]*|of|for|and|the|on|de|&|,)(?: (?:[A-Z][\w’'-]*|of|for|and|the|on|de|&)){0,9}"
)
_AFTER_AUTHORS = re.compile(r"\s*(?:\(?[Ee]ds?\.?\)?,?)?\s*[.:,]?\s*")
_ENDS = re.compile(
    rf"(?<=[.?!])[”’\"']?\s(?=[{CAPITALS}0-9(\[“\"]|in:|doi|arXiv|arxiv|https?:)|\s//\s"
    r"|\.?,?\s(?=In:?\s[A-Z]|in:?\sProc|URL\b|https?:|doi:)"
    rf"|,\s(?={CITED_YEAR}[a-z]?(?:[.,;]|$)|"
    r"in:?\s|In:?\s|arXiv|Proc\b|Proc\.|(?:[A-Z][\w&.'’]*\s)(?:(?:(?:[A-Z]|['’]\d)[\w&.'’]*|of|the|and|on|for|in|&)\s){0,7}\(?(?:\d+|vol\b)[\s,(:]|Ph\.?\s?D|Tech(?:nical|\.)|[Vv]ol\b)"
)
_ABBREVIATED = re.compile(
    rf"(?:\b[{CAPITALS}]|\b(?:vs|et al|e\.g|i\.e|cf|approx|etc|St|Dr|Mr|no|No|spp|sp|subsp|var|ca|U\.S))\.$"
)
_PLACED = re.compile(r"^(?:In:?\s|Proc\b|Proceedings|Journal\b|J\.|Technical|arXiv|Ph\.?D|https?:|URL\b|doi)")
_OPEN_ENDED = re.compile(
    r"\b(?:a|an|and|by|for|from|in|of|on|or|the|to|using|with|language|program)\s+[A-Z]\.$", re.IGNORECASE
)
"""A title that ends with a single letter, not an initial: "Linear models with R."."""
MOST_ENTRY, _TAIL = 3_000, 30
"""No entry has more characters; what follows them is not of it."""


def parse_entry(text: str) -> Reference:
    """Read an entry's parts as far as they are told; its `text` stays as printed, up to `MOST_ENTRY` characters."""
    entry = " ".join(text.split())[:MOST_ENTRY]
    label = _LABEL.match(entry)
    entry = entry[label.end() :] if label is not None else entry
    return Reference(
        text[:MOST_ENTRY],
        title=entry_title(entry),
        authors=tuple(_authors(entry)),
        year=entry_year(entry),
        identifiers=tuple(dict.fromkeys(identifiers_in(entry))),
    )


def identifiers_in(entry: str) -> Iterator[Identifier]:
    """Yield the DOI, arXiv, PubMed and patent numbers that an entry prints."""
    for match in _DOI.finditer(entry):
        yield Identifier("doi", _whole_doi(entry, match))
    for scheme, pattern in (("arxiv", _ARXIV), ("pmid", _PMID), ("pmc", _PMC)):
        yield from (Identifier(scheme, match[1]) for match in pattern.finditer(entry))
    for match in _PATENT.finditer(entry):
        country = "US" if match["us"] else match["office"]
        yield Identifier("patent", patent_id(country, match["number"], match["kind"] or ""))


def _whole_doi(entry: str, match: re.Match[str]) -> str:
    """Return a DOI without the signs of the sentence after it, and with what a line's end cut off."""
    found = match[0]
    if found[-1] in ".-_(/" and (
        rest := re.match(r"\s(?!doi|url)([a-z\d][^\s<>“”]*)", entry[match.end() :], re.IGNORECASE)
    ):
        found += rest[1] if not rest[1].isalpha() else ""
    found = re.split(r"PMC?ID", found, maxsplit=1)[0].rstrip(".,;:'’")
    while found.endswith((")", "]")) and found.count("(") + found.count("[") < found.count(")") + found.count("]"):
        found = found[:-1].rstrip(".,;:")
    return found


def entry_year(entry: str) -> int | None:
    """Return the year of publication: in brackets, after the authors, or the last, but for pages and addresses."""
    plain = re.sub(
        rf"https?:\S+|\b{DOI}\S+|arxiv\S{{0,30}}\s?\S{{0,30}}?\d{{4}}\.\d{{4,5}}", " ", entry, flags=re.IGNORECASE
    )
    for pattern in (_AFTER_NAMES, _IN_BRACKETS):
        if (match := pattern.search(plain)) is not None and _stands_by_names(plain, match.start()):
            return int(match[1])
    bare = re.sub(r"[“\"].{8,400}?[”\"]", " ", plain)
    found = [int(match[1]) for match in _IN_BRACKETS.finditer(bare)] or [
        int(match[1]) for match in _ANY_YEAR.finditer(bare)
    ]
    return found[-1] if found else None


def _stands_by_names(entry: str, place: int) -> bool:
    """Tell whether names alone stand before a place of an entry, or the name of an institution."""
    before = entry[: place + 1].rstrip(" .,(")
    _, stop = _names(before)
    is_whole = stop > 0 and stop >= len(before) - len("(Eds.), ")
    return is_whole or _INSTITUTION.fullmatch(before) is not None


def begins_with_initials(entry: str) -> int:
    """Return where the names at the head of a text end, if they have initials; 0 for others, which look like titles."""
    return max(match.end() if (match := order.match(entry)) is not None else 0 for order in _ORDERS[:3])


def _names(entry: str) -> tuple[int, int]:
    """Return the number of the order that an entry's authors follow, and where they end; (0, 0) without authors."""
    ends = [match.end() if (match := order.match(entry)) is not None else 0 for order in _ORDERS]
    if entry[ends[-1] : ends[-1] + 1] == ",":  # titles in capitals look like names where a comma ends these
        ends[-1] = min(ends[-1], 1) if any(ends[:-1]) else ends[-1]
    best = max(range(len(ends)), key=lambda order: ends[order])
    return best, ends[best]


def entry_title(entry: str) -> str:
    """Return the title of an entry, empty where its order is not told."""
    rest = _after_names(entry)
    quoted = _QUOTED.search(entry)
    if quoted is not None and (quoted.start() <= len(entry) - len(rest) + 40 or not rest):
        return str(next(filter(None, quoted.groups()))).rstrip(" ,.")
    return _first_clause(rest)


def _after_names(entry: str) -> str:
    """Return what follows an entry's authors, and the year where that stands beside them."""
    dated = min(
        (match for pattern in (_IN_BRACKETS, _AFTER_NAMES) for match in pattern.finditer(entry)),
        key=lambda match: match.start(),
        default=None,
    )
    if dated is not None and _stands_by_names(entry, dated.start()):
        return entry[dated.end() :].lstrip(" .,:;")
    _, stop = _names(entry)
    after = _AFTER_AUTHORS.match(entry, stop)
    return entry[after.end() if stop and after is not None else stop :]


def _first_clause(rest: str) -> str:
    """Return the title with which a text begins: up to its full stop, or to where its venue begins."""
    start = 0
    for match in _ENDS.finditer(rest):
        head = rest[: match.start()].rstrip(" ,")
        if len(head.split()) < 2 and ":" not in head and not _PLACED.match(rest[match.end() :]):
            continue
        if (
            _ABBREVIATED.search(head[-_TAIL:])
            and not _OPEN_ENDED.search(head[-_TAIL:])
            and not _PLACED.match(rest[match.end() :])
        ):
            continue
        start = match.start()
        break
    else:
        start = len(rest)
    return rest[:start].strip(' ,.“”"')


def _authors(entry: str) -> Iterator[str]:
    """Yield the names at the head of an entry, as printed."""
    order, stop = _names(entry)
    for match in re.finditer("|".join(_OF_NAMES[order]), entry[:stop]):
        if not re.match(OTHERS, match[0]):
            yield match[0]


_BLANK_LINE = re.compile(r"\n\s*\n")
_ENTRY_LABEL = re.compile(r"\s*(?:\[(\w[\w+’'., &-]{0,29})\]|\(?(\d{1,3})[.)])\s+(?=\S)")
_INLINE = re.compile(r"(?:(?<=\s)|^)\[(\d{1,3})\]\s+(?=\S)")
_BEGINS = re.compile(rf"[{CAPITALS}“\"\[(]|\d{{1,3}}[.)]|(?:{PARTICLE}\s){{1,3}}[{CAPITALS}]")
_LINE_ENDED = re.compile(r"[.\])”\"\d]$|(?<!\S)[^\s/]*+/\S*+$")
_HYPHEN = re.compile(r"(?<=[a-z\u00e0-\u024f])-\n(?=[a-z\u00e0-\u024f])")
_STOP = re.compile(r"[.\d)]\s+(?=[^\W\d_])")
_MOST, _MOST_NAMES, _LEAST_WORDS = 2_000, 400, 4
_LONGEST_TITLE = 1_000
_SHARE = 0.6
_LONGEST_LINE = 110
"""A line of more characters was not wrapped, so it ends where its entry ends."""


def references_of(document: Document) -> tuple[Reference, ...]:
    """Return what a document cites: the parsed entries, else those of its sections of role "references".

    An entry that a reader only kept as text, such as what a patent cites besides patents, is parsed here.
    """
    if document.references:
        return tuple(map(_completed, document.references[:_MOST]))
    texts = tuple(section.text for section in document.sections if section.role == "references")
    return _entries(texts) if texts else ()


def cut_entries(text: str) -> list[str]:
    """Return the entries of a printed list, by its labels, blank lines or whole lines, whichever it has."""
    blocks = [block for block in _BLANK_LINE.split(_HYPHEN.sub("", text)) if block.strip()]
    if len(blocks) == 1 and len(entries := list(_block(blocks[0]))) == 1:
        return list(_run_in(" ".join(entries[0].split())))
    return [entry for block in blocks for entry in _block(block) if any(letter.isalpha() for letter in entry)]


@lru_cache(maxsize=256)
def _entries(texts: Sequence[str]) -> tuple[Reference, ...]:
    return tuple(map(parse_entry, islice((entry for text in texts for entry in cut_entries(text)), _MOST)))


@lru_cache(maxsize=4096)
def _completed(reference: Reference) -> Reference:
    """Return an entry of a reader, with what its text says where the reader told no parts."""
    if max(len(reference.title), len(reference.text)) > MOST_ENTRY:
        reference = replace(reference, title=reference.title[:_LONGEST_TITLE], text=reference.text[:MOST_ENTRY])
    if reference.title or reference.identifiers or not reference.text:
        return reference
    found = parse_entry(reference.text)
    return replace(found, year=reference.year or found.year, authors=reference.authors or found.authors)


def _block(block: str) -> Iterator[str]:
    """Yield the entries between two blank lines."""
    lines = [line.strip() for line in block.split("\n") if line.strip()]
    if (starts := _numbered(block)) and len(starts) > 1:
        yield from (block[a:b].strip() for a, b in zip(starts, [*starts[1:], len(block)], strict=True))
        return
    labelled = [_ENTRY_LABEL.match(line) is not None for line in lines]
    if labelled[0] and sum(labelled) > 1:
        yield from _joined(lines, labelled)
        return
    dated = sum(1 for line in lines if DATED.search(line)) >= _SHARE * len(lines)
    if dated or max(map(len, lines)) > _LONGEST_LINE:
        yield from (lines if dated else [" ".join(lines)])
        return
    begins = [
        _BEGINS.match(line) is not None and (not at or _LINE_ENDED.search(lines[at - 1]) is not None)
        for at, line in enumerate(lines)
    ]
    yield from _joined(lines, list(_begin_after_a_year(lines, begins)))


def _run_in(text: str) -> Iterator[str]:
    """Yield the entries of a list whose lines were joined: one ends by its year, and the next begins with names."""
    start, named = 0, begins_with_initials(text[:_MOST_NAMES])
    dates = [match.span() for match in DATED.finditer(text)]
    ahead = 0
    for match in _STOP.finditer(text):
        place = match.end()
        while ahead < len(dates) and dates[ahead][0] < start:
            ahead += 1
        if ahead == len(dates):
            break
        said = text[start + named : min(place, start + named + _MOST_NAMES)]
        if len(said.split()) < _LEAST_WORDS or dates[ahead][1] > place:
            continue
        names = begins_with_initials(text[place : place + _MOST_NAMES])
        if names and dates[-1][0] >= place:
            yield text[start:place].strip()
            start, named = place, names
    yield text[start:].strip()


def _begin_after_a_year(lines: Sequence[str], begins: Sequence[bool]) -> Iterator[bool]:
    """Tell of each line of a wrapped list whether it begins an entry: it looks so, and the one before has its year."""
    is_dated = False
    for at, line in enumerate(lines):
        starts = not at or (begins[at] and is_dated)
        is_dated = bool(DATED.search(line)) or (is_dated and not starts)
        yield starts


def _numbered(block: str) -> list[int]:
    """Return where the entries [1], [2], [3] ... begin, however the lines run; empty where labels do not count on."""
    found = [(match.start(), int(match[1])) for match in _INLINE.finditer(block)]
    starts: list[int] = []
    number = found[0][1] if found and not block[: found[0][0]].strip() else None
    for start, label in found:
        if label == number:
            starts.append(start)
            number += 1
    return starts


def _joined(lines: Sequence[str], begins: Sequence[bool]) -> Iterator[str]:
    """Join lines to entries, each beginning where `begins` says so."""
    held: list[str] = []
    for line, starts in zip(lines, begins, strict=True):
        if starts and held:
            yield " ".join(held)
            held = []
        held.append(line)
    if held:
        yield " ".join(held)
