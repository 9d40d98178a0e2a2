"""The rows of a table of matching by name: words, encoders, encoders' folders, and mixes of other rows.

TF-IDF's cosine, LSA and BM25 know only the words of a corpus, and are computed here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import SparseRows, unit_length
from engine.documents import Document
from engine.encoders import encoder_names, find
from engine.encoders.minilm import MINILM
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.research.matching.judging import PairScores, inner_products
from engine.research.matching.pair_set import PairSet

TFIDF, LSA, BM25 = "tfidf", "lsa", "bm25"
DIMENSIONS = 256
SEED = 0
"""Seeds LSA's randomised decomposition; how far other seeds move its accuracy: engine/research/reports/choices.md."""


def tfidf_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """Return cosines (p,) of TF-IDF rows with 1 + ln(count) for counts, scikit-learn's words and English stop words.

    Words and their rarity come from the whole corpus, whatever split a document is in; labels are not read.
    """
    rows, _ = _rows(pairs, report)
    return inner_products(rows, rows, pairs.places)


def lsa_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """Return cosines (p,) in the 256 strongest directions of the corpus's rows of TF-IDF (Deerwester et al., 1990)."""
    from sklearn.decomposition import TruncatedSVD

    rows, corpus = _rows(pairs, report)
    count = min(DIMENSIONS, min(corpus.shape) - 1)
    if count < 1:
        raise EvaluationError(f"Expected two documents with two words or more to fit {LSA} on, got fewer. Add some.")
    fitted = TruncatedSVD(count, random_state=SEED).fit(corpus)
    topics = unit_length(np.asarray(fitted.transform(rows), np.float32))  # (n, 256)
    return inner_products(topics, topics, pairs.places)


def bm25_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """Return the mean (p,) of both directions, each document asking once and the other answering, as a search does.

    A document's score for its own question is taken as 1, because the scores of different questions have different
    scales. This tells more pairs rightly than the mean of the plain scores (engine/research/reports/choices.md).
    """
    keywords = KeywordIndex.in_memory(pairs.corpus)
    partners: dict[int, set[int]] = defaultdict(set)
    for a, b in pairs.places.tolist():
        partners[a].add(b)
        partners[b].add(a)
    meter = Meter(f"ask by {BM25}", len(partners), report)
    share: dict[tuple[int, int], float] = {}
    for asks, answer in partners.items():
        document = pairs.documents[asks]
        named = {pairs.documents[place].id: place for place in (*answer, asks)}
        found = {hit.id: hit.score for hit in keywords.search(question_terms(document), len(named), within=named)}
        own = found.get(document.id, 0.0)
        share |= {(asks, place): found.get(name, 0.0) / own if own else 0.0 for name, place in named.items()}
        meter.add()
    meter.finish()
    return np.array([(share[a, b] + share[b, a]) / 2 for a, b in pairs.places.tolist()], np.float64)


def fingerprint_of(name: str) -> str:
    """Return name the choices that make a row; the corpus's digest tells what it learned."""
    choices = {
        TFIDF: "tfidf sklearn sublinear english",
        LSA: f"lsa sklearn sublinear english {DIMENSIONS} seed {SEED}",
        BM25: f"both ways / own {keyword_fingerprint()}",
    }
    return files.fingerprint(choices[name])


def _rows(pairs: PairSet, report: Report) -> tuple[SparseRows, SparseRows]:
    """Return unit-length rows of the pairs' documents, and of the whole corpus that they are fitted on."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    meter = Meter(f"weigh words by {TFIDF}", len(pairs.corpus), report)
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", dtype=np.float32)
    try:
        corpus = csr_array(vectorizer.fit_transform(_counted(pairs.corpus, meter)))
    except ValueError:  # scikit-learn's for an empty vocabulary
        raise EvaluationError(
            f"Expected documents with words in {pairs.name}, found none but stop words. Add documents with text."
        ) from None
    meter.finish()
    place = {document.id: number for number, document in enumerate(pairs.corpus)}
    return corpus[[place[document.id] for document in pairs.documents]], corpus


def _counted(documents: Sequence[Document], meter: Meter) -> Iterator[str]:
    for document in documents:
        yield document.text
        meter.add()


MINILM_CHUNKS = f"{MINILM}-chunks"
PASSAGES = "passages"
"""The row of the best matches of a search's passages, both ways."""
COMPARE, COMPARES = "compare", "colde"
"""The row of what a comparison shows, and the encoder that it compares by."""

