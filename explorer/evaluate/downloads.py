"""Results as files: a report to read, the same for a program, and the rankings in TREC's format."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from explorer.evaluate.evaluated import Evaluated
from explorer.shared.downloads import Kind, file_downloads

if TYPE_CHECKING:
    from engine.evaluation import EvaluationReport

_STEM = "priorscope-evaluation"
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same rankings make the same file
_WHITE = re.compile(r"\s")


def evaluation_downloads(found: Evaluated, rows: Sequence[str], against: str) -> None:
    """One button that opens the formats; a file is made when it is asked for."""
    kinds: Sequence[Kind] = (
        ("md", "Report, Markdown", "text/markdown", lambda: as_markdown(found, rows, against)),
        ("json", "JSON with every query's scores", "application/json", lambda: as_json(found, rows, against)),
        ("zip", "Rankings, TREC runs, zipped", "application/zip", lambda: as_runs(found, rows)),
    )
    file_downloads(kinds, stem=_STEM, key="evaluation", what="What was measured")


def as_markdown(found: Evaluated, rows: Sequence[str], against: str) -> bytes:
    """All results as a report; two or more rankings are compared."""
    return _report(found, rows, against).as_markdown().encode()


def as_json(found: Evaluated, rows: Sequence[str], against: str) -> bytes:
    """All results, with the circumstances."""
    return json.dumps(_report(found, rows, against).as_json(by_query=True), ensure_ascii=False, indent=1).encode()


def as_runs(found: Evaluated, rows: Sequence[str]) -> bytes:
    """A TREC run for each ranking, and the judgements; white space in ids is written as in addresses (%20)."""
    from engine.evaluation import run_text

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in rows:
            run = {_column(query): [_column(id_) for id_ in ids] for query, ids in found.measured[row].run.items()}
            archive.writestr(zipfile.ZipInfo(f"{row}.run", _A_DAY), run_text(run, _column(row)))
        archive.writestr(zipfile.ZipInfo("judgements.qrels", _A_DAY), _qrels_text(found))
    return stream.getvalue()


def _qrels_text(found: Evaluated) -> str:
    judged = ((query, id_, grade) for query, grades in found.benchmark.qrels.items() for id_, grade in grades.items())
    return "".join(f"{_column(query)} 0 {_column(id_)} {grade}\n" for query, id_, grade in judged)


def _column(id_: str) -> str:
    return _WHITE.sub(lambda found: quote(found.group()), id_)


def _report(found: Evaluated, rows: Sequence[str], against: str) -> EvaluationReport:
    from engine.evaluation import EvaluationReport

    measured = [found.measured[row] for row in rows]
    problems = {row: text for row, text in found.problems.items() if row not in rows}
    compared = against if len(measured) > 1 else ""
    return EvaluationReport(found.benchmark, measured, "the Evaluate page", against=compared, skipped=problems)
