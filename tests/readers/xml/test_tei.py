from __future__ import annotations

import pytest

from engine.documents import Section
from engine.readers import read_bytes
from tests.readers.texts import TEI


def test_header() -> None:
    reading = read_bytes(TEI.encode(), "paper.tei.xml")
    document = reading.document
    assert reading.format == "tei"
    assert reading.warnings == ()
    assert (document.id, document.title, document.year) == ("doi:10.1234/steps", "Boiling in three steps", 2018)
    assert document.abstract == "Three steps boil water."
    assert document.authors == ("Chien Wu",)
    assert document.venue == "Annals of Tea"
    assert document.keywords == ("tea", "steps")
    assert document.url == "https://doi.org/10.1234/steps"


def test_divisions_without_a_head_go_on_with_the_section_before() -> None:
    assert read_bytes(TEI.encode(), "paper.tei.xml").document.sections == (
        Section("Introduction", "Water [1] is cold.\n\nFire is hot.\n\nThis goes on."),
        Section("Steps", "Fill.\n\na = b\n\nFigure 1 . A cup."),
        Section("Acknowledgements", "Thanks."),
        Section("References", "A Lu. On tea. Tea. 0760\nOkakura, The Book of Tea, 1906.", "references"),
    )


DOI = '<idno type="DOI">10.1234/steps</idno>'


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("arXiv:1805.01234v2 [cs.CL]", "1805.01234"),
        ("arXiv:1805.01234v5[cs.CL]", "1805.01234"),
        ("1805.01234", "1805.01234"),
        ("arXiv:hep-th/9901001v1 [hep-th]", "hep-th/9901001"),
    ],
)
def test_identity_of_a_preprint(written: str, number: str) -> None:
    preprint = TEI.replace(DOI, f'<idno type="arXiv">{written}</idno>')
    document = read_bytes(preprint.encode(), "a.xml").document
    assert (document.id, document.url) == (f"arXiv:{number}", f"https://arxiv.org/abs/{number}")


def test_identity_of_a_preprint_without_a_number_and_of_nothing() -> None:
    unknown = TEI.replace(DOI, '<idno type="arXiv">submitted</idno>')
    assert read_bytes(unknown.encode(), "a.xml").document.id.startswith("file:")
    assert read_bytes(TEI.replace(DOI, "").encode(), "a.xml").document.id.startswith("file:")
