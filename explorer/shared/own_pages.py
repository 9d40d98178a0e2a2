"""Keeps the app to its own pages: those of other sites may neither open its socket nor show it in a frame.

Streamlit refuses such sockets as well, but first asks a service on the network for this machine's own address.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_REFUSED = 1008  # RFC 6455, section 7.4.1: the message breaks a policy
_UNFRAMED = {"X-Frame-Options": "SAMEORIGIN", "Content-Security-Policy": "frame-ancestors 'self'"}


class OwnPages:
    """Stands before the app: refuses sockets that a page of another origin opens, and frames on other sites."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the app behind it."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the app's own pages ask for."""
        if scope["type"] == "websocket" and not is_from_own_page(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": _REFUSED})
            return

        async def unframed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_UNFRAMED)
            await send(message)

        await self._app(scope, receive, unframed)


def is_from_own_page(headers: Headers) -> bool:
    """Tell whether a page that the app serves asks, or a program other than a browser, which names none."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
