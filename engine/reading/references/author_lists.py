"""The authors in one text, parted as services part them: by semicolons, strokes, line ends, commas or "and"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SURE = re.compile(r"[;|\n\r\t\uff1b\uff0c\u3001]|\s•\s")
_AND = re.compile(r"(?:,\s++|(?<![\s,])\s++)(?:and|&|und|et)\s++(?=\S)")
_REST = re.compile(r"^(?:et al|and others|others|\.\.|…)[\s.,…]*+$", re.IGNORECASE)
_REST_BEHIND = re.compile(r"(?<![\s,])[\s,]++(?:et al\.?|and others|\.{3}|…)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:(?<!\s)\s++)?(?:\[[A-Z]{2}\]|\((?:\d{4,12}|\d{4}-\d{4}-\d{4}-\d{3}[\dX])\))$|(?<!\s)\s++0\d{3}$"
)
HOMONYM = re.compile(r"(?<=\S) 0\d{3}$")
"""The number by which dblp tells persons of one name apart."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,5}|[A-Z]{1,3}|[A-Z] [A-Z]")
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|msc|esq)\.?", re.IGNORECASE)
_ENDS_IN_INITIALS = re.compile(r"\S\s++[A-Z]{1,3}\.$")
_GLUED = re.compile(
    r"(?<=[^\W\d_A-Z])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bDi)(?<!\bLe)(?<!\bVan)(?=[A-ZÀ-ÖØ-Þ][^\WA-Z]*+[.\s-])"
)


def split_names(text: str) -> list[str]:
    """Return the names in a text, each as it is written there: "Lind, Ada" or "Ada Lind"."""
    text = _REST_BEHIND.sub("", text.strip()).removesuffix("...").removesuffix("…")
    if _SURE.search(text):
        return _clean(_SURE.split(text))
    parts = [part.strip(" ,") for part in _AND.split(text)]
    if "," not in text:  # "Research and Development Group" is one
        return _clean(parts if len({min(len(part.split()), 2) for part in parts}) == 1 else [text])
    if any("," in part for part in parts) and all(map(_is_one_name, parts)):
        return _clean(parts)  # "Lind, Ada and Ek, Bo"
    return _clean(_between_commas(", ".join(parts)))


def split_glued(text: str) -> list[str]:
    """Names that SpringerLink writes one after the other: "Ada LindBo Ek"."""
    return _clean(_GLUED.split(text)) if not re.search(r"[;,|]", text) else split_names(text)


def _between_commas(text: str) -> list[str]:
    parts: list[str] = []
    for part in map(str.strip, text.split(",")):
        if parts and _SUFFIX.fullmatch(part):
            parts[-1] = f"{parts[-1]}, {part}"
        elif part:
            parts.append(part)
    if _is_one_name(text):
        return [text]
    if _are_pairs(parts):
        return [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    ended = [part for part in parts if part.endswith(".")]
    if ended == parts[-1:] and _ENDS_IN_INITIALS.search(parts[-1]):
        parts[-1] = parts[-1].removesuffix(".")  # PubMed: "Lind A, Ek B."
    return parts


def _are_pairs(parts: Sequence[str]) -> bool:
    """Return whether parts are the names of families, each followed by a given name: "Lind, A., Ek, B."."""
    if len(parts) < 4 or len(parts) % 2:
        return False
    return all(map(_INITIALS.fullmatch, parts[1::2])) or all(len(part.split()) == 1 for part in parts)


def _is_one_name(text: str) -> bool:
    """Whether a text is a single name: no comma, or the family's name before one, and a suffix perhaps between two."""
    family, *rest = (part.strip() for part in text.strip(" ,").split(","))
    if not rest:
        return True
    if _EAST_ASIAN.search(text):
        return False
    words = family.split()
    if len(rest) == 2:
        return len(words) == 1 and _SUFFIX.fullmatch(rest[0]) is not None
    return len(rest) == 1 and (len(words) == 1 or (len(rest[0].split()) == 1 and not _INITIALS.fullmatch(words[-1])))


def _clean(names: Sequence[str]) -> list[str]:
    stripped = (_NUMBER.sub("", name.strip().strip(",").strip()) for name in names)
    return [name for name in stripped if name and not _REST.match(name)]
