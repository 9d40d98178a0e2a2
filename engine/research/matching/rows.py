"""The rows of a table of matching by name: words, encoders, encoders' folders, and mixes of other rows."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import EvaluationError
from engine.encoders import MINILM, encoder_names, is_fitted_kind
from engine.research.matching import words

MINILM_CHUNKS = f"{MINILM}-chunks"
PASSAGES = "passages"
"""The row of the best matches of a search's passages, both ways."""
COMPARE, COMPARES = "compare", "colde"
"""The row of what a comparison shows, and the encoder that it compares by."""

_WORDS = (words.TFIDF, words.LSA, words.BM25)
_COMMA = re.compile(r",(?![^()]*\))")  # between rows, not between the parts of a mix
_MIX = re.compile(r"mix\((.*)\)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its name; `folder` holds its encoder, `parts` are the rows that it mixes, where it has either."""

    name: str
    folder: Path | None = None
    parts: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """How the command line names the row, its folder without the way to it."""
        return self.name if self.folder is None else f"{self.name}={self.folder.name}"


def names() -> tuple[str, ...]:
    """Every row that can be asked for by name.

    `tfidf` and `lsa` are the ones for long documents (`words`), not the registry's, which weigh as the CTPE paper does;
    `minilm` reads a document's first 256 tokens and `minilm-chunks` takes the mean of all its chunks. `passages` is the
    mean of the best match of each passage in the other document, by what reads a search's passages. `compare` is the
    document score that `priorscope compare` and the app show, mixed as the encoder's card says.
    """
    encoders = tuple(name for name in encoder_names() if not is_fitted_kind(name))
    return (*_WORDS, *encoders, MINILM, MINILM_CHUNKS, PASSAGES, COMPARE)


def parse_rows(given: str, *, kept: Collection[str] = ()) -> list[Row]:
    """The rows of a list separated by commas, once each: names, NAME=FOLDER, and mix(NAME,NAME,...).

    `kept` names rows whose scores are at hand. Raises EvaluationError for a row that is not known, without its
    folder, or mixed of rows that are not.
    """
    rows = [_row(text.strip()) for text in dict.fromkeys(_COMMA.split(given)) if text.strip()]
    known = {*names(), *kept, *(row.name for row in rows if row.folder is not None)}
    unknown = [row.name for row in rows if not row.parts and row.name not in known]
    if unknown or not rows:
        raise EvaluationError(
            f"Expected encoders among {', '.join((*names(), *kept))}, NAME=FOLDER, or mix(NAME,NAME); "
            f"got {', '.join(unknown) or 'none'}. Separate the names by commas."
        )
    _check_names(rows)
    _check_mixes(rows, known)
    return rows


def _row(text: str) -> Row:
    if mixed := _MIX.fullmatch(text):
        parts = tuple(part.strip() for part in mixed[1].split(","))
        return Row(f"mix({','.join(parts)})", parts=parts)
    name, named, folder = text.partition("=")
    return Row(name, Path(folder)) if named else Row(name)


def _check_names(rows: list[Row]) -> None:
    called = [row.name for row in rows]
    twice = sorted({name for name in called if called.count(name) > 1 or not name})
    if twice:
        raise EvaluationError(f"Expected a name of its own for each row, got {twice[0]!r} more than once or empty.")
    missing = [str(row.folder) for row in rows if row.folder is not None and not row.folder.is_dir()]
    if missing:
        raise EvaluationError(f"Expected an encoder's folder, got {', '.join(missing)}; there is none. Name another.")


def _check_mixes(rows: list[Row], known: Collection[str]) -> None:
    for row in rows:
        strange = [part for part in row.parts if part not in known]
        if strange:
            raise EvaluationError(
                f"Expected {row.name} to mix rows that are known, got {strange[0]!r}. "
                "Give a folder its name in a row of its own, and mix that name."
            )
        if row.parts and len(set(row.parts)) < 2:
            raise EvaluationError(f"Expected a mix of two rows or more, got {row.name}. Name another row to mix.")
