"""XML into a tree of bounded depth and size, and a tree's text into lines; safe by defusedxml.

Which DOCTYPE is accepted stands in `doctype`. Namespaces are dropped: every format that we read
is told apart by its root, and within it local names suffice. A reissued patent marks the words that it deletes and
inserts; the tree holds the text as it is now, without the deleted words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from engine.core.errors import MalformedFileError, TextEncodingError, TruncatedFileError, UnsafeXmlError
from engine.documents.text import one_line, tidy
from engine.reading.encoding import Warn, decode, mark
from engine.reading.encoding_names import codec
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.xml.doctype import without_doctype

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
    """The USPTO's SGML of 2001 as XML: elements whose end tag stands nowhere are empty; XML stays as it is."""
    if not _SGML_ROOT.match(text):
        return text
    ended = {match[2] for match in _TAG.finditer(text) if match[1]}

    def close(match: re.Match[str]) -> str:
        return match[0] if match[2] in ended or match[3].endswith("/") else f"{match[0][:-1]}/>"

    return _TAG.sub(close, text)


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
    """Whether bytes are UTF-8, whatever they declare: nothing else of some length passes for it."""
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
