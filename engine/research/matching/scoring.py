"""Scores the pairs of a set by every row that was asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.encoders import Encoder
from engine.research.matching import compared, encoding, words
from engine.research.matching.mixing import mix
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import COMPARE, PASSAGES, Row
from engine.research.matching.scores import PairScores, Scored, check
from engine.training.long_corpus import Split

_BY_WORDS: Mapping[str, Callable[..., PairScores]] = {
    words.TFIDF: words.tfidf_scores,
    words.LSA: words.lsa_scores,
    words.BM25: words.bm25_scores,
}


_SECTIONS = "sections"


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows are scored: `kept` holds those at hand by name, `cache` keeps encoders' rows of texts.

    `mix_split` is the split that mixes are fitted on, and `sections` in how many stretches
    CoLDE numbers a document's chunks, where that is not the encoder's own choice.
    """

    kept: Mapping[str, Scored] = field(default_factory=dict)
    cache: Path | None = None
    mix_split: Split = "train"
    sections: int | None = None


def score(rows: Sequence[Row], pairs: PairSet, plan: Plan | None = None, *, report: Report = silent) -> list[Scored]:
    """Score each row, and the parts of each mix once, in the order asked for.

    Raises EvaluationError if a row gives no finite score or none numbers sections as asked, and EngineError if an
    encoder cannot be loaded.
    """
    plan = plan or Plan()
    asked = {row.name: row for row in rows}
    needed = dict.fromkeys(name for row in rows for name in (row.parts or (row.name,)))
    held = {name: _score(asked.get(name, Row(name)), pairs, plan, report) for name in needed}
    if plan.sections is not None and all(one.facts.get(_SECTIONS) != plan.sections for one in held.values()):
        raise EvaluationError(
            f"Expected a row that CoLDE reads, to number its sections; got {', '.join(held)}. "
            "Name its folder, or leave --sections out."
        )
    for row in rows:
        if row.parts:
            held[row.name] = mix(row.name, [held[part] for part in row.parts], pairs, split=plan.mix_split)
    return [held[row.name] for row in rows]


def _score(row: Row, pairs: PairSet, plan: Plan, report: Report) -> Scored:
    if row.name in plan.kept and row.folder is None:
        return plan.kept[row.name]
    started = time.perf_counter()
    facts: dict[str, int] = {}
    if row.folder is None and row.name in _BY_WORDS:
        scores, fingerprint = _BY_WORDS[row.name](pairs, report=report), words.fingerprint(row.name)
    elif row.folder is None and row.name == PASSAGES:
        scores, fingerprint = encoding.passage_scores(pairs, cache=plan.cache, report=report)
    else:
        encoder = encoding.encoder_of(row)
        if plan.sections is not None and encoding.reads_sections(encoder):
            encoder, facts = encoder.with_sections(plan.sections), {_SECTIONS: plan.sections}
        scores, fingerprint = _by_encoder(row, encoder, pairs=pairs, plan=plan, report=report)
    check(row.name, scores, pairs)
    return Scored(row.name, fingerprint, scores, time.perf_counter() - started, facts)


def _by_encoder(row: Row, encoder: Encoder, *, pairs: PairSet, plan: Plan, report: Report) -> tuple[PairScores, str]:
    """An encoder's scores (p,) with a name for what gave them; for the row `compare` those of a comparison."""
    if row.name != COMPARE:
        scores = encoding.encoder_scores(encoder, pairs, cache=plan.cache, name=row.name, report=report)
        return scores, encoder.card.fingerprint
    if not encoding.reads_sections(encoder):
        raise EvaluationError(
            f"Expected an encoder that compares long documents for the row {COMPARE}, got {encoder.card.name}. "
            "Give its folder another name."
        )
    scores = compared.compared_scores(encoder, pairs.documents, pairs.places, cache=plan.cache, report=report)
    return scores, compared.compared_fingerprint(encoder)
