"""Patents of the public search: text out of HTML, headings, claims."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Section
from engine.sources import modern_patents

RECORD: dict[str, Any] = {
    "guid": "US-1234567-B2",
    "inventionTitle": "KITE LINE REEL",
    "datePublished": "2011-02-03T00:00:00Z",
    "abstractHtml": "A reel (<b>10</b>) for the line &amp; tail of a kite.",
    "backgroundTextHtml": "CROSS REFERENCE\n(1) None.",
    "briefHtml": "BACKGROUND OF THE INVENTION<br />(2) Lines tangle.<br />(3) Tails too.",
    "descriptionHtml": "DETAILED DESCRIPTION:<br />[0004] <figref>FIG. 1</figref> shows a reel.",
    "claimsHtml": "1-2. (canceled)<br />3. A reel comprising:<br />a drum; and<br />a line.<br />4. One of claim 3.",
    "cpcInventiveFlattened": "A63H27/08;B65H75/44",
    "cpcAdditionalFlattened": "A63H27/08",
    "inventorsName": ["Gale; Ada", "BREEZE BO"],
    "familyIdentifierCurStr": 77,
}


def test_a_record_is_a_patent() -> None:
    (patent,) = modern_patents.parse(json.dumps([RECORD]).encode())
    assert (patent.id, patent.kind, patent.year, patent.family) == ("US1234567B2", "patent", 2011, "77")
    assert patent.title == "Kite line reel"
    assert patent.abstract == "A reel (10) for the line & tail of a kite."
    assert patent.sections == (
        Section("Cross reference", "None."),
        Section("Background of the invention", "Lines tangle.\n\nTails too."),
        Section("Detailed description", "FIG. 1 shows a reel."),
    )
    assert patent.claims == ("A reel comprising: a drum; and a line.", "One of claim 3.")
    assert patent.categories == ("A63H27/08", "B65H75/44")
    assert patent.authors == ("Ada Gale", "BREEZE BO")


def test_a_scanned_patent_without_a_title() -> None:
    scanned = RECORD | {
        "inventionTitle": "OCR SCANNED DOCUMENT",
        "claimsHtml": "<claim-text/>",
        "backgroundTextHtml": "",
    }
    titled = scanned | {"briefHtml": "(1) 28,436<br />METHOD OF WINDING THE LINE<br />OF A KITE<br />(2) Ada Gale"}
    debris = scanned | {"briefHtml": "A AN A NTSRL<br />ABSTRACT OF THE DISCLOSURE<br />(2) Ada Gale"}
    one, other = modern_patents.parse(json.dumps([titled, debris]).encode())
    assert one.title == "Method of winding the line of a kite"
    assert other.title == ""
    assert one.claims == ()


@pytest.mark.parametrize("data", [b"", b"{}1", b"[{}]", b"[1]", b'[{"guid": null}]'])
def test_not_such_a_file(data: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected a JSON list of patents from the public search"):
        list(modern_patents.parse(data))
