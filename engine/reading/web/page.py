"""A web page's bytes into a tree of elements: its envelope (MHTML), its encoding, its tags.

Of an envelope only the page is taken out. SingleFile writes plain HTML, whose pictures lie in attributes and whose
address stands in its first comment. The encoding follows the rules of browsers: a mark, then what the page declares,
then a guess.

The tree has a bounded depth and size, and is built in time linear in the page's length. The tags are read as browsers
read them: a start tag ends the elements that cannot hold it, an end tag without a start is ignored, scripts and styles
are text to their own end tag. No entity beyond HTML's own is known, and nothing is fetched. Elements nested too deep
keep their text, but not their place.

lxml 6.1 (libxml2) and selectolax 1.0 (lexbor) read real pages as well and faster, but 10 MB of attributes hold both for
minutes, and 100,000 open tags the second; both compare each with all before. html5lib 1.1 has the same faults.
"""

from __future__ import annotations

import re
from collections import Counter
from email.message import Message
from email.parser import BytesHeaderParser
from html import unescape
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from engine.core.errors import MalformedFileError
from engine.reading.encoding import codec, guessed_encoding, mark, spoken_encoding
from engine.reading.limits import LIMITS, Budget, Limits

_HEAD_BYTES = 1 << 16
_MOST_TRIED = 1_000  # parts that name a page's type
_ENVELOPE = re.compile(rb"content-type:\s{0,9}multipart/(?:related|mixed|alternative)", re.IGNORECASE)
_HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9-]{0,60}:")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


class SavedPage(NamedTuple):
    """A page's bytes, and the encoding and the address that its envelope names; both may be empty."""

    data: bytes
    charset: str = ""
    url: str = ""


def looks_like_mhtml(head: bytes) -> bool:
    """Return whether a file begins with the headers of a message that holds several parts."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:_HEAD_BYTES]
    if _HEADER.match(start) is None:
        return False
    end = _BLANK_LINE.search(start)
    headers = start[: end.start()] if end is not None else start
    return _ENVELOPE.search(headers) is not None and (
        b"ime-version" in headers.lower() or b"boundary" in headers.lower()
    )


def saved_page(data: bytes, name: str) -> SavedPage:
    """Return the page of a file; raises MalformedFileError for an envelope without one."""
    if not looks_like_mhtml(data[:_HEAD_BYTES]):
        return SavedPage(data)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    headers, body = _parted(data, 0, len(data))
    boundary = headers.get_boundary("").encode("latin-1", "replace")
    url = headers.get("Snapshot-Content-Location", "") or headers.get("Content-Location", "")
    at = data.find(b"--" + boundary, body) if boundary else -1
    tried = 0
    while at >= 0 and tried < _MOST_TRIED:
        start = at + len(boundary) + 2
        found = data.find(b"\n--" + boundary, start)
        stop = found if found >= 0 else len(data)
        headers_of_part = data[start : min(stop, start + _HEAD_BYTES)].lower()
        if any(page.encode() in headers_of_part for page in _PAGES):
            tried += 1
            inner, begins = _parted(data, start, stop)
            if inner.get_content_type() in _PAGES:
                inner.set_payload(data[begins:stop].decode("latin-1"))
                payload = inner.get_payload(decode=True)
                inner_data = payload if isinstance(payload, bytes) else b""
                own = str(url) or str(inner.get("Content-Location", ""))
                return SavedPage(inner_data, inner.get_content_charset("") or "", own)
        at = found + 1 if found >= 0 else -1
    raise MalformedFileError(
        f"Expected a page (text/html) among the parts of {name}, found none. Save the page again, or paste its text."
    )


def _parted(data: bytes, start: int, stop: int) -> tuple[Message, int]:
    """Return the headers of a message or a part, and where its body begins."""
    within = data[start : min(stop, start + _HEAD_BYTES)]
    end = _BLANK_LINE.search(within.lstrip(b"\r\n"))
    skipped = len(within) - len(within.lstrip(b"\r\n"))
    begins = skipped + end.end() if end is not None else len(within)
    return BytesHeaderParser().parsebytes(within[skipped:begins]), start + begins


_DECLARED_WITHIN = 4096
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.+-]{2,40})", re.IGNORECASE)
_OF_BROWSERS = "cp1252"


def page_text(data: bytes, declared: str = "") -> tuple[str, str]:
    """Return a page's text, and a sentence on what did not fit its encoding, mostly empty.

    `declared` is what an envelope such as MHTML says of the page.
    """
    named, skip = mark(data)
    if skip:
        return _decode(data[skip:], named)
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    named = declared or (found[1].decode("ascii") if found is not None else "")
    try:
        return data.decode("utf-8"), ""  # nothing else of some length passes for it, whatever a page declares
    except UnicodeDecodeError:
        if known := codec(named):
            return _decode(data, known)
        guess = guessed_encoding(data) or _OF_BROWSERS
        text, lost = _decode(data, guess)
        return text, lost or f"The page names no encoding that we know; it was read as {spoken_encoding(guess)}."


def _decode(data: bytes, encoding: str) -> tuple[str, str]:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if not lost:
        return text, ""
    what = "character does" if lost == 1 else "characters do"
    return text, f"{lost:,} {what} not fit the page's encoding, {encoding}; the text has a mark there."


_TEXT = re.compile(r"(?:[^<]++|<(?![A-Za-z/!?]))++")
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*+)")
_ATTRIBUTE = re.compile(r"[\s/]*+([^\s/>=]++|=)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?+")
_TAG_END = re.compile(r"[\s/]*+>")
_KEPT = frozenset(
    "alt alttext charset class content datetime dir encoding hidden href http-equiv id idref itemprop itemtype lang "
    "content-type data-mathml display mode name num property rel role scheme style title type typeof xml:lang "
    "aria-hidden aria-label".split()
)
"""The attributes that readers look at; others, however many, are left where they stand."""
_LONGEST = 1 << 16
"""Of an attribute's value; longer ones are pictures within the page."""
_BATCH = 256
"""Elements that are counted at once."""
_VOID = frozenset(
    "area base br col embed frame hr img input keygen link meta param source track wbr basefont bgsound".split()
)
_RAW = frozenset("script style xmp iframe noembed noframes textarea title".split())
_KEPT_SCRIPTS = re.compile(r"application/ld\+json|math/(?:tex|mml)", re.IGNORECASE)
_HARD = frozenset("table td th caption button object template svg math marquee applet foreignobject".split())
_SOFT = frozenset("ul ol dl menu".split())
_CLOSES_P = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul".split()
)
_CLOSED_BY = {
    "a": ("a",),
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "option": ("option",),
    "tr": ("tr", "td", "th"),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "thead": ("tr", "td", "th", "caption", "colgroup"),
    "tbody": ("tr", "td", "th", "thead", "tbody", "caption", "colgroup"),
    "tfoot": ("tr", "td", "th", "thead", "tbody", "caption", "colgroup"),
    "rt": ("rt", "rp"),
    "rp": ("rt", "rp"),
    "body": ("head",),
}
"""The elements that a start tag ends, within the list or table around it."""
_CELLS = frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"})
_FORMATS = frozenset("a b big code em font i nobr s small strike strong tt u span".split())
_LONG_NUMBER = re.compile(r"&#0*+[1-9]\d{7,}+;?")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def page_tree(text: str, name: str, limits: Limits = LIMITS) -> Element:
    """Return a page's tree, below one root of its own; raises InputTooLargeError for too many elements or seconds."""
    return _Builder(text, name, limits).build()


