"""The texts that a small transformer learns: what its teacher places, and what belongs together.

A teacher places titles, sentences and whole documents. Related documents, titles and texts, and passages that cite
with the works that they cite belong together.

"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine.core.progress import Report, silent
from engine.documents import Document, text
from engine.documents.dates import RECENT_YEAR
from engine.encoders import Transformer
from engine.training.corpora import HeldOut, abstract_of, documents_of, subject_of
from engine.training.related import PairBatch, RelatedDocuments, RelatedPairs, joined, pairs_in, require
from engine.training.settings import RelatedSettings
from engine.training.student.recipe import RelatedTextSettings, StudentDataSettings

_SENTENCE_CHARACTERS = range(31, 400)  # shorter sentences say little, longer ones are often two
Worth = Mapping[str, float]
"""How much a word says about two texts that share it, by the word."""
_NAMED_YEAR = re.compile(rf"[A-ZÀ-ÖØ-Þ][\w’'-]+(?: and [A-ZÀ-ÖØ-Þ][\w’'-]+|,? et al\.?)?,? \(?({RECENT_YEAR})[a-z]?\b")
"""Smith and Jones (2010), (Smith et al., 2010a)."""
_CHARACTERS_A_TOKEN = 20  # of a text that is kept until it is cut into tokens: twice what a tokenizer looks at


def short_texts(settings: StudentDataSettings, data: Path, *, seed: int, report: Report = silent) -> list[str]:
    """Return titles, and sentences of abstracts, in an order that the seed draws."""
    generator = np.random.default_rng(seed)
    texts: list[str] = []
    for document in _documents(settings.shorts, data, report):
        if document.title.strip():
            texts.append(document.title.strip())
        sentences = _sentences(document.abstract.strip())
        if sentences and generator.random() < settings.sentence_share:
            texts.append(sentences[generator.integers(len(sentences))])
    return [texts[place] for place in generator.permutation(len(texts))]


def whole_texts(settings: StudentDataSettings, data: Path, *, report: Report = silent) -> list[str]:
    """Return the whole text of every document that has any, in the order of the corpora."""
    return [document.text for document in _documents(settings.wholes, data, report) if document.text.strip()]


def _documents(names: tuple[str, ...], data: Path, report: Report) -> Iterator[Document]:
    """Return the documents of corpora, without benchmarks' queries, their copies and families."""
    held_out = HeldOut.below(data)
    return (document for _, document in documents_of(names, data, report) if document not in held_out)


def _sentences(abstract: str) -> list[str]:
    spans = text.sentences(abstract)
    return [abstract[span.start : span.stop] for span in spans if span.stop - span.start in _SENTENCE_CHARACTERS]


def passages_citing(citing: Document, cited: Document, worth: Worth, *, most: int) -> list[str]:
    """Return at most `most` passages of the citing document that seem to cite the other, the likeliest first.

    A passage is a sentence that names somebody with the cited work's year, and the sentences before and behind it. The
    likelier a sentence, the more words of worth it has in common with the cited title and abstract; one that has none
    is left out, as is every one where a year is not known.
    """
    if cited.year is None:
        return []
    wanted = words_of(cited)
    found: list[tuple[float, str]] = []
    for section in citing.sections:
        sentences = text.sentences(section.text)
        for number, span in enumerate(sentences):
            sentence = section.text[span.start : span.stop]
            if str(cited.year) not in _NAMED_YEAR.findall(sentence):
                continue
            score = math.fsum(worth.get(word, 0.0) for word in wanted.intersection(text.content_tokens(sentence)))
            if score > 0:
                around = sentences[max(0, number - 1) : number + 2]
                found.append((score, section.text[around[0].start : around[-1].stop]))
    found.sort(key=lambda one: -one[0])  # of equal ones the first stays first
    return list(dict.fromkeys(passage for _, passage in found))[:most]


def worth_of_words(documents: Iterable[Document]) -> dict[str, float]:
    """Return log(n / df) of every word of n documents' titles and abstracts."""
    held = [words_of(document) for document in documents]
    found = Counter(word for words in held for word in words)
    return {word: math.log(len(held) / count) for word, count in found.items()}


def words_of(document: Document) -> set[str]:
    """Return the words of a title and an abstract that are not function words."""
    return set(text.content_tokens(f"{document.title}\n{document.abstract}"))


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
        """Return what a recipe draws from, None if it draws nothing.

        Raises InputError if a source has fewer pairs than a batch takes.
        """
        if not settings.weight:
            return None
        held = read_texts(settings, data, most_characters=max_tokens * _CHARACTERS_A_TOKEN, report=report)
        pairs = RelatedPairs.of(settings, held, data, batch=settings.batch)
        if settings.passages:
            pairs = _with_passages(pairs, settings, held)
        if settings.titles:
            pairs = _with_titles(pairs, settings, held)
        return cls(tokenizer.tokens(held.texts, max_tokens), pairs)

    def draw(self, key: tuple[int, int, int]) -> PairBatch:
        """Return the pairs of texts, (batch, 2), of the step with this key."""
        return self.pairs.draw(key)


