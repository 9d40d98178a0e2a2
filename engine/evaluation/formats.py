"""Reads judgements, rankings and documents in TREC's, BEIR's and our formats, and writes rankings in TREC's."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.errors import EvaluationError, TextEncodingError
from engine.documents import Document, Kind
from engine.documents.text import how_many
from engine.reading import COLUMNS, iter_documents, load_json, read_row, text_lines

Qrels = Mapping[str, Mapping[str, int]]
"""Grades by query id, then by document id; unlisted documents are not relevant."""

_TREC_QRELS = ("query", "iteration", "document", "grade")
_EXCLUDED = ("query-id", "corpus-id")
_TREC_RUN = ("query", "Q0", "document", "rank", "score", "run")
_BEIR_ID = "_id"
_SHOWN, _LOOKED_AT = 80, 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one file of a benchmark may hold; far above the collections in use."""

    max_bytes: int = 16 << 30
    max_lines: int = 50_000_000
    max_grade: int = 1_000_000


BOUNDS = Bounds()
"""The limits of a file on disk."""

UPLOADS = Bounds(max_bytes=512 << 20, max_lines=2_000_000)
"""The limits of an uploaded file."""


def read_qrels(path: Path, *, bounds: Bounds = BOUNDS) -> dict[str, dict[str, int]]:
    """Read qrels: query-id, corpus-id and score between tabs (ours and BEIR's), or TREC's four columns.

    The first line tells the format; "query-id" as its first word makes it a header. Raises EvaluationError or
    InputError.
    """
    qrels: dict[str, dict[str, int]] = {}
    trec: bool | None = None
    for number, line in numbered_lines(path, bounds):
        if trec is None:
            if line.split("\t")[0].strip().lower() == "query-id":
                trec = False
                continue
            trec = line.count("\t") != 2 and len(line.split()) == len(_TREC_QRELS)
        query, document, grade = _judgement(line, number, path.name, trec=trec)
        if abs(grade) > bounds.max_grade:
            raise EvaluationError(
                f"Expected a grade of at most {bounds.max_grade:,} in line {number} of {path.name}, got {grade}. "
                "Write grades as small whole numbers."
            )
        grades = qrels.setdefault(query, {})
        if grades.setdefault(document, grade) != grade:
            raise EvaluationError(
                f"Expected one grade of {document!r} for {query!r}, line {number} of {path.name} gives {grade} after "
                f"{grades[document]}. Keep one of the two."
            )
    return qrels


def read_excluded(path: Path, *, bounds: Bounds = BOUNDS) -> dict[str, frozenset[str]]:
    """Read what each query's rankings leave out: query-id and corpus-id between tabs, below a header or not.

    Raises EvaluationError or InputError.
    """
    excluded: defaultdict[str, set[str]] = defaultdict(set)
    for number, line in numbered_lines(path, bounds):
        columns = [column.strip() for column in line.split("\t")]
        if number == 1 and columns[0].lower() == "query-id":
            continue
        if len(columns) != len(_EXCLUDED) or not all(columns):
            raise EvaluationError(
                f"Expected {' and '.join(_EXCLUDED)} with a tab between them in line {number} of {path.name}, got "
                f"{' | '.join(columns)[:_SHOWN]!r}. Write two columns."
            )
        excluded[columns[0]].add(columns[1])
    return {query: frozenset(ids) for query, ids in excluded.items()}


def _judgement(line: str, number: int, name: str, *, trec: bool) -> tuple[str, str, int]:
    columns = line.split() if trec else [column.strip() for column in line.split("\t")]
    wanted = len(_TREC_QRELS) if trec else 3
    if len(columns) == wanted and all(columns):
        query, document, grade = columns[0], columns[-2], columns[-1]
        if grade.isascii() and grade.removeprefix("-").isdigit() and len(grade) < 10:
            return query, document, int(grade)
    shape = f"{', '.join(_TREC_QRELS)}" if trec else "query-id, corpus-id and a whole number, separated by tabs,"
    raise EvaluationError(
        f"Expected {shape} in line {number} of {name}, got {' | '.join(columns)[:_SHOWN]!r}. "
        "Write three columns with tabs between them, or TREC's four."
    )


