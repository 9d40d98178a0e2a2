"""Pages of other sites open no socket of the app's, and cannot show it in a frame."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from explorer.shared.own_pages import OwnPages

OWN = "localhost:8501"


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("a page")(scope, receive, send)


def answered(kind: str, **headers: str) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": f"{kind}.connect"}

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": kind, "method": "GET", "path": "/", "headers": named}
    asyncio.run(OwnPages(page)(scope, receive, send))
    return sent


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:3000", "http://localhost", "null", ""])
def test_a_page_of_another_origin_opens_no_socket(origin: str) -> None:
    assert answered("websocket", host=OWN, origin=origin) == [{"type": "websocket.close", "code": 1008}]


def test_the_app_s_own_pages_open_it_and_programs_too() -> None:
    for headers in ({"host": OWN, "origin": f"http://{OWN}"}, {"host": OWN}):
        assert answered("websocket", **headers) == [{"type": "websocket.accept"}]


def test_no_page_can_be_framed() -> None:
    start, body = answered("http", host=OWN)
    assert (b"x-frame-options", b"SAMEORIGIN") in start["headers"]
    assert (b"content-security-policy", b"frame-ancestors 'self'") in start["headers"]
    assert body["body"] == b"a page"
