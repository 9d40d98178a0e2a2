"""Reads a paper's front matter from a PDF's first blocks: title, authors, abstract, keywords, DOI, year."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.core.patterns import LatePattern
from engine.reading.heading_names import ABSTRACT, CONTENTS, KEYWORDS_LABEL, KNOWN, LONE_ABSTRACT, run_in_abstract
from engine.reading.pdf.author_list import byline, is_name, split_names
from engine.reading.pdf.hyphens import Hyphens
from engine.reading.pdf.lines import Line
from engine.reading.pdf.paragraphs import Block, text_of

_AFTER_ABSTRACT = re.compile(
    r"^(?:ccs concepts|acm reference format|categories and subject descriptors|general terms|pacs\b|msc\b|"
    r"jel (?:classification|codes?)\b|(?:\d{4} )?(?:mathematics )?subject classification|how to cite|"
    r"cite (?:this|as)\b|to cite this|(?:article )?history\s*:|article info|highlights\s*$|abbreviations\s*:|"
    r"(?:first |date )?(?:received|submitted|accepted)\b\s*+:?\s*+"
    r"(?:on\s|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|"
    r"\W{0,2}\s?(?:corresponding author|correspondence|e-?mail(?: address(?:es)?)?)\b|"
    r"(?:academic |handling )?editor\s*:|edited by|reviewed by|communicated by)",
    re.IGNORECASE,
)
_SUBJECTS = re.compile(r"^(?i:subjects?(?: areas?| terms| categories)?)(?:\s*+:)?\s++[A-Z]")
_NOTICE = re.compile(
    r"^(?:permission to (?:make|copy)|©|\(c\) ?(?:19|20)\d\d|copyright\b|all rights reserved|open access\b|"
    r"(?:this|the) (?:is an open[- ]access|(?:work|article|paper|document|material) (?:is|has been) (?:\w+ ){0,4}"
    r"(?:licen[sc]ed|distributed|made available|published) under)|distributed under|published by\b|licensee\b|"
    r"the author\(?s?\)? (?:\d{4}|retain))",
    re.IGNORECASE,
)
"""A notice of rights beside an abstract, which is not part of it."""
_DOI = re.compile(
    r"\bdoi(?:\.org/|\s*+[:=]?\s*+(?:https?://(?:dx\.)?doi\.org/)?)\s*+(10\.\d{4,9}/[^\s\"<>]{1,300}+)(?![^\s\"<>])",
    re.IGNORECASE,
)
_EMPTY_DOI = re.compile(r"^[^/]*+/[^0-9]*+0[^1-9]*+$|nnn|xxx")
"""A DOI that a template leaves to be filled in."""
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w{0,9}+"
_NUMERAL = r"\b((?:19|20)\d{2})\b(?!\.\d)"
_YEARS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:©|\(c\)|copyright|published(?: online)?|publication date|(?:first|available) online)[^\n]{{0,30}}?"
        rf"{_NUMERAL}",
        rf"(?:\bvol(?:ume)?\b|proceedings|\bno\.)[^\n]{{0,60}}?{_NUMERAL}",
        rf"{_NUMERAL},? ?[;,:] ?\d{{1,4}}(?: ?\(\d{{1,4}}\)| ?:)",
        rf"\d{{1,4}}(?: ?\(\d{{1,4}}\))?,? \({_NUMERAL}\)",
        rf"\({_NUMERAL}\),? \d{{1,4}}\b",
        rf"(?<!received )(?<!revised )(?<!accepted )(?<!submitted )\b{_MONTH}[^\n]{{0,12}}?{_NUMERAL}",
        rf"(?:accepted|revised|arxiv|received|submitted)[^\n]{{0,40}}?{_NUMERAL}",
        rf"{_MONTH}[^\n]{{0,30}}?{_NUMERAL}",
    )
]
"""Where a first page gives its year: publication before a volume, a volume before a month, receipt last."""
_RECEIPT = re.compile(r"(?:received|submitted|revised|accepted|resubmitted)\b[^\n;|]{0,40}", re.IGNORECASE)
_JOURNAL = re.compile(
    r"^(?:(?:the )?(?:\w+ ){0,3}journal(?:of\w*)?\b|proceedings|transactions|annals|bulletin|letters|ieee\b|"
    r"acm\b|vol(?:ume)?\b|research article|original (?:article|paper|research)|review(?: article)?$|"
    r"arxiv|preprint|technical report|open access|contents lists available)",
    re.IGNORECASE,
)
_DOUBLE_SPACED = 2.6
_JUNK_TITLE = re.compile(
    r"^(?:untitled|microsoft (?:word|powerpoint|excel|office)|powerpoint|layout \d|title|document\d*|paper|manuscript|"
    r"article|template)\b|^(?:file|https?):|^[a-z]:\\|^\W{0,3}(?:untitled|unnamed|no title)\b|"
    r"\.(?:docx?|pdf|tex|dvi|e?ps|indd?|rtf|odt|qxd|fm|wpd|pptx?|xlsx?|txt|html?|cdr|ai|psd|pages|pub|lwp)\W*+"
    r"(?:(?:pages?|read-only|compatibility mode)\b.{0,20})?$|^(?=[\w./\\-]*\d)[\w./\\-]++$",
    re.IGNORECASE,
)
_PROGRAM_WORDS = frozenset(
    """
    abbyy acrobat adobe apple calc canon canva corel coreldraw dvips elements epson excel finereader foxit framemaker
    ghostscript gnuplot google hp illustrator impress indesign inkscape ipad iphone itext keynote konica latex
    libreoffice lotus luatex mac macintosh mathematica matlab microsoft miktex minolta nitro office omnipage onenote
    openoffice openoffice.org outlook pagemaker pages pdf pdfcreator pdflatex pdfmaker pdftex photoshop powerpoint
    preview publisher quark quarkxpress quartz ricoh scanjet scansnap scientific scribus sharp star tex texmaker visio
    wps windows word wordpad wordperfect workcentre workplace writer xerox xetex xpress
    by cc copy created creative cs dc default document documents draft drawing export exported file final for from
    full-page image job layout microsystems ms new os output page pc picture presentation print printed pro
    professional scan scanned slide standard suite template the untitled using v version via with x
    """.split()
)
"""Words of the titles that programs give: their own names, and what they call their work."""


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
    words = text.split()
    text = " ".join(words)
    plausible = len(words) >= 2 and 8 <= len(text) <= 300 and not _JUNK_TITLE.search(text)
    return text if plausible and not _is_of_program(words) else ""


def _is_of_program(words: Sequence[str]) -> bool:
    """Whether a title holds nothing but a program's name, a version, a date or a number of an article."""
    plain = (word.strip("()[].,:;-_'\"").lower() for word in words)
    said = [word for word in plain if word.strip("0123456789.:/-") and word not in _PROGRAM_WORDS]
    named = any(len(word) > 3 and re.sub("[-'’]", "", word).isalpha() for word in said)
    return not named and all(word.isascii() for word in said)


