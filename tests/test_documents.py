"""Documents, their parts and their text."""

from __future__ import annotations

import dataclasses

import pytest

from engine.documents import Document, PageStart, Section

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


PAGED = Section("Methods", "On page two. On page three. On four.", pages=(PageStart(0, 2), PageStart(13, 3)))


def test_a_place_in_a_section_has_a_page_where_pages_are_known() -> None:
    assert [PAGED.page_at(offset) for offset in (0, 12, 13, 99)] == [2, 2, 3, 3]
    assert Section("Methods", "A text.").page_at(0) is None
    assert Section("Methods", "A text.", pages=(PageStart(2, 5),)).page_at(1) is None


def test_a_chunk_says_where_it_stands() -> None:
    chunk = PAGED.chunk("x", 4, 13, 26)
    assert (chunk.document_id, chunk.part, chunk.text, chunk.page) == ("x", 4, "On page three", 3)
    assert chunk.place == "Methods, p. 3"
    assert Section("", PAGED.text, pages=PAGED.pages).chunk("x", 0, 0, 2).place == "p. 2"
    assert Section("Methods", "A text.").chunk("x", 0, 0, 6).place == "Methods"
    assert Section("", "A text.").chunk("x", 0, 0, 6).place == ""


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        (PAGED.text, [(0, 2), (13, 3)]),
        ("Upon page two. On page three. On four.", [(0, 2), (15, 3)]),
        ("On page two. On page three, corrected.", [(0, 2), (13, 3)]),
        ("On page two. New here. On page three. On four.", [(0, 2), (13, 3)]),
        ("On page two. And now the rest.", [(0, 2), (13, 3)]),
        ("On page", [(0, 2)]),
        ("On page. On four.", [(0, 2)]),
        ("", []),
    ],
)
def test_a_correction_keeps_the_pages_around_it(text: str, pages: list[tuple[int, int]]) -> None:
    corrected = PAGED.with_text(text)
    assert (corrected.title, corrected.text) == ("Methods", text)
    assert [tuple(start) for start in corrected.pages] == pages


def test_pages_are_no_part_of_what_a_section_is() -> None:
    assert Section("Methods", PAGED.text) == PAGED


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