def _plain(text: str) -> str:
    """Return a text with its named and numbered characters; a number beyond all characters has none."""
    return unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


class _Builder:
    """One pass over a page's text."""

    def __init__(self, text: str, name: str, limits: Limits) -> None:
        self._source, self._limits = text, limits
        self._budget = Budget.within(limits, name)
        self._xml = text[:300].lstrip().startswith("<?xml") and "http://www.w3.org/1999/xhtml" in text[:2000]
        self._root = Element("page")
        self._open: list[Element] = [self._root]
        self._hard: list[Counter[str]] = [Counter()]
        self._soft: list[Counter[str]] = [Counter()]
        self._bounds: list[str] = [""]
        self._all: Counter[str] = Counter()
        self._too_deep: Counter[str] = Counter()
        self._pending: list[str] = []
        self._last: Element | None = None
        self._elements = 0

    def build(self) -> Element:
        source, at, tokens = self._source, 0, 0
        while at < len(source):
            tokens += 1
            if tokens % _BATCH == 0:
                self._budget.check()
            if match := _TEXT.match(source, at):
                self._pending.append(_plain(match[0]))
                at = match.end()
            elif match := _NAME.match(source, at):
                at = self._tag(match)
            else:
                at = self._declaration(at)
        self._flush()
        return self._root

    def _declaration(self, at: int) -> int:
        """Pass a comment, DOCTYPE, CDATA, an instruction or a broken end tag; gives the place after it."""
        source = self._source
        for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>")):
            if source.startswith(opening, at):
                stop = source.find(closing, at + len(opening) - (2 if opening == "<!--" else 0))
                if stop < 0:
                    return len(source)
                if opening == "<![CDATA[":
                    self._pending.append(source[at + len(opening) : stop])
                return stop + len(closing)
        stop = source.find(">", at)
        return stop + 1 if stop >= 0 else len(source)

    def _tag(self, match: re.Match[str]) -> int:
        """Read a start or end tag; gives the place after it, and after the text of scripts and their like."""
        source, tag = self._source, match[1].lower().rpartition(":")[2]
        if match[0][1] == "/":
            stop = source.find(">", match.end())
            self._end(tag)
            return stop + 1 if stop >= 0 else len(source)
        attributes, at = self._attributes(match.end())
        if at < 0:
            return len(source)
        closed = source.endswith("/>", 0, at)
        empty = closed and (self._xml or self._all["svg"] > 0 or self._all["math"] > 0)
        self._start(tag, attributes, leaf=tag in _VOID or empty)
        return at if tag not in _RAW or empty or self._all["svg"] else self._raw(tag, attributes, at)

    def _attributes(self, at: int) -> tuple[dict[str, str], int]:
        """Return the attributes that count, and the place after the tag; -1 where the page ends in it."""
        found: dict[str, str] = {}
        while match := _ATTRIBUTE.match(self._source, at):
            key = match[1].lower()
            if key in _KEPT and key not in found:
                value = match[2] or match[3] or match[4] or ""
                found[key] = _plain(value) if len(value) <= _LONGEST else ""
            at = match.end()
        end = _TAG_END.match(self._source, at)
        return found, end.end() if end is not None else -1

    def _raw(self, tag: str, attributes: dict[str, str], at: int) -> int:
        """Return the text up to the end tag of an element that holds no others."""
        end = re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE).search(self._source, at)
        stop = end.start() if end is not None else len(self._source)
        if tag in ("title", "textarea"):
            self._pending.append(_plain(self._source[at:stop]))
        elif tag == "script" and _KEPT_SCRIPTS.match(attributes.get("type", "")):
            self._pending.append(self._source[at:stop])
        return stop

    def _start(self, tag: str, attributes: dict[str, str], *, leaf: bool) -> None:
        if not self._xml:
            self._close_for(tag)
        self._elements += 1
        if self._elements % _BATCH == 0:
            self._budget.spend("elements", _BATCH)
        self._flush()
        element = SubElement(self._open[-1], tag, attributes)
        if leaf:
            self._last = element
        elif len(self._open) > self._limits.max_xml_depth:
            self._last = element
            self._too_deep[tag] += 1
        else:
            self._push(tag, element)

    def _push(self, tag: str, element: Element) -> None:
        self._open.append(element)
        self._last = None
        for counts in (self._all, self._hard[-1], self._soft[-1]):
            counts[tag] += 1
        if tag in _HARD:
            self._hard.append(Counter())
            self._bounds.append(tag)
        if tag in _HARD or tag in _SOFT:
            self._soft.append(Counter())

    def _pop(self) -> str:
        self._flush()
        element = self._open.pop()
        tag = element.tag
        self._last = element
        if tag in _HARD:
            self._hard.pop()
            self._bounds.pop()
        if tag in _HARD or tag in _SOFT:
            self._soft.pop()
        for counts in (self._all, self._hard[-1], self._soft[-1]):
            counts[tag] -= 1
        return tag

    def _close_for(self, tag: str) -> None:
        """End the elements that cannot hold the one that starts."""
        if tag in _CLOSES_P and self._hard[-1]["p"] > 0:
            self._pop_to("p")
        if self._open[-1].tag in _HEADINGS and tag in _HEADINGS:
            self._pop()
        if self._open[-1].tag == "head" and tag in _CLOSES_P:
            self._pop()
        others = _CLOSED_BY.get(tag, ())
        if tag in _CELLS:
            while self._all["table"] and any(self._in_table(other) for other in others):
                self._pop()
            return
        for other in others:
            if self._soft[-1][other] > 0:
                self._pop_to(other)

    def _in_table(self, tag: str) -> bool:
        """Return whether such an element is open below the innermost table; cells bound what counts of them."""
        within_cell = self._bounds[-1] in ("td", "th")
        if within_cell and self._hard[-2][tag] > 0:
            return True
        return tag not in ("td", "th") and self._bounds[-1] == "table" and self._hard[-1][tag] > 0

    def _pop_to(self, tag: str) -> None:
        while self._pop() != tag:
            pass

    def _end(self, tag: str) -> None:
        if self._too_deep[tag] > 0:
            self._too_deep[tag] -= 1
            return
        if tag == "p" and not self._hard[-1]["p"]:
            return
        if tag in _HEADINGS and self._open[-1].tag in _HEADINGS:
            tag = self._open[-1].tag
        if not self._all[tag] or (tag not in _HARD and tag not in _CELLS and not self._hard[-1][tag]):
            return
        if tag in _FORMATS and self._open[-1].tag != tag and self._open[-1].tag not in _FORMATS:
            return  # its block is still open, and ends it
        self._pop_to(tag)

    def _flush(self) -> None:
        if not self._pending:
            return
        text = "".join(self._pending)
        self._pending = []
        if self._last is None:
            self._open[-1].text = (self._open[-1].text or "") + text
        else:
            self._last.tail = (self._last.tail or "") + text
