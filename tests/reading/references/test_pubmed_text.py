"""Abstracts that PubMed saves as text."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, ManyDocumentsError
from engine.documents import Identifier, Section
from engine.reading.dispatch import iter_documents, read_bytes, read_text
from engine.reading.limits import LIMITS
from engine.reading.references.pubmed_text import read_pubmed_abstracts

LIDS = """1. Lid Notes. 2021 Mar;5(1):1-9. doi: 10.1234/LN.5. Epub 2021 Mar 2.

Quiet lids on tall kettles and the slow
return of their heat.

Lind A(1), van der Ek B Jr(1)(2); Lid Group.

Author information:
(1)Lid Institute, Town. a@lids.example
(2)Other Lab, Town.

BACKGROUND: We ask how lids
rest on well-
known kettles.
METHODS: We looked.

© 2021 Lid Notes.

DOI: 10.1234/LN.5
PMCID: PMC123
PMID: 12345678 [Indexed for MEDLINE]

Conflict of interest statement: None at all.


"""
TEA = """2. J Tea. 1999;7:2.

[Tea in cups].

[Article in German]

Roe J.

Comment in
    J Tea. 2000;8:1.

Tea is hot.

PMID: 23456789
"""


def test_a_record() -> None:
    reading = read_bytes(LIDS.encode(), "abstract-lids-set.txt")
    document = reading.document
    assert (reading.format, reading.warnings) == ("pubmed-text", ())
    assert (document.id, document.url) == ("doi:10.1234/ln.5", "https://doi.org/10.1234/ln.5")
    assert document.identifiers == (Identifier("pmid", "12345678"),)
    assert document.title == "Quiet lids on tall kettles and the slow return of their heat."
    assert document.authors == ("Lind A", "van der Ek B Jr", "Lid Group")
    assert document.abstract == "BACKGROUND: We ask how lids rest on well-known kettles.\n\nMETHODS: We looked."
    assert document.sections == (Section("Conflict of interest statement", "None at all."),)
    assert (document.year, document.venue) == (2021, "Lid Notes")


def test_several_records(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_bytes((LIDS + TEA).replace("\n", "\r\n").encode())
    first, second = iter_documents(path)
    assert first.title.startswith("Quiet lids")
    assert (second.id, second.title, second.authors, second.abstract) == (
        "pmid:23456789",
        "Tea in cups",
        ("Roe J",),
        "Tea is hot.",
    )
    with pytest.raises(ManyDocumentsError):
        read_text(LIDS + TEA)


def test_a_record_without_authors_or_abstract() -> None:
    document = read_text("1. Tea. 2001;1:1.\n\nTea in cups.\n\nWe drink, and they drink tea.\n\nPMID: 1\n").document
    assert (document.authors, document.abstract) == ((), "We drink, and they drink tea.")
    assert read_text("1. Tea. 2001;1:1.\n\nTea in cups.\n\nPMID: 1\n").document.title == "Tea in cups."


def test_a_record_that_says_nothing_is_left_out() -> None:
    said: list[str] = []
    text = "1. Tea. 2001;1:1.\n\nPMID: 1\n\n" + TEA
    documents = list(read_pubmed_abstracts(io.BytesIO(text.encode()), "a.txt", LIMITS, said.append))
    assert [one.title for one in documents] == ["Tea in cups"]
    assert said == ["The record of line 1 of a.txt has neither a title nor an abstract, and was left out."]


def test_an_overlong_record() -> None:
    limits = replace(LIMITS, max_record_bytes=100)
    message = (
        "Expected at most 0 MiB in the record of line 1 of a.txt; it is larger. Take it out, or cut it into smaller "
        "ones."
    )
    with pytest.raises(InputTooLargeError) as error:
        list(read_pubmed_abstracts(io.BytesIO(LIDS.encode()), "a.txt", limits, print))
    assert str(error.value) == message


def test_a_numbered_text_is_no_record() -> None:
    assert read_text("1. Tea. 2001 was a year.\n\nWe drink tea.\n").format == "text"


@pytest.mark.parametrize("piece", ["Lind A, ", "(1)", "A. ", "- ", "\n\n", "A: ", "a"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = f"1. Tea. 2001;1:1.\n\nTea in cups.\n\n{piece * (100_000 // len(piece))}!\n\nPMID: 1\n"
    begun = time.process_time()
    list(read_pubmed_abstracts(io.BytesIO(text.encode()), "a.txt", LIMITS, print))
    assert time.process_time() - begun < 2
