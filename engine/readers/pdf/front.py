"""Reads a paper's front matter from a PDF's first blocks: title, authors, abstract, keywords, DOI, year."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from engine.readers.heading_names import ABSTRACT, CONTENTS, KEYWORDS_LABEL, KNOWN, LONE_ABSTRACT, run_in_abstract
from engine.readers.pdf.lines import Line
from engine.readers.pdf.paragraphs import Block, Hyphens, text_of

_AFTER_ABSTRACT = re.compile(
    r"^(?:ccs concepts|acm reference format|categories and subject descriptors|general terms|pacs numbers|"
    r"(?:mathematics )?subject classification)\b",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"^(?:permission to (?:make|copy)|©|\(c\) ?(?:19|20)\d\d|copyright\b|all rights reserved|"
    r"(?:this|the) (?:work|article|paper|document|material) (?:is|has been) (?:\w+ ){0,4}(?:licen[sc]ed|distributed|"
    r"made available) under)",
    re.IGNORECASE,
)
"""A notice of rights below an abstract, which is not part of it."""
_DOI = re.compile(
    r"\bdoi(?:\.org/|\s*+[:=]?\s*+(?:https?://(?:dx\.)?doi\.org/)?)\s*+(10\.\d{4,9}/[^\s\"<>]{1,300}+)(?![^\s\"<>])",
    re.IGNORECASE,
)
_EMPTY_DOI = re.compile(r"^[^/]*+/[^0-9]*+0[^1-9]*+$|nnn|xxx")
"""A DOI that a template leaves to be filled in."""
_YEAR = re.compile(
    r"(?:©|\(c\)|copyright|published|received|accepted|submitted|may|june?|july?|"
    r"(?:jan|feb|mar|apr|aug|sep|oct|nov|dec|vol)\w{0,9}+|proceedings[^.]{0,60}|arxiv[^.]{0,40})"
    r"[^\n]{0,30}?\b((?:19|20)\d{2})\b(?!\.\d)",
    re.IGNORECASE,
)
_JOURNAL = re.compile(
    r"^(?:(?:the )?(?:\w+ ){0,3}journal(?:of\w*)?\b|proceedings|transactions|annals|bulletin|letters|ieee\b|"
    r"acm\b|vol(?:ume)?\b|research article|original (?:article|paper|research)|review(?: article)?$|"
    r"arxiv|preprint|technical report|open access|contents lists available)",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"universit|institut|department|college|school|laborator|research|center|centre|faculty|abstract|street|"
    r"hospital|academy|compan|corporation|inc\b|ltd|gmbh|@|http|www|\d{3}|january|february|march|april|june|july|"
    r"august|september|october|november|december|version|vignette|package|team\b|journal|email|e-mail|"
    r"clinic|hochschule|technikum|unit\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?<![\d\u2217*†‡§¶‖#,])[\d\u2217*†‡§¶‖#,]++$|[\u2217*†‡§¶‖]")
_BEFORE_NAME = re.compile(r"^(?:and|und|et|by|von|par)\s+(?=\S+\s+\S)", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(
    r"(?:(?<!\s)\s++)?[,;&·]\s*+(?:(?:and|und|et|y)\s++)?|(?<!\s)\s++(?:and|und|et|y)\s++", re.IGNORECASE
)
_JUNK_TITLE = re.compile(
    r"^(?:untitled|microsoft word|powerpoint|layout \d|title|document\d*|paper|manuscript|article|template)\b|"
    r"\.(?:docx?|pdf|tex|dvi|ps|indd|rtf|odt|qxd|fm)$|^(?=[\w./\\-]*\d)[\w./\\-]++$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The text before the first section; `rest` are all other blocks."""

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    rest: tuple[Block, ...] = ()


def plausible_title(text: str) -> str:
    """A title from the file's metadata, or nothing if it is a file name or a program's default."""
    text = " ".join(text.split())
    return text if len(text.split()) >= 2 and 8 <= len(text) <= 300 and not _JUNK_TITLE.search(text) else ""


def doi_of(text: str) -> str:
    """The only DOI that a page prints as such; nothing for none or several."""
    found = {match.rstrip(".,;:)]}'\"”").lower() for match in _DOI.findall(text)}
    return found.pop() if len(found) == 1 and not any(map(_EMPTY_DOI.search, found)) else ""


def year_of(text: str) -> int | None:
    """The year that a first page gives beside a month, a volume or a copyright sign."""
    match = _YEAR.search(text)
    return int(match[1]) if match else None


def title_lines(lines: Sequence[Line], height: float, hint: str, body_size: float) -> list[Line]:
    """The lines of the title on the first page: those that the metadata name, else the largest at the top.

    Empty unless something at the top is larger than the running text, bold, in capitals, or centred.
    """
    upper = [line for line in lines if line.y < 0.6 * height]
    groups = [group for group in _same_look(upper) if _may_be_title(group)]
    named = [group for group in groups if hint and _plain(hint) == _plain(" ".join(line.text for line in group))]
    if named:
        return named[0]
    if not groups:
        return []
    largest = max(group[0].size for group in groups)
    tall = [group for group in groups if group[0].size > largest - 0.3]
    emphasised = [group for group in tall if group[0].bold or group[0].caps]
    centred = [group for group in tall if all(line.centred for line in group)]
    if largest < 1.1 * body_size:
        tall = []
    return next(iter(emphasised or tall or centred), [])


