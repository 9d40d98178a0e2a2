"""What a paragraph's style says of it, and the numbers that Word writes before paragraphs."""

from __future__ import annotations

import time
from xml.etree.ElementTree import fromstring

import pytest

from engine.documents import Section
from engine.reading.docx.styles import Numbering, Style, Styles
from tests.reading.docx.writer import METHOD, STYLES, TITLE, docx, paragraph, read

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def level(at: int, form: str, text: str, style: str = "", start: int = 1) -> str:
    """One level of a definition; `style` is the one that it stands for."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    marks = f'<w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{named}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{at}">{marks}</w:lvl>'


def definition(number: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def use(number: int, of: int, start: int | None = None) -> str:
    """A list that counts by a definition; with `start` it begins again there."""
    again = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{start}"/></w:lvlOverride>' if start else ""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{again}</w:num>'


def numbering(*parts: str) -> str:
    """The file's part of lists."""
    return f"<w:numbering {_W}>{''.join(parts)}</w:numbering>"


def counted(text: str, number: int, at: int = 0) -> str:
    """A paragraph of a list."""
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>')


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


CLAIMS = paragraph("Claims", "berschrift1")
STEPS = definition(1, level(0, "decimal", "%1."), level(1, "lowerLetter", "%2)"))
BULLETS = definition(2, level(0, "bullet", "-"))


def lists(*parts: str) -> Numbering:
    return Numbering(fromstring(numbering(*parts).replace("w:", "")))


def labels(counting: Numbering, *places: tuple[str, int]) -> list[str]:
    found = (counting.next(*place) for place in places)
    return [one.label for one in found if one is not None]


def test_levels_count_and_start_again_below_a_higher_one() -> None:
    counting = lists(
        definition(1, level(0, "decimal", "%1."), level(1, "lowerLetter", "%1%2)"), level(2, "upperRoman", "%3")),
        use(5, 1),
    )
    places = (("5", 0), ("5", 1), ("5", 1), ("5", 2), ("5", 0), ("5", 1))
    assert labels(counting, *places) == ["1.", "1a)", "1b)", "I", "2.", "2a)"]


def test_two_uses_of_a_list_count_on_unless_one_starts_again() -> None:
    counting = lists(STEPS, use(5, 1), use(6, 1), use(7, 1, start=9))
    assert labels(counting, ("5", 0), ("6", 0), ("7", 0), ("7", 0)) == ["1.", "2.", "9.", "10."]


@pytest.mark.parametrize(
    ("form", "label"),
    [("decimalZero", "04"), ("upperLetter", "D"), ("lowerRoman", "iv"), ("decimal", "4"), ("bullet", "")],
)
def test_forms_of_numbers(form: str, label: str) -> None:
    assert labels(lists(definition(1, level(0, form, "%1", start=4)), use(5, 1)), ("5", 0)) == [label]


def test_list_0_is_none_and_an_unknown_list_counts_nothing() -> None:
    assert lists(STEPS, use(5, 1)).next("0", 0) is None
    found = Numbering(None).next("5", 1)
    assert found is not None
    assert (found.value, found.label, found.level) == (None, "", 1)


def claims(
    *blocks: str, styles: str = "", parts: tuple[str, ...] = (STEPS, BULLETS, use(5, 1), use(6, 2))
) -> tuple[str, ...]:
    named = {
        "word/numbering.xml": numbering(*parts),
        "word/styles.xml": STYLES.replace("</w:styles>", f"{styles}</w:styles>"),
    }
    return read(docx(TITLE, *METHOD, CLAIMS, *blocks, parts=named)).document.claims


def test_claims_of_a_list_with_steps_and_lines_that_go_on() -> None:
    found = claims(
        counted("A lid with", 5),
        counted("a knob; and", 5, 1),
        counted("a rim.", 5, 1),
        counted("The lid of claim 1,", 5),
        paragraph("made of steel."),
        counted("A pot.", 5),
    )
    assert found == ("A lid with a knob; and a rim.", "The lid of claim 1, made of steel.", "A pot.")


def test_steps_with_bullets_or_numbers_of_their_own_are_no_claims() -> None:
    parts = (
        STEPS,
        BULLETS,
        definition(3, level(0, "decimal", "%1)")),
        use(5, 1),
        use(6, 2),
        use(7, 3),
        use(8, 1, start=2),
    )
    found = claims(
        counted("A lid with", 5),
        counted("a knob;", 6),
        counted("a rim;", 7),
        counted("a seal.", 7),
        counted("A pot.", 8),
        parts=parts,
    )
    assert found == ("A lid with a knob; a rim; a seal.", "A pot.")


def test_claims_by_a_style_that_a_list_is_linked_with() -> None:
    styles = "".join(
        f'<w:style w:styleId="{key}"><w:name w:val="{key}"/><w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr>'
        "</w:style>"
        for key in ("Claim", "Step")
    )
    styles += '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Claim"/></w:style>'
    linked = definition(1, level(0, "decimal", "%1.", "Claim"), level(1, "lowerLetter", "%2)", "Step"))
    blocks = (paragraph("A lid with", "Claim"), paragraph("a knob.", "Step"), paragraph("A pot.", "Own"))
    assert claims(*blocks, styles=styles, parts=(linked, use(5, 1))) == ("A lid with a knob.", "A pot.")


def test_claims_of_a_file_without_styles_of_headings() -> None:
    texts = ("Quiet lid", "TECHNICAL FIELD", "Lids rattle.", "BACKGROUND", "They do.", "CLAIMS", "What is claimed is:")
    items = (counted("A lid with", 5), counted("a knob.", 6), counted("The lid of claim 1.", 5))
    parts = {"word/numbering.xml": numbering(STEPS, BULLETS, use(5, 1), use(6, 2))}
    found = read(docx(*map(paragraph, texts), *items, parts=parts)).document
    assert (found.title, found.claims) == ("Quiet lid", ("A lid with a knob.", "The lid of claim 1."))


def test_numbered_paragraphs_of_a_description_are_no_list() -> None:
    parts = {"word/numbering.xml": numbering(definition(1, level(0, "decimal", "[%1]")), use(5, 1))}
    found = read(docx(TITLE, METHOD[0], counted("Lids rattle.", 5), counted("They do.", 5), parts=parts)).document
    assert found.sections == (Section("Method", "Lids rattle.\n\nThey do."),)


def test_many_claims_cost_no_more_than_their_number() -> None:
    begun = time.process_time()
    found = claims(*(counted("A lid.", 5) for _ in range(2_000)))
    assert len(found) == 2_000
    assert time.process_time() - begun < 8
