"""Pages whose markup we know: papers as LaTeXML writes them, and articles of wikis that run MediaWiki.

LaTeXML makes arXiv's own HTML and ar5iv, and authors run it themselves; MediaWiki makes Wikipedia.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from engine.documents.dates import RECENT_YEAR
from engine.documents.people import is_place, names_in, split_byline
from engine.reading.web.main_text import is_hidden
from engine.reading.web.metadata import Metadata
from engine.reading.web.prose import Layout, classes, is_unread, paragraphs, tagged, text_line


@dataclass(frozen=True, slots=True, kw_only=True)
class WebWork:
    """What one kind of page tells of its work."""

    root: Element
    layout: Layout
    meta: Metadata
    title: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


_DROPPED_OF_LATEXML = frozenset(
    "ltx_TOC ltx_page_footer ltx_page_header ltx_page_navbar ltx_note ltx_pagination ltx_authors ltx_dates "
    "ltx_ERROR ltx_title_document ltx_subtitle ltx_tag_section ltx_tag_subsection ltx_tag_subsubsection "
    "ltx_tag_paragraph ltx_tag_appendix ltx_tag_chapter ltx_tag_part ltx_tag_equation ltx_tag_equationgroup "
    "ltx_eqn_eqno ltx_tag_note ltx_role_newpage ltx_keywords ltx_classification ltx_titlepage ltx_rdf ltx_bib_cited "
    "ltx_role_thanks ltx_author_notes sr-only package-alerts ltx_tag_item".split()
)
_RUN_IN = frozenset(
    {"ltx_runin", "ltx_title_theorem", "ltx_title_proof", "ltx_title_paragraph", "ltx_title_subparagraph"}
)
_MARKS = frozenset(
    {"ltx_note", "ltx_ERROR", "ltx_author_notes", "ltx_contact", "ltx_role_address", "ltx_role_affiliation", "sr-only"}
)
_FOOTNOTES = frozenset({"ltx_role_footnote", "ltx_role_footnotetext", "ltx_role_endnote", "ltx_role_margin"})
_OF_NOTES = frozenset({"ltx_tag_note", "ltx_note_mark", "ltx_note_type"})
_PARTS = frozenset({"ltx_title_document", "ltx_subtitle", "ltx_dates", "ltx_keywords", "ltx_titlepage"})
_YEAR = re.compile(rf"(?<!\d)({RECENT_YEAR})(?!\d)")
_STAMP = re.compile(r"arXiv:(\S{1,40}?)(?:v\d{1,3})?\s{1,9}\[([\w.-]{1,40})\]\s{1,9}(\d{1,2} \w{3,9} (\d{4}))")
_NAME = re.compile(r"[^\W\d_][^\d@{}\\$]{2,60}")
_LAYOUT = Layout(
    drop=lambda element: bool(classes(element) & _DROPPED_OF_LATEXML),
    abstract=lambda element: "ltx_abstract" in classes(element),
    references=lambda element: "ltx_bibliography" in classes(element),
    entry=lambda element: "ltx_bibitem" in classes(element),
    not_cited=lambda element: bool(classes(element) & {"ltx_tag_bibitem", "ltx_tag", *_DROPPED_OF_LATEXML}),
    run_in=lambda element: bool(classes(element) & _RUN_IN),
)


def latexml_document(page: Element) -> Element | None:
    """Return the element of the paper; None for other pages."""
    return next((one for one in page.iter() if "ltx_document" in classes(one)), None)


def read_latexml(page: Element, root: Element, meta: Metadata) -> WebWork:
    """Return the paper; the page's own title block comes before its meta tags."""
    named: dict[str, Element] = {}
    for one in root.iter():
        for name in classes(one) & _PARTS:
            named.setdefault(name, one)
    own = _lines(named["ltx_titlepage"]) if "ltx_titlepage" in named else []
    title = text_line(named.get("ltx_title_document"), _is_mark) or next(iter(own), "")
    subtitle = text_line(named.get("ltx_subtitle"), _is_mark)
    stamp = _STAMP.search(text_line(next((one for one in page.iter() if one.get("id") == "watermark-tr"), None)))
    dated = _YEAR.search(text_line(named.get("ltx_dates")) or " ".join(own))
    year = meta.year or (int(stamp[4]) if stamp is not None else int(dated[1]) if dated is not None else None)
    if stamp is not None:
        meta = replace(meta, arxiv=meta.arxiv or stamp[1])
    keywords = _keywords(text_line(named.get("ltx_keywords")))
    return WebWork(
        root=root,
        layout=_LAYOUT,
        title=f"{title.rstrip(':')}: {subtitle}" if subtitle else title or meta.title,
        authors=tuple(dict.fromkeys(_authors(root))) or meta.authors or names_in(f"by {line}" for line in own[1:3]),
        meta=replace(meta, year=year, keywords=meta.keywords or keywords),
        categories=(stamp[2],) if stamp is not None else (),
        notes=tuple(_notes(root)),
    )


