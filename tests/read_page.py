"""Reads an HTML page strictly: every element is closed in its turn, and nothing stands in a comment."""

from __future__ import annotations

from html.parser import HTMLParser


class Element:
    """One element with the text in it and the elements around it, from the outside in."""

    def __init__(self, name: str, attributes: dict[str, str], around: tuple[Element, ...]) -> None:
        self.name, self.attributes, self.around = name, attributes, around
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


class Page(HTMLParser):
    """Every element of a page in reading order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.found: list[Element] = []
        self._open: list[Element] = []
        self.feed(source)
        assert self._open == [], "an element is not closed"

    @property
    def text(self) -> str:
        return self.all("body")[0].text

    def id(self, name: str) -> Element:
        (one,) = (one for one in self.found if one.attributes.get("id") == name)
        return one

    def all(self, name: str, class_: str = "", *, within: str = "") -> list[Element]:
        """The elements of a name: of a class, or inside the element with an id."""
        return [
            one
            for one in self.found
            if one.name == name
            and (not class_ or class_ in one.classes)
            and (not within or any(within == around.attributes.get("id") for around in one.around))
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), "an attribute is given twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(self._open))
        self.found.append(element)
        self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().name == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.pieces.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")
