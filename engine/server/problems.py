"""Errors as problem details (RFC 9457): the engine's own sentences, with a status and a stable type."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import NotRequired

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from typing_extensions import TypedDict

from engine.core import errors
from engine.core.errors import EngineError, LineError

_LOG = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
NOT_MODIFIED = 304
_STATUS: Mapping[type[EngineError], int] = {
    errors.InputTooLargeError: 413,
    errors.UnsupportedFormatError: 415,
    errors.WrongExtensionError: 415,
    errors.UnknownDocumentError: 404,
    errors.UnknownEncoderError: 404,
    errors.StorageError: 503,
    errors.VectorIndexError: 503,
    errors.LibraryError: 409,
    errors.CancelledError: 409,
    errors.NotFittedError: 409,
    errors.MapError: 409,
    errors.SourceError: 502,
    errors.MissingExtraError: 501,
}
"""By the nearest class of an error; all others are what the request got wrong."""
_WRONG_REQUEST = 422
_SAID = {
    400: "Expected a request that can be read; its body or its path is malformed: {}",
    404: "Nothing is here. The page /v1/docs lists every route.",
    405: "Expected another method at this address. The page /v1/docs lists every route.",
}
_DEFECT = "The server failed at this request. Its log says why; nothing was half written. Please report it."
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Problem(TypedDict):
    """What went wrong: its kind, the status, and a sentence for a person; `at` is where in a line a fault stands."""

    type: str
    title: str
    status: int
    detail: str
    at: NotRequired[int]


class ProblemError(HTTPException):
    """An error of the request itself, which the engine does not know."""

    def __init__(self, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        """Say the status, its kind in a few words, what was wrong, and headers to send along."""
        super().__init__(status, detail, dict(headers or {}))
        self.kind = kind


def problem(status: int, kind: str, detail: str) -> Problem:
    """Return a problem of a kind: "Unknown document"."""
    type_ = f"urn:priorscope:{kind.lower().replace(' ', '-')}"
    return {"type": type_, "title": kind, "status": status, "detail": detail}


def problem_of(error: EngineError) -> Problem:
    """Return the problem of an error that the engine raised on purpose."""
    status = next((_STATUS[one] for one in type(error).mro() if one in _STATUS), _WRONG_REQUEST)
    words = _CAPITALS.split(type(error).__name__.removesuffix("Error"))
    found = problem(status, " ".join(words).lower().capitalize(), str(error))
    return {**found, "at": error.at} if isinstance(error, LineError) else found


def response(found: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return a problem as it is sent."""
    return JSONResponse(found, found["status"], dict(headers or {}), media_type=MEDIA_TYPE)


def handle_errors(app: FastAPI) -> None:
    """Have every error of a request answered with its problem."""

    @app.exception_handler(EngineError)
    def engine_error(_request: Request, error: EngineError) -> JSONResponse:
        return response(problem_of(error))

    @app.exception_handler(RequestValidationError)
    def wrong_request(_request: Request, error: RequestValidationError) -> JSONResponse:
        told = [f"{'.'.join(map(str, one['loc'][1:])) or 'the body'}: {one['msg']}" for one in error.errors()]
        more = f"; and {len(told) - 5} more" if len(told) > 5 else ""
        said = f"Expected a request as /v1/docs describes it; {'; '.join(told[:5])}{more}."
        return response(problem(_WRONG_REQUEST, "Wrong request", said))

    @app.exception_handler(HTTPException)
    def http_error(_request: Request, error: HTTPException) -> Response:
        if error.status_code == NOT_MODIFIED:
            return Response(status_code=NOT_MODIFIED, headers=error.headers)
        if isinstance(error, ProblemError):
            return response(problem(error.status_code, error.kind, str(error.detail)), error.headers)
        kind = HTTPStatus(error.status_code).phrase.capitalize()  # what a framework says may change with it
        said = _SAID.get(error.status_code, "{}").format(str(error.detail).rstrip("."))
        return response(problem(error.status_code, kind, f"{said.rstrip('.')}."), error.headers)

    @app.exception_handler(Exception)
    def defect(_request: Request, _error: Exception) -> JSONResponse:
        return response(problem(500, "Defect", _DEFECT))
