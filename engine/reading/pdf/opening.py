"""Tells apart what a paper's first pages hold before its text: a title, marks of the journal, boxes that sum it up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from engine.documents.dates import MONTH, RECENT_YEAR
from engine.documents.people import is_place
from engine.reading.heading_names import ABSTRACT, BOX, CONTENTS, KEYWORDS_LABEL, KNOWN, opens_abstract
from engine.reading.pdf.byline import is_prose, names_in_line
from engine.reading.pdf.furniture import Body
from engine.reading.pdf.headings import split_number
from engine.reading.pdf.imprint import JOURNAL, is_beside, is_mark
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.page import PdfLine, key_of

_DOUBLE_SPACED = 2.6
_DOUBLE = 1.6
"""Text with more ems from line to line is set with double spacing."""
_DATE = re.compile(rf"\b{MONTH}\b[^\n]{{0,9}}\b{RECENT_YEAR}\b", re.IGNORECASE)
_UPPER, _TOP = 0.6, 0.09
"""A title stands in this share of its page, and the journal's name in the topmost part of it."""
_LARGEST = 2.6
"""How many times larger than the text a title is at most; what is larger still is a journal's name."""
_ENOUGH, _FEW_WORDS, _SURE = 8, 4, 20
_NEAR, _MOST_BELOW, _MOST_BESIDE, _MOST_LINES = 6.0, 4, 3, 8
_FEWEST_CENTRED, _OFF_AXIS = 3, 4.0
"""This many lines around one middle are centred, each up to this many points off it."""
_TITLED = re.compile(r"^title\s*:\s*(?=\S)", re.IGNORECASE)
_RUNNING = re.compile(r"^(?:running|short) (?:head|title)\b|^author notes?\b", re.IGNORECASE)
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


def plausible_title(text: str) -> str:
    """Return a title from the file's metadata, or nothing if it is a file name or a program's default."""
    words = text.split()
    text = " ".join(words)
    plausible = len(words) >= 2 and 8 <= len(text) <= 300 and not _JUNK_TITLE.search(text)
    return text if plausible and not _is_of_program(words) else ""


def best_title(printed: str, listed: str) -> str:
    """Return the printed title, or the metadata's where none is printed, or one whose letters stand out of line."""
    keys = (key_of(printed), key_of(listed))
    return listed if not printed or (keys[0] != keys[1] and sorted(keys[0]) == sorted(keys[1])) else printed


def _is_of_program(words: Sequence[str]) -> bool:
    """Whether a title holds nothing but a program's name, a version, a date or a number of an article."""
    plain = (word.strip("()[].,:;-_'\"").lower() for word in words)
    said = [word for word in plain if word.strip("0123456789.:/-") and word not in _PROGRAM_WORDS]
    named = any(len(word) > 3 and re.sub("[-'’]", "", word).isalpha() for word in said)
    return not named and all(word.isascii() for word in said)


def title_lines(lines: Sequence[PdfLine], height: float, hint: str, body: Body) -> list[PdfLine]:
    """Return the lines of the title on the first page: those that the metadata name, else those that look most like it.

    Empty unless something at the top is larger than the running text, bold, in capitals, or centred.
    """
    upper = [line for line in lines if line.y < _UPPER * height]
    groups = [group for group in _group_by_look(upper, body) if _may_be_title(group)]
    named = [group for group in groups if hint and key_of(hint) == key_of(_joined(group))]
    if named:
        return named[0]
    axis = _axis(upper)
    raised = [group for group in groups if _is_raised(group, body) or all(_is_on(line, axis) for line in group)]
    edge = key_of(" ".join(line.text for line in lines if line.edge or not _UPPER * height > line.y > _TOP * height))
    scores = [_score(group, upper, body, height, key_of(hint), edge) for group in raised]
    return max(zip(scores, raised, strict=True), key=lambda pair: pair[0], default=(0.0, []))[1]


