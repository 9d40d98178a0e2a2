"""XML into a tree of bounded depth and size, and a tree's text into lines; safe by defusedxml.

Which DOCTYPE is accepted stands in `doctype`. Namespaces are dropped: every format that we read
is told apart by its root, and within it local names suffice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from engine.errors import MalformedFileError, TextEncodingError, TruncatedFileError, UnsafeXmlError
from engine.readers.encoding import decode, mark
from engine.readers.limits import LIMITS, Budget, Limits
from engine.readers.xml.doctype import without_doctype
from engine.text import one_line, tidy

_ENCODING = re.compile(rb"\A\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_SINGLE_BYTE = frozenset({"iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252"})
_CUT_SHORT = frozenset({3, 5, 6, 20})  # expat: no element found, unclosed token, partial character, unclosed CDATA
_UNDEFINED_ENTITY = 11
_POINTERS = frozenset({"cross-reference", "figref"})
_NONE: frozenset[str] = frozenset()


class _BoundedBuilder(TreeBuilder):
    """Builds the tree with local names; refuses one that is deeper or larger than the limits."""

    def __init__(self, name: str, limits: Limits) -> None:
        super().__init__()
        self._name, self._budget = name, Budget.within(limits, name)
        self._depth = 0

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
        self._depth -= 1
        return super().end(tag.rpartition("}")[2])


def parse(data: bytes, name: str, limits: Limits = LIMITS) -> Element:
    """Parse one XML document into elements with local names.

    Raises UnsafeXmlError, TruncatedFileError, MalformedFileError, InputTooLargeError, or what
    `decode` raises.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    text = without_doctype(_decode(data, name), name)
    parser = DefusedXMLParser(target=_BoundedBuilder(name, limits), encoding="utf-8", forbid_dtd=True)
    try:
        parser.feed(text.encode())
        root: Element = parser.close()
    except DefusedXmlException:
        raise UnsafeXmlError(
            f"{name} declares a DOCTYPE or an entity where none may stand. Save it without, or paste its text."
        ) from None
    except ParseError as error:
        raise _explain(error, name) from None
    return root


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The direct children with one of these names."""
    if element is not None:
        yield from (child for child in element if child.tag in names)


def find_line(element: Element | None, path: str) -> str:
    """The text of the first element at the path, in one line; empty without one."""
    found = element.find(path) if element is not None else None
    return line(found)


def line(element: Element | None, *, apart: Collection[str] = _NONE, without: Collection[str] = _NONE) -> str:
    """All text of an element in one line, its markup stripped; a space around elements named in `apart`."""
    return "" if element is None else one_line("".join(_pieces(element, without, apart)))


def block(element: Element, *, breaks: Collection[str], without: Collection[str] = _NONE) -> str:
    """All text of an element; each inner element named in `breaks` stands on lines of its own."""
    return tidy("".join(_pieces(element, without, breaks)))


def _pieces(element: Element, without: Collection[str], breaks: Collection[str]) -> Iterator[str]:
    """The text pieces in order; white space within a piece is a space, so only `breaks` make lines."""
    if element.text:
        yield " ".join(re.split(r"\s+", element.text))
    for child in element:
        if child.tag not in without:
            apart = "\n" if child.tag in breaks else ""
            yield apart
            yield from _pieces(child, without, breaks)
            yield apart
        if child.tail:
            if child.tag in _POINTERS and child.tail[0].isalpha():
                yield " "  # USPTO files of 2001 lost the space after "FIG. 1"
            yield " ".join(re.split(r"\s+", child.tail))


def _decode(data: bytes, name: str) -> str:
    """Decode by the mark, else by the declaration; UTF-8 without either."""
    declared = _ENCODING.match(data)
    encoding = declared[1].decode().lower() if declared is not None and not mark(data)[1] else "utf-8"
    if encoding in _SINGLE_BYTE:
        return data.decode("cp1252" if encoding.endswith("1252") else "latin-1", errors="replace")
    if encoding not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise TextEncodingError(
            f"Expected XML in UTF-8, UTF-16 with its mark, or Latin-1 in {name}, found the declaration "
            f"encoding={encoding!r}. Convert it with: iconv -f {encoding} -t UTF-8 OLD > NEW."
        )
    return decode(data, name)


def _explain(error: ParseError, name: str) -> TruncatedFileError | MalformedFileError | UnsafeXmlError:
    row, column = error.position
    if error.code in _CUT_SHORT:
        return TruncatedFileError(
            f"Expected {name} to end with its closing tag; it stops before, at line {row}. Fetch the file again."
        )
    if error.code == _UNDEFINED_ENTITY:
        return UnsafeXmlError(
            f"{name} uses an entity at line {row} that only an outside file could define. "
            "Replace it by its character, or paste the text."
        )
    return MalformedFileError(
        f"Expected well-formed XML in {name}; line {row}, column {column + 1} breaks its rules "
        f"({str(error).partition(':')[0]}). Fetch the file again, or paste its text."
    )
