"""The PDFs of this visitor: held by content, the ones brought first dropped when they grow too many."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st

from engine.core.files import sha256_bytes
from explorer.state import own_pdfs


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(st, "session_state", {})
    yield


def pdf(number: int, size: int = 10) -> bytes:
    return b"%PDF-1.4 " + bytes([65 + number]) * size


def test_a_pdf_is_found_by_its_content() -> None:
    own_pdfs.keep(pdf(1), "draft.pdf")
    found = own_pdfs.find(sha256_bytes(pdf(1)))
    assert found is not None and (found.name, found.read()) == ("draft.pdf", pdf(1))
    assert own_pdfs.find(sha256_bytes(pdf(2))) is None and own_pdfs.find("") is None


def test_other_formats_are_not_held_whatever_their_name() -> None:
    own_pdfs.keep(b"# A text", "draft.pdf")
    assert own_pdfs.find(sha256_bytes(b"# A text")) is None


def test_the_first_go_when_there_are_too_many() -> None:
    for number in range(own_pdfs.MOST_FILES):
        own_pdfs.keep(pdf(number), "x.pdf")
    own_pdfs.keep(pdf(0), "x.pdf")  # brought again
    own_pdfs.keep(pdf(20), "x.pdf")
    assert own_pdfs.find(sha256_bytes(pdf(1))) is None
    assert own_pdfs.find(sha256_bytes(pdf(0))) and own_pdfs.find(sha256_bytes(pdf(20)))


def test_the_first_go_when_they_are_too_large_and_the_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_pdfs, "MOST_BYTES", 300)
    own_pdfs.keep(pdf(1, 200), "x.pdf")
    own_pdfs.keep(pdf(2, 200), "x.pdf")
    assert own_pdfs.find(sha256_bytes(pdf(1, 200))) is None
    own_pdfs.keep(pdf(3, 900), "x.pdf")
    assert own_pdfs.find(sha256_bytes(pdf(3, 900)))
