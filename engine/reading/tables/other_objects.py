"""JSON objects, other than works, that services answer with: lists of files, people, journals, tags.

Many have a name or a title, and would pass for a work by that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Other(NamedTuple):
    """What an object is, in words, and what to do instead."""

    name: str
    advice: str


_RECORD = "Ask the portal for the application's record, or for its XML."
_ITEMS = "Ask Zotero for the items, or export them as RIS."
_WORKS = "Ask for the works instead."
_USPTO_FILES = Other("the list of files in an application's wrapper at the USPTO", _RECORD)
_USPTO_PART = Other("a part of an application's record at the USPTO, without its metadata", _RECORD)
_BY_KEYS: tuple[tuple[frozenset[str], Other], ...] = (
    (frozenset({"documentBag"}), _USPTO_FILES),
    (frozenset({"documentCode", "documentIdentifier"}), _USPTO_FILES),
    (frozenset({"itemType", "localized"}), Other("Zotero's list of kinds of items", _ITEMS)),
    (frozenset({"field", "localized"}), Other("Zotero's list of fields", _ITEMS)),
    (frozenset({"tag", "links", "meta"}), Other("a tag of Zotero's", _ITEMS)),
    (frozenset({"name", "parentCollection"}), Other("a collection of Zotero's", _ITEMS)),
)
"""Keys that such an object has, all of them."""
_ZOTERO_CHILDREN = {"attachment": "an attachment", "note": "a note", "annotation": "an annotation"}
_OPENALEX = re.compile(r"https://openalex\.org/(?:([A-Z])\d|(\w+)/)")
_OPENALEX_KINDS = {
    **{"A": "an author", "I": "an institution", "S": "a source", "T": "a topic", "C": "a concept", "P": "a publisher"},
    **{"F": "a funder", "V": "a venue", "G": "an award"},
}
_CROSSREF_WORKS = ("work", "work-list")


def other_object(value: Mapping[str, Any]) -> Other | None:
    """What a JSON object is, where it is known to be no work."""
    keys = value.keys()
    for names, other in _BY_KEYS:
        if names <= keys:
            return other
    if _is_part_of_wrapper(value):
        return _USPTO_PART
    if (message := value.get("message-type")) and isinstance(message, str) and message not in _CROSSREF_WORKS:
        return Other(f"what Crossref calls a {message}", _WORKS)
    inner = value.get("data")
    if isinstance(inner, dict) and "version" in keys:
        return other_object(inner)
    if child := _ZOTERO_CHILDREN.get(str(value.get("itemType"))):
        return Other(f"{child} of Zotero's", _ITEMS)
    return _of_openalex(value.get("id"))


def _is_part_of_wrapper(value: Mapping[str, Any]) -> bool:
    """Whether an object holds events, people or papers of an application and not its metadata, alone or in a bag."""
    bag = value.get("patentFileWrapperDataBag")
    if isinstance(bag, list):
        return not any(isinstance(one, dict) and "applicationMetaData" in one for one in bag)
    named = "applicationNumberText" in value and "applicationMetaData" not in value
    return named and any("Bag" in key or "Data" in key for key in value)


def _of_openalex(identifier: object) -> Other | None:
    """An author, an institution or another entity of OpenAlex; its works have numbers that begin with W."""
    match = _OPENALEX.match(identifier) if isinstance(identifier, str) else None
    if match is None or match[1] == "W":
        return None
    kind = _OPENALEX_KINDS.get(match[1] or "", "an entity")
    return Other(f"OpenAlex's record of {kind}", _WORKS)
