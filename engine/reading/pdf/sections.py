"""Puts a PDF's blocks together as a document's parts: front matter, sections, footnotes, reference list.

The reference list is cut into its entries, and found where no heading names it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from engine.documents import Section
from engine.documents.dates import DATED
from engine.documents.text import one_line, tidy
from engine.reading.heading_names import ABSTRACT, BACK_MATTER, BOX, KEYWORDS_LABEL, OPENING, REFERENCES
from engine.reading.languages import language_of
from engine.reading.limits import Budget
from engine.reading.pdf.byline import is_prose
from engine.reading.pdf.front import FrontMatter, looks_like_abstract, read_front, with_asides
from engine.reading.pdf.furniture import (
    Body,
    body_of,
    split_footnotes,
    without_contents_list,
    without_covers,
    without_line_numbers,
    without_running_text,
)
from engine.reading.pdf.headings import find_headings
from engine.reading.pdf.imprint import closes_abstract, ends_abstract, is_beside, is_notice
from engine.reading.pdf.lines import Hyphens, page_lines
from engine.reading.pdf.opening import head_lines, is_of_front, summary_lines, title_again, title_lines
from engine.reading.pdf.page import PdfLine, PdfPage, entry_number, key_of
from engine.reading.pdf.paragraphs import HAS_WORD, Block, blocks_of, text_of
from engine.reading.pdf.places import TextPlaces

_ENTRY = re.compile(r"^(?:\[[\w+,. ’'-]{1,30}\]|\d{1,3}\.|\(\d{1,3}\))\s")
_AUTHOR = re.compile(r"\b[A-Z]\.(?:[- ]?[A-Z]\.){0,4},? [A-Z]\w|\b[A-Z][\w'’-]{1,30},? [A-Z]{1,3}\b|\bet al\b")
_ADDRESS = re.compile(r"@|https?:|\bdoi\b", re.IGNORECASE)
"""What short sentences name that say where a paper stands, or where to write to its authors."""
_LONGEST = 1_500
"""No entry is longer; a numbered paragraph of the text may be."""
_DATED_SHARE = 0.6
"""From this share of dated entries on, a numbered list is one of references."""
_MOST_TRIED = 40
"""This many of the last paragraphs numbered 1 may begin the list."""
_ASIDE_PROSE = 80
"""From this many characters on, a margin holds more than a running head and a number."""
_NEAR_PAGES = 3
"""A box that sums the paper up stands on one of these first pages."""
_NEAR_BLOCKS = 20
_SURE = 20
"""Letters of a title that hardly stand anywhere else by chance."""
_FOOT = 0.8
"""Below this share of a page, small letters are notes, not text."""
_PROSE = 200
"""From this many characters on, a paragraph before the first heading is text, not an address or a date."""
_Group = tuple[str, list[Block]]
"""A section's title and its blocks."""


@dataclass(frozen=True, slots=True)
class PaperParts:
    """What a PDF's pages hold, as a document's fields; `masthead` is what frames the first page's text.

    `running` is what later pages hold at their edges. `left_out` are the pages with notes, or text in a margin, that
    went to no section; `places` finds where a text of the file stands.
    """

    front: FrontMatter
    sections: tuple[Section, ...]
    first_page: str
    masthead: str
    places: TextPlaces
    running: str = ""
    covered: bool = False
    left_out: tuple[int, ...] = ()


