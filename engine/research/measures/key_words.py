"""Key words against those that authors gave: `python -m engine.research key_words --data DIR`.

DIR of --data holds acm-citation (titles and abstracts) and pmc-long (whole papers). Judged are documents with key words
by their authors, which no system sees, and of acm-citation those with an abstract of 30 words or more. Documents of
acm-citation are shuffled by the digest of their id: the first 2,000 are the test part, the next 2,000 the fitting part,
the next 800 the valid part. Of pmc-long the test part are documents of test pairs in no train pair, from which KeyVec
learned, the valid part documents of valid pairs likewise, and the fitting part the first 250 of train pairs.

A named phrase is right if a key word that was given has the same stems (Snowball's English stemmer, also known as
Porter 2). F1@k joins the precision among the first k and the recall of what was given, and is the mean over documents;
half of what authors give does not stand in the text. p is Fisher's randomisation test against the first row, corrected
by Holm's method for the rows of a set.

Rows: `priorscope` is what is shown, with the shipped frequencies; "a library's" takes frequencies from the texts of the
set outside of the test part. The others choose among the same phrases, which repeat each other as little: "TF-IDF" by
count times the sum of the words' idf, "student" by the cosine with the document (KeyBERT's idea: Grootendorst 2020; of
a long document the 300 most frequent phrases), "first" by place. "KeyVec" names the words that its softmax puts first,
as was shown before.

--fit fits the weights of short documents on the fitting part of acm-citation, of long ones on that of pmc-long, and
writes engine/search/evidence/key_words.json.
--split valid measures the valid parts, on which features were chosen.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.documents.text import singular, stems, tokens
from engine.encoders.keyvec import KeyvecEncoder, Salience
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.evaluation.significance import holm, randomisation_p
from engine.research import measurement
from engine.research.salience.texts import held_out, trained_on
from engine.search import KeyWordReader, Vocabulary
from engine.search.evidence import key_words
from engine.search.evidence.key_words import FEATURES, Weighed, choose_phrases, phrase_weights
from engine.search.evidence.phrases import PhraseReader
from engine.search.readings import SentenceEncoder, sentence_encoder
from engine.search.vocabulary import GENRE_WORDS
from engine.training.long_corpus import PAIRS, read_labelled_pairs

SETS = ("acm-citation", "pmc-long")
SIZES = {"test": 2_000, "fit": 2_000, "valid": 800}
DEPTHS = (5, 10)
FEWEST_WORDS = 30
FITTED_ON = {"short": "acm-citation", "long": "pmc-long"}
LONG_TO_FIT = 250
MOST_COMPARED = 300
_CONSTANT = 1e-9
_STEADINESS = 1.0  # of the regression: scikit-learn's C over rows of mean weight 1

Named = list[list[str]]
"""The phrases that a system names for each document, the best first."""


@dataclass(frozen=True)
class Judged:
    """Documents without their key words, the stems of what authors gave, and KeyVec's reading of each."""

    documents: list[Document]
    given: list[frozenset[tuple[str, ...]]]
    read: list[Salience]
    words: Vocabulary
    """The frequencies of the set's other documents."""

    sha256: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the weights, or measure every row on every set and save the tables."""
    given = measurement.read_options(_parser(), arguments)
    if given.fit:
        made: dict[str, Any] = {length: fitted(judged(given, name, "fit")) for length, name in FITTED_ON.items()}
        command = "python -m engine.research key_words --data DIR --fit"
        files.write_json(key_words.FILE, {**made, "command": command})
        return
    report: dict[str, Any] = {
        "split": given.split,
        "sets": {},
        **measurement.circumstances("key_words", _command(given)),
    }
    report["note"] = given.note
    for name in given.sets:
        report["sets"][name] = measured(judged(given, name, given.split))
        measurement.save(given.save, report, as_markdown(report))
    print(as_markdown(report))


def judged(given: argparse.Namespace, name: str, split: str) -> Judged:
    """Return the documents of one part of a set, at most --documents of them."""
    path = given.data / name / CORPUS
    documents = [one for one in read_documents(path) if len(one.abstract.split()) >= FEWEST_WORDS]
    part = _part(given.data / name, documents, split)[: given.documents or None]
    inside = {one.id for one in part}
    counts = Counter(word for one in documents if one.id not in inside for word in set(tokens(one.text)))
    hidden = [replace(one, keywords=()) for one in part]
    encoder = encoders.load("keyvec")
    if not part or not isinstance(encoder, KeyvecEncoder):
        raise EvaluationError(f"Expected documents with key words in the {split} part of {name}, found none.")
    read = encoder.salience(hidden, keywords=KeyWordReader.predicted)
    words = Vocabulary(counts, len(documents) - len(inside))
    return Judged(hidden, [stems_of(one.keywords) for one in part], read, words, files.sha256_file(path))


def stems_of(phrases: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return the stems of each phrase, without what stands in brackets; phrases without words are left out."""
    return frozenset(tuple(stems(tokens(phrase.partition(" (")[0]))) for phrase in phrases) - {()}


