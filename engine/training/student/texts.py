"""The texts that a teacher places for its student: titles, sentences, whole documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.core.progress import Meter, Report, silent
from engine.documents import Document, text
from engine.reading import iter_documents
from engine.training.corpora import CORPUS, HeldOut
from engine.training.student.recipe import StudentDataSettings

_SENTENCE_CHARACTERS = range(31, 400)  # shorter sentences say little, longer ones are often two


def short_texts(settings: StudentDataSettings, data: Path, *, seed: int, report: Report = silent) -> list[str]:
    """Titles, and sentences of abstracts, in an order that the seed draws."""
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
    """The whole text of every document that has any, in the order of the corpora."""
    return [document.text for document in _documents(settings.wholes, data, report) if document.text.strip()]


def _documents(names: tuple[str, ...], data: Path, report: Report) -> Iterator[Document]:
    """The documents of corpora, without benchmarks' queries, their copies and families."""
    held_out = HeldOut.below(data)
    for name in names:
        meter = Meter(f"read {name}", None, report)
        for document in iter_documents(data / name / CORPUS):
            if document not in held_out:
                yield document
            meter.add()
        meter.finish()


def _sentences(abstract: str) -> list[str]:
    spans = text.sentences(abstract)
    return [abstract[span.start : span.stop] for span in spans if span.stop - span.start in _SENTENCE_CHARACTERS]
