"""Fits what nearness is called, and measures it on other fields: `python -m engine.research readings --data DIR`.

DIR of --data holds the benchmarks, --library is the sample library with its vectors. Their documents, titles and
paraphrases ask nine collections of six areas; the pairs are the hits that are shown. The tables say how well the
probabilities of the five words hold on questions that the fit did not see, and on a collection that was left out of
it; and how often a list is refused, by how far the question's field is from the library's. --write makes the package's
file.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.core.rows import Flags
from engine.research import measurement
from engine.research.nearness import fit
from engine.research.nearness.asked import Answered, Collection, Shown, ask_all, passage_pairs
from engine.research.nearness.fields import Distance, distance, read_fields
from engine.research.nearness.fit import Numbers
from engine.research.nearness.revisions import Synonyms
from engine.search import Pair, PassageEncoder, readings
from engine.search.readings import CLOSE, OTHER, SAME, SAME_FIELD, SENTENCES, WORDS, ReadingLevel
from engine.search.verdicts import ReadHit, Verdict, headline

Names = NDArray[np.str_]

_RULER = {"unrelated": OTHER, "same field": SAME_FIELD, "cited": CLOSE, "duplicate": SAME}
_HELD_OUT = 3  # questions of ten
_DISTANCES: tuple[Distance, ...] = ("own", "neighbouring", "far")


@dataclass(frozen=True)
class Labelled:
    """Pairs with the set that each is of, and what each is known to be."""

    shown: Sequence[Shown]
    sets: Sequence[str]

    @cached_property
    def features(self) -> Numbers:
        """The numbers that the scale weighs: (n, f)."""
        return fit.arrays(self.shown)[0]

    @cached_property
    def known(self) -> Flags:
        """Which kinds each pair may be: (n, 4)."""
        return fit.arrays(self.shown)[1]

    @cached_property
    def counts(self) -> Numbers:
        """How much each pair counts: (n,)."""
        return fit.balanced(self.sets, self.known, np.array([one.at_random for one in self.shown]))

    @cached_property
    def held_out(self) -> Flags:
        """The pairs of three questions of ten."""
        return np.array([one.question * 7919 % 1000 % 10 < _HELD_OUT for one in self.shown])

    def pairs(self, some: Flags) -> list[Pair]:
        """Return what readings read of some pairs."""
        return [one.pair for one, is_in in zip(self.shown, some, strict=True) if is_in]


@dataclass(frozen=True)
class Lists:
    """Answers, and how far the question's field was from the library's."""

    answered: Sequence[Answered]
    distances: Sequence[Distance]

    @cached_property
    def features(self) -> Numbers:
        """The numbers that the lists' scale weighs: (n, f)."""
        return fit.list_array(self.answered)

    @cached_property
    def libraries(self) -> Names:
        """The collection that was asked: (n,)."""
        return np.array([one.field for one in self.answered])

    @cached_property
    def asks(self) -> Names:
        """The collection that the question is of: (n,)."""
        return np.array([one.asks for one in self.answered])

    def at(self, where: Distance) -> Flags:
        """Return the answers whose question came from this far: (n,)."""
        return np.array([one == where for one in self.distances])

    def counts(self, some: Flags) -> Numbers:
        """Return each answer's weight (n,): near and far questions and all their forms alike in every library."""
        forms, counts = np.array([one.form for one in self.answered]), np.zeros(len(self.answered))
        for name in np.unique(self.libraries):
            for form in np.unique(forms):
                for where in ("own", "far"):
                    each = some & (self.libraries == name) & (forms == form) & self.at(where)
                    counts[each] = 1 / max(1, int(each.sum()))
        return counts


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, fit, measure, print and save."""
    given = measurement.read_options(_parser(), arguments)
    documents, passages, lists, facts = _asked(given)
    content: dict[str, Any] = {"levels": {}}
    report: dict[str, Any] = {"facts": facts, "levels": {}}
    lines = ["# What nearness is called", ""]
    read_by = encoders.find(SENTENCES).card.fingerprint, PassageEncoder.shipped_fingerprint()
    for level, labelled, encoder in zip(get_args(ReadingLevel), (documents, passages), read_by, strict=True):
        ruler = {name: kind for name, kind in _RULER.items() if level == "document" or kind != SAME_FIELD}
        content["levels"][level] = {**fitted(labelled, ruler), "fingerprint": encoder}
        report["levels"][level] = measured(labelled)
        lines += _level_lines(level, report["levels"][level])
    content["list"] = fitted_lists(lists)
    report["lists"] = measured_lists(lists)
    lines += _list_lines(report["lists"])
    circumstances = measurement.circumstances("readings", _words(given))
    text = "\n".join([*lines, *measurement.as_list({**facts, **circumstances}), ""])
    print(text)
    measurement.save(given.save, {**circumstances, **report}, text)
    if given.write:
        files.write_json(readings.FILE, content)


def _asked(given: argparse.Namespace) -> tuple[Labelled, Labelled, Lists, dict[str, object]]:
    """Return the pairs of documents and of passages, the lists, and what was asked."""
    encoder, synonyms = encoders.load(SENTENCES), Synonyms(given.wordnet)
    fields = {one.name: one for one in read_fields(given.data, given.library, report=bar())}
    collections = {name: Collection(one, encoder, keep=given.cache, report=bar()) for name, one in fields.items()}
    shown, answered, asked = ask_all(collections, encoder, synonyms)
    of_passages, sets = passage_pairs(given.data, PassageEncoder(), synonyms)
    facts: dict[str, object] = {
        "documents": {name: len(one.documents) for name, one in fields.items()},
        "areas": {name: one.area for name, one in fields.items()},
        "sha256": {name: one.sha256 for name, one in fields.items() if one.sha256},
        "questions": len(asked),
        "pairs": len(shown),
        "pairs of passages": len(of_passages),
    }
    lists = Lists(answered, [distance(fields[one.asks], fields[one.field]) for one in answered])
    documents = Labelled(shown, [asked[one.question].field for one in shown])
    return documents, Labelled(of_passages, sets), lists, facts


def fitted(labelled: Labelled, ruler: Mapping[str, int]) -> dict[str, object]:
    """Return the scale of all pairs, as the package's file has it; passages of one field have no tick."""
    weights = fit.fit_scale(labelled.features, labelled.known, labelled.counts)
    everything = np.ones(len(labelled.shown), np.bool_)
    pairs = labelled.pairs(everything)
    return {
        "weights": np.round(weights, 4).tolist(),
        "vocabulary": round(fit.vocabulary_share(pairs, labelled.known), 4),
        "ruler": fit.medians(pairs, labelled.known, ruler),
    }


