"""What is known of two documents of a collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.research.nearness.fields import (
    APART,
    OF_ONE_FIELD,
    RELATED,
    SAME_WORK,
    Field,
    _by_category,
    _by_class,
    distance,
    drawn,
    known_pairs,
)

ONE = Document("a", "patent", "Kite", categories=("B64C", "Y10T"), family="F1")
TWO = Document("b", "patent", "Reel", categories=("B64C",), family="F1")
THREE = Document("c", "patent", "Boat", categories=("B63B",))
FOUR = Document("d", "patent", "Stove", categories=("F24B",))


def test_family_comes_before_citation_and_citation_before_the_field() -> None:
    field = Field("x", "kites", [ONE, TWO, THREE, FOUR], _by_class, related=frozenset({frozenset({"a", "c"})}))
    assert field.known(ONE, TWO) == SAME_WORK and field.known(ONE, THREE) == RELATED
    assert field.known(TWO, THREE) == OF_ONE_FIELD | APART  # of one section, not of one class
    assert field.known(ONE, FOUR) == APART


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        (("cs.CL",), ("cs.CL", "stat.ML"), RELATED | OF_ONE_FIELD),
        (("cs.CL",), ("cs.DS",), OF_ONE_FIELD | APART),
        (("cs.CL",), ("math.AG",), APART),
    ],
)
def test_papers_are_labelled_by_their_categories(one: tuple[str, ...], other: tuple[str, ...], known: object) -> None:
    assert _by_category(Document("a", categories=one), Document("b", categories=other)) == known


def test_areas_that_share_subjects_are_neighbours() -> None:
    fields = [Field(name, area, [], _by_class) for name, area in (("a", "aerodynamics"), ("b", "exact sciences"))]
    far = Field("c", "biomedicine", [], _by_class)
    assert distance(fields[0], fields[0]) == "own" and distance(*fields) == "neighbouring"
    assert distance(fields[0], far) == "far"


def test_pairs_are_those_with_a_label_of_1(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("id-a\tid-b\tlabel\tsplit\na\tb\t1\ttrain\na\tc\t0\ttrain\n")
    assert known_pairs(tmp_path / "pairs.tsv") == {frozenset({"a", "b"})}
    (tmp_path / "pairs.tsv").write_text("citing\tcited\na\tc\n")
    assert known_pairs(tmp_path / "pairs.tsv") == {frozenset({"a", "c"})}


def test_the_same_documents_are_drawn_again() -> None:
    documents = [Document(f"d{n}") for n in range(20)]
    assert drawn(documents, 5) == drawn(documents[::-1], 5) and len(drawn(documents, 5)) == 5
