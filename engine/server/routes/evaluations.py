"""How well rankings find known answers: measured in a job, and kept while the server runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from typing_extensions import Doc

from engine.core.errors import InputError, UnknownEncoderError
from engine.core.progress import Report
from engine.documents.text import how_many
from engine.evaluation import (
    DEFAULT_ROW,
    PRODUCT,
    Benchmark,
    EvaluationJson,
    EvaluationReport,
    QuestionSource,
    questions_of,
)
from engine.server.given import OpenWorkspace, RequestBody, Writer
from engine.server.problems import ProblemError
from engine.server.routes.jobs import JobJson, find_job, job_as_json
from engine.workspace import Workspace

router = APIRouter(prefix="/evaluations")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationBody(RequestBody):
    """Rankings, and the questions that they are measured on."""

    encoders: Annotated[tuple[str, ...], Doc("rankings: encoders, keywords, or default, the ranking of a search")] = (
        DEFAULT_ROW,
    )
    questions: Annotated[
        QuestionSource,
        Doc("the small set that comes with Priorscope, the queries judged in this library, or its subjects"),
    ] = "small"


def _load(workspace: Workspace, questions: QuestionSource, report: Report) -> Benchmark:
    if questions == "small":
        return questions_of("small")
    made = Benchmark.from_judgements if questions == "judged" else Benchmark.from_subjects
    return made(workspace.library, report=report)


@router.post("", status_code=202, summary="Measure rankings")
def start_evaluation(workspace: OpenWorkspace, _caller: Writer, request: Request, body: EvaluationBody) -> JobJson:
    """Put the measuring in line; once the job is done, its number leads to the figures."""
    rows, kept = list(dict.fromkeys(body.encoders)), request.app.state.evaluations
    key = ("measuring", body.questions, *rows)
    if not rows:
        raise InputError("Expected at least one ranking to measure, got none. Leave encoders out for the usual one.")
    for row in rows:
        if row not in PRODUCT.names():
            names = ", ".join(PRODUCT.names())
            raise UnknownEncoderError(f"Expected rankings among {names}, got {row[:60]!r}. Name one of these.")

    def work(report: Report) -> str:
        benchmark = _load(workspace, body.questions, report)
        in_library = body.questions != "small"
        measured = [
            PRODUCT.measure_for(workspace, benchmark, row, in_library=in_library, report=report) for row in rows
        ]
        figures = EvaluationReport(benchmark, measured).figures()
        kept.get(key, lambda: figures, mark=object())  # in place of what was measured before
        return f"{how_many(len(rows), 'ranking')} measured on {how_many(len(benchmark.queries), 'query')}."

    return job_as_json(workspace.jobs.start("Measuring rankings", work, key=key))


@router.get("/{number}", summary="The figures of an evaluation")
def get_evaluation(workspace: OpenWorkspace, request: Request, number: int) -> EvaluationJson:
    """Return each ranking's metrics, by the number of the job that measured them."""
    job = find_job(workspace, number)
    found: EvaluationJson | None = request.app.state.evaluations.held(job.key)
    if found is None or not job.finished.is_set():
        said = job.problem or "it is not done, or it measures nothing"
        raise ProblemError(409, "No figures", f"Expected the number of a job that measured rankings; {said}.")
    return found
