"""XML into a tree of bounded depth and size, and a tree's text into lines; safe by defusedxml.

Namespaces are dropped: every format that we read is told apart by its root, and within it local names suffice. A
reissued patent marks the words that it deletes and inserts; the tree holds the text as it is now, without the deleted
words.

An external DTD is never fetched and an entity is never expanded, whatever a file says. Yet real patents and articles
name their publisher's DTD, and old patents list their drawings in it. So:

* A DOCTYPE with no external DTD, with a known publisher's DTD (JATS and NLM by public identifier, as
  MAREC's; these and the USPTO's by file name, wherever the file lies; XHTML's, which some copies of USPTO files
  carry) is cut off unread.
* In its internal subset, notations, element and attribute declarations are cut off with it, and so
  is an unparsed entity (`<!ENTITY FIG1 SYSTEM "fig1.tif" NDATA TIF>`): a picture's name, not text.
* Any other external DTD, every entity with a replacement text or an external text, and every
  parameter entity is refused with UnsafeXmlError.

What is left lacks a DOCTYPE, and the parser (defusedxml) refuses any that it meets, so a mistake here cannot let
entities in.

The names of characters (`&mdash;`) that those DTDs define become numbers. HTML's table, which Python carries, holds
nearly all names of ISO 8879 and of HTML. What ISO 8879 has beyond it stands here: the Greek of ISOgrk1 and ISOgrk2, the
bold Greek of ISOgrk4 (read as plain letters), and a few signs. A name in neither table stays as it is written, and is
counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html.entities import html5
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from engine.core.errors import MalformedFileError, TextEncodingError, TruncatedFileError, UnsafeXmlError
from engine.documents.text import one_line, tidy
from engine.reading.encoding import Warn, codec, decode, mark
from engine.reading.limits import LIMITS, Budget, Limits

_ENCODING = re.compile(rb"\A\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_CUT_SHORT = frozenset({3, 5, 6, 20})  # expat: no element found, unclosed token, partial character, unclosed CDATA
_DELETES = frozenset({"delete-start", "DEL-S"})
_DELETED = frozenset({"delete-end", "DEL-E"})
"""Where deleted words begin and end: instructions in the USPTO's XML since 2005, empty elements before."""
_PAIRS = (("<?delete-start", "<?delete-end"), ("<DEL-S", "<DEL-E"))
_SGML_ROOT = re.compile(r"\s*+<PATDOC\b")
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)((?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>")
_POINTERS = frozenset({"cross-reference", "figref"})
_SEVEN_BITS = "iso2022_jp"
"""The encoding whose bytes are UTF-8, too, but say something else."""
_SPACED = frozenset({"s", "lb", "pb", "cb"})
"""A sentence of TEI, and where a printed line, page or column begins: other words, unless they say `break="no"`."""
_NONE: frozenset[str] = frozenset()


class _BoundedBuilder(TreeBuilder):
    """Builds the tree with local names, without deleted words; refuses one that is deeper or larger than the limits.

    With `spans` a deletion may go on in another element; without, as its end may be missing, it ends with the element
    that it stands in.
    """

    def __init__(self, name: str, limits: Limits, *, spans: bool) -> None:
        super().__init__()
        self._name, self._budget, self._spans = name, Budget.within(limits, name), spans
        self._depth = self._deleting = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._depth += 1
        self._budget.spend("elements")
        if self._depth > self._budget.max_xml_depth:
            raise MalformedFileError(
                f"Expected elements nested at most {self._budget.max_xml_depth} deep in {self._name}; they go deeper. "
                "No paper or patent needs that: check how the file was made."
            )
        local = {key.rpartition("}")[2]: value for key, value in attrs.items()}
        return super().start(tag.rpartition("}")[2], local)

    def end(self, tag: str, /) -> Element:
        local = tag.rpartition("}")[2]
        self._depth -= 1
        if not self._spans and self._depth < self._deleting:
            self._deleting = 0
        self._mark(local)
        return super().end(local)

    def data(self, data: str, /) -> None:
        if not self._deleting:
            super().data(data)

    def pi(self, target: str, text: str | None = None, /) -> Element:
        self._mark(target)
        return super().pi(target, text)

    def _mark(self, name: str) -> None:
        """Note where deleted words begin, by the depth of the element that they stand in, and where they end."""
        if name in _DELETES:
            self._deleting = max(self._depth, 1)
        elif name in _DELETED:
            self._deleting = 0


def parse(
    data: bytes,
    name: str,
    limits: Limits = LIMITS,
    *,
    first_line: int = 1,
    unknown: Counter[str] | None = None,
    warn: Warn | None = None,
) -> Element:
    """Parse one XML document into elements with local names.

    `first_line` is its first line in its file, for errors; `unknown` counts named characters that no table holds;
    `warn` is told of a guessed encoding.
    Raises UnsafeXmlError, TruncatedFileError, MalformedFileError, InputTooLargeError, or what `decode` raises.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    text = _closed(without_doctype(_decode(data, name, warn), name, unknown))
    builder = _BoundedBuilder(name, limits, spans=all(text.count(a) == text.count(b) for a, b in _PAIRS))
    parser = DefusedXMLParser(target=builder, encoding="utf-8", forbid_dtd=True)
    try:
        parser.feed(text.encode())
        root: Element = parser.close()
    except DefusedXmlException:
        raise UnsafeXmlError(
            f"{name} declares a DOCTYPE or an entity where none may stand. Save it without, or paste its text."
        ) from None
    except ParseError as error:
        raise _explain(error, name, first_line) from None
    return root


def _closed(text: str) -> str:
    """Return the USPTO's SGML of 2001 as XML: elements whose end tag stands nowhere are empty; XML stays as it is."""
    if not _SGML_ROOT.match(text):
        return text
    ended = {match[2] for match in _TAG.finditer(text) if match[1]}

    def close(match: re.Match[str]) -> str:
        return match[0] if match[2] in ended or match[3].endswith("/") else f"{match[0][:-1]}/>"

    return _TAG.sub(close, text)


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """Yield the direct children with one of these names."""
    if element is not None:
        yield from (child for child in element if child.tag in names)


def find_line(element: Element | None, path: str) -> str:
    """Return the text of the first element at the path, in one line; empty without one."""
    found = element.find(path) if element is not None else None
    return line(found)


def line(element: Element | None, *, apart: Collection[str] = _NONE, without: Collection[str] = _NONE) -> str:
    """Return all text of an element in one line, its markup stripped; a space around elements named in `apart`."""
    return "" if element is None else one_line("".join(_pieces(element, without, apart)))


def block(element: Element, *, breaks: Collection[str], without: Collection[str] = _NONE) -> str:
    """Return all text of an element; each inner element named in `breaks` stands on lines of its own."""
    return tidy("".join(_pieces(element, without, breaks)))


def _pieces(element: Element, without: Collection[str], breaks: Collection[str]) -> Iterator[str]:
    """Yield the text pieces in order; white space within a piece is a space, so only `breaks` make lines."""
    if element.text:
        yield " ".join(re.split(r"\s+", element.text))
    for child in element:
        if child.tag not in without:
            spaced = child.tag in _SPACED and child.get("break") != "no"
            apart = "\n" if child.tag in breaks else " " if spaced else ""
            yield apart
            yield from _pieces(child, without, breaks)
            yield apart
        if child.tail:
            if child.tag in _POINTERS and child.tail[0].isalpha():
                yield " "  # USPTO files of 2001 lost the space after "FIG. 1"
            yield " ".join(re.split(r"\s+", child.tail))


def _decode(data: bytes, name: str, warn: Warn | None) -> str:
    """Decode what is not UTF-8 by the declaration, and without one as any other text."""
    declared = _ENCODING.match(data)
    named = declared[1].decode() if declared is not None and not mark(data)[1] else "utf-8"
    encoding = codec(named)
    if encoding == "utf-8" or (encoding != _SEVEN_BITS and _is_utf8(data)):
        return decode(data, name, warn=warn)
    if not encoding:
        raise TextEncodingError(
            f"Expected XML in an encoding that browsers know in {name}, found the declaration encoding={named!r}. "
            f"Convert it with: iconv -f {named} -t UTF-8 OLD > NEW."
        )
    return data.decode(encoding, errors="replace")


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8, whatever they declare: nothing else of some length passes for it."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _explain(error: ParseError, name: str, first_line: int) -> TruncatedFileError | MalformedFileError:
    row, column = error.position
    row += first_line - 1
    if error.code in _CUT_SHORT:
        return TruncatedFileError(
            f"Expected {name} to end with its closing tag; it stops before, at line {row}. Fetch the file again."
        )
    return MalformedFileError(
        f"Expected well-formed XML in {name}; line {row}, column {column + 1} breaks its rules "
        f"({str(error).partition(':')[0]}). Fetch the file again, or paste its text."
    )


_REFERENCE = re.compile(r"<!--(?:[^-]|-(?!->))*+|<!\[CDATA\[(?:[^]]|\](?!\]>))*+|&([A-Za-z][\w.-]*+);")
"""A named character; a comment or a CDATA section before its end, which hold text as it is written, name none."""
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})