@dataclass
class HeldTexts:
    """n texts with the names, subjects and families of their documents.

    `headed` are places of titles and their texts: a title and the text after it are separate texts without a subject,
    beside the whole document. `citing` are places of passages and of the works that they cite. `known` are places of
    passages and of every document that is paired with the passage's document.
    """

    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    headed: list[tuple[int, int]] = field(default_factory=list)
    citing: list[tuple[int, int]] = field(default_factory=list)
    known: list[tuple[int, int]] = field(default_factory=list)

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
    """Return every text that a recipe may draw, read no further than `most_characters`.

    No benchmark's query, copy of one, nor one of its family is among them. Raises InputError if a file of pairs is
    not as it should be.
    """
    paired: dict[str, set[str]] = {one.corpus: set() for one in settings.tables}
    for one in settings.tables:
        paired[one.corpus] |= {name for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
    held, seen, held_out = HeldTexts(), set[str](), HeldOut.below(data)
    papers: dict[str, dict[str, tuple[int, Document]]] = {one.corpus: {} for one in settings.passages}
    for corpus, document in documents_of(settings.corpora, data, report):
        if document.id in seen or document in held_out:
            continue
        subject = subject_of(corpus, document.categories) if corpus in settings.subjects else ""
        read = abstract_of(document) if corpus in settings.abstracts else document
        title, rest, text = (
            part.strip()[:most_characters] for part in (document.title, replace(document, title="").text, read.text)
        )
        if text and (subject or document.id in paired.get(corpus, ())):
            place = held.add(text, name=document.id, subject=subject, family=document.family)
            seen.add(document.id)
            if corpus in papers:
                papers[corpus][document.id] = place, document
        if title and rest and corpus in settings.titles:
            places = (
                held.add(part, name=f"{document.id}\t{name}", family=document.family)
                for name, part in (("title", title), ("rest", rest))
            )
            held.headed.append((next(places), next(places)))
            seen.add(document.id)
    for one in settings.passages:
        pairs = list(pairs_in(data / one.corpus / one.pairs))
        _add_passages(held, papers[one.corpus], pairs, settings.passages_most, most_characters)
    return held


def _add_passages(
    held: HeldTexts,
    papers: Mapping[str, tuple[int, Document]],
    pairs: Sequence[tuple[str, str]],
    most: int,
    most_characters: int,
) -> None:
    """Take the passages of papers that cite those they are paired with, every other one under its paper's title.

    The later of two papers cites the earlier; of one year both may.
    """
    worth = worth_of_words(paper for _, paper in papers.values())
    partners: dict[str, set[int]] = {name: set() for name in papers}
    kept = [pair for pair in pairs if pair[0] in papers and pair[1] in papers and pair[0] != pair[1]]
    for one, other in kept:
        partners[one].add(papers[other][0])
        partners[other].add(papers[one][0])
    for one, other in dict.fromkeys(pair for a, b in kept for pair in ((a, b), (b, a))):
        (_, citing), (cited, work) = papers[one], papers[other]
        if citing.year is None or work.year is None or work.year > citing.year:
            continue
        for number, passage in enumerate(passages_citing(citing, work, worth, most=most)):
            text = passage if number % 2 else f"{citing.title}\n\n{passage}"
            place = held.add(text[:most_characters], name=f"{one}\t{other}\t{number}", family=citing.family)
            held.citing.append((place, cited))
            held.known += [(place, partner) for partner in sorted(partners[one])]


def _with_passages(pairs: RelatedPairs, settings: RelatedTextSettings, held: HeldTexts) -> RelatedPairs:
    """Return pairs that in `passage_share` of the steps are passages with works that they cite.

    No document that is paired with a passage's paper is a stranger to the passage.
    """
    drawn = RelatedSettings(share=1.0, batch=settings.batch, files=settings.passages, subject_share=0.0)
    sources = [f"{one.corpus}/{one.pairs}" for one in settings.passages]
    require(len(held.citing), settings.batch, "passages that cite", sources)
    known = joined(np.array(held.known, np.int64).reshape(-1, 2), len(held.names))
    return replace(_joined_by(pairs, drawn, held.citing, settings.passage_share), joined=pairs.joined + known)


def _joined_by(
    pairs: RelatedPairs, drawn: RelatedSettings, found: Sequence[tuple[int, int]], share: float
) -> RelatedPairs:
    """Add a source of pairs; `share` of the steps draw from it, or all steps if it is the only one."""
    added = RelatedDocuments(drawn, [], np.array(found, np.int64).reshape(-1, 2))
    others = (1 - share) * pairs.chances if pairs.sources else np.zeros(0)
    chances = np.concatenate([others, [1 - others.sum()]])
    return replace(pairs, sources=[*pairs.sources, added], chances=chances)


def _with_titles(pairs: RelatedPairs, settings: RelatedTextSettings, held: HeldTexts) -> RelatedPairs:
    """Return pairs that in `title_share` of the steps are titles with what they head."""
    drawn = RelatedSettings(share=1.0, batch=settings.batch, subjects=settings.titles, subject_share=0.0)
    require(len(held.headed), settings.batch, "titles with what they head", settings.titles)
    return _joined_by(pairs, drawn, held.headed, settings.title_share)
