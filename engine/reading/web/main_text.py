"""The article of a page without markup that we know: what holds its prose, without menus, banners and share buttons.

An element's prose is its text outside links. What is named like furniture, is hidden, or holds little but links is
dropped, unless it holds much of the page's prose: a whole page may stand in `<div class="with-sidebar">`.

On the pages of our tests trafilatura 2.3, readability-lxml 0.9 and Resiliparse 2.0 (all Apache-2.0) lost displayed
formulas; the first two lost reference lists, a caption or an abstract as well, the third kept Wikipedia's boxes. They
give text without the roles that we need, trafilatura brings 60 MB of other libraries, and all three parse with
libraries that a hostile page holds for minutes, see `page`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element

from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.web.prose import HEADINGS, Layout, is_unread

_FURNITURE_TAGS = frozenset({"nav", "footer", "aside", "form", "dialog", "menu", "address", "label"})
_FURNITURE_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tooltip".split()
)
_FURNITURE = frozenset(
    "nav navbar navigation menu menubar breadcrumb breadcrumbs cookie cookies consent gdpr onetrust share "
    "sharing sharebar social socials related recommended recommendations recommendation newsletter subscribe "
    "subscription signup comments comment commentlist disqus respond advert advertisement ads ad adsbygoogle "
    "sponsor sponsored promo promotion banner sidebar sidenav footer toolbar pagination pager popup modal overlay "
    "outline skip skiplink offscreen screenreader metrics altmetric altmetrics downloads rightslink permissions "
    "crossmark byline dateline authors authorlist affiliations affiliation contributors contriblist articleinfo "
    "authorbox bio masthead topbar bottombar cta trending popular widget widgets "
    "hatnote noprint print hidden invisible".split()
)
_FURNITURE_PAIRS = (
    "table-of-contents", "skip-to", "skip-link", "sr-only", "visually-hidden", "screen-reader", "site-header",
    "page-header",
    "site-footer", "page-footer", "post-meta", "entry-meta", "article-meta", "post-tags", "tag-list", "post-nav",
    "read-next", "read-more", "sign-up", "log-in", "cited-by", "similar-articles", "article-tools", "section-jump",
    "jump-to", "export-citation", "download-pdf", "reading-time", "author-info", "author-box", "author-list",
    "author-meta",
    "c-article-info-details",
    "author-notes", "article-notes", "view-in", "figure-viewer", "open-in",
)  # fmt: skip
_NOT_FURNITURE = frozenset({"html", "body", "main", "article", "page"})
_PLACES = frozenset({"div", "section", "ul", "ol", "header", "p", "span", "table", "dl", "figure", "li"})
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|[A-Z]+(?![a-z])")
_ABSTRACT = re.compile(
    r"(?:^|[\s_-])(?:abstract(?:section|content|text|body|infull)?|journalabstract|abs\d-section)(?=$|[\s_-])", re.I
)
_OTHER_ABSTRACTS = re.compile(
    r"graphical|teaser|highlight|plain-?language|lay-|toc|visual|button|link|title|tab|translated", re.I
)
_REFERENCES = re.compile(
    r"(?:^|[\s_-])(?:references?(?:list|section)?|ref-?list|reflist|bibliograph(?:y|ic)|bib(?:list)?|"
    r"citations?-?list|literature-cited)(?=$|[\s_-])",
    re.I,
)
_ENTRY_TAGS = frozenset({"li", "p", "dd", "tr"})
_LINK_NAMES = re.compile(
    r"\[?(?:google scholar|cross ?ref(?: full text)?|pub ?med(?: central| abstract)?|"
    r"scopus|web of science|isi|medline|cas|article|"
    r"full text|view article|view in article|free full text|free pmc article|download citation|mathscinet|math|"
    r"ads|pdf|doi|find full text|search|go to reference|view|export|ref list|back to top|\^|↑|↩|"
    r"opens? in new (?:tab|window)|pmc free article)\]?",
    re.I,
)
_FLOAT = re.compile(r"(?:table|fig(?:ure)?|scheme|box|chart|algorithm)\.?\s[A-Z]?\d{1,3}[.:]?", re.IGNORECASE)
_ENTRY = re.compile(r"(?:^|\s)(?:ref-cit-blk|citation|reference|csl-entry|bib-?(?:item|entry)|ref)(?=$|\s)")
_ANCHORS = frozenset({"¶", "#", "§", "🔗", "⚓"})  # links to a heading, beside it
_LABELS = frozenset({"label", "order", "ref-label", "citation-label", "reference-count", "csl-left-margin"})
_MARK = re.compile(r"[\s\d,;\[\]()*†‡§–-]{1,80}")
_MOST_DROPPED = 0.3  # of a page's prose, in one piece of furniture
_MOST_KEPT = 0.97  # of the prose outside furniture, in the article
_BATCH = 256  # elements that are counted between two looks at the clock
_FEW = 400  # characters of prose, below which a block of links is a menu


def article(page: Element, limits: Limits = LIMITS) -> tuple[Element, Layout]:
    """Return the element of a page's article, and how its parts are marked; raises what the budget's check does."""
    prose = _Prose(page, Budget.within(limits, "the page"))
    found = prose.narrowed(next(page.iter("body"), page))
    return found, Layout(
        drop=prose.is_furniture,
        abstract=lambda element: is_abstract(element) and not (prose.is_most(element) and _has_headings(element)),
        references=lambda element: element is not found and prose.is_list(element) and not prose.is_most(element, 0.8),
        entry=_is_entry,
        not_cited=_is_not_cited,
        run_in=_is_caption,
    )


def _has_headings(element: Element) -> bool:
    """Return whether an element holds several headings, and so more than an abstract."""
    return len(list(islice((one for one in element.iter() if one.tag in HEADINGS), 2))) > 1


def is_abstract(element: Element) -> bool:
    """Return whether an element is named as an abstract, and not as a graphical one or another."""
    if element.tag not in ("div", "section", "blockquote", "p", "article"):
        return False
    names = f"{element.get('class', '')} {element.get('id', '')} {element.get('role', '')}"
    return bool(_ABSTRACT.search(names)) and not _OTHER_ABSTRACTS.search(names)


def is_references(element: Element) -> bool:
    """Return whether an element is named as a list of references."""
    if element.tag not in ("div", "section", "ol", "ul"):
        return False
    names = f"{element.get('class', '')} {element.get('id', '')} {element.get('role', '')}"
    return bool(_REFERENCES.search(names)) and any(_is_entry(one) for one in element.iter() if one is not element)


def _is_caption(heading: Element) -> bool:
    """Return whether a heading is the name of a figure or a table, which its caption follows."""
    return len(heading) < 9 and _FLOAT.fullmatch(" ".join("".join(heading.itertext()).split())) is not None


def _is_entry(element: Element) -> bool:
    return element.tag in _ENTRY_TAGS or (element.tag == "div" and bool(_ENTRY.search(element.get("class", ""))))


def _is_not_cited(element: Element) -> bool:
    """Return whether a link beside an entry only leads to where it can be found."""
    if is_hidden(element) or element.tag == "button":
        return True
    if element.tag not in ("a", "span"):
        return False
    if set(element.get("class", "").split()) & _LABELS:
        return True
    text = " ".join("".join(element.itertext()).split()) if len(element) < 9 else ""
    return _LINK_NAMES.fullmatch(text) is not None


class _Prose:
    """How much prose each element holds, counted once from the leaves up."""

    def __init__(self, page: Element, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[Element, bool] = {}
        self._prose: dict[Element, int] = {}
        self._links: dict[Element, int] = {}
        self._count(page)
        body = next(page.iter("body"), page)
        self._total = max(1, self._prose.get(body, 0))

    def is_furniture(self, element: Element) -> bool:
        """Return whether an element stands beside the article: named so, hidden, or little but links."""
        if element not in self._known:
            self._budget.check()
            self._known[element] = self._stands_beside(element)
        return self._known[element]

    def is_list(self, element: Element) -> bool:
        """Return whether an element is named as a list of references."""
        self._budget.check()
        return is_references(element)

    def _stands_beside(self, element: Element) -> bool:
        if element.tag in _NOT_FURNITURE or element.tag in HEADINGS or is_unread(element):
            return False  # what is never read may hold a formula
        if (element.tag == "sup" and _is_cited_mark(element)) or (element.tag == "a" and element.text in _ANCHORS):
            return True
        if is_hidden(element) or _is_named_furniture(element):
            return self._prose.get(element, 0) < _MOST_DROPPED * self._total
        if element.tag == "header":
            return self._prose.get(element, 0) < _FEW and not any(is_abstract(one) for one in element.iter())
        return element.tag in ("ul", "ol", "td", "div", "section", "p") and self._is_menu(element)

    def is_most(self, element: Element, share: float = 0.6) -> bool:
        """Return whether an element holds most of the page's prose."""
        return self._prose.get(element, 0) > share * self._total

    def narrowed(self, body: Element) -> Element:
        """Return the smallest element that holds most of the prose outside furniture."""
        kept = self._kept(body)
        named = next((one for one in _candidates(body) if self._prose.get(one, 0) > 0.5 * kept), None)
        if named is not None:
            body, kept = named, self._kept(named)
        while True:
            inner = next((one for one in body if one.tag in _PLACES | _NOT_FURNITURE and self._holds(one, kept)), None)
            if inner is None or inner.tag in ("p", "span", "li", "ul", "ol"):
                return body
            body = inner

    def _holds(self, element: Element, kept: int) -> bool:
        if is_abstract(element) or is_references(element) or is_unread(element):
            return False
        return not self.is_furniture(element) and self._prose.get(element, 0) >= _MOST_KEPT * kept

    def _kept(self, body: Element) -> int:
        """Return the prose below an element, without its furniture."""
        total, waiting = 0, [body]
        while waiting:
            one = waiting.pop()
            total += self._prose.get(one, 0) if not len(one) else _own(one)
            waiting.extend(child for child in one if not self.is_furniture(child))
        return total

    def _is_menu(self, element: Element) -> bool:
        """Return whether nearly all of an element's text is links, several of them."""
        links, prose = self._links.get(element, 0), self._prose.get(element, 0)
        lists = element.tag in ("ul", "ol", "td") and len(list(islice(element.iter("a"), 2))) > 1
        enough = links > 5 * prose and (lists or links > 20)
        return enough and prose < _FEW and not is_references(element)

    def _count(self, page: Element) -> None:
        waiting: list[tuple[Element, Iterator[Element], bool]] = [(page, iter(page), False)]
        self._prose[page] = self._links[page] = 0
        while waiting:
            element, others, linked = waiting[-1]
            child = next(others, None)
            if child is not None:
                if len(self._prose) % _BATCH == 0:
                    self._budget.check()
                inside = linked or child.tag == "a"
                characters = 0 if is_unread(child) else _visible(child.text)
                self._prose[child], self._links[child] = (0, characters) if inside else (characters, 0)
                waiting.append((child, iter(()) if is_unread(child) else iter(child), inside))
                continue
            waiting.pop()
            if waiting:
                above, _, linked_above = waiting[-1]
                self._prose[above] += self._prose[element]
                self._links[above] += self._links[element]
                counts = self._links if linked_above else self._prose
                counts[above] += _visible(element.tail)


