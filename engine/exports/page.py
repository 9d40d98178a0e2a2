"""A report as one HTML file that stands by itself: nothing in it is fetched, and nothing runs."""

from __future__ import annotations

import base64
from datetime import date
from pathlib import Path

from engine import files
from engine.markup import Markup, element

_BASE = Path(__file__).with_name("base.css")


def base_sheet() -> str:
    """The colours and shapes that all reports share."""
    return _BASE.read_text("utf-8")


def page(title: str, sheet: str, body: Markup) -> str:
    """The whole file: `body` is its body element, `sheet` the one style sheet that it may use."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(sheet)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(sheet)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def policy(sheet: str) -> str:
    """A Content-Security-Policy that allows this one style sheet: no script, font, image, frame, form or request."""
    digest = base64.b64encode(bytes.fromhex(files.sha256_bytes(sheet.encode()))).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def day(made_on: date) -> str:
    """A day as people write it: 3 May 2026."""
    return f"{made_on.day} {made_on:%B %Y}"
