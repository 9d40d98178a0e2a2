"""Texts that belong together, for a small transformer: whole documents that are related, titles and what they head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine.encoders.transformer import Transformer
from engine.progress import Report, silent
from engine.training.ctpe_recipe import RelatedSettings
from engine.training.pair_corpus import abstract_of, documents_of, pairs_in, queries_in, subject_of
from engine.training.related import RelatedDocuments
from engine.training.related_pairs import PairBatch, RelatedPairs, require
from engine.training.student_recipe import RelatedTextSettings

_CHARACTERS_A_TOKEN = 20  # of a text that is kept until it is cut into tokens: twice what a tokenizer looks at


@dataclass(frozen=True)
class RelatedTexts:
    """n texts by the ids of their tokens, and which of them a step draws as pairs."""

    tokens: Sequence[Sequence[int]]
    pairs: RelatedPairs

    @classmethod
    def of(
        cls,
        settings: RelatedTextSettings,
        tokenizer: Transformer,
        data: Path,
        *,
        max_tokens: int,
        report: Report = silent,
    ) -> RelatedTexts | None:
        """What a recipe draws from, None where it draws nothing.

        Raises InputError where a source has fewer pairs than a batch takes.
        """
        if not settings.weight:
            return None
        held = read_texts(settings, data, most_characters=max_tokens * _CHARACTERS_A_TOKEN, report=report)
        pairs = RelatedPairs.of(settings, held, data, batch=settings.batch)
        if settings.titles:
            pairs = _with_titles(pairs, settings, held)
        return cls(tokenizer.tokens(held.texts, max_tokens), pairs)

    def draw(self, key: tuple[int, int, int]) -> PairBatch:
        """The pairs of texts, (batch, 2), of the step with this key."""
        return self.pairs.draw(key)


@dataclass
class HeldTexts:
    """n texts with the names, subjects and families of their documents; `headed` are places of titles and their texts.

    A title and what stands behind it are texts of their own, of no subject, beside the whole document.
    """

    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    headed: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, *, name: str, subject: str = "", family: str = "") -> int:
        """Take a text; gives its place."""
        for column, value in zip(
            (self.texts, self.names, self.subjects, self.families), (text, name, subject, family), strict=True
        ):
            column.append(value)
        return len(self.texts) - 1


def read_texts(
    settings: RelatedTextSettings, data: Path, *, most_characters: int, report: Report = silent
) -> HeldTexts:
    """Every text that a recipe may draw, read no further than `most_characters`.

    No benchmark's query, nor one of its family, is among them. Raises InputError where a file of pairs is not as it
    should be.
    """
    paired: dict[str, set[str]] = {one.corpus: set() for one in settings.files}
    for one in settings.files:
        paired[one.corpus] |= {name for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
    held, seen, held_out = HeldTexts(), set[str](), queries_in(data)
    for corpus, document in documents_of(settings.corpora, data, report):
        if document.id in seen or {document.id, document.family} & held_out:
            continue
        subject = subject_of(corpus, document.categories) if corpus in settings.subjects else ""
        read = abstract_of(document) if corpus in settings.abstracts else document
        title, rest, text = (
            part.strip()[:most_characters] for part in (document.title, replace(document, title="").text, read.text)
        )
        if text and (subject or document.id in paired.get(corpus, ())):
            held.add(text, name=document.id, subject=subject, family=document.family)
            seen.add(document.id)
        if title and rest and corpus in settings.titles:
            places = (
                held.add(part, name=f"{document.id}\t{name}", family=document.family)
                for name, part in (("title", title), ("rest", rest))
            )
            held.headed.append((next(places), next(places)))
            seen.add(document.id)
    return held


def _with_titles(pairs: RelatedPairs, settings: RelatedTextSettings, held: HeldTexts) -> RelatedPairs:
    """Pairs that in `title_share` of the steps are titles with what they head."""
    drawn = RelatedSettings(share=1.0, batch=settings.batch, subjects=settings.titles, subject_share=0.0)
    require(len(held.headed), settings.batch, "titles with what they head", settings.titles)
    headed = RelatedDocuments(drawn, [], np.array(held.headed, np.int64).reshape(-1, 2))
    others = (1 - settings.title_share) * pairs.chances if pairs.sources else np.zeros(0)
    chances = np.concatenate([others, [1 - others.sum()]])
    return replace(pairs, sources=[*pairs.sources, headed], chances=chances)
