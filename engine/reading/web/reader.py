"""Web pages into documents: arXiv's HTML, Wikipedia, Google's patent pages, publishers' pages, blogs.

Nothing is fetched: pictures, styles, scripts and frames of a page are left where they are. A page that stands before a
text in place of it is refused: a log-in, cookies, a check for robots, a page that scripts fill.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError
from engine.documents import Document, DocumentDate, Identifier
from engine.documents.identifiers import doi_url
from engine.documents.people import names_in
from engine.documents.text import normalised_title, one_line
from engine.reading import base
from engine.reading.base import ReadFile
from engine.reading.encoding import is_binary, mark
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.text.headings import MarkedHeadings, Role, find
from engine.reading.text.outline import Stretch, build, choose_abstract
from engine.reading.web.google_patents import is_patent_page, read_patent_page
from engine.reading.web.main_text import article
from engine.reading.web.metadata import Metadata, metadata
from engine.reading.web.page import looks_like_mhtml, page_text, page_tree, saved_page
from engine.reading.web.prose import ProsePart, data_tables, parts, text_line
from engine.reading.web.sites import WebWork, encyclopedia_article, latexml_document, read_encyclopedia, read_latexml

_HTML = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+|(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_FRAGMENT = re.compile(
    r"\s*+(?:(?><!--.*?-->)\s*+)*+<(?:div|p|h[1-6]|meta|title|section|main|span|table|center|font)[\s>]", re.I | re.S
)
_PROSE = 200
"""Characters, above which a paragraph is prose; names, dates and numbers of an article are shorter."""
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "”", '"', "$")
_SHORT_BODY = 1_000
"""Characters of text beside an abstract, below which a page says itself that the text is elsewhere."""


def looks_like_html(head: bytes, *, sure: bool) -> bool:
    """Tell whether a file begins as a page does; with `sure`, which its name says, any of a page's elements will do."""
    if looks_like_mhtml(head):
        return True
    encoding, skip = mark(head)
    if is_binary(head):
        return False
    text = head[skip:].decode(encoding if skip else "latin-1", errors="replace")
    return _HTML.match(text) is not None or (sure and _FRAGMENT.match(text) is not None)


def read_html(data: bytes, name: str, identifier: str, limits: Limits = LIMITS) -> ReadFile:
    """Return the one document of a page; raises EmptyInputError where the page only stands before it."""
    saved = saved_page(data, name)
    source, lost = page_text(saved.data, saved.charset)
    page = page_tree(source, name, limits)
    meta = metadata(page, source, saved.url)
    warnings = [lost] if lost else []
    if is_patent_page(page, meta):
        document = read_patent_page(page, meta, identifier)
        if not document.claims:
            warnings.append("No claims were found on the page.")
        return ReadFile(document, "html", (*_missing(document), *warnings))
    root = latexml_document(page)
    if root is not None:
        work = read_latexml(page, root, meta)
    elif (root := encyclopedia_article(page)) is not None:
        work = read_encyclopedia(page, root, meta)
    else:
        root, layout = article(page, limits)
        work = WebWork(root=root, layout=layout, meta=meta, authors=meta.authors)
    document, told = _document(work, identifier, Budget.within(limits, name))
    warnings.extend(base.left_out_of_text({"table": data_tables(work.root, work.layout)}))
    body = "".join(section.text for section in document.sections if section.role != "references")
    require_text(page, document.title, body, document.abstract, name)
    document = base.with_notes(document, list(base.worded(work.notes)))
    bodies = sum(1 for section in document.sections if section.role == "body")
    if document.abstract and meta.scholarly and len(body) < _SHORT_BODY and bodies < 2:
        if len(body) < 2 * _PROSE:  # a copyright, an accession number
            document = replace(document, sections=tuple(one for one in document.sections if one.role != "body"))
        warnings.append("The page holds the abstract and not the text. Save the page of the full text to read it, too.")
    return ReadFile(document, "html", (*_missing(document), *told, *warnings))


def _missing(document: Document) -> Iterator[str]:
    if not document.title:
        yield "No title was found in the page."
    if not document.abstract:
        yield "No abstract was found in the page."


def _document(work: WebWork, identifier: str, budget: Budget) -> tuple[Document, Sequence[str]]:
    """Return the document, and what was left out of it."""
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
        authors=work.authors or names_in(f"by {line}" for text in about for line in text.split("\n")),
        year=meta.year,
        venue=meta.venue,
        keywords=document.keywords or meta.keywords,
        categories=work.categories,
        identifiers=tuple(_identifiers(meta)),
        dates=(DocumentDate("published", meta.day),) if meta.day else (),
        language=meta.language,
        url=meta.url or doi_url(meta.doi),
    ), [base.left_out_about_authors([one_line(text) for text in about])] if about else []


