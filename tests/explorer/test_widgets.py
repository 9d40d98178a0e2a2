"""What the widgets make of documents, scores and progress, without a browser."""

from __future__ import annotations

import pytest

from engine.documents import Chunk, Document, Section
from engine.evidence import Evidence, PassagePair, Term
from engine.progress import Progress
from engine.search import Result
from explorer.models.card import lowered
from explorer.search.hits import spoken_names, why
from explorer.shared.counts import table
from explorer.shared.document import full_text, head, heading, outline, source_link
from explorer.shared.document_form import _listed, _with_claims
from explorer.shared.passages import marked, passage_pair, with_cuts
from explorer.shared.progress import duration, sentence
from explorer.state.examples import examples
from tests.test_markup import HOSTILE


def chunk(text: str) -> Chunk:
    return Chunk("d", 0, HOSTILE, 0, len(text), text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A whole sentence.", "A whole sentence."),
        ("A rod passing through the ear, having a head", "A rod passing through the ear, having a head …"),
        ("and a stop on the rod;", "… and a stop on the rod; …"),
        ("A " + "x" * 800 + ".", "A " + "x" * 698 + " …"),
    ],
)
def test_a_passage_that_was_cut_says_so(text: str, shown: str) -> None:
    assert with_cuts(text) == shown


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


def test_words_that_both_passages_use_are_marked() -> None:
    assert marked("The walk mixes; a Walk!", {"walk"}) == "The <mark>walk</mark> mixes; a <mark>Walk</mark>!"


def test_function_words_are_not_marked() -> None:
    pair = passage_pair(chunk("the graph and the walk"), chunk("and the tree"))
    assert "<mark>" not in pair


def test_a_word_is_marked_in_the_form_that_each_passage_has() -> None:
    pair = passage_pair(
        chunk("Recommending citations, as described"), chunk("A citation was recommended; it describes.")
    )
    for form in ("Recommending", "citations", "citation", "recommended"):
        assert f"<mark>{form}</mark>" in pair
    assert "described</mark>" not in pair and "describes</mark>" not in pair


def test_a_passage_names_its_page() -> None:
    paged = Chunk("d", 2, "Methods", 0, 8, "We walk.", page=7)
    pair = passage_pair(paged, Chunk("e", 0, "", 0, 3, "We."))
    assert "In your document · Methods, p. 7" in pair
    assert ">In this one<" in pair


def test_a_title_stands_where_it_belongs_among_the_headings() -> None:
    document = Document("d", "paper", "A title")
    assert "<h2" in head(document) and "<h4" in head(document, level=4)


def test_every_cell_of_a_table_has_a_heading_of_its_column_and_of_its_row() -> None:
    html = table(("File", "Documents"), [("a.pdf", "3")], label="Files", numbers=(1,))
    assert html.startswith('<table class="ps-table" aria-label="Files">')
    assert '<th scope="col">File</th>' in html
    assert '<tr><th scope="row">a.pdf</th><td class="ps-number">3</td></tr>' in html


def test_cards_and_thumbs_are_named_by_their_result() -> None:
    found = [
        Result(rank, Document(f"d{rank}", "paper", f"Title {rank}"), 0.5, {}, Evidence((), None)) for rank in (1, 2)
    ]
    assert spoken_names(found, "d2") == {
        "hit-1": "Result 1: Title 1",
        "hit-2-selected": "Result 2: Title 2",
        "thumbs-1": "Is result 1 relevant?",
        "thumbs-2": "Is result 2 relevant?",
    }


def test_a_model_cards_headings_stand_under_the_encoders_and_its_code_stays() -> None:
    card = "# CTPE\n\n## Use\n\n```sh\n# a comment\n```\n\n### More"
    assert lowered(card) == "### CTPE\n\n#### Use\n\n```sh\n# a comment\n```\n\n##### More"


def test_hostile_text_stays_text_in_every_widget() -> None:
    evidence = Evidence((Term(HOSTILE, 1.0),), PassagePair(chunk(HOSTILE), chunk(HOSTILE), 0.5))
    document = Document(
        HOSTILE,
        "patent",
        HOSTILE,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        categories=(HOSTILE,),
        venue=HOSTILE,
        authors=(HOSTILE,),
        url="javascript:alert(1)",
        claims=(HOSTILE,),
    )
    result = Result(1, document, 0.5, {"encoder": 0.5}, evidence, (HOSTILE,))
    html = (
        head(document)
        + full_text(document)
        + why(result)
        + source_link(document)
        + table(("a",), [(HOSTILE,)], label=HOSTILE)
    )
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    assert html.count("&lt;script&gt;") >= 10


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


def test_the_form_keeps_the_places_of_cancelled_claims() -> None:
    document = Document("x", "patent", claims=("", "A hook.", "The hook of claim 2."))
    shown = _listed(document.claims)
    assert shown == "(canceled)\n\nA hook.\n\nThe hook of claim 2."
    assert _with_claims(shown.replace("hook.", "bolt."))(document).claims == ("", "A bolt.", "The hook of claim 2.")


def test_a_claim_of_several_paragraphs_stays_one_in_the_form() -> None:
    shown = _listed(("A hook having:\n\na shank; and\n \na barb.", "The hook of claim 1."))
    assert _with_claims(shown)(Document("x")).claims == (
        "A hook having:\na shank; and\na barb.",
        "The hook of claim 1.",
    )
    assert _with_claims("A hook.\n  \nA bolt.")(Document("x")).claims == ("A hook.", "A bolt.")


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress("Encoding", 500, 2000, 5.0), "Encoding: 500 of 2,000 · 100 a second · about 15 s left"),
        (Progress("Encoding", 2000, 2000, 20.0), "Encoding: 2,000 of 2,000 in 20 s"),
        (Progress("Reading", 3, None, 30.0), "Reading: 3"),
        (
            Progress("download x", 5_000_000, 10_000_000, 1.0),
            "Download x: 5.0 MB of 10.0 MB · 5.0 MB a second · about 1 s left",
        ),
        (Progress("Reading", 0, 10, 0.0), "Reading: 0 of 10"),
    ],
)
def test_progress_says_count_rate_and_time_left(progress: Progress, words: str) -> None:
    assert sentence(progress) == words


def test_a_duration_is_said_as_people_do() -> None:
    assert [duration(seconds) for seconds in (0.2, 45, 300, 7200)] == ["under a second", "45 s", "5 min", "2.0 h"]


def test_there_are_three_papers_and_three_patents_to_try() -> None:
    kinds = [example.kind for example in examples().values()]
    assert kinds == ["paper"] * 3 + ["patent"] * 3
    for example in examples().values():
        assert 400 <= len(example.path.read_text("utf-8").split()) <= 900
        assert example.title
        assert len(example.opening) > 200
