"""arXiv records: one line, one paper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.sources import arxiv_records

RECORD: dict[str, Any] = {
    "id": "1501.00001",
    "title": "Stable flight of tethered\n  kites",
    "abstract": "  We study kites\nin the wind.\n  A second paragraph.\n",
    "categories": "cs.RO physics.flu-dyn",
    "authors_parsed": [["Gale", "Ada", ""], ["Breeze", "Bo", "Jr"], ["Kite Group", ""]],
    "versions": [{"version": "v1", "created": "Mon, 5 Jan 2015 19:18:42 GMT"}],
    "journal-ref": "J.Wind 12 (2016) 3-9",
    "doi": "10.1/kites 10.1/other",
}


def test_a_record_is_a_paper() -> None:
    (paper,) = arxiv_records.parse(json.dumps(RECORD).encode())
    assert (paper.id, paper.kind, paper.year) == ("arXiv:1501.00001", "paper", 2015)
    assert paper.title == "Stable flight of tethered kites"
    assert paper.abstract == "We study kites in the wind.\n\nA second paragraph."
    assert paper.categories == ("cs.RO", "physics.flu-dyn")
    assert paper.authors == ("Ada Gale", "Bo Breeze Jr", "Kite Group")
    assert (paper.venue, paper.url) == ("J. Wind", "https://doi.org/10.1/kites")


@pytest.mark.parametrize("doi", [None, "", " "])
def test_without_doi_and_journal(doi: str | None) -> None:
    (paper,) = arxiv_records.parse(json.dumps(RECORD | {"doi": doi, "journal-ref": None}).encode())
    assert (paper.venue, paper.url) == ("", "https://arxiv.org/abs/1501.00001")


@pytest.mark.parametrize("line", [b"{", b'{"id": "1"}', b"[1]", b'{"id": "1", "title": null}'])
def test_a_line_that_is_no_record(line: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected an arXiv record in line 2"):
        list(arxiv_records.parse(json.dumps(RECORD).encode() + b"\n" + line))