def _same_look(lines: Sequence[Line]) -> list[list[Line]]:
    """Neighbouring lines of one look, close to each other, as groups."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y, line.x0)):
        last = groups[-1][-1] if groups else None
        alike = last and abs(last.size - line.size) < 0.3 and (last.bold == line.bold or line.mono)
        if last and alike and line.y - last.y < 1.75 * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _may_be_title(group: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in group)
    letters = sum(1 for letter in text if letter.isalpha())
    too_long = len(group) > 5 or len(text) > 300
    named = any(pattern.match(text) for pattern in (_JOURNAL, ABSTRACT, CONTENTS, KNOWN))
    return letters >= 5 and not too_long and not group[0].mono and not named


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text)).lower()


def read_front(blocks: Sequence[Block], title: Sequence[Line], hyphens: Hyphens) -> FrontMatter:
    """Sort the blocks before the first section into title, authors, abstract, keywords and the rest."""
    chosen = {id(line) for line in title}
    authors: tuple[str, ...] = ()
    abstract: list[str] = []
    keywords: tuple[str, ...] = ()
    rest: list[Block] = []
    state = "head"
    for block in blocks:
        text = text_of(block, hyphens)
        if state == "abstract" and (block.lines[0].after_contents or _AFTER_ABSTRACT.match(text)):
            state = "after"
        if block.heading and ABSTRACT.match(block.heading.title):
            state = "abstract"
        elif KEYWORDS_LABEL.match(text) and len(text) < 600:
            keywords = _split_keywords(text)
            state = "after"
        elif run_in := run_in_abstract(text):
            abstract.append(run_in.rest)
            state = "abstract"
        elif state == "head" and LONE_ABSTRACT.match(text) and _opens_in_own_look(block):
            abstract.append(LONE_ABSTRACT.sub("", text))
            state = "abstract"
        elif state == "abstract" and block.kind in ("text", "code") and not _NOTICE.match(text):
            abstract.append(text)
        elif all(id(line) in chosen for line in block.lines):
            continue
        elif state == "head" and not authors:
            authors = _authors([line for line in block.lines if id(line) not in chosen])
            rest.append(block)
        else:
            rest.append(block)
    return FrontMatter(title_text(title, hyphens), authors, "\n\n".join(abstract), keywords, tuple(rest))


def _opens_in_own_look(block: Block) -> bool:
    """Whether a block's first word is a run of its own, bold, italic or in small capitals, and the next is not."""
    runs = block.lines[0].runs
    if len(runs) < 2 or len(runs[0].text.split()) != 1:
        return False
    first, second = runs[0].font, runs[1].font
    return (first.bold, first.italic, first.small_caps) != (second.bold, second.italic, second.small_caps)


def title_text(lines: Sequence[Line], hyphens: Hyphens) -> str:
    """The title's lines as one text, without a footnote's mark."""
    text = ""
    for line in lines:
        text = hyphens.join(text, line.text) if text else line.text
    last = lines[-1].runs[-1] if lines else None
    if last and last.text.isdecimal() and last.size < 0.85 * lines[-1].size and last.y < lines[-1].y:
        text = text.removesuffix(f" {last.text}")
    return re.sub(r"(?:(?<!\s)\s++)?(?<![\u2217*†‡§¶])[\u2217*†‡§¶]++$", "", text)


def named_authors(listed: str, first_page: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """The metadata's authors where they are names, more of them, and the first page knows one; else those found."""
    names = tuple(name.strip() for name in _BETWEEN_NAMES.split(listed) if name.strip())
    known = any(_plain(name) in _plain(first_page) for name in names)
    return names if known and len(names) > len(found) and all(map(_is_name, names)) else found


def _split_keywords(text: str) -> tuple[str, ...]:
    """The key words that follow their label, without the last full stop."""
    listed = re.split(
        r"(?:(?<!\s)\s++)?[;,·•]\s++|(?<!\s)\s++[–—·•]\s++",
        KEYWORDS_LABEL.sub("", text).removesuffix("ACM Reference Format:"),
    )
    return tuple(word.strip(" .") for word in listed if 0 < len(word.strip(" .")) < 80)


def _authors(lines: Sequence[Line]) -> tuple[str, ...]:
    """The names in the lines that follow the title, as far as they are plainly names."""
    names: list[str] = []
    for line in lines:
        if len(line.text) > 400:
            break
        pieces: list[str] = []
        for segment in _wide_parts(line):
            pieces += _BETWEEN_NAMES.split(segment)
        cleaned = [_BEFORE_NAME.sub("", _MARKS.sub("", piece).strip()) for piece in pieces]
        found = [name for name in cleaned if _is_name(name)]
        if len(found) < 0.5 * len([piece for piece in cleaned if piece]):
            break
        names += found
    return tuple(dict.fromkeys(names))


def _wide_parts(line: Line) -> list[str]:
    """A line's text cut where a gap is wider than a word's."""
    parts: list[str] = []
    end = line.x0
    for run in line.runs:
        if run.size < 0.85 * line.size:
            continue
        gap = run.x0 - end
        if not parts or gap > 0.75 * line.size:
            parts.append(run.text)
        else:
            parts[-1] += (" " if gap > 0.14 * line.size else "") + run.text
        end = run.x1
    return parts


def _is_name(text: str) -> bool:
    words = text.split()
    capital = sum(1 for word in words if word[:1].isupper())
    if any(word == word.lower() and len(word) > 4 for word in words):
        return False
    return 2 <= len(words) <= 5 and capital >= 2 and len(text) < 50 and not _NOT_A_NAME.search(text)