def read_run(path: Path, *, bounds: Bounds = BOUNDS) -> dict[str, tuple[str, ...]]:
    """Read a TREC run of six columns: each query's documents by score, best first.

    As in trec_eval, equal scores are ordered by id, the last first, and the column of ranks is ignored. Raises
    EvaluationError or InputError.
    """
    scores: dict[str, dict[str, float]] = {}
    for number, line in numbered_lines(path, bounds):
        columns = line.split()
        score = _number(columns[4]) if len(columns) == len(_TREC_RUN) else math.nan
        if not math.isfinite(score):
            raise EvaluationError(
                f"Expected {', '.join(_TREC_RUN)} in line {number} of {path.name}, the score a number; got "
                f"{' '.join(columns)[:_SHOWN]!r}. Write TREC's six columns."
            )
        found = scores.setdefault(columns[0], {})
        if columns[2] in found:
            raise EvaluationError(
                f"Expected each document once for a query, line {number} of {path.name} ranks {columns[2]!r} again "
                f"for {columns[0]!r}. Keep one of the two."
            )
        found[columns[2]] = score
    if not scores:
        raise EvaluationError(f"Expected a ranking in {path.name}, found none. Write TREC's six columns.")
    return {
        query: tuple(sorted(sorted(found, reverse=True), key=lambda name: -found[name]))
        for query, found in scores.items()
    }


def run_text(run: Mapping[str, Sequence[str]], tag: str) -> str:
    """Return a run in TREC's six columns; the score counts the ranks left, so that every tool keeps the order.

    Raises EvaluationError where an id or the tag holds white space, which would start another column.
    """
    names = (tag, *run, *(name for ranking in run.values() for name in ranking))
    wrong = next((name for name in names if len(name.split()) != 1 or name.strip() != name), None)
    if wrong is not None:
        raise EvaluationError(
            f"Expected ids without white space, as TREC's columns are separated by it; got {wrong!r}. Rename it."
        )
    return "".join(
        f"{query} Q0 {name} {rank} {len(ranking) - rank + 1} {tag}\n"
        for query, ranking in run.items()
        for rank, name in enumerate(ranking, start=1)
    )


def write_run(path: Path, run: Mapping[str, Sequence[str]], *, tag: str) -> None:
    """Write a run in TREC's six columns, atomically. Raises EvaluationError or StorageError."""
    files.write_bytes(path, run_text(run, tag).encode())


def read_collection(
    path: Path, *, kind: Kind = "paper", bounds: Bounds = BOUNDS, tell: Callable[[str], None] | None = None
) -> list[Document]:
    """Read documents or queries: BEIR's JSONL, any table that we read, or lines with an id, a tab and a text.

    BEIR's `_id`, `title` and `text` become id, title and abstract; our columns beside them are read too. `kind` is
    their kind if the file does not say. Raises EvaluationError for a repeated or missing id, or InputError. Where there
    is whom to `tell`, lines of BEIR's without an id are left out and told.
    """
    _require_size(path, bounds)
    if _is_beir(path, bounds):
        without: list[int] | None = None if tell is None else []
        found = _once(_beir_rows(path, kind, bounds, without), path.name, bounds)
        if tell is not None and without:
            tell(
                f"{how_many(len(without), 'line')} of {path.name} without an id left out, the first line {without[0]}."
            )
        return found
    if path.suffix.lower() == ".tsv" and not _has_header(path, bounds):
        return _once(_tsv_rows(path, kind, bounds), path.name, bounds)
    rows = ((f"row {number}", document) for number, document in enumerate(iter_documents(path), start=1))
    return _once(rows, path.name, bounds)


def _is_beir(path: Path, bounds: Bounds) -> bool:
    """Return whether one of the first lines is a JSON object with an `_id`, and none is anything else."""
    with path.open("rb") as file:
        if not file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return False
    for number, line in islice(numbered_lines(path, bounds), _LOOKED_AT):
        try:
            value = load_json(line, f"line {number} of {path.name}")
        except json.JSONDecodeError:
            return False
        if not isinstance(value, dict) or _BEIR_ID in value:
            return isinstance(value, dict)
    return False


