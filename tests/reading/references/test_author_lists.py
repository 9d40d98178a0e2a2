"""Authors in one text, however they are parted."""

from __future__ import annotations

import time

import pytest

from engine.reading.references.author_lists import split_glued, split_names
from tests.reading.references.written import SIZE


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lind A, Ek B.", ["Lind A", "Ek B"]),
        ("Lind A., Ek B.", ["Lind A.", "Ek B."]),
        ("Ada Lind, Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind, Bo Ek, and Cy Berg", ["Ada Lind", "Bo Ek", "Cy Berg"]),
        ("Ada Lind and Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Lind, Ada and Ek, Bo", ["Lind, Ada", "Ek, Bo"]),
        ("Lind, Ada", ["Lind, Ada"]),
        ("van der Berg, Cy", ["van der Berg, Cy"]),
        ("Lind, A., Ek, B.", ["Lind, A.", "Ek, B."]),
        ("Lind, Jr., Ada", ["Lind, Jr., Ada"]),
        ("Ada Lind, Jr., Bo Ek", ["Ada Lind, Jr.", "Bo Ek"]),
        ("Lind, Ada (57190000001); Ek, Bo (57190000002)", ["Lind, Ada", "Ek, Bo"]),
        ("Lind, Ada;;Ek, Bo", ["Lind, Ada", "Ek, Bo"]),
        ("Ada Lind|Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind\nBo Ek", ["Ada Lind", "Bo Ek"]),
        ("A Lind, B Ek, ...", ["A Lind", "B Ek"]),
        ("A Lind, B Ek...", ["A Lind", "B Ek"]),
        ("A Lind, B Ek, et al.", ["A Lind", "B Ek"]),
        ("Research & Development Group", ["Research & Development Group"]),
        ("王小明, 李四", ["王小明", "李四"]),
        ("", []),
    ],
)
def test_names_in_a_text(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada LindBo EkCy van Berg", ["Ada Lind", "Bo Ek", "Cy van Berg"]),
        ("Ann McDonaldBo-Yi Li", ["Ann McDonald", "Bo-Yi Li"]),
        ("Ada Lind", ["Ada Lind"]),
        ("Ada Lind; Bo Ek", ["Ada Lind", "Bo Ek"]),
    ],
)
def test_names_that_stand_without_a_mark_between(text: str, names: list[str]) -> None:
    assert split_glued(text) == names


@pytest.mark.parametrize("piece", [",", " and ", ". ", "A.", "A, ", "(1234", "aB", " & ", "あ,", "Jr,", " …", "et al "])
def test_hostile_lists_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    split_names(piece * (SIZE // len(piece)))
    split_glued(piece * (SIZE // len(piece)))
    assert time.process_time() - begun < 5