def f1(named: Sequence[str], given: frozenset[tuple[str, ...]], depth: int) -> float:
    """Return F1 of the first `depth` of what was named against what was given."""
    right = len(stems_of(named[:depth]) & given)
    return 2 * right / (depth + len(given)) if right else 0.0


def measured(part: Judged) -> dict[str, Any]:
    """Return the figures of every row on one part."""
    scores = {name: _scores(system(part), part) for name, system in SYSTEMS.items()}
    ours = next(iter(scores))
    tests = {
        depth: holm([randomisation_p(scores[ours][depth], scores[name][depth]) for name in scores if name != ours])
        for depth in DEPTHS
    }
    rows: dict[str, dict[str, float]] = {}
    for place, (name, own) in enumerate(scores.items()):
        rows[name] = {f"F1@{depth}": round(float(own[depth].mean()), 4) for depth in DEPTHS}
        if place:
            rows[name] |= {f"p@{depth}": round(tests[depth][place - 1], 4) for depth in DEPTHS}
    in_text = [_held(document, given) for document, given in zip(part.documents, part.given, strict=True)]
    return {
        "documents": len(part.documents),
        "given": round(float(np.mean([len(one) for one in part.given])), 2),
        "of_them_in_the_text": round(float(np.mean(in_text)), 3),
        "sha256": part.sha256,
        "rows": rows,
    }


def fitted(part: Judged) -> dict[str, Any]:
    """Return a logistic regression of a phrase's features on whether it was given; every document counts the same.

    The phrases are those among which the weights that are shipped so far would choose.
    """
    from sklearn.linear_model import LogisticRegression

    weighed = KeyWordReader(Vocabulary.shipped(), sentence_encoder()).weigh(part.documents, part.read)
    rows = np.concatenate([one.rows for one in weighed])
    right = [phrase.key in given for one, given in zip(weighed, part.given, strict=True) for phrase in one.phrases]
    shares = np.concatenate([np.full(len(one.phrases), 1 / max(1, len(one.phrases))) for one in weighed])
    spread = rows.std(axis=0)
    spread[spread < _CONSTANT] = 1.0
    model = LogisticRegression(C=_STEADINESS, max_iter=2_000)
    model.fit(rows / spread, right, sample_weight=shares / shares.mean())
    of = (round(float(value), 5) for value in model.coef_[0] / spread)
    return {"weights": dict(zip(FEATURES, of, strict=True)), "intercept": round(float(model.intercept_[0]), 5)}


def as_markdown(report: Mapping[str, Any]) -> str:
    """Return a table a set, the protocol and the circumstances."""
    lines = ["# Key words", ""]
    heads = [f"{measure}@{depth}" for depth in DEPTHS for measure in ("F1", "p")]
    for name, made in report["sets"].items():
        lines += [
            f"## {name}: {made['documents']:,} documents, {made['given']} key words each, "
            f"{made['of_them_in_the_text']:.0%} of them in the text",
            "",
            *measurement.table(
                ["", *heads], [[row, *(_shown(own, head) for head in heads)] for row, own in made["rows"].items()]
            ),
            *measurement.as_list({"sha256": made["sha256"]}),
            "",
        ]
    lines += [report["note"], ""] if report["note"] else []
    protocol = str(__doc__).split("\n\n", 1)[1].strip()
    facts = measurement.as_list({name: report[name] for name in ("split", "command", "commit", "hardware")})
    return "\n".join([*lines, "## Protocol", "", protocol, "", *facts, ""])


def _ours(part: Judged, vocabulary: Callable[[Judged], Vocabulary]) -> Named:
    reader = KeyWordReader(vocabulary(part), _remembering())
    found = reader.read(part.documents, part.read, max(DEPTHS))
    return [[name for name, _ in one] for one in found]


def _by(part: Judged, score: Callable[[Judged, Weighed, Document], NDArray[np.float64]]) -> Named:
    """Return the phrases of each document by another score."""
    reader, named = PhraseReader(), []
    for document in part.documents:
        phrases = tuple(reader.read(document).found.values())
        weighed = Weighed(phrases, np.zeros((len(phrases), len(FEATURES))), phrase_weights("short"))
        best = choose_phrases(weighed, score(part, weighed, document), max(DEPTHS)) if phrases else []
        named.append([phrase.form for phrase, _ in best])
    return named


