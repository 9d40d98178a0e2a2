"""What a reading of any format keeps to: its format's name, warnings in sentences, pages, names of untitled parts."""

from __future__ import annotations

import re

import pytest

from engine.documents import Section
from engine.reading.base import Part, cut
from engine.reading.dispatch import read_bytes
from engine.reading.formats import NAMED
from tests.reading import texts
from tests.reading.pdf import papers

WRITTEN = {
    "uspto-grant": texts.GRANT.encode(),
    "uspto-application": texts.APPLICATION.encode(),
    "greenbook": texts.GREENBOOK.encode(),
    "jats": texts.JATS.encode(),
    "tei": texts.TEI.encode(),
    "text": texts.PASTED.encode(),
    "pdf": papers.one_column().data(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_reading_says_its_format_by_the_name_that_detection_gave_it(name: str) -> None:
    reading = read_bytes(WRITTEN[name], "upload")
    assert reading.format == name
    assert name in NAMED
    assert (reading.pages is not None) == (name == "pdf"), "only a PDF has pages"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_warning_is_a_sentence(name: str) -> None:
    for warning in read_bytes(WRITTEN[name], "upload").warnings:
        assert re.fullmatch(r"[A-Z].*[.]", warning, re.DOTALL)


def test_parts_without_a_title_have_the_same_names_in_every_format() -> None:
    references = "<ref-list><ref><mixed-citation>Watt, Steam.</mixed-citation></ref></ref-list>"
    jats = f"<article><body><p>Steam rises.</p></body><back>{references}</back></article>"
    references = "<div><biblStruct><note type='raw_reference'>Watt, Steam.</note></biblStruct></div>"
    tei = (
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><div><p>Steam rises.</p></div></body>"
        f"<back>{references}</back></text></TEI>"
    )
    for written in (jats, tei):
        sections = read_bytes(written.encode(), "a.xml").document.sections
        assert [section.title for section in sections] == ["Text", "References"]
        assert sections[1].role == "references"
    patent = read_bytes(texts.GRANT.encode(), "a.xml").document
    assert patent.sections[0].title == "Description"


def test_a_body_is_cut_at_its_groups_and_headings() -> None:
    parts: list[Part] = [
        ("text", "a"),
        ("text", ""),
        ("group", "Summary"),
        ("text", "b"),
        ("heading", "Lids"),
        ("heading", "Spouts"),
        ("text", "c"),
        ("group", "Drawings"),
    ]
    assert list(cut(parts, "Description")) == [
        Section("Description", "a"),
        Section("Summary", "b"),
        Section("Lids", ""),
        Section("Spouts", "c"),
    ]
    assert list(cut([], "Description")) == []
