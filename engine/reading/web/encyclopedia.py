"""Articles of Wikipedia and of other wikis that run MediaWiki."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element

from engine.reading.web.main_text import is_hidden
from engine.reading.web.metadata import Metadata
from engine.reading.web.prose import Layout, classes, tagged, text_line
from engine.reading.web.work import Work

_DROPPED = frozenset(
    "mw-editsection navbox vertical-navbox navbox-styles infobox toc toccolours sistersitebox side-box metadata "
    "ambox tmbox ombox dmbox mbox-small mw-jump-link reference noprint sidebar mw-empty-elt catlinks printfooter "
    "portalbox portal-bar mw-cite-backlink mwe-math-fallback-image-inline mwe-math-fallback-image-display "
    "shortdescription hatnote dablink mw-indicators mw-references-title authority-control "
    "navigation-not-searchable  mw-toc-heading mw-file-element magnify mw-hidden-catlinks stub plainlinks "
    "mw-collapsible-toggle infobox_v3 infobox_v2 taxobox bandeau-container homonymie noexcerpt error".split()
)
_CONTENT = ("mw-parser-output", "mw-content-text", "mw-body-content")


def encyclopedia_article(page: Element) -> Element | None:
    """The element of the article; None for pages that no MediaWiki made."""
    for name in _CONTENT[:1]:
        found = [one for one in page.iter() if name in classes(one)]
        if found:
            return max(found, key=lambda one: sum(1 for _ in one.iter("p")))
    return next(
        (one for one in tagged(page, "div", "body") if one.get("id") in _CONTENT or "parsoid-body" in classes(one)),
        None,
    )


def read_encyclopedia(page: Element, root: Element, meta: Metadata) -> Work:
    """The article, with the paragraphs before its first heading as its abstract; its writers are not named."""
    heading = next((one for one in tagged(page, "h1", "span") if one.get("id") == "firstHeading"), None)
    title = text_line(heading, _is_dropped) if heading is not None else meta.title
    return Work(
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
    return bool(names & _DROPPED) or element.get("role") in ("navigation", "note") or is_hidden(element)


def _is_reference_list(element: Element) -> bool:
    """Whether an element lists the sources that the text cites."""
    names = classes(element)
    if element.tag == "ol":
        return "references" in names
    return (
        element.tag == "div"
        and bool(names & {"reflist", "mw-references-wrap"})
        and next(element.iter("li"), None) is not None
    )