def doi_of(text: str) -> str:
    """The only DOI that a page prints as such; nothing for none or several."""
    found = {match.rstrip(".,;:)]}'\"”").lower() for match in _DOI.findall(text)}
    return found.pop() if len(found) == 1 and not any(map(_EMPTY_DOI.search, found)) else ""


def year_of(text: str) -> int | None:
    """The year that a first page gives with its publication, else its volume or month, else its receipt."""
    without = _RECEIPT.sub("", text)
    found = (pattern.search(part) for part in (without, text) for pattern in _YEARS)
    match = next((match for match in found if match), None)
    return int(match[1]) if match else None


def title_lines(lines: Sequence[Line], height: float, hint: str, body_size: float) -> list[Line]:
    """The lines of the title on the first page: those that the metadata name, else the largest at the top.

    Empty unless something at the top is larger than the running text, bold, in capitals, or centred.
    """
    upper = [line for line in lines if line.y < 0.6 * height]
    groups = [group for group in _same_look(upper, body_size) if _may_be_title(group)]
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


def _same_look(lines: Sequence[Line], body_size: float) -> list[list[Line]]:
    """Neighbouring lines of one look, close to each other, as groups; large ones may be set with double spacing."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y, line.x0)):
        last = groups[-1][-1] if groups else None
        alike = last and abs(last.size - line.size) < 0.3 and (last.bold == line.bold or line.mono)
        far = (_DOUBLE_SPACED if line.size > 1.25 * body_size else 1.75) * line.size
        if last and alike and line.y - last.y < far:
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
    head: list[Line] = []
    abstract: list[str] = []
    keywords: tuple[str, ...] = ()
    rest: list[Block] = []
    first: Block | None = None
    state = "head"
    for block in blocks:
        text = text_of(block, hyphens)
        if state == "abstract" and (
            block.lines[0].after_contents or ends_abstract(text) or _is_set_unlike(first, block)
        ):
            state = "after"
        if block.heading and ABSTRACT.match(block.heading.title):
            state, first = "abstract", None
        elif KEYWORDS_LABEL.match(text) and len(text) < 600:
            listed = _split_keywords(text)
            keywords = keywords or listed
            state = "keywords" if not listed else "after" if abstract else state
        elif state == "keywords" and block.kind == "text" and len(text) < 600:
            keywords = keywords or _split_keywords(text)
            state = "after"
        elif run_in := run_in_abstract(text):
            abstract.append(run_in.rest)
            state = "abstract"
        elif state == "head" and LONE_ABSTRACT.match(text) and _opens_in_own_look(block):
            abstract.append(LONE_ABSTRACT.sub("", text))
            state = "abstract"
        elif state == "abstract" and _may_be_abstract(block) and not _NOTICE.match(text):
            abstract.append(text)
            first = first or block
        elif all(id(line) in chosen for line in block.lines):
            continue
        else:
            head += block.lines if state == "head" else []
            rest.append(block)
    return FrontMatter(title_text(title, hyphens), _authors(head, title), "\n\n".join(abstract), keywords, tuple(rest))


def _may_be_abstract(block: Block) -> bool:
    """Whether a block may belong to an abstract: text, or a name such as "Methods" over one of its parts."""
    return block.kind in ("text", "code") or bool(block.heading and KNOWN.match(block.heading.title))


def _is_set_unlike(first: Block | None, block: Block) -> bool:
    """Whether a block of text is set larger than an abstract's first block, or plain where that is bold or italic."""
    if first is None or first.kind != "text" or block.kind != "text" or len(first.lines) < 2 or len(block.lines) < 2:
        return False
    line, other = block.lines[0], first.lines[-1]
    larger = line.size > 1.06 * other.size
    plainer = all(one.bold for one in first.lines) or all(one.italic for one in first.lines)
    return larger or (plainer and not any(one.bold or one.italic for one in block.lines))


