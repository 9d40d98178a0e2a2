"""A document as the pages show it: head, heading, outline, full text."""

from __future__ import annotations

import re

import pytest

from engine.documents import Chunk, Document, Section
from explorer.shared.document import full_text, head, heading, outline
from explorer.shared.salient import UNDERLINED, strongest
from tests.encoders.keyvec.tiny import paper
from tests.explorer.shared.salience import SAID


@pytest.mark.parametrize(
    ("document", "shown"),
    [
        (Document("text:1", "query", abstract="How does it\nwork?"), "How does it work?"),
        (Document("file:1", "paper", abstract="walk " * 50), " ".join(["walk"] * 32) + " …"),
        (Document("file:1", "paper"), "Untitled"),
        (Document("US1", "patent", abstract="A relay."), "Untitled patent US1"),
        (Document("text:1", "query", "A title", "A text."), "A title"),
    ],
)
def test_a_persons_own_text_goes_by_how_it_begins(document: Document, shown: str) -> None:
    assert heading(document) == shown


def test_a_title_stands_where_it_belongs_among_the_headings() -> None:
    document = Document("d", "paper", "A title")
    assert "<h2" in head(document) and "<h4" in head(document, level=4)


def test_a_document_without_anything_still_has_a_head() -> None:
    assert "Untitled" in head(Document("x"))
    assert "only the title" in full_text(Document("x", title="t"))
    assert outline(Document("x", title="two words")) == "2 words"


def test_the_outline_counts_sections_and_claims() -> None:
    document = Document("x", title="a b", sections=(Section("One", "c d"),), claims=("e", "f"))
    assert outline(document) == "6 words, 1 section, 2 claims"


def test_cancelled_claims_are_not_shown_and_the_others_keep_their_numbers() -> None:
    document = Document("x", "patent", claims=("", "", "A hook.", ""))
    assert outline(document) == "2 words, 1 claim"
    html = full_text(document)
    assert "Claim 3" in html and "A hook." in html
    assert "Claim 1" not in html and "Claim 4" not in html


def test_salient_sentences_are_marked_in_the_text_with_their_p() -> None:
    marked = full_text(paper(), salient=strongest(SAID))
    for chunk, p in strongest(SAID):
        after = marked.split(f'<mark class="ps-salient">{chunk.text}</mark>', 1)[1]
        assert after.startswith(f'<sup class="ps-p" title="p {p:.2f}: how likely')
    assert marked.count("<mark") == 3
    without = full_text(paper())
    assert "<mark" not in without
    assert _bare(marked).removeprefix(f"{UNDERLINED} ") == _bare(without)


def _bare(text: str) -> str:
    """Words without tags and numbers, as one reads them."""
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"<sup.*?</sup>", "", text)).split())


def test_a_sentence_over_two_paragraphs_is_marked_in_both() -> None:
    document = Document("x", sections=(Section("S", "One two.\n\nThree four."),))
    chunk = Chunk("x", 0, "S", 4, 15, document.sections[0].text[4:15])
    marked = full_text(document, salient=[(chunk, 0.5)])
    assert '<p>One <mark class="ps-salient">two.</mark></p>' in marked
    assert '<mark class="ps-salient">Three</mark><sup' in marked