def parts_of(
    pages: Sequence[PdfPage], budget: Budget, hint: str = "", outline: Sequence[tuple[int, str]] = ()
) -> PaperParts:
    """Read front matter and sections from the pages' runs.

    `hint` is a title from the file's metadata, `outline` its bookmarks as (level, title). Raises as `Budget.check`.
    """
    pages, cover = without_covers(pages)
    by_page = page_lines(without_line_numbers(pages), budget)
    places = TextPlaces(pages, [line for lines in by_page for line in lines])
    first_page = "\n".join(line.text for line in by_page[0]) if by_page else ""
    asides = [line for lines in by_page for line in lines if line.aside]
    by_page = [[line for line in lines if not line.aside] for lines in by_page]
    title, summary, kept = _opened(by_page, [page.height for page in pages], hint)
    body = body_of(line for lines in kept for line in lines)
    flat = without_contents_list([line for lines in kept for line in lines])
    flat, notes = split_footnotes(flat, body)
    hyphens = Hyphens([*summary, *flat])
    head = head_lines(flat, title, body)
    chosen = {id(line) for line in title}
    rest = [line for line in flat if id(line) not in chosen]
    blocks, listed = _without_unnamed_list(_blocks(rest, head, body, outline, hyphens, budget))
    budget.check()
    start = _first_section(blocks)
    fronts = pages[: len(pages) - len(kept) + 1]
    last_front = max((page.number for page in fronts), default=0)
    opening_asides = [line for line in asides if line.page <= last_front]
    front = with_asides(opening_asides, read_front(blocks[:start], title, hyphens, body))
    notes += _with_prose([line for line in asides if line.page > last_front])
    budget.check()
    groups = _groups(blocks[start:])
    under, unowned = _notes_by_group(groups, blocks_of(notes, [], body))
    front, opening = _sort_rest(front, body, hyphens, alone=not groups)
    beside, dropped = _boxes(blocks_of(opening_asides, [], body), front, hyphens)
    opening = [*blocks_of(summary, [], body), *beside, *opening]
    noted = [block for block in unowned if block.lines[0].page > 0] if opening and not groups else []
    sections = _untitled_sections(opening, noted, hyphens, places) + _sections(groups, under, hyphens, body, places)
    sections += [_reference_section("", listed, hyphens, body, places)] if listed else []
    sections = [section for section in sections if section.text or section.title]
    framing = [
        _masthead(lines, [*title, *head], page.height, body) for lines, page in zip(by_page, fronts, strict=False)
    ]
    masthead = "\n".join([*framing, *(line.text for line in opening_asides), cover])
    left_out = _pages_of_prose([*dropped, *(block for block in unowned if block not in noted)], front, hyphens)
    first_page = f"{cover}\n{first_page}".strip()
    running = "\n".join(line.text for lines in by_page[1:] for line in lines if line.edge)
    return PaperParts(_tidy_front(front), tuple(sections), first_page, masthead, places, running, bool(cover), left_out)


def _opened(
    by_page: Sequence[list[PdfLine]], heights: Sequence[float], hint: str
) -> tuple[list[PdfLine], list[PdfLine], list[list[PdfLine]]]:
    """Return the title, what a page before the paper says that sums it up, and the paper's pages of running text."""
    body = body_of(line for lines in by_page for line in lines)
    title = title_lines(by_page[0], heights[0], hint, body) if by_page else []
    again = title_again(by_page, heights, title, body)
    kept = without_running_text(by_page, heights, again or title)
    return (again, summary_lines(kept[0], title), kept[1:]) if again else (title, [], kept)


def _boxes(blocks: Sequence[Block], front: FrontMatter, hyphens: Hyphens) -> tuple[list[Block], list[Block]]:
    """Return the blocks beside a first page's text that are prose, each behind its short name, and the others."""
    boxed: list[Block] = []
    others: list[Block] = []
    box = -1
    for block in blocks:
        text = text_of(block, hyphens)
        region = block.lines[0].region
        box = region if BOX.match(block.lines[0].text) else box
        foreign = is_beside(text) or text in front.abstract or (box != region and is_notice(text))
        if not foreign and (box == region or (len(text) >= _PROSE and is_prose(text))):
            boxed.append(block)
        else:
            box = -1
            others.append(block)
    return boxed, others


def _with_prose(asides: Sequence[PdfLine]) -> list[PdfLine]:
    """Return what stands beside the text of later pages, unless it is only a running head in the margin."""
    letters: Counter[int] = Counter()
    for line in asides:
        letters[line.page] += len(line.text)
    return [line for line in asides if letters[line.page] >= _ASIDE_PROSE]


def _masthead(lines: Sequence[PdfLine], head: Sequence[PdfLine], height: float, body: Body) -> str:
    """Return the first page's lines above its text, at its edges and in small letters, where its dates stand."""
    above = {id(line) for line in head}
    top = min((line.y for line in head), default=0.0)
    framing = (
        line
        for line in lines
        if id(line) in above
        or line.edge
        or line.y < top
        or (line.y > _FOOT * height and line.size < 0.95 * body.size)
        or is_beside(line.text)
    )
    return "\n".join(line.text for line in framing)


