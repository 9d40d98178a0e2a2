"""Parquet into documents."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError, TruncatedFileError
from engine.documents import Section
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.limits import Limits
from tests.reading.tables.rows import DOCUMENT, ROW, of_parquet, parquet


def test_parquet_has_every_column() -> None:
    assert of_parquet(parquet([ROW])) == [DOCUMENT]


def test_a_time_outside_the_calendar_in_parquet() -> None:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    times = pyarrow.array([0, 2**62], pyarrow.timestamp("ms"))
    pyarrow.parquet.write_table(pyarrow.table({"title": ["A", "B"], "year": times}), held)
    told: list[str] = []
    assert [one.year for one in of_parquet(held.getvalue(), said=told)] == [1970, None]
    assert re.search(r"years 1 to 9999 in the column 'year' of rows 1 to 2 of a; .* Write dates as text", told[0])


def test_year_that_is_no_number_in_parquet() -> None:
    rows = [{"title": "A", "year": 2000.0}, {"title": "B", "year": float("nan")}]
    assert [one.year for one in of_parquet(parquet(rows))] == [2000, None]


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
        of_parquet(data, Limits(max_row_group_bytes=100))


def test_parquet_text_that_is_not_utf8() -> None:
    import pyarrow

    bad = pyarrow.array([b"caf\xe9", b"tea"], pyarrow.binary()).view(pyarrow.string())
    held = io.BytesIO()
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"title": bad, "abstract": ["b", "c"]}), held)
    told: list[str] = []
    assert [one.title for one in of_parquet(held.getvalue(), said=told)] == ["", "tea"]
    assert told == [
        "A value was left out. Expected UTF-8 text in the column 'title' of rows 1 to 2 of a, as Parquet has "
        "it, found the byte 0xe9 that UTF-8 does not allow there. Write the column in UTF-8."
    ]


def test_real_corpora_are_read(shared: Path) -> None:
    documents = list(iter_documents(shared / "data" / "patents-claims" / "corpus.parquet"))
    assert len(documents) == 189
    assert {document.kind for document in documents} == {"patent"}
    assert all(document.title and document.categories for document in documents)


def test_a_bad_year_costs_no_row_and_a_bad_row_no_other() -> None:
    rows = [{"title": "A", "year": 801}, {"title": "B", "year": 2000}, {"title": "C" * 3000, "year": 2001}]
    told: list[str] = []
    found = of_parquet(parquet(rows), Limits(max_record_bytes=2000), told)
    assert [(one.title, one.year) for one in found] == [("A", None), ("B", 2000)]
    assert (
        "A value was left out. Expected a year as four digits in the column 'year' of row 1 of a, found 801" in told[0]
    )
    assert "Expected rows of at most 0 MiB in row 3 of a; it is larger. Split it." in told[1]


def test_nested_values_of_dictionaries() -> None:
    rows: list[dict[str, Any]] = [
        {
            "title": "A",
            "authors": [{"name": "Ada"}, None],
            "sections": [{"title": "S", "text": "T"}],
            "keywords": ["k"],
        },
        {"title": "B", "authors": None, "sections": [], "keywords": ["k", "l"]},
    ]
    first, second = of_parquet(parquet(rows))
    assert (first.authors, first.sections, first.keywords) == (("Ada",), (Section("S", "T"),), ("k",))
    assert (second.authors, second.sections, second.keywords) == ((), (), ("k", "l"))


@pytest.mark.parametrize(
    "columns",
    [
        {"title": ["x"] * 30_000},
        {"title": ["x" * 100_000] * 400},
        {"title": ["a"], "keywords": [["x"] * 400_000]},
    ],
)
def test_a_small_file_that_unpacks_to_much_is_refused(columns: dict[str, list[Any]]) -> None:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), held, compression="zstd")
    with pytest.raises(InputTooLargeError, match=r"Expected a to unpack to at most 10 MiB, as a file of its"):
        of_parquet(held.getvalue(), Limits(max_decoded_bytes=10 << 20))
