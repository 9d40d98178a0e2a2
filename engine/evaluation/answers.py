"""What is answered about how well documents are found: a measurement, a model beside the default, a blind bake-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import cast

from typing_extensions import TypedDict

from engine.evaluation.bake_off import AskedBlind, BakeOff, BakeOffVerdict
from engine.evaluation.beside_default import BesideDefault
from engine.evaluation.significance import IntervalJson


class MeasuredSideJson(TypedDict):
    """A model on the questions: its rows, speed, scores alone and in a search, and what keywords count beside it."""

    name: str
    fingerprint: str
    dim: int
    documents_per_second: float
    scores: dict[str, IntervalJson]
    keyword_weight: float


class MeasuredDifferenceJson(TypedDict):
    """The model's score less the default's, p corrected for two comparisons, and what that says."""

    by: IntervalJson
    p: float
    verdict: str


class MeasuredModelJson(TypedDict):
    """A model of a person's own measured beside the default: on which questions, when and where, by which command."""

    name: str
    command: str
    questions: str
    queries: int
    documents: int
    of: int
    metric: str
    model: MeasuredSideJson
    default: MeasuredSideJson
    differences: dict[str, MeasuredDifferenceJson]
    when: str
    hardware: str
    commit: str | None


def measured_as_json(name: str, command: str, found: BesideDefault) -> MeasuredModelJson:
    """Return a model's figures beside the default's."""
    return cast(MeasuredModelJson, {"name": name, "command": command, **found.figures})


class BakeOffStartJson(TypedDict):
    """The two rankings of a bake-off that has begun, and when."""

    rows: list[str]
    started: str


class BlindPickJson(TypedDict):
    """A document of a list, by its number there; who found it stays hidden."""

    number: int
    id: str
    title: str


class BlindListJson(TypedDict):
    """What both rankings found for a question, in one list."""

    key: str
    documents: list[BlindPickJson]


class JudgedJson(TypedDict):
    """How many documents are judged, and how many judgements a verdict needs."""

    judged: int
    enough: int


class BlindQuestionJson(TypedDict):
    """A question of a running bake-off, its documents, and the grades given."""

    key: str
    documents: list[str]
    grades: dict[str, int]


class RunningJson(JudgedJson):
    """A running bake-off, without the rankings' names and without who found what."""

    started: str
    questions: list[BlindQuestionJson]


class BakeOffVerdictJson(TypedDict):
    """What judgements say: relevant documents of each ranking, the first one's share of them, and p.

    `questions` counts those on which the first brought more, as many, and fewer.
    """

    rows: list[str]
    judged: int
    relevant: list[int]
    share: IntervalJson
    p: float
    questions: list[int]


class RevealedJson(BakeOffVerdictJson):
    """The verdict that ends a bake-off; `better` is empty where chance would often give as large a lead."""

    better: str


class BakeOffsJson(TypedDict):
    """The bake-off that runs, and the verdicts of earlier ones."""

    running: RunningJson | None
    ended: list[BakeOffVerdictJson]


def started_as_json(begun: BakeOff) -> BakeOffStartJson:
    """Return what has begun."""
    return {"rows": list(begun.rows), "started": begun.started}


def asked_as_json(asked: AskedBlind, titles: Mapping[str, str]) -> BlindListJson:
    """Return the list of a question; `titles` are the documents', by id."""
    picks = enumerate(asked.picks, start=1)
    return {
        "key": asked.key,
        "documents": [{"number": number, "id": one.id, "title": titles[one.id]} for number, one in picks],
    }


def judged_as_json(running: BakeOff) -> JudgedJson:
    """Return how far a bake-off has come."""
    return {"judged": running.judged, "enough": BakeOff.ENOUGH}


def bake_offs_as_json(running: BakeOff | None, ended: Sequence[BakeOff]) -> BakeOffsJson:
    """Return the one that runs, if any, and the verdicts of earlier ones."""
    return {
        "running": None if running is None else _running(running),
        "ended": [_verdict(one.verdict()) for one in ended],
    }


def _running(running: BakeOff) -> RunningJson:
    return {
        "started": running.started,
        "judged": running.judged,
        "enough": BakeOff.ENOUGH,
        "questions": [
            {"key": one.key, "documents": [pick.id for pick in one.picks], "grades": dict(one.grades)}
            for one in running.asked
        ],
    }


def revealed_as_json(found: BakeOffVerdict) -> RevealedJson:
    """Return the verdict that ends a bake-off."""
    return {**_verdict(found), "better": found.better}


def _verdict(found: BakeOffVerdict) -> BakeOffVerdictJson:
    return cast(BakeOffVerdictJson, asdict(found))