def _blocks(
    lines: Sequence[PdfLine],
    head: Sequence[PdfLine],
    body: Body,
    outline: Sequence[tuple[int, str]],
    hyphens: Hyphens,
    budget: Budget,
) -> list[Block]:
    """Return the blocks of all lines below the title; none in the first page's `head` is a heading."""
    barred = {id(line) for line in head} | {
        id(line) for line in lines if line.page < _NEAR_PAGES and BOX.match(line.text)
    }
    return blocks_of(lines, find_headings(lines, body, hyphens, budget, outline, barred), body)


def _first_section(blocks: Sequence[Block]) -> int:
    """Return where the first top-level section begins, after the abstract; the number of blocks without one."""
    opening = (number for number, block in enumerate(blocks) if block.heading and OPENING.match(block.heading.title))
    begun = next(opening, None)
    if begun is None:
        ones = (place for place, one in enumerate(blocks) if one.heading and one.is_top and one.heading.number == "1")
        begun = next(ones, None)
    abstract = (number for number, block in enumerate(blocks[:begun]) if _heads_abstract(block, anywhere=bool(begun)))
    after = next(abstract, -1) + 1
    if 0 < after < len(blocks) and blocks[after].is_top and begun and after < begun:
        after = begun  # the headings of an abstract in parts
    tops = (number for number in range(after, len(blocks)) if blocks[number].is_top and not _is_front(blocks[number]))
    return next((number for number in tops if not _heads_other_abstract(blocks, number)), len(blocks))


def _heads_other_abstract(blocks: Sequence[Block], number: int) -> bool:
    """Tell whether a block heads an abstract in another language than the prose above it or under the next heading."""
    if not _heads_abstract(blocks[number]):
        return False
    near = range(number + 1, min(len(blocks), number + _NEAR_BLOCKS))
    below = next((place for place in near if blocks[place].heading), near.stop)
    own = _language_of(blocks[number + 1 : below])
    above = blocks[max(0, number - _NEAR_BLOCKS) : number]
    others = {_language_of(above[::-1]), _language_of(blocks[below : below + _NEAR_BLOCKS])} - {""}
    return bool(own) and bool(others - {own})


def _language_of(blocks: Iterable[Block]) -> str:
    """Return the language of the first prose among some blocks; empty where that does not tell."""
    texts = (" ".join(line.text for line in block.lines) for block in blocks if not block.heading)
    return language_of(next((text for text in texts if len(text) >= _PROSE), ""))


def _is_front(block: Block) -> bool:
    """Tell whether a block heads key words or classes, which may stand between an abstract and the text."""
    title = block.heading.title if block.heading else ""
    return bool(KEYWORDS_LABEL.match(title)) or ends_abstract(title)


def _heads_abstract(block: Block, *, anywhere: bool = False) -> bool:
    """Tell whether a block is the abstract's heading: without a number, on the first three pages or `anywhere`."""
    heading = block.heading
    near = anywhere or block.lines[0].page < 3
    return bool(heading and not heading.number and near and ABSTRACT.match(heading.title))


def _sort_rest(front: FrontMatter, body: Body, hyphens: Hyphens, *, alone: bool) -> tuple[FrontMatter, list[Block]]:
    """Return the front matter, with an abstract that has no name, and the other prose before the first heading."""
    prose = _opening_prose(front, hyphens)
    if alone:
        opening = takewhile(lambda block: looks_like_abstract([block], body), prose)
        chosen = [] if front.abstract else list(opening)
        if chosen and len(chosen) < len(prose):
            front = replace(front, abstract=_join(chosen, hyphens))
        taken = {id(block) for block in chosen} if front.abstract else set()
        rest = [block for block in front.rest if id(block) not in taken]
        return front, list(dropwhile(lambda block: all(map(is_of_front, block.lines)), rest))
    if prose and not front.abstract:
        unlike = len(list(takewhile(lambda block: looks_like_abstract([block], body), prose)))
        unlike = len(prose) if looks_like_abstract(prose, body) else unlike
        front, prose = replace(front, abstract=_join(prose[:unlike], hyphens)), prose[unlike:]
    return front, prose


