"""A report as one HTML file that stands by itself: nothing in it is fetched, and nothing runs but a script of ours."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.core import files
from engine.documents.markup import Markup, cleaned
from engine.reading import formula_html

_HERE = Path(__file__).parent
_STANDS_ALONE = "This file holds all that it shows; it asks the network for nothing"


def render(
    template: str,
    *,
    title: str,
    heading: str,
    making: Mapping[str, str],
    note: str,
    sheet: str = "",
    **parts: object,
) -> str:
    """Return the whole file: a template of this folder filled with `parts`; plain text among them is escaped.

    `making` names what someone needs to make the report again, above a `note`. `sheet` comes after the style sheet
    that all reports share. A template with a script takes it among the parts as `script`, the only one that may run.
    """
    sheet = (_HERE / "base.css").read_text("utf-8") + sheet
    script = str(parts.get("script", ""))
    alone = f"{_STANDS_ALONE}." if script else f"{_STANDS_ALONE} and runs nothing."
    common = {"title": title, "heading": heading, "making": making, "note": f"{note} {alone}"}
    filled = _templates().get_template(template)
    return filled.render(common | parts | {"sheet": Markup(sheet), "policy": policy(sheet, script)}) + "\n"


def policy(sheet: str, script: str = "") -> str:
    """Return a Content-Security-Policy that allows this one style sheet and this one script, if any.

    No other script, font, image, frame, form or request.
    """
    scripts = f"; script-src '{_digest(script)}'" if script else ""
    return f"default-src 'none'; style-src '{_digest(sheet)}'{scripts}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(bytes.fromhex(files.sha256_bytes(text.encode()))).decode()


def day(made_on: date) -> str:
    """Return a day as people write it: 3 May 2026."""
    return f"{made_on.day} {made_on:%B %Y}"


@lru_cache(maxsize=1)
def _templates() -> Environment:
    """Return templates that escape every text they are given, and refuse a name that they are not given.

    Their filter `tex` sets the formulas of a text.
    """
    found = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["tex"] = formula_html
    return found
