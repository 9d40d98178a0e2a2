"""CoLDE, its ablations and its rivals on one set of pairs: how to load each, and what it tells of the pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.errors import EvaluationError
from engine.research.matching import rows, scoring
from engine.research.matching.judging import Scored, check, judge
from engine.research.matching.pair_set import Form, PairSet, load_pair_set, of_form
from engine.research.matching.rows import COMPARE, Row, names
from engine.research.matching.scoring import Plan, changed_scores, encoder_of, reads_sections, remembered, score
from engine.research.paper.work import Work, there
from engine.training.long_corpus import PAIRS

FROZEN, LEARNT = "colde-cpu", "colde-paper"
"""The recipes of CoLDE over a transformer that stays as it is, and over one that learns with it."""
PAPER_FORM = ("head.late_share=0", "head.late_best=1", "objective.late=0", "head.skip=false", "head.space_dim=0")
"""What the first changes to be the paper's form; the second is that form."""
ALIKE = ("backbone.section_numbers=1", "backbone.chunk_numbers=1")
"""Where a document is one section, a transformer that learns tells no sections and chunks apart either."""
_ONE_SECTION = "objective.sections=1"
ABLATIONS: Mapping[str, tuple[str, ...]] = {
    "CoLDE": (),
    "CoLDE-Aug": (_ONE_SECTION,),
    "CoLDE-LSTM": ("head.aggregation=mean",),
    "CoLDE-CL": ("objective.kind=cosine", _ONE_SECTION),
}
"""The paper's model and its ablations by their changes to a recipe."""

SBERT = "S-BERT"
MATCHERS: Mapping[str, str] = {
    "DSSM": "matcher-dssm",
    "ARC-I": "matcher-arc-i",
    "HAN": "matcher-han",
    SBERT: "matcher-s-bert",
    "SMITH": "matcher-smith",
    "S-LONG": "matcher-s-long",
}
"""Its rivals by their recipes, in the order of table 2."""

PLAIN = "minilm"
"""What S-BERT begins with here, as it comes: the row beside it."""

_WORDS = (rows.TFIDF, rows.LSA, rows.BM25)
_SLOW = ("HAN", "SMITH", "S-LONG")


@dataclass
class Pairs:
    """A set of pairs by its name, and what each model tells of them; `learnt` CoLDE's transformer learns with it."""

    work: Work
    name: str
    learnt: bool = False

    @cached_property
    def whole(self) -> PairSet:
        """The set with whole documents. Raises EvaluationError if it is not there."""
        there(self.work.data / self.name / PAIRS)
        return load_pair_set(self.work.data / self.name, form=None)

    def told(self, model: str, *, changes: tuple[str, ...] = (), form: Form | None = None) -> dict[str, Any]:
        """Return figures of a model on valid and test, its threshold, and which test pairs it tells rightly.

        `changes` apply to its recipe, if it has one. Raises EngineError if it cannot be loaded.
        """
        row, form = self._row(model, changes), form or Form()
        key = {"row": _fingerprint(row), "form": form.options, "sha256": dict(self.whole.sha256)}
        about = " ".join([model, *changes, *form.options])
        return self.work.cells.find(f"{self.name}-{about}", key, lambda: self._tell(row, form))

    def _tell(self, row: Row, form: Form) -> dict[str, Any]:
        pairs = of_form(self.whole.judged, form)
        judged = judge(self._scored(row, pairs), pairs)
        return {
            "figures": judged.test.rounded(),
            "valid": judged.valid.rounded(),
            "threshold": round(judged.threshold, 6),
            "fingerprint": judged.scored.fingerprint,
            "right": [int(one) for one in judged.right],
        }

    def _scored(self, row: Row, pairs: PairSet) -> Scored:
        """Return the scores of each pair; a CoLDE encoder reads no chunk twice, whatever the documents' form.

        Training kept chunks of every document, so this asks for all of them.
        """
        encoder = encoder_of(row) if row.folder else None
        if encoder is None or not reads_sections(encoder):
            return score([row], pairs, Plan(cache=self.work.cache), report=self.work.report)[0]
        chunks = remembered(encoder, self.whole, cache=self.work.cache, report=self.work.report)
        scores = changed_scores(encoder, pairs, chunks, report=self.work.report)
        check(row.name, scores, pairs)
        return Scored(row.name, encoder.card.fingerprint, scores)

    def _row(self, model: str, changes: tuple[str, ...]) -> Row:
        """Return the row of a model: trained here, given, or one that `python -m engine.research match` has."""
        own = self.work.settings.colde
        here = f'data.corpora=["{self.name}"]'
        if model in ABLATIONS:
            if self.learnt:
                self._require(model, own.learnt_sets, "colde.learnt_sets")
                recipe, form = LEARNT, self._learning(model)
            else:
                self._require(model, own.read_sets, "colde.read_sets")
                recipe, form = FROZEN, (*PAPER_FORM, *own.settings)
            settings = (here, *form, *ABLATIONS[model], *changes)
            return Row(model, self.work.train(self._given(model), recipe, settings))
        if model in MATCHERS:
            self._require(model, own.matcher_sets, "colde.matcher_sets")
            settings = (here, *self._size(model), *changes)
            return Row(model, self.work.train(self._given(model), MATCHERS[model], settings))
        if model not in names():
            raise EvaluationError(f"Expected a row of `python -m engine.research match`, got {model}. Leave it out.")
        return Row(model)

    def _learning(self, model: str) -> tuple[str, ...]:
        """Return changes to the recipe of a transformer that learns: how much it reads, and what it tells apart."""
        own = self.work.settings.colde
        one = _ONE_SECTION in ABLATIONS[model]
        most = (f"objective.max_tokens={own.section_tokens * (2 if one else 1)}",) if own.section_tokens else ()
        return (*own.settings, *own.learnt_settings, *most, *(ALIKE if one else ()))

    def _size(self, model: str) -> tuple[str, ...]:
        """Return how long a rival learns and how much it reads, as changes to its recipe."""
        own = self.work.settings.colde
        if model == SBERT:
            epochs = own.sbert_epochs_of.get(self.name, own.sbert_epochs)
            return f"schedule.epochs={epochs}", f"network.max_tokens={own.sbert_tokens}", *own.sbert_settings
        words = (f"network.max_words={own.slow_matcher_words}",) if model in _SLOW else ()
        return f"schedule.epochs={own.matcher_epochs}", *words, *own.matcher_settings

    def _given(self, model: str) -> str:
        """Return the name that gives this model's folder for the set: "CoLDE@acl-long", "CoLDE-learnt@acl-long"."""
        return f"{model}-learnt@{self.name}" if self.learnt and model in ABLATIONS else f"{model}@{self.name}"

    def _require(self, model: str, sets: tuple[str, ...], setting: str) -> None:
        if self.name not in sets and self._given(model) not in self.work.trained:
            raise EvaluationError(
                f"Expected {self.name} among the sets that {model} is trained on ({', '.join(sets)}); it takes long. "
                f"Add it to {setting}."
            )


def _fingerprint(row: Row) -> str:
    """Return name what gives a row's scores."""
    if row.name in _WORDS and row.folder is None:
        return rows.fingerprint_of(row.name)
    encoder = encoder_of(row)
    if row.name == COMPARE and reads_sections(encoder):
        return scoring.compared_fingerprint(encoder)
    return encoder.card.fingerprint
