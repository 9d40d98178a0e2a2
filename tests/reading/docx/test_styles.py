"""What a paragraph's style says of it."""

from __future__ import annotations

import time
from xml.etree.ElementTree import fromstring

import pytest

from engine.reading.docx.styles import Style, Styles


def styles(*written: str) -> Styles:
    return Styles(fromstring(f"<styles>{''.join(written)}</styles>"))


def style(key: str, name: str, base: str = "", inner: str = "") -> str:
    return f'<style styleId="{key}"><name val="{name}"/><basedOn val="{base}"/>{inner}</style>'


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Title", "title"),
        ("Titel", "title"),
        ("Subtitle", "subtitle"),
        ("heading 2", "heading"),
        ("Überschrift 1", "heading"),
        ("Abstract", "abstract"),
        ("Zusammenfassung", "abstract"),
        ("摘要", "abstract"),
        ("Schlüsselwörter", "keywords"),
        ("Bibliography", "references"),
        ("Literaturverzeichnis", "references"),
        ("toc 1", "skip"),
        ("Author", "skip"),
        ("Body Text", "text"),
        ("x" * 100_000, "text"),
    ],
)
def test_a_role_by_the_name(name: str, part: str) -> None:
    assert styles(style("a", name)).of("a").part == part


def test_traits_come_from_the_nearest_style_that_has_them() -> None:
    listed = '<pPr><numPr><numId val="7"/></numPr></pPr>'
    found = styles(
        style("a", "heading 3", inner='<rPr><sz val="40"/></rPr>'),
        style("b", "Mine", "a", listed),
        style("c", "Own", "b"),
    )
    assert found.of("c") == Style("heading", 3, "7", None, 40)


def test_a_style_that_the_file_lacks_is_known_by_its_id() -> None:
    assert Styles(None).of("Heading2") == Style("heading", 2)
    assert Styles(None).of("Quote") == Style()


def test_the_size_of_the_running_text() -> None:
    assert Styles(None).size == 22
    assert styles('<docDefaults><rPrDefault><rPr><sz val="24"/></rPr></rPrDefault></docDefaults>').size == 24


def test_a_long_chain_of_styles_costs_no_more_than_its_length() -> None:
    found = styles(*(style(f"s{at}", f"x{at}", f"s{at - 1}") for at in range(20_000)))
    begun = time.process_time()
    assert all(found.of(f"s{at}").part == "text" for at in range(20_000))
    assert time.process_time() - begun < 8
