"""Tells lines of names, places and addresses below a title from prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.documents.text import one_line

AUTHORS = re.compile(
    r"@|https?:|\b(?:universit(?:y|ät|é|à|ies)|universida[ds]e?|institut(?:e|es|o|ion)?|istituto|d[ée]parte?ment|departamento|"
    r"dipartimento|fakultät|facult(?:y|é|ad)|faculdade|facoltà|hochschule|laborator(?:y|ies|io|ium|ório)|laboratoire|"
    r"college|[ée]cole|escuela|school of|inc\.|corp(?:oration|\.)|ltd|gmbh|arxiv:|doi:|received|accepted|orcid|"
    r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]|университет\w*|институт\w*|академи[яи]|кафедра)\b|"
    r"大学|学院|研究所|研究院|研究室|实验室|大學|學院|株式会社|有限公司|医院|病院|\borcid\b",
    re.IGNORECASE,
)
"""Signs of names, places and addresses."""
_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯЁ]"
_NAME = (
    rf"{_CAPITAL}[\w'’.-]*+(?:\s++(?:(?:van|von|de|der|den|la|le|di|da|del|dos|do)\s++)*+{_CAPITAL}[\w'’.-]*+){{1,4}}+"
)
_AND = r"(?:and|und|et|y|e|и)\s"
_BETWEEN_NAMES = rf"[\d*†‡¹²³⁰-⁹ᵃᵇᶜ\s]*+(?:[,;&]|{_AND})[\d*†‡¹²³⁰-⁹ᵃᵇᶜ,\s]*+(?:(?:&|{_AND})\s*+)?"
_NAMES = re.compile(rf"(?:(?:by\s++)?{_NAME}(?:{_BETWEEN_NAMES}{_NAME})++|by\s++{_NAME})[\d*†‡¹²³⁰-⁹ᵃᵇᶜ,\s]*+")
_PARTING = re.compile(rf"(?:(?<!\s)\s++)?[,;&]\s*+|(?<!\s)\s++{_AND}\s*+")
_NOTES = re.compile(r"^[\d*†‡¹²³⁰-⁹ᵃᵇᶜ\s]++|(?<![\d*†‡¹²³⁰-⁹ᵃᵇᶜ\s])[\d*†‡¹²³⁰-⁹ᵃᵇᶜ\s]++$")
_ORCID = re.compile(r"\[?\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b\]?")
_SHORT = 20
_ONE_NAME = re.compile(rf"{_NAME}[\d*†‡¹²³⁰-⁹ᵃᵇᶜ\s]*+")
_IDEOGRAPHIC_NAME = r"[\u4e00-\u9fff]{1,4}+(?:[ \u3000·][\u4e00-\u9fff]{1,3}+(?![\u4e00-\u9fff]))?+[\d*†‡]*+"
_IDEOGRAPHIC_NAMES = re.compile(rf"{_IDEOGRAPHIC_NAME}(?:[,，、;；\s]++{_IDEOGRAPHIC_NAME}){{0,50}}+\s*+")
_IDEOGRAPHS = re.compile("[\u4e00-\u9fff]{2}")


def is_about_authors(block: str) -> bool:
    """Whether a short block is names, places and addresses, not prose."""
    text = one_line(block)
    sentences = len(re.findall(r"[a-z]{3}[.!?](?:\s|$)|[。！？]", text))
    if len(text.split()) > 60 or sentences > 1 or (len(text) > 200 and _IDEOGRAPHS.search(text)):
        return False
    return is_names(text) or (bool(AUTHORS.search(text)) and sentences == 0)


def is_names(text: str) -> bool:
    """Whether a text is a list of names and nothing else."""
    return len(text) < 600 and _NAMES.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text is one name, or names in Chinese or Japanese; a short title may look like one, too."""
    return len(text) < 300 and (_ONE_NAME.fullmatch(text) is not None or _IDEOGRAPHIC_NAMES.fullmatch(text) is not None)


def is_short(block: str) -> bool:
    """Whether a block is a line of words without a sentence, as names, places and dates are."""
    text = one_line(block)
    return len(text.split()) < _SHORT and len(text) < 300 and not re.search(r"[a-z]{3}[.!?](?:\s|$)|。", text)


def names_in(blocks: Iterable[str]) -> tuple[str, ...]:
    """Return the names in blocks that are lists of names and nothing else, without the marks of notes."""
    listed = (one_line(_ORCID.sub("", block)) for block in blocks)
    parts = (name for one in listed if is_names(one) for name in _PARTING.split(one.removeprefix("by ")))
    found = (_NOTES.sub("", name) for name in parts)
    return tuple(dict.fromkeys(name for name in found if _ONE_NAME.fullmatch(name)))


def left_out(lines: Sequence[str]) -> str:
    """Return the warning about such lines."""
    return f"Lines about authors were left out of the text: {'; '.join(text[:60] for text in lines[:3])}."