_LETTERS = "a b g d e z ee th i k l m n x o p r sf s t u ph kh ps oh".split()
"""The stems of ISOgrk1 from alpha to omega: `agr` is the small alpha, `Agr` the capital one, `EEgr` the capital eta."""
_SMALL, _CAPITAL = 0x3B1, 0x391
_ACCENTED = (
    "aacgr 3AC, eacgr 3AD, eeacgr 3AE, iacgr 3AF, udiagr 3B0, idigr 3CA, udigr 3CB, oacgr 3CC, uacgr 3CD, ohacgr 3CE, "
    "idiagr 390, Aacgr 386, Eacgr 388, EEacgr 389, Iacgr 38A, Oacgr 38C, Uacgr 38E, OHacgr 38F, Idigr 3AA, Udigr 3AB"
)
"""ISOgrk2, each name with its number in Unicode."""
_SIGNS = (
    "thetas 3B8, epsis 3F5, phis 3D5, gcedil 123, jnodot 237, ang90 221F, vprime 2032, sbsol FE68, lpargt 29A0, "
    "samalg 2210, cupre 227C, gsdot 22D7, ldot 22D6, darr2 21CA, larr2 21C7, rarr2 21C9, uarr2 21C8, dlarr 2199, "
    "drarr 2198, lrarr2 21C6, rlarr2 21C4, lrhar2 21CB, rlhar2 21CC"
)
"""Names of ISO 8879 that HTML left out or renamed."""