def _axis(lines: Sequence[PdfLine]) -> float | None:
    """Return the middle that three lines of unlike width or more share, as those of a manuscript's title page do."""
    middles = Counter(round((line.x0 + line.x1) / 4) for line in lines if line.x0 > line.left + line.size)
    middle, count = middles.most_common(1)[0] if middles else (0, 0)
    return 2.0 * middle if count >= _FEWEST_CENTRED else None


def _is_on(line: PdfLine, axis: float | None) -> bool:
    return axis is not None and abs((line.x0 + line.x1) / 2 - axis) < _OFF_AXIS


def _joined(group: Sequence[PdfLine]) -> str:
    return " ".join(line.text for line in group)


def _is_raised(group: Sequence[PdfLine], body: Body) -> bool:
    """Tell whether lines are set to be seen: larger than the text, bold, in capitals, or centred."""
    first = group[0]
    titled = bool(_TITLED.match(first.text))
    return not _is_plain(first, body) or titled or all(line.centred for line in group)


def _is_plain(line: PdfLine, body: Body) -> bool:
    return not (line.size >= 1.1 * body.size or line.bold or line.caps)


def _score(
    group: Sequence[PdfLine], upper: Sequence[PdfLine], body: Body, height: float, hint: str, edge: str
) -> float:
    """Return how much a group of lines looks like a title, by its size, its words, its place, and names below it.

    `hint` is the file's own title, `edge` what stands at the page's edges, which names the journal, both as keys.
    """
    text = _joined(group)
    words = len(text.split())
    score = min(group[0].size / body.size, _LARGEST) / _LARGEST + min(words, _ENOUGH) / _ENOUGH * 0.4
    score += 0.1 * (group[0].bold or group[0].caps or all(line.centred for line in group))
    score -= 0.3 * group[0].y / height
    below = [line for line in upper if 0 < line.y - group[-1].y < _NEAR * max(line.size, body.size)]
    score += 0.35 * any(names_in_line(line) for line in below[:_MOST_BELOW] if line.size < group[0].size + 0.3)
    score -= 0.5 * (is_mark(text) or bool(JOURNAL.match(text)))
    smaller = group[0].size < 0.95 * max(line.size for line in upper) or _is_plain(group[0], body)
    score -= 0.5 * (smaller and (_is_imprint(text) or any(map(names_in_line, group))))
    key = key_of(text)
    score -= 0.4 * (words < _FEW_WORDS and len(key) > 3 and key in edge)
    score -= 0.4 * bool(split_number(group[0], text)[0])
    if hint and (key in hint or hint in key):
        score += 0.3 * (min(len(key), len(hint)) > _SURE)
    return score


def _is_imprint(text: str) -> bool:
    """Tell whether a text is an address or a date, or ends the abstract."""
    return "@" in text or is_place(text) or bool(_DATE.search(text)) or is_beside(text)


