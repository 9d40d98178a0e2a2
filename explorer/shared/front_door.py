"""Around every page: its name, mark and style sheet, its entries in the browser's history, and who may open it."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server import SERVED_AT
from explorer import ASSETS
from explorer.shared.markup import SHARED, component
from explorer.state import handles, links, session

_REFUSED = 1008  # RFC 6455, section 7.4.1: the message breaks a policy
_UNFRAMED = {"X-Frame-Options": "SAMEORIGIN", "Content-Security-Policy": "frame-ancestors 'self'"}


def dress(page_name: str) -> None:
    """Set the window's title, the mark and the style sheet; called once a run, before anything is drawn."""
    st.set_page_config(
        page_title=f"{page_name} · Priorscope",
        page_icon=str(ASSETS / "mark.svg"),
        layout="wide",
        initial_sidebar_state="auto",
        menu_items={"About": "Priorscope shows what lies near a paper or a patent, and why. Apache-2.0."},
    )
    st.logo(str(ASSETS / "logo.svg"), size="large")
    st.html(ASSETS / "style.css")
    component("formulas", SHARED / "formulas_script", "formulas.js")(key="names-formulas", height=1)
    component("scheme", SHARED / "scheme_script", "scheme.js")(key="names-scheme", height=1)
    component("stopped", SHARED / "stopped_script", "stopped.js")(key="names-stopped", height=1)


def shut_options() -> None:
    """On a phone, shut the options, which lie over the page there, once one of them was chosen."""
    data = {"choices": str(links.to_link(session.current()))}
    component("drawer", SHARED / "drawer_script", "drawer.js")(key="names-drawer", data=data, height=1)


def note_entry() -> None:
    """Tell the browser what the link of this page is of, so that Back leads from one answer to the one before."""
    if (shown := session.shown_link()) is not None:
        data = {"page": shown.page, "link": shown.link, "isPassing": shown.is_passing}
        component("entries", SHARED / "entries_script", "entries.js")(key="names-entries", data=data, height=1)


def before_pages() -> list[Middleware]:
    """Return what stands before the app; where `priorscope serve --app` started it, the server in the same process."""
    if SERVED_AT not in os.environ:
        return [Middleware(OwnPages)]
    from engine.server import BesidePage

    return [Middleware(BesidePage, workspace=handles.workspace()), Middleware(OwnPages)]


class OwnPages:
    """Stands before the app: refuses sockets that a page of another origin opens, and frames on other sites.

    Streamlit refuses such sockets as well, but first asks a service on the network for this machine's own address.
    """

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
