"""Reads a paper's front matter from a PDF's first blocks: title, authors, abstract, keywords, DOI, year.

Authors' names stand in lists, one below the other, or in grids with addresses beneath.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.core.patterns import LatePattern
from engine.documents.dates import MONTHS, RECENT_YEAR
from engine.documents.identifiers import BEFORE_DOI, DOI
from engine.documents.people import is_name, is_place, split_byline, unmarked
from engine.reading.heading_names import ABSTRACT, CONTENTS, KEYWORDS_LABEL, KNOWN, LONE_ABSTRACT, run_in_abstract
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.page import PdfLine
from engine.reading.pdf.paragraphs import Block, text_of

_LONGEST = 400
_SHORT_MONTH = rf"(?:{'|'.join(month[:3] for month in MONTHS)})"
_MOST_LINES = 60
_CLOSE = 1.6
_NOT_A_NAME = re.compile(
    rf"abstract|gmbh|ltd|\b(?:{'|'.join(month for month in MONTHS if month != 'may')})\b|version|vignette|package|"
    r"team\b|journal|unit\b|\bfund|\bgroup\b|\bstation\b|\boffice\b|programme?\b|\bpress\b|publish|consortium|collaboration|"
    r"^the\b|^per\b|^of\b|\broad\b|\blane\b|\bsquare\b|\bbox\b|"
    r"\bnew (?:york|zealand|jersey|mexico|delhi|haven)\b|hong kong|\bsan (?:diego|francisco|jose)\b|"
    r"los angeles|\b(?:south|north) (?:africa|korea|carolina|dakota)\b|\bsaudi arabia\b|\bsri lanka\b|"
    r"\bthe netherlands\b",
    re.IGNORECASE,
)
"""Words of a first page that people are not called, beside those of addresses: groups, places, words of journals."""
_LABEL = re.compile(
    r"^(?:(?:free )?(?:full|open)[- ](?:text|access)(?: \w+)?|free (?:article|full text|access)|(?:mini|"
    r"systematic |invited |literature |narrative |scoping )?-?reviews?(?: article| paper)?|(?:original|regular|"
    r"research|short|full|brief|rapid|invited|survey|data|conference|technical|case|special|review|featured?|"
    r"contributed|position|software|methods?)(?: (?:original|research|scientific|length|clinical|"
    r"issue))?(?: (?:articles?|papers?|reports?|communications?|notes?|stud(?:y|ies)|research|contributions?|"
    r"letters?|resources?))?|letters?(?: to the editor)?|editorials?|perspectives?|comment(?:ary|aries)?|"
    r"view ?points?|opinions?|correspondence|reports?|articles?|essays?|technology|protocols?|"
    r"(?:author['’]?s? |accepted |final )?(?:manuscript|preprint|post-?print)|(?:pre-?proof|early view|"
    r"in press|check for updates|peer[- ]reviewed|available online|downloaded from|creative commons|"
    r"under review|research highlights?|graphical abstract|book chapter|chapter \w+|technical report|"
    r"working paper|discussion paper|meta-analysis))$",
    re.IGNORECASE,
)
"""What journals print above a title: the kind of article, and who may read it."""
_GOES_ON = re.compile(r"(?:,|;|&|\band|\bund|\bet|·)$", re.IGNORECASE)
_BETWEEN_RUNS = 0.75
"""A gap of this many ems parts the cells of a grid."""
_AFTER_ABSTRACT = re.compile(
    r"^(?:ccs concepts|acm reference format|categories and subject descriptors|general terms|pacs\b|msc\b|"
    r"jel (?:classification|codes?)\b|(?:\d{4} )?(?:mathematics )?subject classification|how to cite|"
    r"cite (?:this|as)\b|to cite this|(?:article )?history\s*:|article info|highlights\s*$|abbreviations\s*:|"
    r"(?:first |date )?(?:received|submitted|accepted)\b\s*+:?\s*+"
    rf"(?:on\s|\d|{_SHORT_MONTH})|"
    r"\W{0,2}\s?(?:corresponding author|correspondence|e-?mail(?: address(?:es)?)?)\b|"
    r"(?:academic |handling )?editor\s*:|edited by|reviewed by|communicated by)",
    re.IGNORECASE,
)
_SUBJECTS = re.compile(r"^(?i:subjects?(?: areas?| terms| categories)?)(?:\s*+:)?\s++[A-Z]")
_NOTICE = re.compile(
    rf"^(?:permission to (?:make|copy)|©|\(c\) ?{RECENT_YEAR}|copyright\b|all rights reserved|open access\b|"
    r"(?:this|the) (?:is an open[- ]access|(?:work|article|paper|document|material) (?:is|has been) (?:\w+ ){0,4}"
    r"(?:licen[sc]ed|distributed|made available|published) under)|distributed under|published by\b|licensee\b|"
    r"the author\(?s?\)? (?:\d{4}|retain))",
    re.IGNORECASE,
)
"""A notice of rights beside an abstract, which is not part of it."""
_DOI = re.compile(rf"\b{BEFORE_DOI}\s*+({DOI}[^\s\"<>]{{1,300}}+)(?![^\s\"<>])", re.IGNORECASE)
_EMPTY_DOI = re.compile(r"^[^/]*+/[^0-9]*+0[^1-9]*+$|nnn|xxx")
"""A DOI that a template leaves to be filled in."""
_MONTH = rf"{_SHORT_MONTH}\w{{0,9}}+"
_NUMERAL = rf"\b({RECENT_YEAR})\b(?!\.\d)"
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
    """Return a title from the file's metadata, or nothing if it is a file name or a program's default."""
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
    """Return the only DOI that a page prints as such; nothing for none or several."""
    found = {match.rstrip(".,;:)]}'\"”").lower() for match in _DOI.findall(text)}
    return found.pop() if len(found) == 1 and not any(map(_EMPTY_DOI.search, found)) else ""


def year_of(text: str) -> int | None:
    """Return the year that a first page gives with its publication, else its volume or month, else its receipt."""
    without = _RECEIPT.sub("", text)
    found = (pattern.search(part) for part in (without, text) for pattern in _YEARS)
    match = next((match for match in found if match), None)
    return int(match[1]) if match else None


def title_lines(lines: Sequence[PdfLine], height: float, hint: str, body_size: float) -> list[PdfLine]:
    """Return the lines of the title on the first page: those that the metadata name, else the largest at the top.

    Empty unless something at the top is larger than the running text, bold, in capitals, or centred.
    """
    upper = [line for line in lines if line.y < 0.6 * height]
    groups = [group for group in _group_by_look(upper, body_size) if _may_be_title(group)]
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


def _group_by_look(lines: Sequence[PdfLine], body_size: float) -> list[list[PdfLine]]:
    """Group neighbouring lines of one look that are close to each other; large ones may be set with double spacing."""
    groups: list[list[PdfLine]] = []
    for line in sorted(lines, key=lambda line: (line.y, line.x0)):
        last = groups[-1][-1] if groups else None
        alike = last and abs(last.size - line.size) < 0.3 and (last.bold == line.bold or line.mono)
        far = (_DOUBLE_SPACED if line.size > 1.25 * body_size else 1.75) * line.size
        if last and alike and line.y - last.y < far:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _may_be_title(group: Sequence[PdfLine]) -> bool:
    text = " ".join(line.text for line in group)
    letters = sum(1 for letter in text if letter.isalpha())
    too_long = len(group) > 5 or len(text) > 300
    named = any(pattern.match(text) for pattern in (_JOURNAL, ABSTRACT, CONTENTS, KNOWN))
    return letters >= 5 and not too_long and not group[0].mono and not named


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text)).lower()


def read_front(blocks: Sequence[Block], title: Sequence[PdfLine], hyphens: Hyphens) -> FrontMatter:
    """Sort the blocks before the first section into title, authors, abstract, keywords and the rest."""
    chosen = {id(line) for line in title}
    head: list[PdfLine] = []
    abstract: list[str] = []
    keywords: tuple[str, ...] = ()
    rest: list[Block] = []
    first: Block | None = None
    state = "head"
    for block in blocks:
        text = text_of(block, hyphens)
        named = block.heading and KNOWN.match(block.heading.title)  # such as "Methods" over a part of an abstract
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
        elif state == "abstract" and (named or block.kind in ("text", "code")) and not _NOTICE.match(text):
            abstract.append(text)
            first = first or block
        elif all(id(line) in chosen for line in block.lines):
            continue
        else:
            head += block.lines if state == "head" else []
            rest.append(block)
    return FrontMatter(title_text(title, hyphens), _authors(head, title), "\n\n".join(abstract), keywords, tuple(rest))


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


def _authors(head: Sequence[PdfLine], title: Sequence[PdfLine]) -> tuple[str, ...]:
    """Return the names below the title; where none are, those above it."""
    if not title:
        return read_byline(head)
    last = title[-1]
    below = [line for line in head if (line.page, line.y) > (last.page, last.y)]
    return read_byline(below) or read_byline(
        [line for line in head if (line.page, line.y) < (title[0].page, title[0].y)]
    )


def with_asides(asides: Sequence[PdfLine], front: FrontMatter) -> FrontMatter:
    """Add to front matter what only a side column gives: key words, an abstract under its own name."""
    keywords = front.keywords or _read_listed(asides, KEYWORDS_LABEL)
    abstract = front.abstract or " ".join(_read_listed(asides, ABSTRACT, stop=ends_abstract, parted=False))
    return replace(front, keywords=keywords, abstract=abstract)


def _opens_in_own_look(block: Block) -> bool:
    """Whether a block's first word is a run of its own, bold, italic or in small capitals, and the next is not."""
    runs = block.lines[0].runs
    if len(runs) < 2 or len(runs[0].text.split()) != 1:
        return False
    first, second = runs[0].font, runs[1].font
    return (first.bold, first.italic, first.small_caps) != (second.bold, second.italic, second.small_caps)


