"""MEDLINE's records, as PubMed exports them."""

from __future__ import annotations

import time

import pytest

from engine.core.errors import ManyDocumentsError
from engine.reading.dispatch import iter_documents, read_bytes
from tests.reading.references.written import SIZE

RECORD = """PMID- 31234567
OWN - NLM
STAT- MEDLINE
LID - 10.1234/lid.7 [doi]
DP  - 2019 Nov 3
TI  - Quiet lids on kettles: a trial of
      forty kitchens.
AB  - BACKGROUND: Lids rattle. METHODS: We listened to
      forty of them.
FAU - Lind, Ada
AU  - Lind A
FAU - Ek, Bo
AU  - Ek B
CN  - Lid Group
JT  - Journal of lids
TA  - J Lids
MH  - *Kettles/physiology
OT  - noise
"""


@pytest.mark.parametrize("name", ["a.nbib", "pubmed-set.txt", "upload"])
@pytest.mark.parametrize("data", [RECORD.encode(), ("\n" + RECORD).replace("\n", "\r\n").encode("utf-8-sig")])
def test_a_record(data: bytes, name: str) -> None:
    reading = read_bytes(data, name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("medline", ())
    assert found.title == "Quiet lids on kettles: a trial of forty kitchens."
    assert found.abstract == "BACKGROUND: Lids rattle. METHODS: We listened to forty of them."
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "Journal of lids")
    assert [one.scheme for one in found.identifiers] == ["pmid"]
    assert found.authors == ("Lind, Ada", "Ek, Bo", "Lid Group")
    assert found.keywords == ("noise", "Kettles/physiology")


def test_a_record_without_doi_and_full_names() -> None:
    text = b"OWN - NLM\nPMID- 7\nTI  - Lids\nAU  - Lind A\nTA  - J Lids\nDEP - 20200102\n"
    found = read_bytes(text, "a.nbib").document
    assert (found.id, found.authors, found.venue, found.year) == ("pmid:7", ("Lind A",), "J Lids", 2020)
    assert found.url == "https://pubmed.ncbi.nlm.nih.gov/7/"


def test_several_records(tmp_path: object) -> None:
    second = RECORD.replace("31234567", "8").replace("lid.7", "lid.8")
    with pytest.raises(ManyDocumentsError):
        read_bytes(f"{RECORD}\n{second}".encode(), "a.nbib")
    (tmp_path / "a.nbib").write_text(f"{RECORD}\n{second}")  # type: ignore[operator]
    assert [one.id for one in iter_documents(tmp_path / "a.nbib")] == ["doi:10.1234/lid.7", "doi:10.1234/lid.8"]  # type: ignore[operator]


@pytest.mark.parametrize("text", ["AB - a word, then\nTI  - more", "PMID is a number.\nTI  - A"])
def test_text_that_is_no_record(text: str) -> None:
    assert read_bytes(text.encode(), "a.txt").format == "text"


@pytest.mark.parametrize("piece", ["PMID- 1\n", "TI  - a\n", "      a\n", "\n", "10.", " "])
def test_hostile_records_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    try:
        read_bytes((RECORD + piece * (SIZE // len(piece))).encode(), "a.nbib")
    except ManyDocumentsError:
        pass
    assert time.process_time() - begun < 5
