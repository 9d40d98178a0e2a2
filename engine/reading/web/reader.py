"""Web pages into documents: arXiv's HTML, Wikipedia, Google's patent pages, publishers' pages, blogs.

Nothing is fetched: pictures, styles, scripts and frames of a page are left where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.documents import Document, DocumentDate, Identifier
from engine.documents.text import normalised_title, one_line
from engine.reading import notes
from engine.reading.base import Reading
from engine.reading.bylines import is_names, left_out
from engine.reading.encoding import is_binary, mark
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.text.outline import Stretch, build, choose_abstract
from engine.reading.web.assembly import stretches_of
from engine.reading.web.charset import page_text
from engine.reading.web.elements import page_tree
from engine.reading.web.encyclopedia import encyclopedia_article, read_encyclopedia
from engine.reading.web.envelope import looks_like_mhtml, saved_page
from engine.reading.web.google_patents import is_patent_page, read_patent_page
from engine.reading.web.latexml import latexml_document, read_latexml
from engine.reading.web.main_text import article
from engine.reading.web.metadata import Metadata, metadata
from engine.reading.web.prose import Part, data_tables, parts, text_line
from engine.reading.web.walls import require_text
from engine.reading.web.work import Work

_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+|(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_FRAGMENT = re.compile(
    r"\s*+(?:(?><!--.*?-->)\s*+)*+<(?:div|p|h[1-6]|meta|title|section|main|span|table|center|font)[\s>]", re.I | re.S
)
_BETWEEN_NAMES = re.compile(r"(?:(?<!\s)\s++)?[,;&]\s*+(?:and\s++)?|(?<!\s)\s++and\s++")
_PROSE = 200
"""Characters, above which a paragraph is prose; names, dates and numbers of an article are shorter."""
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "”", '"', "$")
_SHORT_BODY = 1_000
"""Characters of text beside an abstract, below which a page says itself that the text is elsewhere."""


def looks_like_html(head: bytes, *, sure: bool) -> bool:
    """Whether a file begins as a page does; with `sure`, which its name says, any of a page's elements will do."""
    if looks_like_mhtml(head):
        return True
    encoding, skip = mark(head)
    if is_binary(head):
        return False
    text = head[skip:].decode(encoding if skip else "latin-1", errors="replace")
    return _HTML.match(text) is not None or (sure and _FRAGMENT.match(text) is not None)


def read_html(data: bytes, name: str, identifier: str, limits: Limits = LIMITS) -> Reading:
    """The one document of a page; raises EmptyInputError where the page only stands before it."""
    saved = saved_page(data, name)
    source, lost = page_text(saved.data, saved.charset)
    page = page_tree(source, name, limits)
    meta = metadata(page, source, saved.url)
    warnings = [lost] if lost else []
    if is_patent_page(page, meta):
        document = read_patent_page(page, meta, identifier)
        if not document.claims:
            warnings.append("No claims were found on the page.")
        return Reading(document, "html", (*_missing(document), *warnings))
    root = latexml_document(page)
    if root is not None:
        work = read_latexml(page, root, meta)
    elif (root := encyclopedia_article(page)) is not None:
        work = read_encyclopedia(page, root, meta)
    else:
        root, layout = article(page, limits)
        work = Work(root=root, layout=layout, meta=meta, authors=meta.authors)
    document, told = _document(work, identifier, Budget.within(limits, name))
    warnings.extend(notes.left_out({"table": data_tables(work.root, work.layout)}))
    body = "".join(section.text for section in document.sections if section.role != "references")
    require_text(page, document.title, body, document.abstract, name)
    document = notes.with_notes(document, list(notes.worded(work.notes)))
    bodies = sum(1 for section in document.sections if section.role == "body")
    if document.abstract and meta.scholarly and len(body) < _SHORT_BODY and bodies < 2:
        if len(body) < 2 * _PROSE:  # a copyright, an accession number
            document = replace(document, sections=tuple(one for one in document.sections if one.role != "body"))
        warnings.append("The page holds the abstract and not the text. Save the page of the full text to read it, too.")
    return Reading(document, "html", (*_missing(document), *told, *warnings))