def _tfidf(part: Judged, weighed: Weighed, document: Document) -> NDArray[np.float64]:
    del part, document
    idf = Vocabulary.shipped().idf
    return np.array(
        [one.count * sum(idf(singular(word)) for word in tokens(one.form)) for one in weighed.phrases], np.float64
    )


def _first(part: Judged, weighed: Weighed, document: Document) -> NDArray[np.float64]:
    del part, document
    return -np.array([one.first for one in weighed.phrases], np.float64)


def _cosines(part: Judged, weighed: Weighed, document: Document) -> NDArray[np.float64]:
    del part
    scores = np.full(len(weighed.phrases), -1.0)
    read = np.argsort([-one.count for one in weighed.phrases], kind="stable")[:MOST_COMPARED]
    forms = [weighed.phrases[place].form.lower() for place in read]
    rows = _remembering().encode_documents([document, *(Document(form, "query", form) for form in forms)])
    scores[read] = rows[1:] @ rows[0]
    return scores


class _Remembering:
    """An encoder that reads each text once: the rows of a measurement compare the same phrases."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._rows: dict[str, DenseRows] = {}

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Read documents as the encoder does."""
        missing = {one.text: one for one in documents if one.text not in self._rows}
        if missing:
            self._rows |= dict(zip(missing, self._encoder.encode_documents([*missing.values()]), strict=True))
        return np.stack([self._rows[one.text] for one in documents])

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Read queries as the encoder does, which reads questions further."""
        return self._encoder.encode_queries(documents)


@lru_cache(maxsize=1)
def _remembering() -> _Remembering:
    return _Remembering(sentence_encoder())


def _predicted(part: Judged) -> Named:
    """Return KeyVec's likeliest words without those of the genre, one form of each."""
    named = []
    for said in part.read:
        kept: dict[str, str] = {}
        for word, _ in said.keywords:
            if word not in GENRE_WORDS:
                kept.setdefault(stems([word])[0], word)
        named.append(list(kept.values())[: max(DEPTHS)])
    return named


SYSTEMS: dict[str, Callable[[Judged], Named]] = {
    "priorscope": partial(_ours, vocabulary=lambda _: Vocabulary.shipped()),
    "priorscope, a library's": partial(_ours, vocabulary=lambda part: part.words),
    "TF-IDF": partial(_by, score=_tfidf),
    "student": partial(_by, score=_cosines),
    "first": partial(_by, score=_first),
    "KeyVec": _predicted,
}
"""The rows; the first is what is shown."""


def _scores(named: Named, part: Judged) -> dict[int, NDArray[np.float64]]:
    return {
        depth: np.array([f1(own, given, depth) for own, given in zip(named, part.given, strict=True)])
        for depth in DEPTHS
    }


def _part(folder: Path, documents: Sequence[Document], split: str) -> list[Document]:
    """Return the documents of a part that have key words."""
    keyed = [one for one in documents if stems_of(one.keywords)]
    if (folder / PAIRS).exists():
        pairs = read_labelled_pairs(folder / PAIRS)
        if split == "fit":
            learnt = trained_on(pairs)
            return [one for one in keyed if one.id in learnt][:LONG_TO_FIT]
        wanted = held_out(pairs, "test" if split == "test" else "valid")
        return [one for one in keyed if one.id in wanted]
    keyed.sort(key=lambda one: files.sha256_bytes(one.id.encode()))
    start = 0
    for name, size in SIZES.items():
        if name == split:
            return keyed[start : start + size]
        start += size
    return []


def _held(document: Document, given: frozenset[tuple[str, ...]]) -> float:
    """Return the share of what was given that stands in the text, whatever the form."""
    text = f" {' '.join(stems(tokens(document.text)))} "
    return sum(f" {' '.join(one)} " in text for one in given) / len(given)


def _shown(row: Mapping[str, float], head: str) -> str:
    return f"{row[head]:.4f}" if head in row else ""


def _command(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--sets", *given.sets, "--split", given.split]
    return words + (["--documents", str(given.documents)] if given.documents else [])


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("key_words", __doc__)
    parser.add_argument("--sets", nargs="+", metavar="NAME", default=list(SETS))
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    parser.add_argument("--documents", type=int, default=0, help="of a part, at most (default: all)")
    parser.add_argument("--fit", action="store_true", help="fit the weights instead")
    parser.add_argument("--note", default="", help="a paragraph for the report, such as another tool's figures")
    parser.set_defaults(save=Path("engine/research/reports/key-words.json"))
    return parser
