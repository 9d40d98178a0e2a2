"""Documents, their parts and their text."""

from __future__ import annotations

import dataclasses

import pytest

from engine.documents import Document, Section

PATENT = Document(
    id="US1",
    kind="patent",
    title="Car coupling",
    abstract="A coupling.",
    sections=(Section("Background", "Couplings fail."), Section("References", "[1] A book.", "references")),
    claims=("A coupling for cars.", "The coupling of claim 1."),
)


def test_parts_are_every_text_in_reading_order() -> None:
    assert [(part.title, part.role) for part in PATENT.parts] == [
        ("Title", "title"),
        ("Abstract", "abstract"),
        ("Background", "body"),
        ("References", "references"),
        ("Claim 1", "claim"),
        ("Claim 2", "claim"),
    ]


def test_text_leaves_the_reference_list_out() -> None:
    assert "Couplings fail." in PATENT.text
    assert "The coupling of claim 1." in PATENT.text
    assert "A book" not in PATENT.text


def test_a_document_without_a_title_is_named_by_its_id() -> None:
    assert PATENT.name == "Car coupling"
    assert Document("US2", "patent").name == "Untitled patent US2"


def test_an_empty_document_has_no_parts() -> None:
    assert Document("x").parts == ()
    assert Document("x").text == ""


def test_the_first_claim_is_one_that_was_not_cancelled() -> None:
    assert PATENT.first_claim == "A coupling for cars."
    assert dataclasses.replace(PATENT, claims=("", "A hook.")).first_claim == "A hook."
    assert dataclasses.replace(PATENT, claims=("",)).first_claim == Document("x").first_claim == ""


def test_documents_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PATENT.title = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "ftp://a/b",
        "http://",
        "http://[::1",
        "https://a/\nb",
        "",
    ],
)
def test_an_address_that_is_not_plain_web_is_nothing(url: str) -> None:
    assert Document("d", url=url).web_address == ""


def test_a_web_address_stays() -> None:
    assert Document("d", url=" https://arxiv.org/abs/1706.03762 ").web_address == "https://arxiv.org/abs/1706.03762"


def test_a_digest_of_somebody_s_own_text_is_no_name() -> None:
    ids = ("file:e6f817eaee9840c9", "text:61ba6625aa33ca48", "doi:10.1/x", "US204080A")
    assert [Document(id_).public_id for id_ in ids] == ["", "", "doi:10.1/x", "US204080A"]
