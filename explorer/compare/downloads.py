"""A comparison as files: a report to read, JSON for programs, tables of its matrices."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from engine.core.errors import EngineError
from explorer.compare import handles
from explorer.shared import salience_handles
from explorer.shared.downloads import file_downloads
from explorer.state import session

if TYPE_CHECKING:
    from engine.compare import Comparison, Together, Versions
    from engine.exports import SalientTexts

_LOG = logging.getLogger(__name__)
_STEM = "priorscope-comparison"
_KINDS = {
    "html": ("Report, one HTML file", "text/html"),
    "json": ("JSON, for a program", "application/json"),
    "zip": ("CSV of the matrices, zipped", "application/zip"),
}
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same matrices make the same file


def comparison_downloads(comparison: Comparison, versions: Versions | None = None) -> None:
    """One button that opens the three formats; a file is made when it is asked for."""
    salient = session.current().pair.salient  # a file is made outside the visitor's session
    _downloads(
        ("html", partial(as_report, comparison, salient=salient, versions=versions)),
        ("json", partial(as_json, comparison, versions)),
        ("zip", partial(as_tables, comparison)),
    )


def together_downloads(found: Together) -> None:
    """The same for three documents, but for the tables."""
    _downloads(("html", partial(_together_report, found)), ("json", lambda: _as_bytes(found.as_json())))


def _downloads(*kinds: tuple[str, Callable[[], bytes]]) -> None:
    named = [(ending, *_KINDS[ending], made) for ending, made in kinds]
    file_downloads(named, stem=_STEM, key="comparison", what="This comparison")


def as_report(comparison: Comparison, *, salient: bool = True, versions: Versions | None = None) -> bytes:
    """The report: one file that fetches and runs nothing; `salient` is the page's switch."""
    from engine.exports import comparison_html

    marked = _salient_texts(comparison) if salient else None
    card, today = handles.card(), date.today()
    return comparison_html(comparison, encoder=card, made_on=today, salient=marked, versions=versions).encode()


def _together_report(found: Together) -> bytes:
    from engine.exports import together_html

    return together_html(found, encoder=handles.card(), made_on=date.today()).encode()


def _salient_texts(comparison: Comparison) -> SalientTexts | None:
    """What the page underlines; None where the encoder is not installed or damaged."""
    from engine.exports import SalientTexts

    if not salience_handles.is_there():
        return None
    try:
        a, b = salience_handles.salience([comparison.a, comparison.b])
    except EngineError as error:
        _LOG.warning("the report goes without salient sentences: %s", error)  # the page says so where it shows them
        return None
    return SalientTexts(a, b, salience_handles.card())


def as_json(comparison: Comparison, versions: Versions | None = None) -> bytes:
    """All three levels, the passages, the differences and the claims; what a version changes; or one document's own."""
    if comparison.is_within:
        from engine import compare

        return _as_bytes(compare.within_as_json(comparison))
    changes = {} if versions is None else {"versions": versions.as_json()}
    return _as_bytes({**comparison.as_json(), **changes})


def _as_bytes(value: dict[str, object]) -> bytes:
    file = io.StringIO()
    json.dump(value, file, ensure_ascii=False, indent=1)  # as it is made: two books have many numbers
    return file.getvalue().encode()


def as_tables(comparison: Comparison) -> bytes:
    """One CSV file a matrix, in a zip file."""
    from engine.exports import csv_files

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in csv_files(comparison).items():
            archive.writestr(zipfile.ZipInfo(name, _A_DAY), text)
    return stream.getvalue()