def _notes(root: Element) -> Iterator[str]:
    """Yield the footnotes of the text, without those of the title and the names."""
    for note in root.iter():
        names = classes(note)
        if "ltx_note" in names and names & _FOOTNOTES:
            content = next((one for one in note.iter() if "ltx_note_content" in classes(one)), note)
            yield text_line(content, lambda one: one.tag == "sup" or bool(classes(one) & _OF_NOTES))


def _is_mark(element: Element) -> bool:
    return element.tag == "sup" or bool(classes(element) & _MARKS) or is_unread(element)


def _authors(root: Element) -> Iterator[str]:
    """Yield each creator's names: in its first line, and in lines after a mark that begins another author."""
    for person in (one for one in root.iter() if "ltx_personname" in classes(one)):
        lines = _lines(person)
        for number, text in enumerate(lines):
            if number and not text.startswith("&"):
                continue
            for name in split_byline(text):
                if _NAME.fullmatch(name) and not is_place(name) and len(name.split()) < 7:
                    yield name


def _lines(person: Element) -> list[str]:
    """Return the lines of a title block, formulas and marks left out."""
    texts = paragraphs(person, lambda one: _is_mark(one) or one.tag == "math")
    return [text for block in texts for line in block.split("\n") if (text := " ".join(line.split()))]


def _keywords(text: str) -> tuple[str, ...]:
    words = re.split(
        r"[;,·]|\s[–—-]+\s", re.sub(r"^(?:key ?words?|index terms)[\s:.—–-]*", "", text, flags=re.IGNORECASE)
    )
    return tuple(dict.fromkeys(word for one in words if (word := one.strip(" ."))))


_DROPPED_OF_WIKIS = frozenset(
    "mw-editsection navbox vertical-navbox navbox-styles infobox toc toccolours sistersitebox side-box metadata "
    "ambox tmbox ombox dmbox mbox-small mw-jump-link reference noprint sidebar mw-empty-elt catlinks printfooter "
    "portalbox portal-bar mw-cite-backlink mwe-math-fallback-image-inline mwe-math-fallback-image-display "
    "shortdescription hatnote dablink mw-indicators mw-references-title authority-control "
    "navigation-not-searchable  mw-toc-heading mw-file-element magnify mw-hidden-catlinks stub plainlinks "
    "mw-collapsible-toggle infobox_v3 infobox_v2 taxobox bandeau-container homonymie noexcerpt error".split()
)
_CONTENT = ("mw-parser-output", "mw-content-text", "mw-body-content")


def encyclopedia_article(page: Element) -> Element | None:
    """Return the element of the article; None for pages that no MediaWiki made."""
    if found := [one for one in page.iter() if _CONTENT[0] in classes(one)]:
        return max(found, key=lambda one: sum(1 for _ in one.iter("p")))
    return next(
        (one for one in tagged(page, "div", "body") if one.get("id") in _CONTENT or "parsoid-body" in classes(one)),
        None,
    )


def read_encyclopedia(page: Element, root: Element, meta: Metadata) -> WebWork:
    """Return the article, with the paragraphs before its first heading as its abstract; its writers are not named."""
    heading = next((one for one in tagged(page, "h1", "span") if one.get("id") == "firstHeading"), None)
    title = text_line(heading, _is_dropped) if heading is not None else meta.title
    return WebWork(
        root=root,
        layout=Layout(
            drop=_is_dropped,
            references=_is_reference_list,
            entry=lambda element: element.tag == "li",
            not_cited=_is_dropped,
        ),
        title=title or meta.title,
        meta=replace(meta, authors=(), abstract="", day="", year=None),
    )


def _is_dropped(element: Element) -> bool:
    names = classes(element)
    return bool(names & _DROPPED_OF_WIKIS) or element.get("role") in ("navigation", "note") or is_hidden(element)


def _is_reference_list(element: Element) -> bool:
    """Return whether an element lists the sources that the text cites."""
    names = classes(element)
    if element.tag == "ol":
        return "references" in names
    return (
        element.tag == "div"
        and bool(names & {"reflist", "mw-references-wrap"})
        and next(element.iter("li"), None) is not None
    )
