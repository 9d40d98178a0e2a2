from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.documents import Document, Section
from engine.errors import (
    InputError,
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    TextEncodingError,
    TruncatedFileError,
)
from engine.readers import Limits, detect, iter_documents, read_bytes
from engine.readers.tables.reader import read_csv, read_jsonl, read_parquet
from tests.readers.tables.rows import jsonl, of_csv, of_jsonl, parquet

ROW: dict[str, Any] = {
    "id": "x:1",
    "kind": "patent",
    "title": "A <i>title</i>",
    "abstract": "An abstract.",
    "sections": [{"title": "One", "text": "First."}, {"title": "References", "text": "[1] A."}],
    "year": 2001,
    "categories": ["A01B", "C07"],
    "keywords": ["tea"],
    "venue": "Journal",
    "authors": ["A. B.", "C. D."],
    "family": "f1",
    "url": "https://example.org/1",
    "claims": ["A lid.", "The lid of claim 1."],
    "unknown": {"left": "alone"},
}
DOCUMENT = Document(
    id="x:1",
    kind="patent",
    title="A <i>title</i>",
    abstract="An abstract.",
    sections=(Section("One", "First."), Section("References", "[1] A.", "references")),
    year=2001,
    categories=("A01B", "C07"),
    keywords=("tea",),
    venue="Journal",
    authors=("A. B.", "C. D."),
    family="f1",
    url="https://example.org/1",
    claims=("A lid.", "The lid of claim 1."),
)


def test_jsonl_has_every_column() -> None:
    assert of_jsonl(jsonl(ROW)) == [DOCUMENT]


def test_parquet_has_every_column() -> None:
    assert list(read_parquet(io.BytesIO(parquet([ROW])), "a.parquet")) == [DOCUMENT]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_has_every_column(delimiter: str) -> None:
    import csv

    held = io.StringIO()
    writer = csv.writer(held, delimiter=delimiter)
    writer.writerow(ROW)
    writer.writerow(value if isinstance(value, str) else json.dumps(value) for value in ROW.values())
    assert of_csv(held.getvalue()) == [DOCUMENT]


@pytest.mark.parametrize("column", ["title", "abstract", "text"])
def test_one_column_of_text_is_enough(column: str) -> None:
    document = of_jsonl(jsonl({column: "Words."}))[0]
    assert document.text == "Words."
    assert document.kind == "paper"
    assert document.id.startswith("text:")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_header_in_quotation_marks_may_hold_the_delimiter(delimiter: str) -> None:
    rows = [["title", f"notes{delimiter} long", "year"], ["A", "b", "1999"]]
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\n" for row in rows)
    assert [(one.title, one.year) for one in of_csv(text)] == [("A", 1999)]


def test_a_table_with_old_line_ends_is_told_by_its_header() -> None:
    assert detect(b"title,abstract\rA,B\r", "a") == "csv"


def test_a_time_outside_the_calendar_in_parquet() -> None:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    times = pyarrow.array([0, 2**62], pyarrow.timestamp("ms"))
    pyarrow.parquet.write_table(pyarrow.table({"title": ["A", "B"], "year": times}), held)
    with pytest.raises(
        MalformedFileError, match=r"years 1 to 9999 in the column 'year' of rows 1 to 2 of a; .* Write dates as text"
    ):
        list(read_parquet(held, "a"))


def test_year_that_is_no_number_in_parquet() -> None:
    rows = [{"title": "A", "year": 2000.0}, {"title": "B", "year": float("nan")}]
    assert [one.year for one in read_parquet(io.BytesIO(parquet(rows)), "a")] == [2000, None]


@pytest.mark.parametrize("indent", [None, 2])
def test_json_in_one_value(indent: int | None) -> None:
    assert of_jsonl(json.dumps(ROW, indent=indent).encode()) == [DOCUMENT]
    assert of_jsonl(json.dumps([ROW, ROW], indent=indent).encode()) == [DOCUMENT, DOCUMENT]


def test_utf16_tables() -> None:
    data = json.dumps({"title": "Thé"}, ensure_ascii=False).encode("utf-16")
    assert of_jsonl(data)[0].title == "Thé"
    assert read_bytes("title,abstract\nThé,B\n".encode("utf-16"), "a.csv").document.title == "Thé"


def test_a_byte_order_mark_is_no_part_of_a_column() -> None:
    assert read_bytes("\ufefftitle,abstract\nA,B\n".encode(), "a.csv").document.title == "A"


@pytest.mark.parametrize(
    ("data", "row"), [(b'{"title": "A"}\n{"title": "B', 2), (b'{"title": "A"', 1), (b'{"title": "A"}\n{"title":', 2)]
)
def test_truncated_json(data: bytes, row: int) -> None:
    with pytest.raises(
        TruncatedFileError, match=rf"Expected whole JSON in row {row} of a.jsonl; it stops in the middle"
    ):
        of_jsonl(data)


@pytest.mark.parametrize("data", [b'{"title": "A"}\n{title: "B"}\n', b'{"title": "A"}\n{"title": "B"} x\n'])
def test_malformed_json(data: bytes) -> None:
    with pytest.raises(MalformedFileError, match=r"Expected JSON in row 2 of a\.jsonl: .* at character \d+"):
        of_jsonl(data)


