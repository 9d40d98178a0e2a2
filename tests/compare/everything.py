"""Comparisons with nothing left out, and what they compare."""

from __future__ import annotations

import json

from engine.compare import as_json
from engine.compare.model import Comparison, Exclusions
from engine.documents import Document, Section

EVERYTHING = Exclusions(references=False, recurring=False)


def as_text(comparison: Comparison) -> str:
    return json.dumps(as_json(comparison), allow_nan=False)


def document_of(text: str, name: str = "odd") -> Document:
    return Document(name, sections=(Section("Text", text),))
