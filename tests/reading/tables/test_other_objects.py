"""JSON that holds something else than a paper or a patent: the error says what it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import UnsupportedFormatError
from engine.reading.dispatch import read_bytes
from engine.reading.tables.other_objects import other_object


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"documentBag": [{"documentCode": "CLM"}]}, "the list of files in an application's wrapper at the USPTO"),
        ([{"documentCode": "CLM", "documentIdentifier": "X"}], "the list of files in an application's wrapper"),
        (
            {"patentFileWrapperDataBag": [{"applicationNumberText": "1", "eventDataBag": []}]},
            "a part of an application's record at the USPTO, without its metadata",
        ),
        ([{"itemType": "book", "localized": "Book"}], "Zotero's list of kinds of items"),
        ([{"field": "title", "localized": "Title"}], "Zotero's list of fields"),
        ([{"tag": "kettle", "links": {}, "meta": {"type": 0}}], "a tag of Zotero's"),
        (
            [{"key": "A", "version": 1, "data": {"name": "Kettles", "parentCollection": False}}],
            "a collection of Zotero's",
        ),
        (
            {"key": "A", "version": 1, "data": {"itemType": "attachment", "title": "Full text"}},
            "an attachment of Zotero's",
        ),
        ({"key": "A", "version": 1, "data": {"itemType": "note", "note": "Ask Ada."}}, "a note of Zotero's"),
        ({"message-type": "member-list", "message": {"items": [{"title": "A"}]}}, "what Crossref calls a member-list"),
        ({"id": "https://openalex.org/A5023888391", "display_name": "Ada Lind"}, "OpenAlex's record of an author"),
        (
            {"meta": {}, "results": [{"id": "https://openalex.org/S137773608", "display_name": "Nature"}]},
            "OpenAlex's record of a source",
        ),
        ({"id": "https://openalex.org/fields/17", "display_name": "Physics"}, "OpenAlex's record of an entity"),
    ],
)
def test_what_services_answer_beside_works(value: object, name: str) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        read_bytes(json.dumps(value).encode(), "a.json")
    assert f"found {name}" in str(caught.value)
    assert str(caught.value).startswith("Expected papers or patents in ")


@pytest.mark.parametrize(
    "value",
    [
        {"id": "https://openalex.org/W1", "display_name": "Kettles"},
        {"message-type": "work", "message": {"title": ["Kettles"]}},
        {"key": "A", "version": 1, "data": {"itemType": "book", "title": "Kettles"}},
        {"title": "Kettles", "tag": "x"},
        {"title": "Kettles", "version": 2, "data": {"rows": 3}},
    ],
)
def test_works_stay_works(value: dict[str, Any]) -> None:
    assert other_object(value) is None
    assert read_bytes(json.dumps(value).encode(), "a.json").document.title == "Kettles"
