"""Fonts are followed through groups and lines."""

from __future__ import annotations

from engine.reading.latex.authors import LINE, NOTE
from engine.reading.latex.styles import (
    BOLD,
    CENTRED,
    NORMAL,
    RAISED,
    USUAL,
    fonts_of,
    is_small,
    lines_of,
    mark,
    sized,
    styled,
    unmarked,
)


def test_the_style_after_a_command() -> None:
    bold = styled(NORMAL, "bf", {})
    assert bold == NORMAL | BOLD
    assert styled(bold, "rm", {}) == NORMAL
    assert styled(NORMAL, "centering", {}) == NORMAL | CENTRED
    assert styled(NORMAL, "lid", {}) is None
    small = styled(NORMAL, "small", {})
    assert small is not None and is_small(small) and not is_small(NORMAL)


def test_fonts_of_plain_tex() -> None:
    fonts = fonts_of(
        r"\font\big=cmbx12 scaled \magstep2 \font\it=cmti10 \font\tiny cmr5 at 5.5pt \font\odd=cmr scaled 2000"
    )
    assert fonts["big"] & BOLD and fonts["big"] >= sized(0, 17) > NORMAL
    assert fonts["it"] & ~sized(0, 99) and is_small(fonts["tiny"]) and fonts["odd"] >= sized(0, 20)
    assert styled(NORMAL, "big", fonts) == fonts["big"]
    assert sized(NORMAL, "many") == NORMAL


def test_lines_of_marked_text() -> None:
    large = sized(0, 20) | BOLD
    text = f"{mark(large)}Lids{mark(NORMAL)}{LINE}Ada{mark(NORMAL | RAISED)}1{mark(NORMAL)} Lind$^2$\n\nText"
    title, names, rest = lines_of(text)
    assert (title.plain, title.is_bold, title.size > USUAL, title.apart) == ("Lids", True, True, True)
    assert (names.plain, names.signed, names.apart) == ("Ada1 Lind$^2$", f"Ada{NOTE} Lind{NOTE}", False)
    assert (rest.text, rest.apart, rest.has(BOLD)) == ("Text", True, False)
    assert unmarked(text).startswith("Lids")
