"""How well KeyVec tells salient sentences: `python -m engine.research salience --data DIR --keyvec NAME[=FOLDER],...`.

DIR of --data holds acl-long and pmc-long. The command judges the sentences of the bodies of held-out documents; no row
sees title, abstract or references. Held-out documents are in a test pair (or a valid one: --split) and in
no train pair. A body has at least five sentences.

Abstract: the labels that KeyVec learns from, made on documents that it has not seen. For each sentence of the abstract,
the two nearest body sentences are salient if their TF-IDF cosine is above 0.15; the sentences of train documents'
bodies give the weights of words.

Citing: sentences that others took from the document; no row learns from them. acl-long names the papers that cite a
paper but not its authors, so the name by which it is cited is inferred from them (see `citing_sentences`). For each
sentence in which a citing paper names it, the two nearest body sentences are "cited", by the same cosine.

Each row scores every sentence. P@labels is the share of labelled sentences among the first, as many as are labelled;
P@5 is the share among the first five ("position" at five is Lead-5), P@2 among the first two; ROC-AUC is the chance
that a labelled sentence scores above another. All are means over documents. "share of labels" is what chance gives in
the precisions.

--mix adds the row "priorscope": what is shown, KeyVec's p weighed again (`engine.search.evidence.salience`). Against it
every other row has the p of Fisher's randomisation test, corrected by Holm's method for the rows of a table. It also
adds the abstracts of cited papers, alone, by what citing sentences say. --fit writes the weights of that mix: for
papers from the valid ones of acl-long and pmc-long, for patents from those of patents-long, for abstracts from those of
cited papers outside of the test part.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import load
from engine.encoders.keyvec import KeyvecEncoder, Salience
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.evaluation.significance import holm, randomisation_p
from engine.evaluation.systems import name_of, without_place
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.salience.scores import (
    BASELINES,
    COLUMNS,
    Reads,
    labels,
    precision_of_first,
    probabilities,
    score_row,
)
from engine.research.salience.texts import (
    FEWEST,
    Body,
    SentenceWords,
    citing_sentences,
    held_out,
    read_citations,
    trained_on,
)
from engine.search import Vocabulary
from engine.search.evidence import salience as mixing
from engine.training.keyvec.recipe import LabelSettings
from engine.training.long_corpus import PAIRS, read_labelled_pairs

SETS = ("acl-long", "pmc-long")
CITATIONS = "citations.tsv"
ABSTRACT, CITING = "abstract", "citing"
MIX = "priorscope"
FEWEST_OF_ABSTRACT = 3
FITTED_ON = {"paper": ("acl-long", "pmc-long"), "patent": ("patents-long",)}


@dataclass(frozen=True)
class LongSet:
    """Held-out bodies of one set, the words that weigh, and what is said about each body, by the kind of labels."""

    bodies: Sequence[Body]
    words: SentenceWords
    said: Mapping[str, Mapping[str, Sequence[str]]]
    sha256: Mapping[str, str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Score every row on every set, print the tables and save them after each set."""
    given = measurement.read_options(_parser(), arguments)
    settings = LabelSettings(given.threshold, given.top)
    if given.fit:
        files.write_json(mixing.FILE, fitted(given, settings))
        return
    rows = ROWS.rows_of(given.keyvec) if given.keyvec else []
    readers = {name_of(row): reader_of(row) for row in rows} | ({MIX: Mixed()} if given.mix else {})
    report: dict[str, Any] = {
        "split": given.split,
        "sets": {},
        **measurement.circumstances("salience", _command(given, rows)),
    }
    for name in given.sets:
        made = read_set(given.data / name, given)
        report["sets"][name] = {"sha256": dict(made.sha256), **score_set(made, readers, settings)}
        if given.mix and CITING in made.said:
            own = abstracts_of(made, given.data / name, given.split)
            report["sets"][f"{name}, abstracts"] = {"sha256": dict(own.sha256), **score_set(own, readers, settings)}
        measurement.save(given.save, report, as_markdown(report))
    print(as_markdown(report))


class Mixed:
    """What is shown: the shipped KeyVec's sentences, weighed again."""

    def salience(self, documents: Sequence[Document]) -> list[Salience]:
        """Return the salience of documents, as `KeyvecEncoder.salience`."""
        return mixing.reread(documents, shipped_keyvec().salience(documents, keywords=0), Vocabulary.shipped())


@lru_cache(maxsize=1)
def shipped_keyvec() -> KeyvecEncoder:
    """Return the encoder that ships."""
    return cast(KeyvecEncoder, load("keyvec"))


