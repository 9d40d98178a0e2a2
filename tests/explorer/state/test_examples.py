"""The examples that we wrote."""

from __future__ import annotations

from explorer.state.examples import EXAMPLE_PAIRS, every_example, examples


def test_there_are_three_papers_and_three_patents_to_try() -> None:
    kinds = [example.kind for example in examples().values()]
    assert kinds == ["paper"] * 3 + ["patent"] * 3
    for example in examples().values():
        assert 400 <= len(example.path.read_text("utf-8").split()) <= 900
        assert example.title
        assert len(example.opening) > 200


def test_every_document_of_an_example_pair_is_there() -> None:
    names = {name for pair in EXAMPLE_PAIRS for name in (pair.first, pair.second)}
    assert names <= set(every_example())
    assert {every_example()[name].kind for name in names} == {"paper", "patent"}