def measured(labelled: Labelled) -> dict[str, Any]:
    """Return the calibration errors of the five words on held-out questions, and on each set that was left out."""
    vocabulary = fit.vocabulary_share(labelled.pairs(np.ones(len(labelled.shown), np.bool_)), labelled.known)
    found: dict[str, Any] = {"left out": {}}
    sets = np.array(labelled.sets)
    for name in (None, *sorted(set(labelled.sets))):
        test = labelled.held_out if name is None else sets == name
        weights = fit.fit_scale(labelled.features[~test], labelled.known[~test], labelled.counts[~test])
        p, known = fit.probabilities(weights, labelled.features[test]), labelled.known[test]
        counts = labelled.counts[test]
        errors = fit.errors(p, known, labelled.pairs(test), counts, vocabulary)
        if name is None:
            found |= {"held out": errors, "confusion": np.round(fit.confusion(p, known, counts), 3).tolist()}
        else:
            found["left out"][name] = errors
    return found


def fitted_lists(lists: Lists) -> dict[str, object]:
    """Return the lists' scale of all collections, as the package's file has it."""
    weights, limit = _list_scale(lists, np.ones(len(lists.answered), np.bool_))
    return {"weights": np.round(weights, 4).tolist(), "threshold": round(limit, 5)}


def _list_scale(lists: Lists, some: Flags) -> tuple[Numbers, float]:
    """Return the weights and the threshold that some answers give; neighbouring fields are neither near nor far."""
    told = some & ~lists.at("neighbouring")
    answered = [one for one, is_in in zip(lists.answered, told, strict=True) if is_in]
    near = lists.at("own")[told]
    weights = fit.fit_lists(answered, near, lists.counts(told)[told])
    return weights, fit.threshold(_logistic(lists.features[told] @ weights), near, lists.libraries[told].tolist())


def measured_lists(lists: Lists) -> dict[str, dict[str, float]]:
    """Return what share of questions each library refuses, by a scale that never saw that collection."""
    found: dict[str, dict[str, float]] = {}
    for name in np.unique(lists.libraries):
        out = lists.libraries == name
        weights, limit = _list_scale(lists, ~out & (lists.asks != name))
        refused = _refused(lists, _logistic(lists.features @ weights), limit)
        found[str(name)] = {
            where: round(float(refused[out & lists.at(where)].mean()), 3)
            for where in _DISTANCES
            if (out & lists.at(where)).any()
        }
    return found


def _refused(lists: Lists, p: Numbers, limit: float) -> Flags:
    """Tell whether nothing near is said, as production says it: by the words of the nearest and the probability."""
    rows = [[ReadHit("paper", one.read()) for one in each.nearest] for each in lists.answered]
    held = [Verdict(near=is_held, p=0.0) for is_held in (p >= limit).tolist()]
    return np.array([not headline(one, each).near for one, each in zip(held, rows, strict=True)])


def _logistic(logits: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float64)


def _level_lines(level: str, found: Mapping[str, Any]) -> list[str]:
    rows = [
        ("questions not fitted on", found["held out"]),
        *((f"{name}, left out", one) for name, one in found["left out"].items()),
    ]
    table = [[name, *("" if error is None else f"{error:.3f}" for error in errors)] for name, errors in rows]
    kinds = [
        [WORDS[kind] if kind < OTHER else "other", *(f"{share:.2f}" for share in row)]
        for kind, row in enumerate(found["confusion"])
    ]
    return [
        f"## Calibration error by {level}",
        "",
        *measurement.table(("pairs", *WORDS), table),
        f"What pairs of each kind are called, by {level}, on questions not fitted on:",
        "",
        *measurement.table(("kind", *WORDS[:OTHER], "other"), kinds),
    ]


def _list_lines(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    rows = [
        [name, *(f"{one[where]:.1%}" if where in one else "" for where in _DISTANCES)] for name, one in found.items()
    ]
    heads = ("library, not fitted on", *(f"refused of {where} fields" for where in _DISTANCES))
    return ["## Questions that are told that nothing is near", "", *measurement.table(heads, rows)]


def _words(given: argparse.Namespace) -> list[str]:
    del given
    return ["--data", "DIR", "--library", "DIR", "--wordnet", "DIR"]


def _parser() -> Parser:
    parser = measurement.make_parser("readings", __doc__, cache=True)
    parser.add_argument(
        "--library", type=Path, required=True, metavar="DIR", help="the sample library with its vectors"
    )
    parser.add_argument("--wordnet", type=Path, required=True, metavar="DIR", help="folder of WordNet's files")
    parser.add_argument("--write", action="store_true", help="write the fitted numbers into the package, too")
    return parser
