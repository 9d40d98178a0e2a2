"""Values in any of the forms that services write them."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from engine.reading.tables.values import labels_of, names_of, python_list, text_of, year_of


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2021, 2021),
        ("2021", 2021),
        (2021.0, 2021),
        ("2021-03-02T00:00:00Z", 2021),
        ("2 March 2021", 2021),
        ("02.03.2021", 2021),
        ("3/2/21", 2021),
        ("3/2/99", 1999),
        ("20210302", 2021),
        (20210302, 2021),
        (1614643200, 2021),
        (1614643200000, 2021),
        ("2021年3月", 2021),
        ({"date-parts": [["2021", 3]]}, 2021),
        ({"raw": "Spring 2021"}, 2021),
        ([2021, 3, 2], 2021),
        (date(2021, 3, 2), 2021),
        (datetime(2021, 3, 2, tzinfo=UTC), 2021),
        (None, None),
        ("", None),
        (0, None),
        ("n.d.", None),
        (float("nan"), None),
    ],
)
def test_years(value: object, year: int | None) -> None:
    assert year_of(value) == year


@pytest.mark.parametrize("value", [801, "801", "soon", True, "1999.5", 20015, ["x"]])
def test_what_is_no_year(value: object) -> None:
    with pytest.raises(ValueError, match="no year"):
        year_of(value)


@pytest.mark.parametrize(
    "author",
    [
        "Ada M. Lind",
        {"name": "Ada M. Lind", "authorId": "7"},
        {"given": "Ada M.", "family": "Lind", "sequence": "first", "affiliation": []},
        {"first": "Ada", "middle": ["M."], "last": "Lind", "suffix": ""},
        {"firstName": "Ada M.", "lastName": "Lind", "creatorType": "author"},
        {"ForeName": "Ada M.", "LastName": "Lind", "Initials": "AM"},
        {"author": {"display_name": "Ada M. Lind"}, "author_position": "first"},
        {"literal": "Ada M. Lind"},
        {"person": {"surname": "Lind", "forename": "Ada M."}},
        ["Lind", "Ada M.", ""],
    ],
)
def test_an_author_in_any_form(author: object) -> None:
    assert names_of([author, None]) == ["Ada M. Lind"]


def test_authors_in_other_forms() -> None:
    assert names_of({"name": "Ada Lind"}) == ["Ada Lind"]
    assert names_of([{"given": "Bo", "family": "Berg", "non-dropping-particle": "van der"}]) == ["Bo van der Berg"]
    editor = {"lastName": "Ek", "creatorType": "editor"}
    assert names_of([editor, {"lastName": "Lind", "creatorType": "author"}]) == ["Lind"]
    assert names_of([editor]) == ["Ek"]
    assert names_of("[{'authorId': '1', 'name': 'Ada Lind'}, {'name': \"Bo O'Ek\"}]") == ["Ada Lind", "Bo O'Ek"]
    assert names_of([5]) is None
    assert names_of(5) is None
    assert names_of([{"x": {"y": 1}}]) is None


def test_texts_and_labels() -> None:
    assert text_of(["One", "", "Two"], "\n\n") == "One\n\nTwo"
    assert text_of(["One", "Two"], "") == "One"
    assert text_of([{"text": "One", "section": "Abstract"}], " ") == "One"
    assert text_of({"de": "Eins", "en": "One"}, " ") == "One"
    assert (text_of(1984, ""), text_of(None, ""), text_of(True, "")) == ("1984", "", None)
    assert text_of({"a": {"b": {"c": {"d": {"e": "f"}}}}}, "") is None
    assert labels_of(["a", {"tag": "b"}, {"display_name": "c"}]) == ["a", "b", "c"]
    assert labels_of([True]) is None
    assert python_list("['a', \"b's\", None]") == ["a", "b's"]
    assert python_list("[18F]FDG") is None


@pytest.mark.parametrize("piece", ["'a',", "['", "\\", "'name': '", "1/", "20", "(", '"'])
def test_hostile_texts_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    text = piece * (100_000 // len(piece))
    for one in (text, f"[{text}]", f"['{text}"):
        python_list(one)
        names_of(one)
        try:
            year_of(one)
        except ValueError:
            pass
    assert time.process_time() - begun < 5
