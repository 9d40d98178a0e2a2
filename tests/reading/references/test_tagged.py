"""Records of tagged lines, whatever their dialect."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.reading.limits import Limits
from engine.reading.omissions import Omissions
from engine.reading.references.tagged import REFWORKS, Dialect, Record, read_records

TAGGED = re.compile(r"([A-Z]{2})(?: |$)(.*)")
OPEN = replace(REFWORKS, tagged=TAGGED, begins=frozenset({"NO"}), gap=" ")
CLOSED = replace(OPEN, begins=frozenset({"BE"}), ends=frozenset({"EN"}), around=frozenset({"HE"}), gap="\n")


def records(text: str, dialect: Dialect, told: list[str] | None = None, limits: Limits | None = None) -> list[Record]:
    omissions = Omissions((told if told is not None else []).append)
    return list(read_records(text.splitlines(), dialect, "a", limits or Limits(), omissions))


def test_records_that_end_and_lines_outside_of_them() -> None:
    told: list[str] = []
    one, two = records("HE x\nAU z\nBE 1\nTI a\n  b\nTI c\nEN \nnote\nAU y\nBE 2\nTI d", CLOSED, told)
    assert (one.line, one.all("TI"), one.lines("TI"), one.first("AU", "BE")) == (3, ["a\nb", "c"], ["a", "b", "c"], "1")
    assert (two.place, two.first("TI")) == ("the record of line 10 of a", "d")
    assert told == ["2 lines of a outside of its records were left out, the first of them line 2: 'AU z'."]


@pytest.mark.parametrize(
    "text", ["NO 1\nTI a\n\nNO 2\nTI b", "NO 1\nTI a\nNO 2\nTI b", "AU x\nTI a\n\nmore\n\nAU y\nAU z\nTI b"]
)
def test_records_without_an_end_begin_as_the_first_did(text: str) -> None:
    assert [one.first("TI").split()[0] for one in records(text, OPEN)] == ["a", "b"]


def test_a_record_is_bounded() -> None:
    told: list[str] = []
    text = "NO 0\nTI b\nNO 1\n" + "TI a\n  b\n" * 300 + "NO 2\nTI c\nNO 3\n" + "TI a\n" * 300
    found = records(text, OPEN, told, limits=Limits(max_record_bytes=1000))
    assert [one.all("NO", "TI") for one in found] == [["0", "b"], ["2", "c"]]
    assert ["at most 0 MiB in the record of line 3 of a; it is" in one for one in told] == [True, False]