def ends_abstract(text: str) -> bool:
    """Whether a block after an abstract does not belong to it: classes, dates, addresses."""
    return bool(_AFTER_ABSTRACT.match(text) or _SUBJECTS.match(text))


def is_notice(text: str) -> bool:
    """Whether a block is a notice of rights, dates, or an address, which no abstract is."""
    words = text.split()
    named = sum(1 for word in words if word[:1].isupper())
    return bool(_NOTICE.match(text)) or ends_abstract(text) or named > 0.5 * len(words)


def _authors(head: Sequence[Line], title: Sequence[Line]) -> tuple[str, ...]:
    """The names below the title; where none are, those above it."""
    if not title:
        return byline(head)
    last = title[-1]
    below = [line for line in head if (line.page, line.y) > (last.page, last.y)]
    return byline(below) or byline([line for line in head if (line.page, line.y) < (title[0].page, title[0].y)])


def beside(asides: Sequence[Line], front: FrontMatter) -> FrontMatter:
    """Front matter with what only a first page's side column gives: key words, an abstract under its own name."""
    keywords = front.keywords or _listed(asides, KEYWORDS_LABEL)
    abstract = front.abstract or " ".join(_listed(asides, ABSTRACT, stop=ends_abstract, parted=False))
    return replace(front, keywords=keywords, abstract=abstract)


def _opens_in_own_look(block: Block) -> bool:
    """Whether a block's first word is a run of its own, bold, italic or in small capitals, and the next is not."""
    runs = block.lines[0].runs
    if len(runs) < 2 or len(runs[0].text.split()) != 1:
        return False
    first, second = runs[0].font, runs[1].font
    return (first.bold, first.italic, first.small_caps) != (second.bold, second.italic, second.small_caps)


def title_text(lines: Sequence[Line], hyphens: Hyphens) -> str:
    """The title's lines as one text, without a footnote's mark."""
    text = hyphens.joined(line.text for line in lines)
    last = lines[-1].runs[-1] if lines else None
    if last and last.text.isdecimal() and last.size < 0.85 * lines[-1].size and last.y < lines[-1].y:
        text = text.removesuffix(f" {last.text}")
    return re.sub(r"(?:(?<!\s)\s++)?(?<![\u2217*†‡§¶])[\u2217*†‡§¶]++$", "", text)


def named_authors(listed: str, first_page: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """The metadata's authors where they are names, more of them, and the first page knows one; else those found."""
    names = tuple(split_names(" ".join(listed.split())))
    known = any(_plain(name) in _plain(first_page) for name in names)
    return names if known and len(names) > len(found) and all(map(is_name, names)) else found


def _listed(
    lines: Sequence[Line],
    label: re.Pattern[str] | LatePattern,
    stop: Callable[[str], bool] = bool,
    *,
    parted: bool = True,
) -> tuple[str, ...]:
    """A side column's lines below a label, up to white or another: each one a key word, unless signs part them."""
    start = next((place for place, line in enumerate(lines) if label.match(line.text)), None)
    if start is None:
        return ()
    taken = [label.sub("", lines[start].text)]
    for line in lines[start + 1 :]:
        if line.gap > 1.9 * line.size or line.region != lines[start].region or (not parted and stop(line.text)):
            break
        taken.append(line.text)
    taken = [text for text in taken if text]
    if parted and (len(taken) == 1 or any(re.search(r"[;,·•]\s", text) for text in taken)):
        return _split_keywords(" ".join(taken))
    return tuple(taken)


def _split_keywords(text: str) -> tuple[str, ...]:
    """The key words that follow their label, without the last full stop."""
    listed = re.split(
        r"(?:(?<!\s)\s++)?[;,·•]\s++|(?<!\s)\s++[–—·•]\s++",
        KEYWORDS_LABEL.sub("", text).removesuffix("ACM Reference Format:"),
    )
    return tuple(word.strip(" .") for word in listed if 0 < len(word.strip(" .")) < 80)
