"""The choice of the Evaluate page as a part of the link."""

from __future__ import annotations

from explorer.state.evaluation_choice import EvaluationChoice, with_own_questions
from explorer.state.links import Visit, to_link


def test_questions_in_own_files_are_not_in_the_link() -> None:
    own = EvaluationChoice("own", metric="bpref", query="q1")
    assert to_link(Visit(evaluation=own)) == {"metric": ["bpref"]}
    assert with_own_questions(EvaluationChoice(), own) is own
    assert with_own_questions(EvaluationChoice("judged"), own) == EvaluationChoice("judged")
