"""What a document cites: the entries of its reference list, which of them a library holds, and what two lists share."""

from engine.citations.cited import Citations, citations
from engine.citations.lists import references_of
from engine.citations.numbers import asked_number, spoken
from engine.citations.shared import shared_references

__all__ = ["Citations", "asked_number", "citations", "references_of", "shared_references", "spoken"]
