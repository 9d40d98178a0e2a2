"""Files in, and long work: imports and uploads, the jobs in line, and how far each has come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Response, UploadFile
from fastapi.responses import StreamingResponse
from typing_extensions import TypedDict

from engine.core.config import filled
from engine.core.errors import InputTooLargeError
from engine.core.progress import Progress
from engine.exports import DocumentJson, document_as_json
from engine.reading import LIMITS, read_bytes
from engine.server.given import Asker, Held, OpenWorkspace, Writer, encoder_named
from engine.server.problems import ProblemError
from engine.workspace import Job, Workspace, safe_name, take_files

router = APIRouter()
_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_BETWEEN_SIGNS = 15.0
JobState = Literal["waiting", "running", "paused", "done", "failed"]


class StageJson(TypedDict):
    """How far a stage of a job has come; `total` and `seconds_left` are null while they are not known."""

    stage: str
    done: int
    total: int | None
    seconds: float
    seconds_left: float | None
    note: str


class JobJson(TypedDict):
    """A piece of long work: `outcome` says what it did, `problem` what went wrong."""

    number: int
    name: str
    state: JobState
    stages: list[StageJson]
    outcome: str
    problem: str


class UploadJson(TypedDict):
    """The name under which a document can ask now, and what was read of it."""

    upload: str
    document: DocumentJson


def job_as_json(job: Job) -> JobJson:
    """Return how far a job has come."""
    over: JobState = "failed" if job.problem else "done"
    begun: JobState = "running" if job.begun and not job.gave_way else "waiting"
    is_over, stages = job.finished.is_set(), [_stage(one) for one in list(job.stages.values())]
    state = over if is_over else "paused" if job.paused else begun
    return filled(JobJson, job, state=state, stages=stages, **({} if is_over else {"outcome": "", "problem": ""}))


def _stage(progress: Progress) -> StageJson:
    left = progress.seconds_left
    rounded = {"seconds": round(progress.seconds, 1), "seconds_left": None if left is None else round(left, 1)}
    return filled(StageJson, progress, **rounded)


@router.post("/uploads", status_code=201, summary="Send a document to ask with")
def upload(uploads: Held, caller: Asker, file: Annotated[UploadFile, File()]) -> UploadJson:
    """Read one file in any format that we read; it can ask, under the name that comes back, for a day."""
    data = file.file.read(LIMITS.max_file_bytes + 1)
    if len(data) > LIMITS.max_file_bytes:
        raise InputTooLargeError(f"Expected a file of at most {LIMITS.max_file_bytes >> 20} MiB; it is larger.")
    reading = read_bytes(data, safe_name(file.filename or ""))
    name = uploads.keep(reading, caller.digest, len(data))
    return {"upload": name, "document": document_as_json(reading)}


@router.get("/uploads/{name}", summary="What was read of an upload")
def get_upload(uploads: Held, caller: Asker, name: str) -> DocumentJson:
    """Return the document; it is there only for the token that sent it."""
    return document_as_json(uploads.find(name, caller.digest))


@router.delete("/uploads/{name}", status_code=204, summary="Forget an upload")
def forget_upload(uploads: Held, caller: Asker, name: str) -> None:
    """Forget it now; it is forgotten within a day anyway."""
    uploads.forget(name, caller.digest)


@router.post("/imports", status_code=202, summary="Add files to the library")
def add_files(
    workspace: OpenWorkspace,
    _caller: Writer,
    response: Response,
    files: Annotated[list[UploadFile], File(description="files in any format that we read")],
    encoder: Annotated[str, Form(description="the encoder that reads them next")] = "default",
) -> JobJson:
    """Put the import in line. Once this answers, the files are on disk: they come in even if the server ends."""
    given = [(file.filename or "", file.file) for file in files]
    job = take_files(workspace, given, encoder=encoder_named(encoder))
    response.headers["Location"] = f"/v1/jobs/{job.number}"
    return job_as_json(job)


@router.get("/jobs", summary="The jobs in line")
def list_jobs(workspace: OpenWorkspace) -> list[JobJson]:
    """Return the job that runs, then those that wait or are paused."""
    return [job_as_json(job) for job in workspace.jobs.in_line()]


@router.get("/jobs/{number}", summary="How far a job has come")
def get_job(workspace: OpenWorkspace, number: int) -> JobJson:
    """Return a job in line, or one that is over; the last fifty are remembered."""
    return job_as_json(find_job(workspace, number))


@router.delete("/jobs/{number}", status_code=202, summary="Stop a job")
def cancel_job(workspace: OpenWorkspace, _caller: Writer, number: int) -> JobJson:
    """Take it out of the line, or stop it at its next report; what was whole is kept."""
    job = find_job(workspace, number)
    workspace.jobs.cancel(number)
    return job_as_json(job)


@router.post("/jobs/{number}/{change}", status_code=202, summary="Pause a job, let it go on, or move it up")
def change_job(
    workspace: OpenWorkspace, _caller: Writer, number: int, change: Literal["pause", "go-on", "move-up"]
) -> JobJson:
    """Change a job's place; only reading, which goes on where it stopped, can be paused."""
    job, jobs = find_job(workspace, number), workspace.jobs
    {"pause": jobs.pause, "go-on": jobs.go_on, "move-up": jobs.move_up}[change](number)
    return job_as_json(job)


@router.get(
    "/jobs/{number}/events",
    summary="A job's progress as it comes",
    response_class=StreamingResponse,
    responses={200: {"description": "Server-sent events: `progress` with the job, then `end`"}},
)
async def job_events(workspace: OpenWorkspace, number: int) -> StreamingResponse:
    """Send the job whenever it has come further, and once more when it is over."""
    job = find_job(workspace, number)
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(_events(job), media_type="text/event-stream", headers=headers)


async def _events(job: Job) -> AsyncIterator[str]:
    sent, quiet = "", 0.0
    while True:
        is_over = job.finished.is_set()
        told = json.dumps(job_as_json(job))
        if told != sent:
            yield f"event: {'end' if is_over else 'progress'}\ndata: {told}\n\n"
            sent, quiet = told, 0.0
        if is_over:
            return
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        quiet += _SECONDS_BETWEEN_LOOKS
        if quiet >= _SECONDS_BETWEEN_SIGNS:
            quiet = 0.0
            yield ": still here\n\n"


def find_job(workspace: Workspace, number: int) -> Job:
    """Return a job in line, or one that is over. Raises ProblemError for a number that none has."""
    found = next((job for job in workspace.jobs.in_line() if job.number == number), None)
    if found is None and (found := workspace.jobs.over(number)) is None:
        raise ProblemError(404, "Unknown job", f"Expected a job's number, got {number}; /v1/jobs lists those in line.")
    return found
