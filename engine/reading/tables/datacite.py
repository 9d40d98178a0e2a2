"""Records of DataCite, in the names that other services use: of several descriptions the abstract alone is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.reading.base import object_at, objects_at, string_at
from engine.reading.references.entries import abstract_without_tags

_MARKS = frozenset({"publicationYear", "schemaVersion", "descriptions", "resourceType", "types"})


def is_datacite_work(values: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a record of DataCite's."""
    titled = any("title" in one for one in objects_at(values, "titles"))
    return titled and isinstance(values.get("creators"), list) and bool(_MARKS & values.keys())


def datacite_columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with one title, one abstract and one venue, and its other values as they are."""
    titles = list(objects_at(values, "titles"))
    main = next((one for one in titles if not one.get("titleType")), titles[0])
    parts = [main, *(one for one in titles if one.get("titleType") == "Subtitle")]
    described = [
        one for one in objects_at(values, "descriptions") if one.get("descriptionType", "Abstract") == "Abstract"
    ]
    language = described[0].get("lang") if described else None
    abstracts = (string_at(one, "description") for one in described if one.get("lang") == language)
    publisher = string_at(values, "publisher") or string_at(object_at(values, "publisher"), "name")
    return {
        **{name: one for name, one in values.items() if name not in ("titles", "descriptions", "id")},
        "title": ": ".join(string_at(one, "title").rstrip(": ") for one in parts),
        "abstract": "\n\n".join(map(abstract_without_tags, abstracts)),
        "venue": string_at(object_at(values, "container"), "title") or publisher,
    }