_WORDS = (TFIDF, LSA, BM25)
_COMMA = re.compile(r",(?![^()]*\))")  # between rows, not between the parts of a mix
_MIX = re.compile(r"mix\((.*)\)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its name; `folder` holds its encoder, `parts` are the rows that it mixes, where it has either."""

    name: str
    folder: Path | None = None
    parts: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """How the command line names the row, its folder without the way to it."""
        return self.name if self.folder is None else f"{self.name}={self.folder.name}"


def names() -> tuple[str, ...]:
    """Return every row that can be asked for by name.

    `tfidf` and `lsa` are the ones for long documents (`words`), not the registry's, which weigh as the CTPE paper does;
    `minilm` reads a document's first 256 tokens and `minilm-chunks` takes the mean of all its chunks. `passages` is the
    mean of the best match of each passage in the other document, by what reads a search's passages. `compare` is the
    document score that `priorscope compare` and the app show, mixed as the encoder's card says.
    """
    encoders = tuple(name for name in encoder_names() if not find(name).learns)
    return (*_WORDS, *encoders, MINILM, MINILM_CHUNKS, PASSAGES, COMPARE)


def parse_rows(given: str, *, kept: Collection[str] = ()) -> list[Row]:
    """Return the rows of a list separated by commas, once each: names, NAME=FOLDER, and mix(NAME,NAME,...).

    `kept` names rows whose scores are at hand. Raises EvaluationError for a row that is not known, without its
    folder, or mixed of rows that are not.
    """
    rows = [_row(text.strip()) for text in dict.fromkeys(_COMMA.split(given)) if text.strip()]
    known = {*names(), *kept, *(row.name for row in rows if row.folder is not None)}
    unknown = [row.name for row in rows if not row.parts and row.name not in known]
    if unknown or not rows:
        raise EvaluationError(
            f"Expected encoders among {', '.join((*names(), *kept))}, NAME=FOLDER, or mix(NAME,NAME); "
            f"got {', '.join(unknown) or 'none'}. Separate the names by commas."
        )
    _check_names(rows)
    _check_mixes(rows, known)
    return rows


def _row(text: str) -> Row:
    if mixed := _MIX.fullmatch(text):
        parts = tuple(part.strip() for part in mixed[1].split(","))
        return Row(f"mix({','.join(parts)})", parts=parts)
    name, named, folder = text.partition("=")
    return Row(name, Path(folder)) if named else Row(name)


def _check_names(rows: list[Row]) -> None:
    called = [row.name for row in rows]
    twice = sorted({name for name in called if called.count(name) > 1 or not name})
    if twice:
        raise EvaluationError(f"Expected a name of its own for each row, got {twice[0]!r} more than once or empty.")
    missing = [str(row.folder) for row in rows if row.folder is not None and not row.folder.is_dir()]
    if missing:
        raise EvaluationError(f"Expected an encoder's folder, got {', '.join(missing)}; there is none. Name another.")


def _check_mixes(rows: list[Row], known: Collection[str]) -> None:
    for row in rows:
        strange = [part for part in row.parts if part not in known]
        if strange:
            raise EvaluationError(
                f"Expected {row.name} to mix rows that are known, got {strange[0]!r}. "
                "Give a folder its name in a row of its own, and mix that name."
            )
        if row.parts and len(set(row.parts)) < 2:
            raise EvaluationError(f"Expected a mix of two rows or more, got {row.name}. Name another row to mix.")