def _candidates(body: Element) -> list[Element]:
    """Return the elements that say that they are the article, the innermost kind first."""
    found = list(body.iter("article"))
    return [
        *(one for one in body.iter() if one.get("itemprop") == "articleBody"),
        *(found if len(found) == 1 else ()),
        *body.iter("main"),
        *(one for one in body.iter() if one.get("role") == "main"),
    ]


def is_hidden(element: Element) -> bool:
    """Return whether an element is not shown; the source of a formula is hidden and counts all the same."""
    if "mathml" in element.get("class", "").lower() or element.tag in ("math", "annotation"):
        return False
    style = element.get("style", "").replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style or element.get("aria-hidden") == "true"


def _is_named_furniture(element: Element) -> bool:
    if element.tag in _FURNITURE_TAGS and not (element.tag == "aside" and "abstract" in element.get("class", "")):
        return True
    if element.get("role", "").lower() in _FURNITURE_ROLES:
        return True
    names = f"{element.get('class', '')} {element.get('id', '')}"[:500]
    if "-" in element.tag:  # an element of the site's own
        names = f"{element.tag} {names}"
    if "toc" in names.lower().split() or is_abstract(element):
        return not is_abstract(element)
    words = {word.lower() for word in _WORD.findall(names)}
    if words & _FURNITURE:
        return True
    small = names.lower().replace("_", "-")
    return any(pair in small for pair in _FURNITURE_PAIRS)


def _is_cited_mark(element: Element) -> bool:
    """Return whether a raised text is only numbers that link to references or notes."""
    if next((one for one in element.iter("a") if "#" in one.get("href", "")), None) is None:
        return False
    return _MARK.fullmatch("".join(element.itertext())) is not None


def _own(element: Element) -> int:
    return _visible(element.text) + sum(_visible(child.tail) for child in element)


def _visible(text: str | None) -> int:
    return len(text.strip()) if text else 0