def _opening_prose(front: FrontMatter, hyphens: Hyphens) -> list[Block]:
    """Return the prose before the first heading beside the abstract: long paragraphs, short sentences, boxes."""
    own = key_of(front.title)
    prose: list[Block] = []
    box = -1
    for block in front.rest:
        text = text_of(block, hyphens)
        cited = len(own) > _SURE and own in key_of(text) and len(text) < _LONGEST  # how to cite this paper
        named = BOX.match(block.lines[0].text)
        box = block.lines[0].region if named else box
        if block.kind != "text" or cited or (is_notice(text) and not (named or closes_abstract(text))):
            continue
        noted = is_beside(text) or _ADDRESS.search(text)
        said = len(text) >= _ASIDE_PROSE and is_prose(text) and text.endswith(".") and not noted
        if len(text) >= _PROSE or said or box == block.lines[0].region or closes_abstract(text):
            prose.append(block)
    return prose


def _untitled_sections(
    blocks: Sequence[Block], notes: Sequence[Block], hyphens: Hyphens, places: TextPlaces
) -> list[Section]:
    """Return what stands before the first heading as a section, with its notes; none where that is nothing."""
    text = _with_notes(blocks, notes, hyphens)
    return [Section("", text, "body", *places.of(text, _lines([*blocks, *notes])))] if text else []


def _with_notes(blocks: Sequence[Block], notes: Sequence[Block], hyphens: Hyphens) -> str:
    """Return the text of blocks, and after it their notes, each a paragraph."""
    return "\n\n".join([_join(blocks, hyphens), *(one_line(text_of(note, hyphens)) for note in notes)]).strip()


def _lines(blocks: Iterable[Block]) -> Iterator[PdfLine]:
    return (line for block in blocks for line in block.lines)


def _join(blocks: Sequence[Block], hyphens: Hyphens) -> str:
    return tidy("\n\n".join(text_of(block, hyphens) for block in blocks))


def _groups(blocks: Iterable[Block]) -> list[_Group]:
    """Return the blocks cut at top-level headings."""
    groups: list[_Group] = []
    for block in blocks:
        if block.heading and block.heading.top:
            groups.append((one_line(block.heading.title), []))
        else:
            groups[-1][1].append(block)
    return groups


def _sections(
    groups: Sequence[_Group], footnotes: Sequence[Sequence[Block]], hyphens: Hyphens, body: Body, places: TextPlaces
) -> list[Section]:
    """Return the groups as sections; headings below the top stay in the text, footnotes follow their section."""
    sections = []
    for number, (title, members) in enumerate(groups):
        if BACK_MATTER.match(title):
            continue
        if REFERENCES.match(title):
            sections.append(_reference_section(title, list(_lines(members)), hyphens, body, places))
        else:
            under = footnotes[number]
            text = _with_notes(members, under, hyphens)
            sections.append(Section(title, text, "body", *places.of(text, _lines([*members, *under]))))
    return sections


def _reference_section(
    title: str, lines: Sequence[PdfLine], hyphens: Hyphens, body: Body, places: TextPlaces
) -> Section:
    """Return a reference list as a section, one entry a paragraph."""
    text = tidy("\n\n".join(reference_entries(lines, hyphens, body)))
    return Section(title, text, "references", *places.of(text, lines))


def _without_unnamed_list(blocks: Sequence[Block]) -> tuple[list[Block], list[PdfLine]]:
    """Return the blocks without a reference list that has no heading, and that list's lines."""
    if any(block.heading and block.heading.top and REFERENCES.match(block.heading.title) for block in blocks):
        return list(blocks), []
    found = unnamed_list(blocks)
    return [block for place, block in enumerate(blocks) if place not in found], list(
        _lines(blocks[found.start : found.stop])
    )


