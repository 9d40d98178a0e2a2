"""JSON and JSON Lines into documents."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError, ManyDocumentsError, TruncatedFileError
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.limits import Limits
from engine.reading.tables.delimited import read_csv
from engine.reading.tables.jsonl import read_jsonl
from tests.reading.tables.rows import DOCUMENT, ROW, jsonl, of_jsonl, parquet


def test_jsonl_has_every_column() -> None:
    assert of_jsonl(jsonl(ROW)) == [DOCUMENT]


@pytest.mark.parametrize("column", ["title", "abstract", "text"])
def test_one_column_of_text_is_enough(column: str) -> None:
    document = of_jsonl(jsonl({column: "Words."}))[0]
    assert document.text == "Words."
    assert document.kind == "paper"
    assert document.id.startswith("text:")


@pytest.mark.parametrize("indent", [None, 2])
def test_json_in_one_value(indent: int | None) -> None:
    assert of_jsonl(json.dumps(ROW, indent=indent).encode()) == [DOCUMENT]
    assert of_jsonl(json.dumps([ROW, ROW], indent=indent).encode()) == [DOCUMENT, DOCUMENT]


def test_utf16_tables() -> None:
    data = json.dumps({"title": "Thé"}, ensure_ascii=False).encode("utf-16")
    assert of_jsonl(data)[0].title == "Thé"
    assert read_bytes("title,abstract\nThé,B\n".encode("utf-16"), "a.csv").document.title == "Thé"


@pytest.mark.parametrize(
    ("data", "row"), [(b'{"title": "A"}\n{"title": "B', 2), (b'{"title": "A"', 1), (b'{"title": "A"}\n{"title":', 2)]
)
def test_truncated_json(data: bytes, row: int) -> None:
    told: list[str] = []
    said = rf"Expected whole JSON in row {row} of a.jsonl; it stops in the middle"
    if row == 1:
        with pytest.raises(TruncatedFileError, match=said):
            of_jsonl(data)
        return
    assert len(of_jsonl(data, said=told)) == 1
    assert re.search(said, told[0])


@pytest.mark.parametrize("data", [b'{"title": "A"}\n{title: "B"}\n', b'{"title": "A"}\n{"title": "B"} x\n'])
def test_malformed_json(data: bytes) -> None:
    told: list[str] = []
    assert [one.title for one in of_jsonl(data + b'{"title": "C"}\n', said=told)] == ["A", "C"]
    assert re.search(r"Expected JSON in row 2 of a\.jsonl: .* at character", told[0])
    with pytest.raises(MalformedFileError, match=r"Expected JSON in row 1 of a\.jsonl: .*Write one JSON object"):
        of_jsonl(b'{title: "B"}\n')


def test_a_broken_object_in_a_list_refuses_no_other() -> None:
    told: list[str] = []
    text = '[\n{"title": "A"},\n{"title": B},\n{"title": "C"},\n{"titl'
    assert [one.title for one in of_jsonl(text.encode(), said=told)] == ["A", "C"]
    assert ["row 2" in told[0], "at line 3, character" in told[0], "stops in the middle" in told[1]] == [
        True,
        True,
        True,
    ]
    assert [one.title for one in of_jsonl(b'{title: "A"}\n{"title": "B"}\n', said=told)] == ["B"]


@pytest.mark.parametrize("line", ["[1]", "5", '"text"', "null"])
def test_json_that_is_no_object(line: str) -> None:
    told: list[str] = []
    assert len(of_jsonl(b'{"title": "A"}\n' + line.encode(), said=told)) == 1
    assert re.search(r"Expected a JSON object in (?:result 1 in )?row 2 of a\.jsonl, found \w+", told[0])


def test_an_arxiv_record_with_an_author_without_a_name_is_read() -> None:
    record = {"id": "0704.0001", "title": "Kites", "abstract": "Fly.", "categories": "cs.RO", "versions": []}
    (found,) = of_jsonl(jsonl({**record, "authors_parsed": [["Berners", "Ada", ""], []]}))
    assert found.authors[0] == "Ada Berners"
    with pytest.raises(MalformedFileError, match="Expected a whole record of arXiv's"):
        of_jsonl(jsonl({**record, "authors_parsed": [3]}))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_lines_are_bounded(name: str) -> None:
    read = read_jsonl if name.endswith("jsonl") else read_csv
    data = jsonl({"title": "A"}, {"title": "B" * 200}) if name.endswith("jsonl") else b"title\nA\n" + b"B" * 200
    told: list[str] = []
    found = read(io.BytesIO(data), name, Limits(max_record_bytes=100), warn=told.append)
    assert [one.title for one in found] == ["A"]
    line = 2 if name.endswith("jsonl") else 3
    assert told[0].startswith(f"An entry was left out. Expected at most 0 MiB in line {line} of {name}; it is larger.")


def test_json_of_another_layout_is_bounded() -> None:
    with pytest.raises(InputTooLargeError, match=r"Expected one JSON object a line in a\.jsonl, or at most 0 MiB"):
        of_jsonl(json.dumps([{"title": "A"}] * 9, indent=1).encode(), Limits(max_record_bytes=60))


def test_bytes_that_are_not_utf8_far_into_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(ROW) * 300 + b'{"title": "caf\xe9"}\n')
    told: list[str] = []
    assert [one.title for one in iter_documents(tmp_path / "a.jsonl", warn=told.append)][-1] == "café"
    assert told == [
        "a.jsonl is not in UTF-8 and names no encoding. It was read as Windows-1252 (Western European); "
        "if letters look wrong, save it as UTF-8."
    ]


@pytest.mark.parametrize("data", [jsonl(ROW, ROW), parquet([ROW, ROW]), b"title,abstract\nA,B\nC,D\n"])
def test_a_table_of_several_rows_is_for_import(data: bytes) -> None:
    with pytest.raises(ManyDocumentsError, match=r"Expected one document in rows, found several. Import it instead"):
        read_bytes(data, "rows")


def test_a_table_of_one_row_is_a_document() -> None:
    assert read_bytes(jsonl(ROW), "one.jsonl").document == DOCUMENT


def test_tables_are_streamed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl({"title": "A"}) * 3 + b"{broken\n")
    told: list[str] = []
    documents = iter_documents(tmp_path / "a.jsonl", warn=told.append)
    assert [next(documents).title for _ in range(3)] == ["A"] * 3
    assert (list(documents), len(told)) == ([], 1)


def test_a_list_of_broken_entries_is_not_read_to_its_end() -> None:
    told: list[str] = []
    text = "[" + ",\n".join(['{"title": "A"}', *['{"title" "B"}'] * 1_200, '{"title": "C"}']) + "]"
    assert [one.title for one in of_jsonl(text.encode(), said=told)] == ["A"]
    assert told[-1] == (
        "An entry was left out. Expected JSON in a.jsonl; more than 1,000 of its entries are broken, and those after "
        "row 1,002 were not looked at. Write one JSON object a line."
    )
