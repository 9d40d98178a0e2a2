"""Pairs of long documents that belong together or do not, and the text of theirs that is compared."""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from engine.core import files
from engine.core.errors import InputError
from engine.documents import Document

PAIRS = "pairs.tsv"
Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
_COLUMNS = ("id-a", "id-b", "label", "split")
_NOT_BODY = re.compile(r"\W*(?:abstract|summary|references?|bibliography|literature cited)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two documents by id, and whether they belong together."""

    a: str
    b: str
    related: bool
    split: Split


def read_labelled_pairs(path: Path) -> list[LabelledPair]:
    """Every pair of a table with the columns id-a, id-b, label (0 or 1) and split, separated by tabs.

    Raises InputError if the table is missing, or one of its lines says something else.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if missing := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
                raise InputError(
                    f"Expected the columns {', '.join(_COLUMNS)} in {path.name}; missing: {', '.join(missing)}. "
                    "Separate the columns by tabs and name them in the first line."
                )
            found = [_pair(row, f"{path.name}, line {number}") for number, row in enumerate(rows, start=2)]
    except FileNotFoundError:
        raise InputError(f"Expected a table of pairs at {path}; there is none.") from None
    except UnicodeDecodeError:
        raise InputError(f"Expected {path.name} to be text in UTF-8, found other bytes. Save it as UTF-8.") from None
    if not found:
        raise InputError(f"Expected pairs of documents in {path.name}, found none.")
    return found


def write_labelled_pairs(path: Path, pairs: Sequence[LabelledPair]) -> None:
    """Write pairs as the table that `read_labelled_pairs` reads."""
    lines = ["\t".join(_COLUMNS), *("\t".join((one.a, one.b, str(int(one.related)), one.split)) for one in pairs)]
    files.write_bytes(path, "".join(f"{line}\n" for line in lines).encode())


def table_digests(corpora: Sequence[str], data: Path) -> dict[str, str]:
    """The sha256 of each corpus's table of pairs, by its corpus and name."""
    return {f"{name}/{PAIRS}": files.sha256_file(data / name / PAIRS) for name in corpora}


def ids_in(pairs: Sequence[LabelledPair]) -> list[str]:
    """Every document of a pair, sorted."""
    return sorted({name for pair in pairs for name in (pair.a, pair.b)})


def body_of(document: Document) -> Document:
    """A document without title, abstract, references and claims: the text by which pairs are told apart.

    As in CoLDE, section 4.1.1, except that the paper reads a patent's claims, which our patents do not have.
    """
    sections = tuple(
        section for section in document.sections if section.role == "body" and not _NOT_BODY.fullmatch(section.title)
    )
    return dataclasses.replace(document, title="", abstract="", sections=sections, claims=())


def _pair(row: dict[str, str | None], where: str) -> LabelledPair:
    a, b, label, split = (row.get(name) or "" for name in _COLUMNS)
    if not a or not b or label not in ("0", "1") or split not in SPLITS:
        raise InputError(
            f"Expected two ids, label 0 or 1, and split {', '.join(SPLITS)} in {where}; "
            f"got {a!r}, {b!r}, {label!r}, {split!r}."
        )
    return LabelledPair(a, b, label == "1", split)
