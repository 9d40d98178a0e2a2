"""What a link says of a pair, of its coverage by the library, and of the Evaluate page."""

from __future__ import annotations

import pytest

from explorer.state.choices import (
    CellPlace,
    Choice,
    ChosenPair,
    CoverageChoice,
    EvaluationChoice,
    coverage_from_link,
    coverage_to_link,
    pair_from_link,
    pair_to_link,
    with_own_questions,
    with_own_sides,
)
from explorer.state.links import Visit, from_link, is_whole, to_link

CHOICES = (
    CoverageChoice(),
    CoverageChoice(on=True),
    CoverageChoice(True, "claims", "coverage", "year", "My prior art", 12, "US123:A"),
)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_link_restores_the_choice(choice: CoverageChoice) -> None:
    link = {key: values for key, values in coverage_to_link(choice).items() if values}
    assert coverage_from_link(link) == choice
    assert from_link(link).coverage == choice and to_link(from_link(link)) == link


def test_what_is_off_leaves_nothing_in_the_link() -> None:
    off = CoverageChoice(False, "claims", "coverage", "year", "My prior art", 12, "US1")
    assert not any(coverage_to_link(off).values())


@pytest.mark.parametrize(
    "link", [{"library": ["lines"]}, {"library": ["claims"], "at": ["x:US1"]}, {"library": ["claims"], "at": ["3:"]}]
)
def test_what_is_unknown_is_dropped_and_told(link: dict[str, list[str]]) -> None:
    restored = from_link(link)
    assert restored.coverage.document == "" and not is_whole(link, restored)


def test_questions_in_own_files_are_not_in_the_link() -> None:
    own = EvaluationChoice("own", metric="bpref", query="q1")
    assert to_link(Visit(evaluation=own)) == {"metric": ["bpref"]}
    assert with_own_questions(EvaluationChoice(), own) is own
    assert with_own_questions(EvaluationChoice("judged"), own) == EvaluationChoice("judged")


def test_the_choice_stays_when_sides_are_exchanged() -> None:
    assert ChosenPair(salient=False).swapped().salient is False


def test_a_swapped_pair_shows_the_same_from_the_other_side() -> None:
    pair = ChosenPair(Choice("library", "p"), Choice("example", "e"), CellPlace("section", 1, 2), "within_a")
    assert pair.swapped() == ChosenPair(
        Choice("example", "e"), Choice("library", "p"), CellPlace("section", 2, 1), "within_b"
    )
    assert pair.swapped().swapped() == pair


def test_another_document_on_one_side_drops_the_cell() -> None:
    pair = ChosenPair(Choice("library", "p"), Choice("library", "q"), CellPlace("section", 1, 2))
    assert pair.with_side("b", Choice("own")) == ChosenPair(Choice("library", "p"), Choice("own"))


def test_own_documents_stay_when_a_link_inside_the_app_leaves_them_out() -> None:
    held = ChosenPair(Choice("own"), Choice("library", "q"))
    assert with_own_sides(ChosenPair(), held) == ChosenPair(Choice("own"))
    assert with_own_sides(ChosenPair(Choice("example", "e")), held) == ChosenPair(Choice("example", "e"))


def test_a_link_restores_the_third_document_and_what_is_marked() -> None:
    pair = ChosenPair(
        Choice("library", "p"), Choice("library", "q"), c=Choice("example", "e"), alone=False, versions=True
    )
    assert pair_from_link(pair_to_link(pair)) == pair
    assert pair_from_link({"c": ["elsewhere:e"], "versions": ["yes"]}) == ChosenPair()


def test_another_document_is_not_read_as_a_version_of_the_first() -> None:
    pair = ChosenPair(Choice("library", "p"), Choice("library", "q"), versions=True)
    assert pair.with_side("b", Choice("own")).versions is False


def test_attention_turns_round_with_the_sides() -> None:
    assert ChosenPair(matrix="attention").swapped().matrix == "attention_back"
