"""Names are told from marks, degrees, places and addresses."""

from __future__ import annotations

import pytest

from engine.reading.latex.authors import HARD, LINE, NOTE, SOFT, is_place, line_of_names, names_in
from tests.reading.latex.sources import read


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        (f"Ada Lind{NOTE}{HARD}Bo Ek", ["Ada Lind", "Bo Ek"]),
        (f"1{NOTE} Ada Lind", ["Ada Lind"]),
        ("1st Ada Lind", ["Ada Lind"]),
        ("Dr. Ada Lind, PhD, Bo Ek Jr., and Cy Fox, Senior Member, IEEE", ["Ada Lind", "Bo Ek Jr.", "Cy Fox"]),
        ("Ada Lind, Jr. and Bo Ek, III", ["Ada Lind Jr.", "Bo Ek III"]),
        (f"Ada Lind{LINE}Lid Lab{LINE}{LINE}Bo Ek", ["Ada Lind", "Bo Ek"]),
        (f"Ada Lind{NOTE}{SOFT}Bo Ek{NOTE}{LINE}Cy Fox{NOTE}{LINE}{NOTE}Lid Town", ["Ada Lind", "Bo Ek", "Cy Fox"]),
        (f"Ada Lind{SOFT}Bo Ek{LINE}Cy Fox{SOFT}Di Gun{LINE}Lid Town", ["Ada Lind", "Bo Ek", "Cy Fox", "Di Gun"]),
        (f"by{LINE}Ada Lind", ["Ada Lind"]),
        ("Lind, Ada", ["Ada Lind"]),
        ("Ada Lind e Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("王伟, 李小明", ["王伟", "李小明"]),
        ("Ada Lind, ada@lid.example, Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Anonymous Authors", []),
        ("Lid University", []),
    ],
)
def test_the_names_of_an_entry(entry: str, names: list[str]) -> None:
    assert list(names_in(entry, lambda: None)) == names


def test_a_line_of_names_alone() -> None:
    assert line_of_names("Ada Lind and Bo Ek") == ["Ada Lind", "Bo Ek"]
    assert line_of_names("Lids whistle at night when it boils.") == []
    assert is_place("Department of Lids") and is_place("ada@lid.example") and not is_place("Ada Lind")


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (r"\author{Ada Lind, Kurt G\"odel and Bo Ek}", ("Ada Lind", "Kurt Gödel", "Bo Ek")),
        (r"\author{\begin{tabular}{c}Ada Lind\\Lid Lab\end{tabular}\and Bo Ek}", ("Ada Lind", "Bo Ek")),
        (r"\author{Ada Lind\,$^{1,*}$ and Bo\\ Ek}", ("Ada Lind",)),
        ("\\author{Ada\n Lind,\n Bo Ek}", ("Ada Lind", "Bo Ek")),
        (r"\author{\href{https://lid.example}{Ada Lind}}", ("Ada Lind",)),
    ],
)
def test_names_in_source(written: str, names: tuple[str, ...]) -> None:
    assert read(f"\\documentclass{{a}}\\title{{T}}{written}\\begin{{document}}A").document.authors == names


def test_every_entry_is_told_though_it_holds_no_name() -> None:
    told: list[None] = []
    assert not list(names_in(f"Moor 1{HARD}Moor 2{HARD}Moor 3", lambda: told.append(None)))
    assert len(told) == 3
