"""A document as the pages show it: head, heading, outline, full text."""

from __future__ import annotations

import re

import pytest

from engine.documents import Chunk, Document, PageStart, Section
from explorer.shared.document import full_text, head, heading, outline
from explorer.shared.salient import UNDERLINED
from tests.encoders.keyvec.tiny import paper
from tests.explorer.shared.made import SAID


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
    marked = full_text(paper(), salient=SAID.strongest())
    for chunk, p in SAID.strongest():
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


def of(document: Document, text: str, part: int = 0) -> Chunk:
    """The place of a text in a part."""
    start = document.parts[part].text.index(text)
    return document.parts[part].chunk(document.id, part, start, start + len(text))


def test_what_was_found_is_marked_and_pages_are_named() -> None:
    text = "One two three.\n\nFour five. Six seven."
    pages = (PageStart(0, 3), PageStart(text.index("five"), 4))
    document = Document("x", sections=(Section("S", text, pages=pages), Section("T", "No page.")))
    found = of(document, "Four five.")
    marked = full_text(document, found=found)
    assert '<p><span class="ps-page">p. 3</span> One two three.</p>' in marked
    page, mark = '<span class="ps-page">p. {}</span> ', '<mark class="ps-found">{}</mark>'
    assert page.format(3) + mark.format("Four ") + page.format(4) + mark.format("five.") + " Six" in marked
    assert marked.count("ps-page") == 3
    assert full_text(document).count("ps-page") == 2 and "ps-found" not in full_text(document)


def test_a_page_that_begins_between_paragraphs_is_named_at_the_next_one() -> None:
    text = "One two.\n\nThree four."
    for start in (text.index("\n"), text.index("Three")):
        document = Document("x", sections=(Section("S", text, pages=(PageStart(0, 1), PageStart(start, 2))),))
        assert '<p><span class="ps-page">p. 2</span> Three four.</p>' in full_text(document)


def test_what_was_found_far_down_a_long_section_is_shown_with_what_surrounds_it() -> None:
    text = " ".join(f"Sentence number {n} is about kites." for n in range(2_000))
    document = Document("x", sections=(Section("S", text, pages=(PageStart(0, 1), PageStart(30_000, 8))),))
    found = of(document, "Sentence number 1500 is about kites.")
    shown = full_text(document, found=found)
    assert f'<mark class="ps-found">{found.text}</mark>' in shown and "p. 8" in shown and "p. 1<" not in shown
    assert "number 1440 is" in shown and "number 1560 is" in shown and len(shown) < 8_000
    assert "This section begins further up." in shown and "This section goes on." in shown
    assert full_text(document).count("This section") == 1
    end = full_text(document, found=of(document, "Sentence number 1999 is about kites."))
    assert "number 1999" in end and "goes on" not in end


@pytest.mark.parametrize(("number", "earlier", "further"), [(5, 0, 140), (100, 70, 70), (199, 140, 0)])
def test_what_was_found_in_a_late_section_is_shown(number: int, earlier: int, further: int) -> None:
    document = Document("x", sections=tuple(Section(f"S{n}", f"Text {n}.") for n in range(200)))
    shown = full_text(document, found=of(document, f"Text {number}.", number))
    assert f'<mark class="ps-found">Text {number}.</mark>' in shown
    assert (f"{earlier:,} earlier sections are not shown." in shown) is (earlier > 0)
    assert (f"{further:,} further sections are not shown." in shown) is (further > 0)
    assert shown.count("<h3>") == 60


def test_a_found_sentence_may_be_salient_too() -> None:
    document = Document("x", sections=(Section("S", "One two. Three four. Five six."),))
    sentence = of(document, "Three four.")
    marked = full_text(document, salient=[(sentence, 0.5)], found=sentence)
    assert '<mark class="ps-found"><mark class="ps-salient">Three four.</mark><sup' in marked
