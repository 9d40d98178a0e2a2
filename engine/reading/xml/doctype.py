"""The prolog of an XML file: which DOCTYPE is allowed, and which is refused.

An external DTD is never fetched and an entity is never expanded, whatever a file says. Yet real
patents and articles name their publisher's DTD, and old patents list their drawings in it. So:

* A DOCTYPE with no external DTD, with a known publisher's DTD (JATS and NLM by public identifier, as
  MAREC's; the USPTO's by file name; XHTML's, which some copies of USPTO files carry) is cut off unread.
* In its internal subset, notations, element and attribute declarations are cut off with it, and so
  is an unparsed entity (`<!ENTITY FIG1 SYSTEM "fig1.tif" NDATA TIF>`): a picture's name, not text.
* Any other external DTD, every entity with a replacement text or an external text, and every
  parameter entity is refused with UnsafeXmlError.

What is left lacks a DOCTYPE, and the parser (defusedxml) refuses any that it meets, so a mistake in this module cannot
let entities in. The names of characters (`&mdash;`) that those DTDs define become numbers: see `entities`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.core.errors import TruncatedFileError, UnsafeXmlError
from engine.reading.xml.entities import as_numbers

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
    r"(?:docdb-)?exchange-documents?[\w.-]*|alexandria[\w.-]*|tei[\w.-]*)\.dtd",
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
    """XML text without declaration and DOCTYPE, their lines left empty, and with its named characters as numbers.

    `unknown` counts the names of characters that no table holds; they stay as they are written. Raises UnsafeXmlError
    for a forbidden DOCTYPE, TruncatedFileError for one that does not end.
    """
    prolog = _prolog(text, name)
    if prolog.doctype is not None:
        _check_external(prolog.doctype, name)
    lines = "\n" * text.count("\n", 0, prolog.stop)
    return lines + as_numbers(text[prolog.stop :], Counter() if unknown is None else unknown)


def root_name(text: str) -> str:
    """The local name of the root element, read without a parser; empty without one."""
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
    """The place after white space, comments and processing instructions."""
    while match := _SKIPPED.match(text, at):
        at = match.end()
    return at


def _check_subset(text: str, at: int, name: str) -> int:
    """The place after an internal subset without anything to expand or fetch."""
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
    if not public and _KNOWN_SYSTEM.fullmatch(system):
        return
    raise UnsafeXmlError(
        f"{name} asks for the outside file {(system or public)[:100]!r} as its DTD. Only the DTD names of JATS, NLM, "
        "the USPTO and the EPO are accepted (and never fetched). Save the document without its DOCTYPE, or paste its "
        "text."
    )


def _is_publishers(system: str) -> bool:
    """Whether the place named beside a known public identifier is a bare file name or the publisher's own."""
    if not system or _PLAIN_NAME.fullmatch(system):
        return True
    parts = urlsplit(system)
    return parts.scheme in ("http", "https") and parts.hostname in _KNOWN_HOSTS