@pytest.mark.parametrize("line", ["[1]", "5", '"text"', "null"])
def test_json_that_is_no_object(line: str) -> None:
    with pytest.raises(MalformedFileError, match=r"Expected a JSON object in row 2 of a\.jsonl, found \w+"):
        of_jsonl(b'{"title": "A"}\n' + line.encode())


def test_a_mark_before_a_formula_that_our_export_puts_there_is_taken_off() -> None:
    (found,) = of_csv("title,abstract\n'-omics of the cell,'tis so\n")
    assert (found.title, found.abstract) == ("-omics of the cell", "'tis so")


def test_an_arxiv_record_with_an_author_without_a_name_is_read() -> None:
    record = {"id": "0704.0001", "title": "Kites", "abstract": "Fly.", "categories": "cs.RO", "versions": []}
    (found,) = of_jsonl(jsonl({**record, "authors_parsed": [["Berners", "Ada", ""], []]}))
    assert found.authors[0] == "Ada Berners"
    with pytest.raises(MalformedFileError, match="Expected a whole record of arXiv's"):
        of_jsonl(jsonl({**record, "authors_parsed": [3]}))


def test_truncated_csv() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a closing quotation mark in row 2 of a\.csv"):
        of_csv('title,abstract\nA,B\n"C, D')


def test_malformed_csv() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected CSV in row 1 of a\.csv: .*Double the quotation marks"):
        of_csv('title,abstract\n"A"B,C\n')


def test_a_row_of_another_width() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected 2 columns in row 2 of a\.csv, as its header has; found 3"):
        of_csv("title,abstract\nA,B\nC,D,E\n")


def test_truncated_parquet() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a\.parquet to end with Parquet's mark PAR1"):
        read_bytes(parquet([ROW])[:-10], "a.parquet")


def test_damaged_parquet() -> None:
    data = bytearray(parquet([{"title": "A" * 1000 + str(n)} for n in range(50)]))
    noise = random.Random(1)
    for place in range(4, len(data) - 4):
        data[place] = noise.randrange(256)
    with pytest.raises(MalformedFileError, match=r"Expected a whole Parquet file in a\.parquet; it is damaged"):
        read_bytes(bytes(data), "a.parquet")


def test_parquet_row_groups_are_bounded() -> None:
    data = parquet([{"title": f"{n} " * 100} for n in range(100)])
    with pytest.raises(
        InputTooLargeError, match=r"Expected row groups of at most 0 MiB in a; group 1 unpacks to 0 MiB"
    ):
        list(read_parquet(io.BytesIO(data), "a", Limits(max_row_group_bytes=100)))


def test_parquet_text_that_is_not_utf8() -> None:
    import pyarrow

    bad = pyarrow.array([b"caf\xe9"], pyarrow.binary()).view(pyarrow.string())
    held = io.BytesIO()
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"title": bad}), held)
    with pytest.raises(TextEncodingError, match=r"found the byte 0xe9"):
        list(read_parquet(held, "a.parquet"))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_lines_are_bounded(name: str) -> None:
    read = read_jsonl if name.endswith("jsonl") else read_csv
    data = jsonl({"title": "A"}, {"title": "B" * 200}) if name.endswith("jsonl") else b"title\nA\n" + b"B" * 200
    with pytest.raises(InputTooLargeError, match=rf"Expected lines of at most 0 MiB in {name}; one is longer"):
        list(read(io.BytesIO(data), name, Limits(max_record_bytes=100)))


def test_json_of_another_layout_is_bounded() -> None:
    with pytest.raises(InputTooLargeError, match=r"Expected one JSON object a line in a\.jsonl, or at most 0 MiB"):
        of_jsonl(json.dumps([{"title": "A"}] * 9, indent=1).encode(), Limits(max_record_bytes=60))


def test_bytes_that_are_not_utf8_far_into_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(ROW) * 300 + b'{"title": "caf\xe9"}\n')
    with pytest.raises(TextEncodingError, match=r"Expected UTF-8 text in a\.jsonl, found the byte 0xe9"):
        list(iter_documents(tmp_path / "a.jsonl"))


@pytest.mark.parametrize("data", [jsonl(ROW, ROW), parquet([ROW, ROW]), b"title,abstract\nA,B\nC,D\n"])
def test_a_table_of_several_rows_is_for_import(data: bytes) -> None:
    with pytest.raises(ManyDocumentsError, match=r"Expected one document in rows, found several. Import it instead"):
        read_bytes(data, "rows")


def test_a_table_of_one_row_is_a_document() -> None:
    assert read_bytes(jsonl(ROW), "one.jsonl").document == DOCUMENT


def test_tables_are_streamed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl({"title": "A"}) * 3 + b"{broken\n")
    documents = iter_documents(tmp_path / "a.jsonl")
    assert [next(documents).title for _ in range(3)] == ["A"] * 3
    with pytest.raises(InputError):
        next(documents)


def test_real_corpora_are_read(shared: Path) -> None:
    documents = list(iter_documents(shared / "data" / "patents-claims" / "corpus.parquet"))
    assert len(documents) == 189
    assert {document.kind for document in documents} == {"patent"}
    assert all(document.title and document.categories for document in documents)