def fitted(given: argparse.Namespace, settings: LabelSettings) -> dict[str, Any]:
    """Return a logistic regression for each kind of document, of features of sentences on their labels of all kinds.

    The valid documents of --data; every set of a kind counts the same, and so does every document of it.
    """
    valid = argparse.Namespace(**{**vars(given), "split": "valid"})
    made: dict[str, Any] = {}
    for kind, names in FITTED_ON.items():
        sets = {name: read_set(given.data / name, valid) for name in names}
        made[kind] = _regression([_examples(one, settings) for one in sets.values()])
        for name, one in sets.items():
            if CITING in one.said:
                alone = abstracts_of(one, given.data / name, "valid")
                made["abstract"] = _regression([_examples(alone, settings)])
    return {**made, "command": "python -m engine.research salience --data DIR --fit"}


def _examples(made: LongSet, settings: LabelSettings) -> list[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """Return the features (m, F) and the labels (m,) of each document, once for every kind of labels."""
    found = []
    for body, said in zip(made.bodies, shipped_keyvec().salience([one.document for one in made.bodies]), strict=True):
        told = mixing.without_stock(said)
        places = {(chunk.part, chunk.start): place for place, chunk in enumerate(body.sentences)}
        kept = [place for place, one in enumerate(told.sentences) if (one.part, one.start) in places]
        rows = mixing.sentence_features(told, Vocabulary.shipped())[kept]
        at = [places[told.sentences[place].part, told.sentences[place].start] for place in kept]
        for about in made.said.values():
            marked = labels(body, about.get(body.document.id, ()), made.words, settings)[at]
            if marked.any() and not marked.all():
                found.append((rows, marked))
    return found


def _regression(sets: Sequence[Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]]]) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    rows = np.concatenate([one for examples in sets for one, _ in examples])
    marked = np.concatenate([one for examples in sets for _, one in examples])
    shares = [np.full(len(one), 1 / len(examples) / len(one)) for examples in sets for _, one in examples]
    weights = np.concatenate(shares)
    model = LogisticRegression().fit(rows, marked, sample_weight=weights / weights.mean())
    of = dict(zip(mixing.FEATURES, (round(float(value), 4) for value in model.coef_[0]), strict=True))
    return {"weights": of, "intercept": round(float(model.intercept_[0]), 4)}


def reader_of(row: str) -> Reads:
    """Return the encoder of a row. Raises EvaluationError if it does not say which sentences are salient."""
    encoder = ROWS.trained_encoder(row)
    if not isinstance(encoder, Reads):
        raise EvaluationError(f"Expected an encoder that tells salient sentences, as keyvec does; got {row}.")
    return encoder


def read_set(folder: Path, given: argparse.Namespace) -> LongSet:
    """Return the held-out bodies of a set, at most --documents of them, and what is said about them."""
    documents = read_documents(folder / CORPUS)
    pairs = read_labelled_pairs(folder / PAIRS)
    wanted, trains = held_out(pairs, given.split), trained_on(pairs)
    chosen = [document for document in documents if document.id in wanted][: given.documents or None]
    bodies = [body for document in chosen if len((body := Body.of(document)).sentences) >= FEWEST]
    learnt = [document for document in documents if document.id in trains] or chosen
    words = SentenceWords.of(text for document in learnt for text in Body.of(document).texts)
    said: dict[str, dict[str, Sequence[str]]] = {ABSTRACT: {body.document.id: body.abstract for body in bodies}}
    used = [CORPUS, PAIRS]
    if (folder / CITATIONS).exists():
        cited = citing_sentences(documents, read_citations(folder / CITATIONS))
        said[CITING] = {name: one.sentences for name, one in cited.items()}
        used.append(CITATIONS)
    return LongSet(bodies, words, said, {name: files.sha256_file(folder / name) for name in used})


def abstracts_of(made: LongSet, folder: Path, split: str) -> LongSet:
    """Return the abstracts of cited papers, alone, by what citing sentences say: of held-out papers, or of all others.

    KeyVec learns from no label on a sentence of an abstract, so every paper outside of the test part is a valid one.
    """
    tested = held_out(read_labelled_pairs(folder / PAIRS), "test")
    alone = [
        replace(one, sections=(), claims=())
        for one in read_documents(folder / CORPUS)
        if one.id in made.said[CITING] and (one.id in tested) == (split == "test")
    ]
    bodies = [
        Body(document, told.sentences, ())
        for document, told in zip(alone, shipped_keyvec().salience(alone, keywords=0), strict=True)
        if len(told.sentences) >= FEWEST_OF_ABSTRACT
    ]
    return LongSet(bodies, made.words, {CITING: made.said[CITING]}, made.sha256)