def _group_by_look(lines: Sequence[PdfLine], body: Body) -> list[list[PdfLine]]:
    """Group neighbouring lines of one look that are close to each other; large ones may be set with double spacing.

    Between two lines of a group, others may stand beside them.
    """
    groups: list[list[PdfLine]] = []
    usual = body.leading if body.leading > _DOUBLE * body.size else 0.0
    ordered = sorted(lines, key=lambda line: (line.y, line.x0))
    for place, line in enumerate(ordered):
        named = usual > 0 and _begins_names(ordered[place : place + 2], body)
        far = max((_DOUBLE_SPACED if line.size > 1.25 * body.size else 1.75) * line.size, 1.1 * usual)
        near = (
            group
            for group in groups[: -_MOST_BESIDE - 1 : -1]
            if abs(group[-1].size - line.size) < 0.3
            and (group[-1].bold == line.bold or line.mono)
            and line.y - group[-1].y < far
            and (group is groups[-1] or group[-1].region == line.region or line.size > 1.25 * body.size)
            and group[-1].x0 < line.x1
            and line.x0 < group[-1].x1
            and not named
        )
        group = next(near, None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return groups


def _begins_names(lines: Sequence[PdfLine], body: Body) -> bool:
    """Tell whether a line of double-spaced text names a person, and the line below it a place, or another."""
    first, below = lines[0], lines[-1]
    told = is_place(below.text) or bool(names_in_line(below, least=1.0))
    return first is not below and _is_plain(first, body) and told and bool(names_in_line(first))


def _may_be_title(group: Sequence[PdfLine]) -> bool:
    text = _joined(group)
    letters = sum(1 for letter in text if letter.isalpha())
    too_long = len(group) > _MOST_LINES or len(text) > 300
    number, rest = split_number(group[0], text)
    named = any(pattern.match(rest) for pattern in (ABSTRACT, CONTENTS, KNOWN))
    named = named or _RUNNING.match(text) is not None or any(BOX.match(run.text) for run in group[0].runs)
    named = named or bool(number and text.startswith(f"{number}."))
    return letters >= 5 and not too_long and not group[0].mono and not named


def title_again(
    pages: Sequence[Sequence[PdfLine]], heights: Sequence[float], title: Sequence[PdfLine], body: Body
) -> list[PdfLine]:
    """Return the title on the second page, where it stands there again: the first page only sums the paper up."""
    if len(pages) < 2 or not title:
        return []
    text = _joined(title)
    again = title_lines(pages[1], heights[1], text, body)
    key, other = key_of(text), key_of(_joined(again))
    same = key == other or (min(len(key), len(other)) > _SURE and (key.startswith(other) or other.startswith(key)))
    return again if same and again[0].size > 1.15 * body.size and not again[0].edge else []


def summary_lines(lines: Sequence[PdfLine], title: Sequence[PdfLine]) -> list[PdfLine]:
    """Return what a page that sums the paper up says, without its title, the names and what the publisher adds."""
    chosen = {id(line) for line in title}
    return [line for line in lines if id(line) not in chosen and not line.edge and not is_of_front(line)]


def is_of_front(line: PdfLine) -> bool:
    """Tell whether a line near a title names people, places, a date or the journal."""
    return _is_imprint(line.text) or is_mark(line.text) or (bool(names_in_line(line)) and not is_prose(line.text))


def head_lines(lines: Sequence[PdfLine], title: Sequence[PdfLine], body: Body) -> list[PdfLine]:
    """Return the lines of the title's page that stand above the text: names, addresses, dates, marks of the journal.

    The text begins with a known name, a number of a section, prose, or what stands right above prose and names nobody.
    """
    if not title:
        return []
    page, top = title[0].page, title[0].y
    own = [line for line in lines if line.page == page]
    after = next((place for place, line in enumerate(own) if line is title[-1]), -1) + 1
    head = [line for line in own[:after] if line.y <= title[-1].y]
    chosen = {id(line) for line in title}
    for place, (above, line) in enumerate(pairwise([title[-1], *own[after:]]), start=after):
        if line.y < top:
            head.append(line)
        elif _begins_text(line):
            break
        elif is_prose(line.text, own[place + 1 : place + 3]) and not names_in_line(line):
            if _is_raised([above], body) and not (
                _is_imprint(above.text) or is_mark(above.text) or names_in_line(above)
            ):
                head = [one for one in head if one is not above]
            break
        else:
            head.append(line)
    return [line for line in head if id(line) not in chosen]


def _begins_text(line: PdfLine) -> bool:
    """Tell whether a line names an abstract, key words or a section, or opens an abstract behind its name."""
    number, rest = split_number(line, line.text)
    named = any(pattern.match(rest) for pattern in (KNOWN, KEYWORDS_LABEL))
    first = number in ("1", "I") and (line.bold or line.caps) and not is_place(rest)
    return named or first or opens_abstract(line.text)


def title_text(lines: Sequence[PdfLine], hyphens: Hyphens) -> str:
    """Return the title's lines as one text, without a footnote's mark."""
    text = _TITLED.sub("", hyphens.joined(line.text for line in lines))
    last = lines[-1].runs[-1] if lines else None
    if last and last.text.isdecimal() and last.size < 0.85 * lines[-1].size and last.y < lines[-1].y:
        text = text.removesuffix(f" {last.text}")
    return re.sub(r"(?:(?<!\s)\s++)?(?<![\u2217*†‡§¶])[\u2217*†‡§¶]++$", "", text)
