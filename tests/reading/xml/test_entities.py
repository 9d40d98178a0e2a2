"""Named characters of HTML and ISO 8879."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.reading.xml.entities import as_numbers


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("mgr", "\N{GREEK SMALL LETTER MU}"),
        ("agr", "\N{GREEK SMALL LETTER ALPHA}"),
        ("thgr", "\N{GREEK SMALL LETTER THETA}"),
        ("THgr", "\N{GREEK CAPITAL LETTER THETA}"),
        ("eegr", "\N{GREEK SMALL LETTER ETA}"),
        ("OHgr", "\N{GREEK CAPITAL LETTER OMEGA}"),
        ("sfgr", "\N{GREEK SMALL LETTER FINAL SIGMA}"),
        ("Sgr", "\N{GREEK CAPITAL LETTER SIGMA}"),
        ("ohacgr", "\N{GREEK SMALL LETTER OMEGA WITH TONOS}"),
        ("Udigr", "\N{GREEK CAPITAL LETTER UPSILON WITH DIALYTIKA}"),
        ("b.gamma", "\N{GREEK SMALL LETTER GAMMA}"),
        ("b.thetas", "\N{GREEK SMALL LETTER THETA}"),
        ("rlarr2", "\N{RIGHTWARDS ARROW OVER LEFTWARDS ARROW}"),
        ("lsqb", "["),
        ("mdash", "\N{EM DASH}"),
        ("Dcaron", "\N{LATIN CAPITAL LETTER D WITH CARON}"),
        ("bne", "=\u20e5"),
    ],
)
def test_names(name: str, character: str) -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers(f"a&{name};b", unknown) == f"a{''.join(f'&#{ord(one)};' for one in character)}b"
    assert not unknown


def test_no_stem_of_a_greek_letter_is_a_capital_of_another() -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers("&SFgr; &sfgr;", unknown) == "&amp;SFgr; &#962;"
    assert unknown == {"SFgr": 1}


@pytest.mark.parametrize("quoted", ["<!-- &agr; -->", "<![CDATA[&agr; ]] &agr;]]>", "&amp;agr;", "&lt;", "& agr;"])
def test_what_names_no_character(quoted: str) -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers(quoted, unknown) == quoted
    assert not unknown


def test_time_of_the_length() -> None:
    as_numbers("<!--" * 100_000 + "&a" * 100_000, Counter())
