"""What a patent's publication says in each language: titles, abstracts, claims and a description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.documents import Translation

_ENGLISH = "en"
_NO_LANGUAGE = frozenset({"xx", "ol", "oo"})
"""What stands for a language that is unknown, or an office's own."""

Description = TypeVar("Description")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Wordings(Generic[Description]):
    """The texts of a publication by language; one that it does not name is empty. `said` are the languages it names."""

    said: tuple[str, ...]
    titles: Mapping[str, str]
    abstracts: Mapping[str, str]
    claims: Mapping[str, tuple[str, ...]]
    descriptions: Mapping[str, Description]

    @property
    def language(self) -> str:
        """The publication's own language: as it says if a text is in it, or that of its longest text."""
        given = [*self.descriptions, *self.claims, *self.abstracts, *self.titles]
        own = next((one for text in self.said if (one := text.lower()) in given), "")
        only = next((one for group in (self.descriptions, self.claims) for one in group if len(group) == 1), "")
        return own or only or (_ENGLISH if _ENGLISH in given else next(filter(None, given), ""))

    def own(self, texts: Mapping[str, Value], nothing: Value) -> Value:
        """A text in the publication's language, else in English, else in any."""
        return next((texts[one] for one in (self.language, _ENGLISH, *texts) if one in texts), nothing)

    def translations(self) -> Iterator[Translation]:
        """What it says in other languages."""
        for language in dict.fromkeys((*self.titles, *self.abstracts, *self.claims)):
            if language not in ("", self.language):
                yield Translation(
                    language,
                    self.titles.get(language, ""),
                    self.abstracts.get(language, ""),
                    self.claims.get(language, ()),
                )


def by_language(found: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """The first text in each language, empty ones left out."""
    texts: dict[str, Value] = {}
    for said, text in found:
        language = said.lower()
        if text:
            texts.setdefault("" if language in _NO_LANGUAGE else language, text)
    return texts
