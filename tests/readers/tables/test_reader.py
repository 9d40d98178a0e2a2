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
    MissingColumnError,
    TextEncodingError,
    TruncatedFileError,
)
from engine.readers import Limits, detect, iter_documents, read_bytes
from engine.readers.tables.reader import read_csv, read_jsonl, read_parquet
from engine.readers.tables.records import load_json

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


def jsonl(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def of_jsonl(data: bytes, limits: Limits | None = None) -> list[Document]:
    return list(read_jsonl(io.BytesIO(data), "a.jsonl", limits or Limits()))


def of_csv(text: str, limits: Limits | None = None) -> list[Document]:
    return list(read_csv(io.BytesIO(text.encode()), "a.csv", limits or Limits()))


def parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), held)
    return held.getvalue()


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


def test_lists_in_csv_may_be_cut_by_semicolons() -> None:
    document = of_csv("title,keywords,sections\nA,tea; heat,All of it.\n")[0]
    assert document.keywords == ("tea", "heat")
    assert document.sections == (Section("Text", "All of it."),)


@pytest.mark.parametrize("column", ["title", "abstract", "text"])
def test_one_column_of_text_is_enough(column: str) -> None:
    document = of_jsonl(jsonl({column: "Words."}))[0]
    assert document.text == "Words."
    assert document.kind == "paper"
    assert document.id.startswith("text:")


def test_missing_ids_are_told_by_content() -> None:
    ids = [one.id for one in of_jsonl(jsonl({"title": "A"}, {"title": "B"}, {"title": "A"}, {"title": "A", "id": 7}))]
    assert ids[0] == ids[2] != ids[1]
    assert ids[3] == "7"


def test_empty_values_are_nothing() -> None:
    nothing = {"title": "A", "abstract": None, "year": None, "sections": None, "authors": [], "url": ""}
    (document,) = of_jsonl(jsonl(nothing))
    assert (document.abstract, document.year, document.sections, document.authors) == ("", None, (), ())
    (document,) = of_csv("title,year,sections,claims\nA,,,\n")
    assert (document.year, document.sections, document.claims) == (None, (), ())


@pytest.mark.parametrize("year", [1999, "1999", " 1999 ", 1999.0, "1999.0", "1999."])
def test_years(year: object) -> None:
    assert of_jsonl(jsonl({"title": "A", "year": year}))[0].year == 1999


@pytest.mark.parametrize(
    ("written", "keywords"),
    [("[18F]FDG; PET", ("[18F]FDG", "PET")), ("[2+2] cycloaddition", ("[2+2] cycloaddition",)), ('["a;b"]', ("a;b",))],
)
def test_a_bracket_that_begins_a_word_is_no_list(written: str, keywords: tuple[str, ...]) -> None:
    assert of_csv(f'title,keywords\nA,"{written.replace(chr(34), chr(34) * 2)}"\n')[0].keywords == keywords
    assert of_jsonl(jsonl({"title": "A", "keywords": written}))[0].keywords == keywords


def test_nulls_in_lists_are_left_out() -> None:
    rows = [{"title": "A", "authors": ["B", None], "keywords": [None], "sections": [None, {"text": "C"}]}]
    for documents in (of_jsonl(jsonl(*rows)), list(read_parquet(io.BytesIO(parquet(rows)), "a"))):
        assert (documents[0].authors, documents[0].keywords) == (("B",), ())
        assert documents[0].sections == (Section("Text", "C"),)


def test_a_text_beside_a_list_of_references_is_kept() -> None:
    references = {"title": "References", "text": "[1] A."}
    (document,) = of_jsonl(jsonl({"title": "A", "text": "Words.", "sections": [references]}))
    assert document.sections == (Section("Text", "Words."), Section("References", "[1] A.", "references"))
    (document,) = of_jsonl(jsonl({"title": "A", "text": "Words.", "sections": [{"title": "One", "text": "First."}]}))
    assert document.sections == (Section("One", "First."),)


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


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://example.org", "10.1234/x"])
def test_only_links_to_the_web_are_kept(url: str) -> None:
    assert of_jsonl(jsonl({"title": "A", "url": url}))[0].url == ""


