"""Stands before the server: who may ask, under which name, how large and how long a request may be, and the log.

A web page that points its own name at this machine, or that sends a form here, is refused by the Host and Origin that
its browser names. On the loopback alone no token is needed; elsewhere every request but the one for health needs one,
and a page's visitor signs in with it once.
"""

from __future__ import annotations

import asyncio
import html
import logging
import time
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.core.errors import EngineError
from engine.reading import LIMITS
from engine.server.problems import ProblemError, problem, response
from engine.server.tokens import AccessTokens, Token
from engine.server.tokens import Scope as TokenScope

_LOG = logging.getLogger("priorscope.server")
_API = ("/v1", "/mcp")
_HEALTH = "/v1/health"
_SIGN_IN = "/v1/sign-in"
_COOKIE = "priorscope_token"
_COOKIE_SECONDS = 30 * 86_400
_FILES = ("/v1/uploads", "/v1/imports")
"""Where files are sent: as large as the readers take them, and a little for what is around them."""
_MOST_FILE_BYTES = LIMITS.max_file_bytes + (1 << 20)
_MOST_BYTES = 16 << 20
"""What any other request holds; ten million characters of text are the readers' limit."""
_SECONDS_TO_ARRIVE, _SECONDS_TO_SIGN_IN = 120.0, 10.0
"""How long a request may take to come, and the one that everybody may send."""
_POLICY = 1008  # RFC 6455, section 7.4.1
_SAFE = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the name of the token, "" on the loopback without one, what it allows, and its digest.

    A name may be given again to another token; only the digest tells whose something is.
    """

    name: str = ""
    scope: TokenScope = "write"
    digest: str = ""


class Access:
    """Lets a request through to the application, or answers it with a problem."""

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], tokens: AccessTokens, needs_token: bool) -> None:
        """Take the application, the names under which it may be reached, and whether to ask for a token."""
        self._app, self._hosts, self._tokens, self._needs_token = app, hosts, tokens, needs_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or a socket, and pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, began, status = Headers(scope=scope), time.perf_counter(), [0]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                MutableHeaders(scope=message).setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        caller = None
        try:
            self._check_page(scope, headers)
            caller = self._caller(scope, headers)
            if scope["path"] == _SIGN_IN and scope["type"] == "http":
                await (await self._sign_in(scope, _limited(scope, headers, receive)))(scope, receive, sending)
                return
            scope.setdefault("state", {})["caller"] = caller
            await self._app(scope, _limited(scope, headers, receive), sending)
        except ProblemError as error:
            await self._refuse(error, scope, receive, sending)
        finally:
            if is_api(scope["path"]):
                took = 1000 * (time.perf_counter() - began)
                name = caller.name if caller and caller.name else "-"
                path = "".join(one if one.isprintable() else "?" for one in scope["path"])[:200]
                _LOG.info("%s %s %s %d %.0f ms", name, scope.get("method", "WS"), path, status[0], took)

    async def _refuse(self, error: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY})
        elif error.status_code == 401 and not is_api(scope["path"]):
            await RedirectResponse(_SIGN_IN, 303)(scope, receive, send)
        else:
            found = problem(error.status_code, error.kind, str(error.detail))
            await response(found, error.headers)(scope, receive, send)

    def _check_page(self, scope: Scope, headers: Headers) -> None:
        """Refuse what a web page of another site asks for, under its own name or ours."""
        host = headers.get("host", "")
        name = _split(f"//{host}")[1]
        if name not in self._hosts:
            known = ", ".join(sorted(self._hosts))
            raise ProblemError(421, "Unknown host", f"Expected a request to {known}; it was sent to {name[:80]!r}.")
        origin = headers.get("origin")
        from_elsewhere = origin is not None and _split(origin)[0] != host
        site, is_click = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode") == "navigate"
        if site in ("cross-site", "same-site") and not (is_click and scope.get("method") in _SAFE):
            from_elsewhere = True
        if from_elsewhere:
            raise ProblemError(
                403,
                "Foreign page",
                "Expected a request of a program or of this server's own page; another page sent it.",
            )

    def _caller(self, scope: Scope, headers: Headers) -> Caller:
        """Return who asks. Raises ProblemError without a token that is needed, or with one that is wrong."""
        path = scope["path"]
        if path in (_HEALTH, _SIGN_IN):
            return Caller(scope="read")
        kind, _, secret = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            secret = HTTPConnection(scope).cookies.get(_COOKIE, "")
        if not secret.strip():
            if not self._needs_token:
                return Caller()
            raise _unauthorized("Expected a token: Authorization: Bearer TOKEN. `priorscope token add` makes one.")
        found = self._find(secret.strip())
        if found is None:
            raise _unauthorized("Expected a token of this server; the one that was sent is unknown or was removed.")
        if not is_api(path) and found.scope != "write":
            raise ProblemError(
                403, "Read only", "Expected a token with the scope write to use the page; this one may only read."
            )
        return Caller(found.name, found.scope, found.sha256)

    def _find(self, secret: str) -> Token | None:
        """Return the token of a text. Raises ProblemError, which tells no path to a stranger, if none can be read."""
        try:
            return self._tokens.find(secret)
        except EngineError as error:
            _LOG.error("%s", error)
            said = "The server cannot read its tokens; its log says why."
            raise ProblemError(503, "AccessTokens unreadable", said) from None

    async def _sign_in(self, scope: Scope, receive: Receive) -> Response:
        """Return the form that asks for a token, or remember the one that was sent in a cookie."""
        if scope["method"] != "POST":
            return _form("")
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body") or len(body) > 4096:
                break
        secret = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0].strip()
        if (found := self._find(secret)) is None:
            return _form("This token is unknown or was removed.")
        answer = RedirectResponse("/" if found.scope == "write" else "/v1/docs", 303)
        answer.set_cookie(
            _COOKIE,
            secret,
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] == "https",
        )
        return answer


def is_api(path: str) -> bool:
    """Tell whether a path is the server's; every other is the page's."""
    return any(path == own or path.startswith(f"{own}/") for own in _API)


def _split(address: str) -> tuple[str, str]:
    """Return the host of an address as it is written, with its port, and its name alone; of a malformed one nothing."""
    try:
        parts = urlsplit(address)
        return parts.netloc, (parts.hostname or "").lower()
    except ValueError:
        return "", ""


def _unauthorized(detail: str) -> ProblemError:
    return ProblemError(401, "Token needed", detail, {"WWW-Authenticate": "Bearer"})


def _form(problem_said: str) -> HTMLResponse:
    told = f"<p role=alert style=color:#c33>{html.escape(problem_said)}</p>" if problem_said else ""
    page = (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<title>Sign in · Priorscope</title><style>body{font:16px sans-serif;margin:15vh auto;max-width:24rem;"
        "padding:0 1rem;color-scheme:light dark}input,button{font:inherit;padding:.5rem;width:100%;margin:.25rem 0;"
        "box-sizing:border-box}</style><h1>Priorscope</h1><form method=post action=/v1/sign-in>"
        f"<label for=token>Your token for this library</label>{told}"
        "<input id=token name=token type=password autocomplete=current-password required autofocus>"
        "<button>Sign in</button></form>"
        "<p>Whoever runs this server makes one with <code>priorscope token add</code>.</p>"
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    return HTMLResponse(page, 401 if problem_said else 200, {"Content-Security-Policy": policy})


def _limited(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """Return a way to receive the body of a request that ends with a problem where it is too large or too slow."""
    if scope["type"] != "http" or not is_api(scope["path"]):
        return receive
    most = _MOST_FILE_BYTES if scope["path"].startswith(_FILES) else _MOST_BYTES
    too_large = ProblemError(
        413, "Input too large", f"Expected at most {most >> 20} MiB in this request; it holds more."
    )
    length = headers.get("content-length", "0")
    if length.isdigit() and int(length) > most:
        raise too_large
    seconds = _SECONDS_TO_SIGN_IN if scope["path"] == _SIGN_IN else _SECONDS_TO_ARRIVE
    until, received, is_whole = time.monotonic() + seconds, [0], [False]

    async def receiving() -> Message:
        if is_whole[0]:  # the answer is under way: what comes now is the caller leaving
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
        except TimeoutError:
            said = f"Expected the request within {seconds:.0f} seconds."
            raise ProblemError(408, "Request too slow", said) from None
        received[0] += len(message.get("body", b""))
        if received[0] > most:
            raise too_large
        is_whole[0] = not message.get("more_body", False)
        return message

    return receiving
