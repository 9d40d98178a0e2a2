"""Papers as web pages, and as the PDFs that Chromium prints of them in one or two columns with hyphens."""

from __future__ import annotations

import html
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from engine.core.errors import EvaluationError
from engine.research.typesetting.known_papers import KnownPaper

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 120
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%(title)s</title><style>
@page { size: A4; margin: 20mm 17mm } body { font: 10pt/1.25 "Liberation Serif", "DejaVu Serif", serif; hyphens: auto }
h1 { font-size: 17pt; text-align: center } h2 { font-size: 11.5pt } .by { text-align: center }
.body { columns: %(columns)s; column-gap: 7mm; text-align: justify } p { margin: 0 0 1mm; text-indent: 4mm }
.list p { text-indent: -5mm; padding-left: 5mm }
</style></head><body><h1>%(title)s</h1><p class="by">%(authors)s</p><div class="body">
<h2>Abstract</h2><p>%(abstract)s</p>%(sections)s<h2>References</h2>
%(references)s</div></body></html>"""


def web_page(paper: KnownPaper, *, numbered: bool, columns: int = 1) -> str:
    """A paper as one page of HTML, its references numbered [1], [2] ... or as they are."""
    listed = [f"[{place}] {entry}" if numbered else entry for place, entry in enumerate(paper.references, start=1)]
    sections = "".join(
        f"<h2>{html.escape(one.heading)}</h2>"
        + "".join(f"<p>{html.escape(piece.text)}</p>" for piece in one.pieces if piece.kind == "paragraph")
        for one in paper.sections
    )
    return _PAGE % {
        "title": html.escape(paper.title),
        "authors": html.escape(", ".join(one.name for one in paper.authors)),
        "abstract": html.escape(paper.abstract),
        "columns": columns,
        "sections": sections,
        "references": '<div class="list">' + "".join(f"<p>{html.escape(entry)}</p>\n" for entry in listed) + "</div>",
    }


def printed(pages: Sequence[str], folder: Path) -> list[Path]:
    """Web pages as PDFs in a folder. Raises EvaluationError where Chromium is missing or fails."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise EvaluationError("Expected Chromium to print papers, found none. Install Debian's package chromium.")
    made = []
    for number, page in enumerate(pages):
        source = folder / f"page-{number}.html"
        source.write_text(page, "utf-8")
        made.append(source.with_suffix(".pdf"))
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/u")
        command = [program, *flags, f"--print-to-pdf={made[-1]}", source.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        if not made[-1].is_file():
            said = done.stderr.decode("utf-8", "replace").strip()[-200:] or "nothing"
            raise EvaluationError(f"Expected Chromium to print {source.name}, it said: {said}. Try a newer one.")
    return made
