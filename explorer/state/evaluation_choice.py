"""What the Evaluate page shows, as part of the link: which questions, rankings, metric and query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from explorer.state.link_values import Parameters, identifier, ids, one_of

Questions = Literal["subjects", "judged", "small", "own"]
"""The questions with known answers: the library's subjects, the visitor's judgements, our small set, or the visitor's
own files, which a link cannot carry."""
QUESTIONS: tuple[Questions, ...] = get_args(Questions)

Way = Literal["answers", "blind"]
"""Rankings are measured on known answers, or judged blind by the visitor."""
WAYS: tuple[Way, ...] = get_args(Way)

METRIC = "nDCG@10"


@dataclass(frozen=True, slots=True)
class EvaluationChoice:
    """Everything on the Evaluate page that a link restores.

    Empty `rows` means the quick ones. `row` and `against` are the two rankings compared query by query, empty if not
    picked; `query` is the id of the query whose rankings are shown.
    """

    questions: Questions = "subjects"
    rows: tuple[str, ...] = ()
    metric: str = METRIC
    row: str = ""
    against: str = ""
    query: str = ""
    way: Way = "answers"


def evaluation_from_link(parameters: Parameters) -> EvaluationChoice:
    """The choice that a link describes."""
    return EvaluationChoice(
        questions=one_of(parameters, "on", QUESTIONS) or "subjects",
        rows=ids(parameters, "row"),
        metric=identifier(parameters, "metric") or METRIC,
        row=identifier(parameters, "look"),
        against=identifier(parameters, "against"),
        query=identifier(parameters, "case"),
        way=one_of(parameters, "way", WAYS) or "answers",
    )


def evaluation_to_link(choice: EvaluationChoice) -> dict[str, list[str]]:
    """The choice's parameters; those at their defaults are empty lists."""
    return {
        "on": [choice.questions] if choice.questions not in ("subjects", "own") else [],
        "row": list(choice.rows),
        "metric": [choice.metric] if choice.metric != METRIC else [],
        "look": [choice.row] if choice.row else [],
        "against": [choice.against] if choice.against else [],
        "way": [choice.way] if choice.way != "answers" else [],
        "case": [choice.query] if choice.query and choice.questions != "own" else [],
    }


def with_own_questions(restored: EvaluationChoice, held: EvaluationChoice) -> EvaluationChoice:
    """A choice from a link inside the app, with the visitor's own files, which a link cannot carry."""
    return held if held.questions == "own" and restored.questions == "subjects" else restored
