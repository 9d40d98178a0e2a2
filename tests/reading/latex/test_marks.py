"""Stripped text becomes paragraphs, titles and parts of an abstract; fonts are followed through groups and lines."""

from __future__ import annotations

from engine.reading.latex.marks import (
    BEGIN_OF_SMALL,
    BOLD,
    CENTRED,
    END_OF_SMALL,
    HEADING,
    LINE,
    NORMAL,
    NOTE,
    RAISED,
    USUAL,
    fonts_of,
    is_mark,
    is_small,
    lines_of,
    mark,
    part_keywords,
    parts_of_abstract,
    resize,
    style_after,
    title_line,
    without_marks,
)


def test_the_parts_of_an_abstract() -> None:
    text = f"Abstract: It boils.\n\n{HEADING}2. Results.\n\nIt is quiet.\n\nKeywords: lids, pots"
    abstract, keywords = parts_of_abstract(text)
    assert (abstract.role, abstract.text) == ("abstract", "It boils.\n\nResults: It is quiet.")
    assert (keywords.role, keywords.text) == ("keywords", "lids, pots")
    assert list(parts_of_abstract(" ")) == []


def test_a_note_in_a_title_is_left_out() -> None:
    assert title_line(f"Lids {BEGIN_OF_SMALL}A note{END_OF_SMALL} at sea") == "Lids at sea"
    assert title_line(f"{BEGIN_OF_SMALL}Lids") == "Lids"
    assert is_mark("$^{*}$") and is_mark(r"$^\dagger$") and not is_mark("$x^2$")


def test_keywords_between_dashes() -> None:
    assert part_keywords("lids \u2013 pots \u2014 seals") == "lids; pots; seals"
    assert part_keywords("non \u2013 linear, lids") == "non \u2013 linear, lids"


def test_the_style_after_a_command() -> None:
    bold = style_after(NORMAL, "bf", {})
    assert bold == NORMAL | BOLD
    assert style_after(bold, "rm", {}) == NORMAL
    assert style_after(NORMAL, "centering", {}) == NORMAL | CENTRED
    assert style_after(NORMAL, "lid", {}) is None
    small = style_after(NORMAL, "small", {})
    assert small is not None and is_small(small) and not is_small(NORMAL)


def test_fonts_of_plain_tex() -> None:
    fonts = fonts_of(
        r"\font\big=cmbx12 scaled \magstep2 \font\it=cmti10 \font\tiny cmr5 at 5.5pt \font\odd=cmr scaled 2000"
    )
    assert fonts["big"] & BOLD and fonts["big"] >= resize(0, 17) > NORMAL
    assert fonts["it"] & ~resize(0, 99) and is_small(fonts["tiny"]) and fonts["odd"] >= resize(0, 20)
    assert style_after(NORMAL, "big", fonts) == fonts["big"]
    assert resize(NORMAL, "many") == NORMAL


def test_lines_of_marked_text() -> None:
    large = resize(0, 20) | BOLD
    text = f"{mark(large)}Lids{mark(NORMAL)}{LINE}Ada{mark(NORMAL | RAISED)}1{mark(NORMAL)} Lind$^2$\n\nText"
    title, names, rest = lines_of(text)
    assert (title.plain, title.is_bold, title.size > USUAL, title.apart) == ("Lids", True, True, True)
    assert (names.plain, names.signed, names.apart) == ("Ada1 Lind$^2$", f"Ada{NOTE} Lind{NOTE}", False)
    assert (rest.text, rest.apart, rest.has(BOLD)) == ("Text", True, False)
    assert without_marks(text).startswith("Lids")
