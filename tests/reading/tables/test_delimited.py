"""CSV and its kin into documents."""

from __future__ import annotations

import csv
import io
import json
import time

import pytest

from engine.core.errors import InputError, MalformedFileError, TruncatedFileError
from engine.reading.dispatch import detect, read_bytes
from tests.reading.tables.rows import DOCUMENT, ROW, of_csv


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_has_every_column(delimiter: str) -> None:

    held = io.StringIO()
    writer = csv.writer(held, delimiter=delimiter)
    writer.writerow(ROW)
    writer.writerow(value if isinstance(value, str) else json.dumps(value) for value in ROW.values())
    assert of_csv(held.getvalue()) == [DOCUMENT]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_header_in_quotation_marks_may_hold_the_delimiter(delimiter: str) -> None:
    rows = [["title", f"notes{delimiter} long", "year"], ["A", "b", "1999"]]
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\n" for row in rows)
    assert [(one.title, one.year) for one in of_csv(text)] == [("A", 1999)]


def test_a_table_with_old_line_ends_is_told_by_its_header() -> None:
    assert detect(b"title,abstract\rA,B\r", "a") == "csv"


def test_a_byte_order_mark_is_no_part_of_a_column() -> None:
    assert read_bytes("\ufefftitle,abstract\nA,B\n".encode(), "a.csv").document.title == "A"


def test_a_mark_before_a_formula_that_our_export_puts_there_is_taken_off() -> None:
    (found,) = of_csv("title,abstract\n'-omics of the cell,'tis so\n")
    assert (found.title, found.abstract) == ("-omics of the cell", "'tis so")


def test_a_quotation_mark_that_does_not_close_costs_its_row_alone() -> None:
    told: list[str] = []
    assert [one.title for one in of_csv('title,abstract\nA,B\n"C, D\nE,F\nG,"H"\nI,J\n', said=told)] == [
        "A",
        "E",
        "G",
        "I",
    ]
    assert "Expected CSV in line 3 of a.csv" in told[0]
    assert [one.title for one in of_csv('title,abstract\nA,B\n"C, D', said=told)] == ["A"]
    assert "Expected a closing quotation mark in line 3 of a.csv or below" in told[1]
    with pytest.raises(TruncatedFileError, match=r"a closing quotation mark in line 2 of a\.csv or below; the file"):
        of_csv('title,abstract\n"C, D')


def test_malformed_csv() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected CSV in line 2 of a\.csv: .*Double the quotation marks"):
        of_csv('title,abstract\n"A"B,C\n')


def test_rows_of_another_width() -> None:
    told: list[str] = []
    found = of_csv("title,abstract,year\nA,B\nC,D,1999,F\nG,H,2000,,\n,\n x\n", said=told)
    assert [(one.title, one.year) for one in found] == [("A", None), ("G", 2000), ("x", None)]
    assert len(told) == 1
    assert "Expected 3 columns in line 3 of a.csv, as its header has; found 4. Put quotation marks" in told[0]
    with pytest.raises(MalformedFileError, match=r"found 1 without title and text\. Fill the row, or take it out"):
        of_csv("year,title\n1999\n")


@pytest.mark.parametrize(
    "above",
    [
        "search URL:,https://example.org/?q=(lids)&before=priority:20210101\n",
        "sep=,\n",
        '"sep=,"\n\n',
        '"About the data: Exported on Mar 02, 2021.\nCriteria: lids, pots; in full data."\n',
        "Lids 2021\n\nFound: 2 results\n",
    ],
)
def test_lines_above_the_header(above: str) -> None:
    told: list[str] = []
    found = of_csv(f'{above}Title,Abstract,Authors,Year\nLids,"Of\nlids",A,2021\nPots,x,B,x\n', said=told)
    assert [one.title for one in found] == ["Lids", "Pots"]
    assert f"of line {above.count(chr(10)) + 4} of a.csv, found 'x'" in told[0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_separator_that_the_first_line_names(delimiter: str) -> None:
    (found,) = of_csv(f"sep={delimiter}\r\nTitle{delimiter}Year\r\nLids{delimiter}1999\r\n")
    assert (found.title, found.year) == ("Lids", 1999)


@pytest.mark.parametrize("piece", ['"', '""', '",', ",", "\n", '"\n', 'a"\n', ',"x\n'])
def test_hostile_csv_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    try:
        of_csv("title,abstract\n" + piece * (20_000 // len(piece)))
    except InputError:
        pass
    assert time.process_time() - begun < 5