def _notes_by_group(groups: Sequence[_Group], notes: Sequence[Block]) -> tuple[list[list[Block]], list[Block]]:
    """Return each group's footnotes: those on the pages where it is the first to have text. Last those of no group.

    Notes on the first page are the authors', and a reference list has none.
    """
    owner: dict[int, int] = {}
    for number, (title, members) in enumerate(groups):
        if not REFERENCES.match(title):
            for block in members:
                for line in block.lines:
                    owner.setdefault(line.page, number)
    found: list[list[Block]] = [[] for _ in groups]
    unowned: list[Block] = []
    for block in notes:
        page = block.lines[0].page
        (found[owner[page]] if page > 0 and page in owner else unowned).append(block)
    return found, unowned


def _pages_of_prose(blocks: Iterable[Block], front: FrontMatter, hyphens: Hyphens) -> tuple[int, ...]:
    """Return the pages whose blocks are prose; addresses, dates and rights are not, nor what the front matter took."""
    letters: Counter[int] = Counter()
    taken = [*front.keywords, *filter(None, [front.abstract])]
    for block in blocks:
        text = text_of(block, hyphens)
        if not (is_notice(text) or any(text in one or one in text for one in taken)):
            letters[block.lines[0].page + 1] += len(text)
    return tuple(sorted(page for page, count in letters.items() if count >= _ASIDE_PROSE))


def _tidy_front(front: FrontMatter) -> FrontMatter:
    """Return front matter with its texts cleaned as every reader's are."""
    return replace(
        front,
        title=one_line(front.title),
        abstract=tidy(front.abstract),
        authors=tuple(one_line(name) for name in front.authors),
        keywords=tuple(one_line(word) for word in front.keywords),
        rest=(),
    )


def reference_entries(lines: Sequence[PdfLine], hyphens: Hyphens, body: Body) -> list[str]:
    """Return the lines of a reference list as entries: by their labels, their hanging indent, or the gaps between."""
    labelled = sum(1 for line in lines if _ENTRY.match(line.text)) >= max(2, 0.15 * len(lines))
    edges = _left_edges(lines)
    hanging = sum(1 for line in lines if line.x0 > edges[line.region] + 0.5 * body.size) >= 0.25 * len(lines)
    entries: list[list[str]] = []
    above: PdfLine | None = None
    for line in lines:
        outdented = line.x0 < edges[line.region] + 0.4 * body.size
        if labelled:
            begins = bool(_ENTRY.match(line.text))
        elif hanging:
            begins = outdented
        else:
            begins = above is None or line.gap > 1.15 * body.leading * line.size / body.size
        if begins or not entries:
            entries.append([line.text])
        else:
            entries[-1].append(line.text)
        above = line
    return [entry for entry in map(hyphens.joined, entries) if HAS_WORD.search(entry)]


def _left_edges(lines: Sequence[PdfLine]) -> dict[int, float]:
    """Return the left-most start of the lines in each region."""
    edges: dict[int, float] = {}
    for line in lines:
        edges[line.region] = min(edges.get(line.region, line.x0), line.x0)
    return edges


def unnamed_list(blocks: Sequence[Block]) -> range:
    """Return the blocks of a reference list that stands under no heading: numbered from 1, most of them with a year.

    The last such list of the blocks, up to the next heading; an empty range where they hold none.
    """
    ones = [place for place, one in enumerate(blocks) if one.kind == "text" and entry_number(one.lines[0].text) == 1]
    for start in reversed(ones[-_MOST_TRIED:]):
        stop = next((place for place in range(start, len(blocks)) if blocks[place].heading), len(blocks))
        if _is_dated_list([line for block in blocks[start:stop] for line in block.lines]):
            return range(start, stop)
    return range(0)


def _is_dated_list(lines: Sequence[PdfLine]) -> bool:
    """Tell whether lines are entries numbered 1, 2, 3 ... that go on to the end, most with a year."""
    listed: list[list[str]] = []
    for line in lines:
        if entry_number(line.text) == len(listed) + 1:
            listed.append([line.text])
        elif listed:
            listed[-1].append(line.text)
    entries = [" ".join(texts) for texts in listed]
    dated = sum(bool(DATED.search(entry) and _AUTHOR.search(entry)) for entry in entries)
    longest = max((len(entry) for entry in entries), default=0)
    return len(entries) >= 2 and dated >= _DATED_SHARE * len(entries) and longest < _LONGEST