def _title(found: Sequence[ProsePart], work: WebWork) -> str:
    """Return the title that the head gives, or the page's first heading where the head adds a site's name to it."""
    named = work.meta.title
    first = next((part.text for part in found if part.kind == "heading" and part.level == 1), "")
    if not first:
        first = next((text_line(one) for one in work.root.iter("h1")), "")
    return (
        first if first and (not named or first.lower() in named.lower()) and not work.meta.scholarly else named or first
    )


def _below_title(found: Sequence[ProsePart], title: str) -> Sequence[ProsePart]:
    """Return the parts from the title on, where only a few words stand above it: the journal's name, the volume."""
    own = normalised_title(title)
    at = next((at for at, part in enumerate(found) if part.kind == "heading" and normalised_title(part.text) == own), 0)
    above = sum(len(part.text) for part in found[:at])
    return found[at:] if above < 2 * _PROSE and all(part.kind in ("heading", "text") for part in found[:at]) else found


def _without_front(first: Stretch, *, named: bool) -> tuple[Stretch, Sequence[str]]:
    """Return the text before the first heading without the lines above its prose: names, dates, places, buttons.

    Where an abstract is `named`, only prose is kept of it. Gives the lines left out, too.
    """
    texts = first.paragraphs
    prose = [at for at, text in enumerate(texts) if len(text) > _PROSE or (text.endswith(_SENTENCE_ENDS) and not named)]
    kept = [texts[at] for at in prose] if named else texts[prose[0] :] if prose else texts
    dropped = [text for text in texts if text not in kept]
    return Stretch(first.title, first.role, "\n\n".join(kept).split("\n"), wrapped=False), dropped


def _identity(meta: Metadata) -> str:
    """Return what names a work: PubMed Central's number, its DOI, arXiv's number, PubMed's number."""
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


_LABEL = 400  # characters, within which a paragraph of key words stays
_FURNITURE_HEADINGS = re.compile(
    r"(?:about this article|rights and permissions|cite this article|share(?: this)?(?: article)?|(?:similar|"
    r"related) (?:articles|content|posts|stories|papers|works)(?: being viewed by others)?|(?:\d+ )?comments?|"
    r"leave a (?:reply|comment)|navigation(?: menu)?|metrics|download (?:references|pdf|citation)|menu|"
    r"you (?:may|might) also like|cited by|advertisement|search|subscribe|newsletter|publisher.s note|linkout.*|"
    r"grants and funding|actions|on this page|page navigation|cite|access options|article metrics|"
    r"export citation|most read|recommended(?: articles| for you)?|table of contents|contents|quick links|views|"
    r"tools|personal tools|author information|affiliations|similar content.*|mesh terms|resources)",
    re.IGNORECASE,
)


def stretches_of(found: Iterable[ProsePart], title: str) -> Iterator[Stretch]:
    """Yield the stretches of a page; furniture that has a heading of its own is left out with it."""
    assembly = _Assembly(title)
    for part in found:
        for one in _with_keywords(part):
            yield from assembly.add(one)
    yield assembly.current


class _Assembly:
    """The stretch that goes on, and what was seen before it."""

    def __init__(self, title: str) -> None:
        self.current = Stretch("", "body", wrapped=False)
        self._title = normalised_title(title)
        self._marked = MarkedHeadings()
        self._abstract_level = self._skipped_level = 0
        self._has_abstract = self._wants_keywords = False

    def add(self, part: ProsePart) -> Iterator[Stretch]:
        """Yield the stretches that end with this part."""
        if part.kind == "heading":
            yield from self._heading(part)
        elif self._skipped_level:
            return
        elif part.kind == "keywords" or self._wants_keywords:
            yield self._keywords(part.text)
        elif part.kind == "abstract":
            role: Role = "body" if self._has_abstract else "abstract"
            yield from self._apart(Stretch("Abstract", role, [part.text], wrapped=False))
            self._has_abstract = True
        elif part.kind == "references":
            if not part.text and not self.current.lines:
                part, self.current = replace(part, text=self.current.title), Stretch("")
            yield from self._apart(Stretch(part.text, "references", part.entries, wrapped=False))
        else:
            self._text(part.text)

    def _heading(self, part: ProsePart) -> Iterator[Stretch]:
        if self._skipped_level and part.level > self._skipped_level:
            return
        self._skipped_level = part.level if _FURNITURE_HEADINGS.fullmatch(part.text) else 0
        if self._skipped_level or normalised_title(part.text) == self._title:
            return
        if self.current.role == "abstract" and part.level > self._abstract_level > 0:
            self.current.lines.extend(["", f"{part.text.rstrip(':. ')}: "])
            return
        heading = self._marked.add(part.text, part.level)
        yield self.current
        self.current = Stretch(heading.title, heading.role, wrapped=False)
        self._abstract_level = part.level if heading.role == "abstract" else 0

    def _apart(self, stretch: Stretch) -> Iterator[Stretch]:
        """Yield the stretch before, and one that ends with its element."""
        yield from (self.current, stretch)
        self.current = Stretch("", "body", wrapped=False)

    def _keywords(self, text: str) -> Stretch:
        """Return the key words; where only their label stands here, the next paragraph is theirs."""
        label = find([text], 0, "front")
        words = text if label is None or self._wants_keywords else label.rest
        self._wants_keywords = not words
        return Stretch("Keywords", "keywords", [words], wrapped=False)

    def _text(self, text: str) -> None:
        lines = self.current.lines
        if self.current.role == "abstract":
            self._has_abstract = True
            if lines and lines[-1].endswith(": "):
                lines[-1] += text
                return
        lines.extend([text] if self.current.role == "references" else ["", text])