def _missing(document: Document) -> Iterator[str]:
    if not document.title:
        yield "No title was found in the page."
    if not document.abstract:
        yield "No abstract was found in the page."


def _document(work: Work, identifier: str, budget: Budget) -> tuple[Document, Sequence[str]]:
    """The document, and what was left out of it."""
    meta = work.meta
    found = parts(work.root, work.layout, budget)
    title = work.title or _title(found, work)
    stretches = list(stretches_of(_below_title(found, title), title))
    stretches[0], above = _without_front(stretches[0], named=any(one.role == "abstract" for one in stretches))
    if meta.abstract and not any(one.role == "abstract" and one.text for one in stretches):
        stretches.insert(0, Stretch("Abstract", "abstract", [meta.abstract], wrapped=False))
    about = [*(above if not meta.scholarly else ()), *choose_abstract(stretches)]
    document = build(identifier, title, stretches)
    return replace(
        document,
        id=_identity(meta) or identifier,
        authors=work.authors or tuple(_names(about)),
        year=meta.year,
        venue=meta.venue,
        keywords=document.keywords or meta.keywords,
        categories=work.categories,
        identifiers=tuple(_identifiers(meta)),
        dates=(DocumentDate("published", meta.day),) if meta.day else (),
        language=meta.language,
        url=meta.url or (f"https://doi.org/{meta.doi}" if meta.doi else ""),
    ), [left_out([one_line(text) for text in about])] if about else []


def _title(found: Sequence[Part], work: Work) -> str:
    """The title that the head gives, or the page's first heading where the head adds a site's name to it."""
    named = work.meta.title
    first = next((part.text for part in found if part.kind == "heading" and part.level == 1), "")
    if not first:
        first = next((text_line(one) for one in work.root.iter("h1")), "")
    return (
        first if first and (not named or first.lower() in named.lower()) and not work.meta.scholarly else named or first
    )


def _below_title(found: Sequence[Part], title: str) -> Sequence[Part]:
    """The parts from the title on, where only a few words stand above it: the journal's name, the volume."""
    own = normalised_title(title)
    at = next((at for at, part in enumerate(found) if part.kind == "heading" and normalised_title(part.text) == own), 0)
    above = sum(len(part.text) for part in found[:at])
    return found[at:] if above < 2 * _PROSE and all(part.kind in ("heading", "text") for part in found[:at]) else found


def _names(lines: Iterable[str]) -> Iterator[str]:
    """The names in the lines between a title and its text."""
    for line in (one for text in lines for one in text.split("\n")):
        if is_names(line) or is_names(f"by {line}"):
            names = (name.strip(" *†‡0123456789") for name in _BETWEEN_NAMES.split(line))
            yield from (name.removeprefix("By ").removeprefix("by ") for name in names if name)


def _without_front(first: Stretch, *, named: bool) -> tuple[Stretch, Sequence[str]]:
    """The text before the first heading without the lines above its prose: names, dates, places, buttons.

    Where an abstract is `named`, only prose is kept of it. Gives the lines left out, too.
    """
    texts = first.paragraphs
    prose = [at for at, text in enumerate(texts) if len(text) > _PROSE or (text.endswith(_SENTENCE_ENDS) and not named)]
    kept = [texts[at] for at in prose] if named else texts[prose[0] :] if prose else texts
    dropped = [text for text in texts if text not in kept]
    return Stretch(first.title, first.role, "\n\n".join(kept).split("\n"), wrapped=False), dropped


def _identity(meta: Metadata) -> str:
    """What names a work: PubMed Central's number, its DOI, arXiv's number, PubMed's number."""
    if meta.pmcid:
        return meta.pmcid
    if meta.doi and not meta.doi.lower().startswith("10.48550/"):
        return f"doi:{meta.doi}"
    if meta.arxiv:
        return f"arXiv:{meta.arxiv}"
    return f"pmid:{meta.pmid}" if meta.pmid else f"doi:{meta.doi}" if meta.doi else ""


def _identifiers(meta: Metadata) -> Iterator[Identifier]:
    for scheme, value in (("doi", meta.doi), ("arxiv", meta.arxiv), ("pmcid", meta.pmcid), ("pmid", meta.pmid)):
        if value:
            yield Identifier(scheme, one_line(value))