def test_characters_that_a_database_cannot_hold_are_mended() -> None:
    (document,) = of_jsonl(b'{"title": "A\\u0000 \\ud800 B", "abstract": "a\\r\\nb"}\n')
    assert (document.title, document.abstract) == ("A \ufffd B", "a\nb")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"year": "soon"}, "a year as four digits in the column 'year' of row 2 of a.jsonl, found 'soon'"),
        ({"year": 20015}, "a year as four digits in the column 'year' of row 2"),
        ({"year": "9" * 5000}, r"a year as four digits in the column 'year' of row 2 .*9\.\.\."),
        ({"year": "1999.5"}, "a year as four digits in the column 'year' of row 2 of a.jsonl, found '1999.5'"),
        ({"year": True}, "a year as four digits in the column 'year'"),
        ({"kind": "book"}, "one of paper, patent, query in the column 'kind' of row 2 of a.jsonl, found 'book'"),
        ({"title": 5}, "text in the column 'title' of row 2"),
        ({"authors": [1]}, "a list of texts in the column 'authors' of row 2"),
        ({"authors": {"a": 1}}, "a list in the column 'authors' of row 2"),
        ({"sections": ["text"]}, "objects like .* in the column 'sections' of row 2"),
        ({"sections": [{"text": 1}]}, "objects like .* in the column 'sections' of row 2"),
        ({"sections": [{"title": 1, "text": "A"}]}, "a text as each title in the column 'sections' of row 2"),
        ({"keywords": "['tea', 'heat']"}, "a JSON list .* in the column 'keywords' of row 2"),
        ({"sections": '[{"title": '}, "a JSON list .* in the column 'sections' of row 2"),
    ],
)
def test_errors_name_row_and_column(values: dict[str, Any], said: str) -> None:
    with pytest.raises(MalformedFileError, match=rf"Expected {said}.*Correct it and try again"):
        of_jsonl(jsonl({"title": "Fine"}, {"title": "A", **values}))


def test_a_row_without_text_columns() -> None:
    with pytest.raises(MissingColumnError, match=r"a column title, abstract or text in row 2 of a.jsonl, found the"):
        of_jsonl(jsonl({"title": "A"}, {"name": "B"}))


def test_a_table_without_text_columns() -> None:
    with pytest.raises(MissingColumnError, match=r"in a\.csv, found the columns name, words\. Rename one of them"):
        read_bytes(b"name,words\nA,B\n", "a.csv")
    with pytest.raises(MissingColumnError, match=r"in a\.parquet, found the columns name"):
        read_bytes(parquet([{"name": "A"}]), "a.parquet")


def test_rows_with_empty_text_are_kept() -> None:
    assert [one.text for one in of_jsonl(jsonl({"id": "1", "title": "", "abstract": ""}))] == [""]


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


@pytest.mark.parametrize("bomb", ["[" * 100_000, '{"a":' * 100_000, '{"title": "A", "x": ' + "[" * 50 + "]" * 50 + "}"])
def test_deep_json(bomb: str) -> None:
    with pytest.raises(MalformedFileError, match=r"Expected JSON nested at most 32 deep in .*a.jsonl; it goes deeper"):
        of_jsonl(bomb.encode())


def test_a_number_of_thousands_of_digits() -> None:
    with pytest.raises(MalformedFileError, match=r"found one of thousands of digits. Write it as text, or take it out"):
        of_jsonl(b'{"id": "a", "title": "A", "cited": ' + b"9" * 5_000 + b"}")


def test_brackets_within_texts_are_no_nesting() -> None:
    assert load_json(json.dumps({"title": "[{" * 500 + '\\"'}), "a") == {"title": "[{" * 500 + '\\"'}


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


def test_lists_are_bounded() -> None:
    with pytest.raises(
        InputTooLargeError, match=r"at most 3 entries in the column 'authors' of row 1 of a.jsonl, found 4"
    ):
        of_jsonl(jsonl({"title": "A", "authors": list("abcd")}), Limits(max_list_items=3))


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


@pytest.mark.parametrize(
    "header",
    [
        "Title,Year,Authors,DOI,Abstract,Source title,Author Keywords,EID",  # Scopus
        "title,publication_year,authorships.author.display_name,doi,abstract,primary_location.source.display_name,DE,x",
        "Title,Publication Year,Author,DOI,Abstract Note,Publication Title,Keywords,Key",  # Zotero
    ],
)
def test_columns_as_other_tools_name_them(header: str) -> None:
    (found,) = of_csv(f"{header}\nQuiet lids,2020,Lind A.; Ek B.,10.1234/x,Of lids.,Lid Journal,lids; noise,7\n")
    assert (found.id, found.url) == ("doi:10.1234/x", "https://doi.org/10.1234/x")
    assert (found.title, found.year, found.abstract, found.venue) == ("Quiet lids", 2020, "Of lids.", "Lid Journal")
    assert (found.authors, found.keywords) == (("Lind A.", "Ek B."), ("lids", "noise"))


def test_a_column_of_our_own_name_goes_before_others() -> None:
    (found,) = of_csv("Author,authors,Title,title,doi,id\nx,Ada Lind,y,Lids,10.1234/x,own\n")
    assert (found.id, found.title, found.authors, found.url) == (
        "own",
        "Lids",
        ("Ada Lind",),
        "https://doi.org/10.1234/x",
    )
    (record,) = of_jsonl(jsonl({"Title": "Lids", "Year": 2020, "DOI": None}))
    assert (record.title, record.year) == ("Lids", 2020)


@pytest.mark.parametrize("title", ["Bibliography", "6. References", "References and Notes", "VII Literature Cited"])
def test_a_reference_list_is_known_by_its_title(title: str) -> None:
    (found,) = of_jsonl(jsonl({"title": "T", "sections": [{"title": title, "text": "A. Lind. Lids."}]}))
    assert found.sections[0].role == "references"
