"""What questions relate, and that no part knows a question or a text of another."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.research.bioasq.questions import Question
from engine.research.bioasq.related_set import RelatedSet


def document(name: str, abstract: str = "") -> Document:
    return Document(name, title=f"Record {name}", abstract=abstract or f"What record {name} says.")


def of_questions(*named: str, extra: dict[str, Document] | None = None, held_out: float = 0.2) -> RelatedSet:
    questions = [Question(f"q{place}", "", tuple(names.split())) for place, names in enumerate(named)]
    held = {name: document(name) for names in named for name in names.split() if name != "lost"}
    return RelatedSet.of(questions, {**held, **(extra or {})}, held_out=held_out)


PAIRS = tuple(f"a{place} b{place}" for place in range(20))


def test_all_documents_of_a_question_are_related_to_each_other_and_to_no_other() -> None:
    made = of_questions("x y z lost", "y w", "lonely", *PAIRS)
    related = {name: set(others) for name, others in made.related.items()}
    assert related["x"] == {"y", "z"} and related["y"] == {"x", "z", "w"} and related["w"] == {"y"}
    assert not {"lonely", "lost"} & related.keys()
    assert "lonely" in made.documents and "lost" not in made.documents
    assert len(made.pairs) == 3 + 1 + 20


def test_chains_of_questions_and_equal_texts_stay_in_one_part() -> None:
    text = " ".join(f"word{place}" for place in range(30))
    same = {name: document(name, text) for name in ("a0", "c", "b7")}
    chain = [f"n{place} n{place + 1}" for place in range(5)]
    for held_out in (0.1, 0.2, 0.3):
        made = of_questions(*PAIRS, *chain, extra=same, held_out=held_out)
        part = made.part_of
        assert all(part[one] == part[other] for one, other in made.pairs)
        assert len({part[f"n{place}"] for place in range(6)}) == 1
        assert len({part[name] for name in ("a0", "b0", "c", "b7", "a7")}) == 1
        assert set(part) == set(made.documents)
        assert made.groups[0] == 6 and made.groups[1] == 5


def test_parts_have_about_the_share_and_stay_the_same() -> None:
    made = of_questions(*PAIRS, held_out=0.2)
    counts = {part: list(made.part_of.values()).count(part) for part in ("train", "valid", "test")}
    assert counts == {"train": 24, "valid": 8, "test": 8}
    assert of_questions(*PAIRS[::-1], held_out=0.2).part_of == made.part_of


def test_a_group_that_is_too_large_is_trained_on() -> None:
    names = [f"m{place}" for place in range(30)]
    made = of_questions(" ".join(names), *PAIRS)
    assert {made.part_of[name] for name in names} == {"train"}
    assert len([1 for one, other in combinations(names, 2) if (min(one, other), max(one, other)) in made.pairs]) == 435


def test_questions_that_cannot_be_parted_are_told() -> None:
    told = r"Expected questions enough for train, valid and test .*, got none for valid, test: 2 related documents, 20%"
    with pytest.raises(EvaluationError, match=told):
        of_questions("x y")
    with pytest.raises(EvaluationError, match="got none for train, valid, test: 0 related"):
        of_questions("x", "y")
    for share in (0.0, 0.5, -1.0):
        with pytest.raises(EvaluationError, match=r"Expected a share above 0 and below \.5 to hold out, got"):
            of_questions(*PAIRS, held_out=share)