def as_numbers(text: str, unknown: Counter[str]) -> str:
    """Return XML text with its named characters as numbers; `unknown` counts the names that no table holds."""

    def number(match: re.Match[str]) -> str:
        name = match[1]
        if name is None or name in _OF_XML:
            return match[0]
        found = _character(name)
        if found is None:
            unknown[name] += 1
            return f"&amp;{name};"
        return "".join(f"&#{ord(character)};" for character in found)

    return _REFERENCE.sub(number, text)


def _character(name: str) -> str | None:
    """Return the character of a name, or the several of one that HTML writes with two."""
    bold = name.removeprefix("b.")
    return _ISO.get(bold) or html5.get(f"{bold};")


def _numbered(table: str) -> dict[str, str]:
    return {name: chr(int(number, 16)) for name, number in (entry.split(" ") for entry in table.split(", "))}


_ISO: dict[str, str] = {
    **{f"{stem}gr": chr(_SMALL + place) for place, stem in enumerate(_LETTERS)},
    **{f"{stem.upper()}gr": chr(_CAPITAL + place) for place, stem in enumerate(_LETTERS) if stem != "sf"},
    **_numbered(_ACCENTED),
    **_numbered(_SIGNS),
}


_SKIPPED = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_LITERAL = r"(?:\"[^\"]*+\"|'[^']*+')"
_DOCTYPE = re.compile(
    rf"<!DOCTYPE\s++(?P<root>[^\s\[>]++)\s*+"
    rf"(?:PUBLIC\s*+(?P<public>{_LITERAL})\s*+(?P<url>{_LITERAL})?|SYSTEM\s*+(?P<system>{_LITERAL}))?\s*+(?P<end>\[|>)"
)
_HARMLESS = re.compile(
    rf"\s+|<\?.*?\?>|<!--.*?-->"
    rf"|<!(?:NOTATION|ELEMENT|ATTLIST)\s(?:[^<>\"'%]|{_LITERAL})*+>"
    rf"|<!ENTITY\s++[^\s%\"'<>]++\s++(?:SYSTEM|PUBLIC\s*+{_LITERAL})\s*+{_LITERAL}\s++NDATA\s++[^\s\"'<>]++\s*+>",
    re.DOTALL,
)
_ENTITY = re.compile(r"<!ENTITY\s++(?:%\s*+)?([^\s\"'<>]++)")
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_KNOWN_PUBLIC = re.compile(
    r"-//(?:NLM//DTD |TaxonX//DTD |W3C//DTD XHTML |USPTO//DTD ST\.32 |EPO//|MXW//DTD |TEI)", re.IGNORECASE
)
_KNOWN_SYSTEM = re.compile(
    r"(?:us-patent-(?:grant|application)-v\d[\w.-]*|pap-v\d[\w.-]*|ST32-US-Grant-\w+|(?:\w{1,20}-){0,4}patent-document[\w.-]{0,60}|"
    r"(?:docdb-)?exchange-documents?[\w.-]*|alexandria[\w.-]*|tei[\w.-]*|"
    r"(?:jats-)?(?:journalpublish(?:ing)?|archivearticle|articleauthoring|archivecustom|nlm|pubmed|bookdoc|xhtml)[\w.-]*)\.dtd",
    re.IGNORECASE,
)
_KNOWN_HOSTS = frozenset(
    {"www.w3.org", "jats.nlm.nih.gov", "dtd.nlm.nih.gov", "www.ncbi.nlm.nih.gov", "www.ir-facility.org"}
)
_PLAIN_NAME = re.compile(r"[\w.-]+\.dtd", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prolog:
    """What stands before the root element: the DOCTYPE if there is one, and where the rest begins."""

    doctype: re.Match[str] | None
    stop: int


def without_doctype(text: str, name: str, unknown: Counter[str] | None = None) -> str:
    """Return XML text without declaration and DOCTYPE, their lines left empty, with its named characters as numbers.

    `unknown` counts the names of characters that no table holds; they stay as they are written. Raises UnsafeXmlError
    for a forbidden DOCTYPE, TruncatedFileError for one that does not end.
    """
    prolog = _prolog(text, name)
    if prolog.doctype is not None:
        _check_external(prolog.doctype, name)
    lines = "\n" * text.count("\n", 0, prolog.stop)
    return lines + as_numbers(text[prolog.stop :], Counter() if unknown is None else unknown)


def root_name(text: str) -> str:
    """Return the local name of the root element, read without a parser; empty without one."""
    at = _skip(text, 0)
    doctype = _DOCTYPE.match(text, at)
    if doctype is not None:
        at = doctype.end()
        if doctype["end"] == "[":
            while match := _HARMLESS.match(text, at):
                at = match.end()
            closing = re.compile(r"\]\s*>").search(text, at)
            if closing is None:
                return doctype["root"].rpartition(":")[2]
            at = closing.end()
        at = _skip(text, at)
    root = _ROOT.match(text, at)
    return root[1] if root is not None else ""


def _prolog(text: str, name: str) -> Prolog:
    at = _skip(text, 0)
    doctype = _DOCTYPE.match(text, at)
    if doctype is None:
        if text.startswith("<!DOCTYPE", at):
            raise TruncatedFileError(
                f"Expected a whole DOCTYPE at the start of {name}; it does not end. Fetch the file again."
            )
        return Prolog(None, at)
    at = doctype.end()
    if doctype["end"] == "[":
        at = _check_subset(text, at, name)
    return Prolog(doctype, at)


def _skip(text: str, at: int) -> int:
    """Return the place after white space, comments and processing instructions."""
    while match := _SKIPPED.match(text, at):
        at = match.end()
    return at


def _check_subset(text: str, at: int, name: str) -> int:
    """Return the place after an internal subset without anything to expand or fetch."""
    while match := _HARMLESS.match(text, at):
        at = match.end()
    closing = re.compile(r"\]\s*>").match(text, at)
    if closing is not None:
        return closing.end()
    entity = _ENTITY.match(text, at)
    if entity is not None:
        raise UnsafeXmlError(
            f"{name} declares the entity {entity[1]!r}. Entities can hide files or grow without end, so XML that "
            "declares them is not read. Save the document without its DOCTYPE, or paste its text."
        )
    if text.startswith("%", at):
        raise UnsafeXmlError(
            f"{name} uses a parameter entity, which could bring in another file. "
            "Save the document without its DOCTYPE, or paste its text."
        )
    raise TruncatedFileError(
        f"Expected the DOCTYPE of {name} to end with ']>'; it does not. Fetch the file again, or paste its text."
    )


def _check_external(doctype: re.Match[str], name: str) -> None:
    """Refuse an external DTD unless it is a known publisher's; none is ever fetched."""
    public = (doctype["public"] or "").strip("\"'")
    system = (doctype["url"] or doctype["system"] or "").strip("\"'")
    if not public and not system:
        return
    if public and _KNOWN_PUBLIC.match(public) and _is_publishers(system):
        return
    if not public and _KNOWN_SYSTEM.fullmatch(_file_of(system)):
        return
    raise UnsafeXmlError(
        f"{name} asks for the outside file {(system or public)[:100]!r} as its DTD. Only the DTD names of JATS, NLM, "
        "the USPTO and the EPO are accepted (and never fetched). Save the document without its DOCTYPE, or paste its "
        "text."
    )


def _is_publishers(system: str) -> bool:
    """Return whether what is named beside a known public identifier is a bare file, a known one, or at the publisher's.

    A known file may lie anywhere, also on the disk of whoever wrote the document: nobody goes there.
    """
    if not system or _PLAIN_NAME.fullmatch(system) or _KNOWN_SYSTEM.fullmatch(_file_of(system)):
        return True
    parts = urlsplit(system)
    return parts.scheme in ("http", "https") and parts.hostname in _KNOWN_HOSTS


def _file_of(system: str) -> str:
    """Return the name of the file at the end of a path or an address."""
    return re.split(r"[/\\]", system)[-1]