def _with_keywords(part: ProsePart) -> Iterator[ProsePart]:
    """Yield a part, its paragraphs that name the key words as parts of their own."""
    texts = part.text.split("\n\n") if part.kind == "abstract" else [part.text] if part.kind == "text" else []
    named = [text for text in texts if _is_keywords(text)]
    if not named:
        yield part
        return
    if part.kind == "abstract":
        yield replace(part, text="\n\n".join(text for text in texts if text not in named))
    yield from (ProsePart("keywords", text) for text in named)


def _is_keywords(text: str) -> bool:
    label = find([text], 0, "front") if len(text) < _LABEL else None
    return label is not None and label.role == "keywords"


_SHORT = 800
"""Characters of text, below which a page may be a wall; articles are longer."""
_MOST, _FEW = 5_000, 40

_CHALLENGE = re.compile(
    r"just a moment|attention required|checking your browser|verif(?:y|ying)(?: that)? you are (?:a )?human|"
    r"are you a robot|robot check|security check|ddos.guard|unusual traffic|captcha|access denied|"
    r"request blocked|pardon our interruption|performing security verification|"
    r"enable javascript and cookies to continue|cf-browser-verification|403 forbidden|"
    r"access to this page has been denied",
    re.IGNORECASE,
)
_LOG_IN = re.compile(
    r"\b(?:log|sign) ?in\b|institutional (?:access|login)|single sign.on|shibboleth|openathens|"
    r"forgot(?:ten)? (?:your )?password|create an account|anmelden|se connecter|iniciar sesi[oó]n|"
    r"purchase (?:access|pdf|this article)|get (?:full )?access|subscribe to (?:read|continue)|"
    r"buy (?:this )?article|rent this article|登录|ログイン",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_SCRIPTS = re.compile(
    r"(?:enable|requires?|turn on|without) java ?script|java ?script (?:is )?(?:required|disabled)", re.IGNORECASE
)
_NOT_FOUND = re.compile(r"\b(?:404|page not found|not found|page does not exist|no longer available)\b", re.IGNORECASE)

_WALLS = (
    (_CHALLENGE, "only checks for robots"),
    (_LOG_IN, "only asks to log in or to buy"),
    (_SCRIPTS, "only asks for JavaScript"),
    (_COOKIES, "only asks about cookies"),
    (_NOT_FOUND, "only says that nothing was found"),
)


def require_text(page: Element, title: str, text: str, abstract: str, name: str) -> None:
    """Refuse a page that stands before a text; raises EmptyInputError.

    `text` is what was read of the article, `abstract` what its page or its head gives.
    """
    if len(text) + len(abstract) >= _SHORT:
        return
    hidden = sum(one.get("class") == "Z3988" for one in page.iter("span"))
    if hidden > 1 and not abstract:
        raise EmptyInputError(
            f"Expected a paper or a patent in {name}, found a page with references as COinS and hardly any text. "
            "Open it in your browser, take the references with Zotero, and export them as RIS or BibTeX."
        )
    whole = f"{title}\n{_visible(page)}"
    told = next((told for pattern, told in _WALLS if pattern.search(whole)), "") if len(whole) < _MOST else ""
    if told and not abstract:
        raise EmptyInputError(
            f"Expected a paper or a patent in {name}, found a page that {told}. "
            "Open the article in your browser, and save that page, or paste its text."
        )
    if len(text) + len(abstract) < _FEW:
        raise EmptyInputError(
            f"Expected a paper or a patent in {name}, found a page with hardly any text. It may come by a script: "
            "save the page from your browser once it is shown, print it to PDF, or paste its text."
        )


def _visible(page: Element) -> str:
    """Return a page's first words, those in `noscript` among them, without its programs and styles."""
    pieces: list[str] = []
    length = 0
    for one in page.iter():
        texts = (one.text if one.tag not in ("script", "style") else "", one.tail)
        for text in texts:
            if text and (words := text.strip()):
                pieces.append(words)
                length += len(words)
        if length > 2 * _MOST:
            break
    return " ".join(pieces)