def _has_header(path: Path, bounds: Bounds) -> bool:
    _, first = next(numbered_lines(path, bounds), (0, ""))
    return len(set(first.split("\t")) & set(COLUMNS)) > 1


def _beir_rows(
    path: Path, kind: Kind, bounds: Bounds, without: list[int] | None = None
) -> Iterator[tuple[str, Document]]:
    """Yield the rows with their places; the numbers of those without an id go to `without`, where it is given."""
    for number, line in numbered_lines(path, bounds):
        place = f"line {number} of {path.name}"
        try:
            value: Any = load_json(line, place)
        except json.JSONDecodeError as error:
            raise EvaluationError(
                f"Expected one JSON object in {place}; {error.msg} at character {error.pos + 1}. Correct the line."
            ) from None
        if without is not None and isinstance(value, dict) and value.get(_BEIR_ID) in (None, ""):
            without.append(number)
            continue
        if not isinstance(value, dict) or value.get(_BEIR_ID) in (None, ""):
            raise EvaluationError(
                f"Expected an object with {_BEIR_ID!r} in {place}, got {line.strip()[:_SHOWN]!r}. Give each an id."
            )
        ours = {column: value[column] for column in COLUMNS if column in value and column not in ("id", "text")}
        values = {"kind": kind, **ours, "id": value[_BEIR_ID]}
        values["abstract"] = value.get("text") or ours.get("abstract")
        yield f"line {number}", read_row(values, place, path.name)


def _tsv_rows(path: Path, kind: Kind, bounds: Bounds) -> Iterator[tuple[str, Document]]:
    for number, line in numbered_lines(path, bounds):
        name, _, text = line.strip().partition("\t")
        if not name.strip() or not text.strip():
            raise EvaluationError(
                f"Expected an id, a tab and a text in line {number} of {path.name}, got {line.strip()[:_SHOWN]!r}. "
                "Write one a line."
            )
        yield f"line {number}", Document(id=name.strip(), kind=kind, abstract=text.strip())


def _once(rows: Iterable[tuple[str, Document]], name: str, bounds: Bounds) -> list[Document]:
    held: dict[str, Document] = {}
    for place, document in rows:
        if document.id in held:
            raise EvaluationError(
                f"Expected an id of its own for each, {place} of {name} gives {document.id!r} again. Rename or drop it."
            )
        held[document.id] = document
        _require_count(len(held), name, bounds)
    return list(held.values())


def numbered_lines(path: Path, bounds: Bounds = BOUNDS) -> Iterator[tuple[int, str]]:
    """Yield the lines with text of a UTF-8 file, without their ends, and the number of each; one is held at a time.

    Raises EvaluationError where the file is missing, or larger or longer than the bounds, or InputError.
    """
    _require_size(path, bounds)

    def refuse(_: str) -> None:  # an identifier that is guessed meets no other
        raise TextEncodingError(f"Expected UTF-8 text in {path.name}, found another encoding. Save it as UTF-8.")

    with path.open("rb") as file:
        for number, line in enumerate(text_lines(file, path.name, warn=refuse), start=1):
            _require_count(number, path.name, bounds)
            if line.strip():
                yield number, line.rstrip("\r\n")


def _require_size(path: Path, bounds: Bounds) -> None:
    if not path.is_file():
        raise EvaluationError(f"Expected a file at {path}; there is none. Check the name.")
    if path.stat().st_size > bounds.max_bytes:
        raise EvaluationError(
            f"Expected at most {bounds.max_bytes >> 20:,} MiB in {path.name}, it has {path.stat().st_size >> 20:,}. "
            "Take a part of it."
        )


def _require_count(count: int, name: str, bounds: Bounds) -> None:
    if count > bounds.max_lines:
        raise EvaluationError(f"Expected at most {bounds.max_lines:,} lines in {name}; it has more. Take a part of it.")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
