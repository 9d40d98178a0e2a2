"""A small made-up dump: groups of articles that link to the same titles, and pages of other kinds."""

from __future__ import annotations

import bz2
from pathlib import Path
from xml.sax.saxutils import escape

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">\n'
    "<siteinfo><dbname>x</dbname></siteinfo>\n"
)
END = "</mediawiki>\n"


def page(number: int, title: str, source: str, *, ns: int = 0, redirect: str = "") -> str:
    """A page as a dump holds it."""
    to = f'<redirect title="{escape(redirect)}" />' if redirect else ""
    revision = f"<revision><id>9{number}</id><text bytes='1' xml:space='preserve'>{escape(source)}</text></revision>"
    return f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>{number}</id>{to}{revision}</page>\n"


def article(group: int, number: int, *, groups: int = 8) -> str:
    """An article of a group: eight links of its group, one of its own, two that all groups share."""
    own = [f"Thing {group} {place}" for place in range(8) if place != number % 8]
    links = [*own, f"Own {group} {number}", "World", f"Neighbour {group % groups}"]
    linked = " ".join(f"[[{one}]]" for one in links)
    return (
        f"'''Article {group}''' stands here.<ref>A [[Hidden]] note.</ref>\n\n"
        f"== History ==\nIt began with {linked}.\n\n== Use ==\nIt is used in group {group}.\n"
    )


def pages(groups: int = 8, each: int = 4) -> list[str]:
    """All pages: groups of articles, then a redirect, a talk page, a list of names, and an article without sections."""
    found = [
        page(100 * group + number, f"Item {group} {number}", article(group, number, groups=groups))
        for group in range(1, groups + 1)
        for number in range(each)
    ]
    return [
        *found,
        page(1, "Old name", "#REDIRECT [[Item 1 1]]", redirect="Item 1 1"),
        page(2, "Talk:Item 1 1", article(1, 1), ns=1),
        page(3, "Item", article(1, 2) + "{{disambiguation}}"),
        page(4, "Short", " ".join(f"[[Thing 1 {place}]]" for place in range(8))),
    ]


def write_dump(path: Path, given: list[str] | None = None, *, end: str = END) -> Path:
    """Write a dump, packed where its name says so."""
    data = (HEAD + "".join(pages() if given is None else given) + end).encode()
    path.write_bytes(bz2.compress(data) if path.suffix == ".bz2" else data)
    return path
