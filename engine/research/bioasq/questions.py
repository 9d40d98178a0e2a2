"""BioASQ's Task b, read question by question: the PubMed records that belong to each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from engine.core.errors import EvaluationError, InputError, MalformedFileError, TruncatedFileError
from engine.core.files import ABSENT, shown

_BLOCK = 1 << 20
_LONGEST = 32 << 20  # characters of one question; with its snippets it has some thousands
_MOST_DOCUMENTS = 2_000  # of one question: each is related to all others
_SHOWN = 80
_LIST = re.compile(r'"questions"\s*:\s*\[')
_BETWEEN = " \t\r\n,"
_PUBMED = re.compile(
    r"(?:pmid:\s*|https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov)/)?0*([1-9]\d{0,8})/?(?:[?#].*)?",
    re.IGNORECASE,
)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the PubMed numbers of its documents, each once.

    `strangers` counts the documents that are named otherwise, such as by an address of PubMed Central.
    """

    id: str
    body: str
    documents: tuple[str, ...]
    strangers: int = 0


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file of Task b: {"questions": [{"id", "body", "documents": [addresses]}]}.

    Only one of them is held at a time. Raises InputError where the file is missing, is not such JSON, or stops early.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, value in enumerate(_values(file, path.name), start=1):
                yield _question(value, f"question {number} of {path.name}")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise InputError(f"Expected a file of questions at {shown(path)}; {ABSENT}. Check the name.") from None
    except UnicodeDecodeError:
        raise MalformedFileError(
            f"Expected UTF-8 text in {path.name}, got another encoding. Save it as UTF-8."
        ) from None


def pubmed_number(text: str) -> str:
    """The number of a record by its address or its number, without zeros in front; empty for any other text."""
    match = _PUBMED.fullmatch(text.strip())
    return match[1] if match is not None else ""


def _values(file: TextIO, name: str) -> Iterator[object]:
    """The values in the list of questions."""
    text = file.read(_BLOCK)
    begins = _LIST.search(text)
    if begins is None or not text.lstrip().startswith("{"):
        raise MalformedFileError(
            f'Expected an object with a list of "questions" in {name}, got {text.strip()[:_SHOWN]!r}. '
            "Give a file of BioASQ's Task b."
        )
    text, number = text[begins.end() :], 0
    while True:
        text = text.lstrip(_BETWEEN)
        if text.startswith("]"):
            return
        if text:
            number += 1
            value, text = _first(text, file, f"question {number} of {name}")
            yield value
        elif not (text := file.read(_BLOCK)):
            raise TruncatedFileError(f"Expected a whole list of questions in {name}; it stops early. Fetch it again.")


def _first(text: str, file: TextIO, place: str) -> tuple[object, str]:
    """The value at the start of a text that goes on in the file, and what was read after it."""
    while True:
        try:
            value, end = _DECODER.raw_decode(text)
            return value, text[end:]
        except json.JSONDecodeError as error:
            more = file.read(_BLOCK) if len(text) < _LONGEST else ""
            if not more:
                raise _broken(error, text, place) from None
            text += more
        except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
            raise MalformedFileError(
                f"Expected a question in {place}, got JSON that cannot be read. Take it out."
            ) from None


def _broken(error: json.JSONDecodeError, text: str, place: str) -> InputError:
    if len(text) < _LONGEST and (error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")):
        return TruncatedFileError(f"Expected whole JSON in {place}; it stops in the middle. Fetch the file again.")
    found = text[max(0, error.pos - 20) : error.pos + 20]
    return MalformedFileError(f"Expected JSON in {place}: {error.msg}, got {found!r}. Mend it, or take it out.")


def _question(value: object, place: str) -> Question:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not value["id"].strip():
        raise MalformedFileError(
            f"Expected an object with an id in {place}, got {json.dumps(value)[:_SHOWN]!r}. Mend it, or take it out."
        )
    named = value.get("documents", [])
    if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
        raise MalformedFileError(
            f"Expected the addresses of documents as a list of texts in {place}, got {json.dumps(named)[:_SHOWN]!r}. "
            "Mend it, or take it out."
        )
    if len(named) > _MOST_DOCUMENTS:
        raise EvaluationError(
            f"Expected at most {_MOST_DOCUMENTS:,} documents in {place}, got {len(named):,}. Take the question out."
        )
    numbers = [pubmed_number(one) for one in named]
    documents = tuple(dict.fromkeys(filter(None, numbers)))
    return Question(value["id"].strip(), str(value.get("body", "")), documents, numbers.count(""))
