"""The numbers that headings begin with."""

from __future__ import annotations

import time

import pytest

from engine.reading.text.section_numbers import apart, counted, marked


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("2.1. Method", "2.1", "Method"),
        ("IV. METHOD", "IV", "METHOD"),
        ("Chapter 3 Lids", "3", "Lids"),
        ("Глава 2. Метод", "2", "Метод"),
        ("一、引言", "一", "引言"),
        ("第2章 方法", "2", "方法"),
        ("第三章　实验", "三", "实验"),
        ("（二）材料", "（二", "材料"),
        ("1.2 材料", "1.2", "材料"),
        ("1引言", "1", "引言"),
        ("2021年の水", "", "2021年の水"),
        ("3年后", "", "3年后"),
        ("A Method", "", "A Method"),
        ("Lids", "", "Lids"),
    ],
)
def test_a_number_apart_from_its_heading(heading: str, number: str, title: str) -> None:
    assert apart(heading) == (number, title)


@pytest.mark.parametrize(
    ("heading", "number", "top"),
    [
        ("2.1. Method", "2.1.", 2),
        ("IV. METHOD", "IV.", None),
        ("Chapter 3: Lids", "Chapter 3:", None),
        ("一、引言", "一、", None),
        ("I am", "", None),
    ],
)
def test_a_number_as_it_is_written(heading: str, number: str, top: int | None) -> None:
    assert marked(heading) == (number, top)


@pytest.mark.parametrize(
    ("number", "count"),
    [
        ("2.1", 2),
        ("\N{FULLWIDTH DIGIT ONE}", 1),
        ("IV", 4),
        ("三", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("A", None),
        ("（二", None),
    ],
)
def test_what_a_number_counts(number: str, count: int | None) -> None:
    assert counted(number) == count


@pytest.mark.parametrize("piece", ["1.", "1", " ", "一", "第", "IV", "(", "1．"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    begun = time.process_time()
    for start in ("", "1 ", "第1章", "Chapter "):
        apart(start + text)
        marked(start + text)
    assert time.process_time() - begun < 1
