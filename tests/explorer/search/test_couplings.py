"""Which part met which, on a hit and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import Coupling
from explorer.search.couplings import coupling_list, meaning, sentence
from explorer.state import handles
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.search.hits import choose, rows

HALVES = [Coupling("abstract", "title", 0.71), Coupling("title", "abstract", -0.2)]


@pytest.fixture
def ctpe(folder: Path) -> None:
    """A library that the shipped CTPE has read."""
    handles.prepare("ctpe")


@pytest.mark.usefixtures("ctpe")
def test_a_hit_says_which_half_met_which(app: Start) -> None:
    test = app(example="rewired-random-walk", encoder="ctpe")
    assert not test.exception
    assert len(rows(test)) == 6
    for id_ in ("p1", "US1"):
        (said,) = [block.body for block in choose(test, id_).html if 'class="ps-why"' in block.body]
        assert "met your abstract</span>" in said and "met your title</span>" in said
        assert said.index("Closest passages") < said.index("Which part met which")
    assert page_html(test).count(f"Which part met which: {meaning('ctpe')}") == 1


def test_what_halves_are_is_said_of_the_encoder_that_reads_them() -> None:
    assert meaning("ctpe").startswith("This encoder reads every question as two halves.")
    assert meaning("blend").startswith("CTPE, a part of this encoder, reads every question as two halves.")


@pytest.mark.usefixtures("ctpe")
def test_a_question_that_is_too_short_to_cut_says_nothing_of_halves(app: Start) -> None:
    test = app(text="how long does a lazy random walk on a graph need to visit it all", encoder="ctpe")
    results = test.session_state["answer"][1].results
    assert results and not any(result.evidence.couplings for result in results)
    assert "Which part met which" not in page_text(test)


@pytest.mark.usefixtures("folder")
def test_an_encoder_of_whole_documents_says_nothing_of_halves(app: Start) -> None:
    assert "Which part met which" not in page_text(app(example="rewired-random-walk"))


def test_a_line_has_its_words_a_bar_and_a_number() -> None:
    html = coupling_list(HALVES)
    assert html.count("<li>") == 2
    assert "<span>Their title met your abstract</span>" in html
    assert 'aria-hidden="true"><span class="ps-fill" style="width:71.0%">' in html
    assert 'style="width:0.0%"' in html
    assert "<strong>0.71</strong>" in html and "<strong>-0.20</strong>" in html
    assert 'class="ps-couplings" aria-label="Which part met which"' in html
    assert 'class="ps-couplings ps-couplings-many"' in coupling_list([*HALVES, *HALVES])
    long = Coupling("first claim", "opening of the description", 0.1)
    assert 'class="ps-couplings" aria-label' in coupling_list([*HALVES, long])


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ("title", "first claim", "Their first claim met your title"),
        (
            "title and abstract",
            "opening of the description",
            "The opening of their description met your title and abstr",
        ),
        ("rest", "first 30 %", "The first 30\N{NO-BREAK SPACE}% of their text met the rest of your text"),
        ("whole text", "abstract", "Their abstract met your whole text"),
        ("<b>", "title", "Their title met your <b>"),
    ],
)
def test_parts_read_well_whatever_they_are_called(ours: str, theirs: str, said: str) -> None:
    assert sentence(Coupling(ours, theirs, 0.5)).startswith(said)
    assert "<b>" not in coupling_list([Coupling(ours, theirs, 0.5)])