def score_set(made: LongSet, readers: Mapping[str, Reads], settings: LabelSettings) -> dict[str, Any]:
    """Return the figures of every row for every kind of labels; every row reads a body once."""
    scores: dict[str, list[NDArray[np.float64]]] = {
        name: [score(body, made.words) for body in made.bodies] for name, score in BASELINES.items()
    }
    scores |= {name: probabilities(reader, made.bodies) for name, reader in readers.items()}
    tables = {}
    for kind, said in made.said.items():
        places = [place for place, body in enumerate(made.bodies) if said.get(body.document.id)]
        about = [made.bodies[place] for place in places]
        marked = [labels(body, said[body.document.id], made.words, settings) for body in about]
        judged = [one for one in marked if one.any() and not one.all()]
        if not judged:
            continue
        tables[kind] = {
            "documents": len(judged),
            "sentences": int(sum(map(len, judged))),
            "share_of_labels": round(float(np.mean([one.mean() for one in judged])), 4),
            "rows": {
                name: _rounded(score_row(name, [of[place] for place in places], marked).figures)
                for name, of in scores.items()
            },
        }
        if MIX in scores:
            tables[kind]["p"] = _tested({name: [of[place] for place in places] for name, of in scores.items()}, marked)
    return tables


def _tested(
    scores: Mapping[str, Sequence[NDArray[np.float64]]], marked: Sequence[NDArray[np.bool_]]
) -> dict[str, float]:
    """Return the p of each other row's P@5 against what is shown."""
    both = [place for place, one in enumerate(marked) if one.any() and not one.all()]
    firsts = {name: [precision_of_first(of[place], marked[place]) for place in both] for name, of in scores.items()}
    others = [name for name in firsts if name != MIX]
    corrected = holm([randomisation_p(firsts[MIX], firsts[name]) for name in others])
    return {name: round(p, 4) for name, p in zip(others, corrected, strict=True)}


def as_markdown(report: Mapping[str, Any]) -> str:
    """Return a table a set and kind of labels, the protocol, and the circumstances."""
    lines = ["# Salient sentences", ""]
    for name, made in report["sets"].items():
        for kind in (ABSTRACT, CITING):
            if kind in made:
                lines += _lines(name, kind, made[kind])
        lines += [*measurement.as_list({"sha256": made["sha256"]}), ""]
    protocol = str(__doc__).split("\n\n", 1)[1].strip()
    facts = measurement.as_list({name: report[name] for name in ("split", "command", "commit", "hardware")})
    return "\n".join([*lines, "## Protocol", "", protocol, "", *facts, ""])


def _lines(name: str, kind: str, made: Mapping[str, Any]) -> list[str]:
    size = (
        f"{made['documents']:,} documents, {made['sentences']:,} sentences, share of labels {made['share_of_labels']}"
    )
    tested = made.get("p", {})
    rows = [
        [row, *(f"{figures[column]:.4f}" for column in COLUMNS), *([f"{tested.get(row, 1):.4f}"] if tested else [])]
        for row, figures in made["rows"].items()
    ]
    heads = ["", *COLUMNS, *(["p of P@5"] if tested else [])]
    return [f"## {name}, labels by {kind}: {size}", "", *measurement.table(heads, rows)]


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}


def _command(given: argparse.Namespace, rows: Sequence[str]) -> list[str]:
    options = [("split", given.split), ("threshold", given.threshold), ("top", given.top)]
    options += [("documents", given.documents)] if given.documents else []
    encoders = ["--keyvec", ",".join(map(without_place, rows))] if rows else []
    encoders += ["--mix"] if given.mix else []
    words = [word for name, value in options for word in (f"--{name}", str(value))]
    return ["--data", "DIR", *encoders, "--sets", *given.sets, *words]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("salience", __doc__)
    parser.add_argument(
        "--keyvec", default="", metavar="NAMES", help="names or NAME=FOLDER, with commas (default: none)"
    )
    parser.add_argument("--mix", action="store_true", help="score what is shown, too")
    parser.add_argument("--fit", action="store_true", help="fit the weights of what is shown instead")
    parser.add_argument("--sets", nargs="+", metavar="NAME", default=list(SETS))
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    parser.add_argument("--documents", type=int, default=0, help="of a set, at most (default: all)")
    parser.add_argument("--threshold", type=float, default=LabelSettings().threshold, help="cosine of a label")
    parser.add_argument("--top", type=int, default=LabelSettings().top, help="labels for one sentence")
    parser.set_defaults(save=Path("engine/research/reports/salience.json"))
    return parser