def title_text(lines: Sequence[PdfLine], hyphens: Hyphens) -> str:
    """Return the title's lines as one text, without a footnote's mark."""
    text = hyphens.joined(line.text for line in lines)
    last = lines[-1].runs[-1] if lines else None
    if last and last.text.isdecimal() and last.size < 0.85 * lines[-1].size and last.y < lines[-1].y:
        text = text.removesuffix(f" {last.text}")
    return re.sub(r"(?:(?<!\s)\s++)?(?<![\u2217*†‡§¶])[\u2217*†‡§¶]++$", "", text)


def named_authors(listed: str, first_page: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """Take the metadata's authors where they are more names, and the first page knows one; else those found."""
    names = tuple(split_byline(" ".join(listed.split())))
    known = any(_plain(name) in _plain(first_page) for name in names)
    return names if known and len(names) > len(found) and all(map(may_be_author, names)) else found


def _read_listed(
    lines: Sequence[PdfLine],
    label: re.Pattern[str] | LatePattern,
    stop: Callable[[str], bool] = bool,
    *,
    parted: bool = True,
) -> tuple[str, ...]:
    """Read a side column's lines below a label, up to white or another: each a key word, unless signs part them."""
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
    """Return the key words that follow their label, without the last full stop."""
    listed = re.split(
        r"(?:(?<!\s)\s++)?[;,·•]\s++|(?<!\s)\s++[–—·•]\s++",
        KEYWORDS_LABEL.sub("", text).removesuffix("ACM Reference Format:"),
    )
    return tuple(word.strip(" .") for word in listed if 0 < len(word.strip(" .")) < 80)


def read_byline(lines: Sequence[PdfLine]) -> tuple[str, ...]:
    """Return the authors in the lines around a title, as far as they are plainly names.

    The first line that holds names shows how names look; later ones count where they look the same. Where addresses
    look the same, too, names stand only at the top of a block of lines.
    """
    names: list[str] = []
    first: PdfLine | None = None
    lines = _with_whole_names(lines[:_MOST_LINES])
    for place, line in enumerate(lines):
        if len(line.text) > _LONGEST or (names and any(map(_is_prose, _cells(line)))):
            break
        above = lines[place - 1] if place else None
        open_list = bool(names and above and _GOES_ON.search(above.text.rstrip()))
        if first and not open_list and not (_alike(first, line) and _begins(lines, place, first)):
            continue
        found = _names_in(line, least=1.0 if first and not open_list else 0.5)
        if found and first is None:
            first = line
        names += found
    return tuple(dict.fromkeys(names))


def _with_whole_names(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a list joined where a line's end cuts a name in it: the last piece is part of one."""
    joined: list[PdfLine] = []
    for line in lines:
        above = joined[-1] if joined else None
        if above and 0 < line.gap < _CLOSE * line.size and _alike(above, line) and _ends_in_name(above):
            runs = [*above.runs, *line.runs]
            joined[-1] = replace(above, text=f"{above.text} {line.text}", y=line.y, runs=runs)
        else:
            joined.append(line)
    return joined


def _ends_in_name(line: PdfLine) -> bool:
    """Whether a line lists names, and ends within one: in a word or an initial that is none, and no mark after it."""
    if line.runs[-1].size < 0.85 * line.size or _GOES_ON.search(line.text.rstrip()):
        return False
    *before, last = [piece for part in _cells(line) for piece in split_byline(part)] or [""]
    words = last.split()
    cut = len(words) in (1, 2) and last[0].isupper() and not may_be_author(last)
    return cut and bool(before) and all(map(may_be_author, before))


def _is_prose(text: str) -> bool:
    """Whether a line is running text: eight words or more, most of them in small letters."""
    words = [word for word in text.split() if word.isalpha()]
    return len(words) >= 8 and sum(word.islower() for word in words) > 0.6 * len(words)


def _alike(first: PdfLine, line: PdfLine) -> bool:
    """Whether two lines look the same."""
    return abs(first.size - line.size) < 0.4 and (first.bold, first.italic) == (line.bold, line.italic)


def _begins(lines: Sequence[PdfLine], place: int, first: PdfLine) -> bool:
    """Whether a name may stand in a line: in any, where addresses look otherwise; else in a block's first line."""
    plain = any(_alike(first, line) and _is_address(line.text) for line in lines)
    above = lines[place - 1]
    if not plain or (_names_in(above) and _alike(first, above)):
        return True
    return "@" in above.text or lines[place].gap > 1.5 * first.size or above.region != lines[place].region


def _is_address(text: str) -> bool:
    text = unmarked(text)
    return is_place(text) or bool(_NOT_A_NAME.search(text) or re.search(r"[\d“”\"{}()\[\]<>:/?!=]", text))


def _names_in(line: PdfLine, least: float = 0.5) -> list[str]:
    """Return the names that a line holds, where they are at least a share of it; or a lone name before its address."""
    pieces = [piece for part in _cells(line) for piece in split_byline(part)]
    found = [piece for piece in pieces if may_be_author(piece)]
    if len(found) >= least * len(pieces):
        return found
    return found[:1] if least < 1 and pieces and found[:1] == pieces[:1] and any(map(_is_address, pieces[1:])) else []


def _cells(line: PdfLine) -> list[str]:
    """Return a line's text without raised marks, cut where a gap is wider than a word's; a mark parts names, too."""
    parts: list[str] = []
    end = line.x0
    raised = False
    for run in line.runs:
        small = run.size < 0.85 * line.size
        if small and (line.y - run.y > 0.1 * line.size or not any(map(str.isalpha, run.text))):
            raised = True
            continue
        gap = run.x0 - end if run.x0 > end - line.size else 0.5 * line.size  # a line's end parts words
        if not parts or gap > _BETWEEN_RUNS * line.size:
            parts.append(run.text)
        else:
            joint = "\u0001" if raised and run.text[:1].isalpha() else " " if gap > 0.14 * line.size else ""
            parts[-1] += joint + run.text
        end, raised = run.x1, False
    return parts


def may_be_author(text: str) -> bool:
    """Tell whether a piece of a first page looks like a person's name, and not like a place, a group or a label."""
    return is_name(text) and not _NOT_A_NAME.search(text) and not _LABEL.match(text)
