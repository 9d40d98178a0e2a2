"""Records of DataCite, in the names that other services use: of several descriptions the abstract alone is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.reading.base import object_at, objects_at, string_at
from engine.reading.references.entries import abstract_without_tags

_MARKS = frozenset({"publicationYear", "schemaVersion", "descriptions", "resourceType", "types"})


def is_datacite_work(values: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a record of DataCite's."""
    titles = values.get("titles")
    listed = isinstance(titles, list) and all(isinstance(one, dict) and "title" in one for one in titles)
    return listed and isinstance(values.get("creators"), list) and bool(_MARKS & values.keys())


def datacite_columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with one title, one abstract and one venue, and its other values as they are."""
    titles = list(objects_at(values, "titles"))
    main = next((one for one in titles if not one.get("titleType")), titles[0] if titles else {})
    parts = [
        string_at(main, "title"),
        *(string_at(one, "title") for one in titles if one.get("titleType") == "Subtitle"),
    ]
    venue = string_at(object_at(values, "container"), "title") or string_at(values, "publisher")
    return {
        **{name: one for name, one in values.items() if name not in ("titles", "descriptions", "id", "creators")},
        "title": ": ".join(part.rstrip(": ") for part in parts if part),
        "abstract": "\n\n".join(abstract_without_tags(text) for text in _abstracts(values)),
        "authors": [{"name": string_at(one, "creatorName"), **one} for one in objects_at(values, "creators")],
        "venue": venue or string_at(object_at(values, "publisher"), "name"),
    }


def _abstracts(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the abstract, in the language of the first that has one."""
    language = None
    for one in objects_at(values, "descriptions"):
        text = string_at(one, "description")
        if text and one.get("descriptionType", "Abstract") == "Abstract" and language in (None, one.get("lang")):
            language = one.get("lang")
            yield text
