"""The pair of documents that a link names, and how its sides change."""

from __future__ import annotations

from explorer.state.pair import Cell, Choice, Pair, pair_from_link, pair_to_link, with_own_sides


def test_the_choice_stays_when_sides_are_exchanged() -> None:
    assert Pair(salient=False).swapped().salient is False


def test_a_swapped_pair_shows_the_same_from_the_other_side() -> None:
    pair = Pair(Choice("library", "p"), Choice("example", "e"), Cell("section", 1, 2), "within_a")
    assert pair.swapped() == Pair(Choice("example", "e"), Choice("library", "p"), Cell("section", 2, 1), "within_b")
    assert pair.swapped().swapped() == pair


def test_another_document_on_one_side_drops_the_cell() -> None:
    pair = Pair(Choice("library", "p"), Choice("library", "q"), Cell("section", 1, 2))
    assert pair.with_side("b", Choice("own")) == Pair(Choice("library", "p"), Choice("own"))


def test_own_documents_stay_when_a_link_inside_the_app_leaves_them_out() -> None:
    held = Pair(Choice("own"), Choice("library", "q"))
    assert with_own_sides(Pair(), held) == Pair(Choice("own"))
    assert with_own_sides(Pair(Choice("example", "e")), held) == Pair(Choice("example", "e"))


def test_a_link_restores_the_third_document_and_what_is_marked() -> None:
    pair = Pair(Choice("library", "p"), Choice("library", "q"), c=Choice("example", "e"), alone=False, versions=True)
    assert pair_from_link(pair_to_link(pair)) == pair
    assert pair_from_link({"c": ["elsewhere:e"], "versions": ["yes"]}) == Pair()


def test_another_document_is_not_read_as_a_version_of_the_first() -> None:
    pair = Pair(Choice("library", "p"), Choice("library", "q"), versions=True)
    assert pair.with_side("b", Choice("own")).versions is False


def test_attention_turns_round_with_the_sides() -> None:
    assert Pair(matrix="attention").swapped().matrix == "attention_back"
