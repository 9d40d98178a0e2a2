"""What coverage says of texts restated by hand: `python -m engine.research restated --data DIR --rows FILE`.

Each row of FILE (JSON lines: id, set, source, form, text; the form far_new has no source) asks the whole of its set, as
a document of one passage, or with --together N as one of N sections of a draft; a far one asks every set. A text that
its source says is right where it is told as said there, with the source among the first three; one that is near or far
is wrong where it is told so. Without --rows the texts written for the judge (`engine.research.judging`) ask: --fit
chooses the weights of `engine.compare.covering` on their valid half and prints them; the report is of the other half,
and of that half with numbers masked on both sides and without rebuttals. Shares have Wilson's interval of 95 % (Wilson
1927).
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from engine.cli.terminal import Parser, bar
from engine.compare import CoverageSettings, Shelf
from engine.compare.coverage import rank_of, word_of
from engine.compare.covering import ComparedColumns, PassageMatch, compare_all
from engine.core import files
from engine.core.progress import Meter
from engine.documents import Document, Section
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research import measurement
from engine.research.judging.written import NEAR, SAID_FORMS, Split, read_written
from engine.search import PassageEncoder

SETS = ("acl-long", "pmc-long", "patents-long")
FAR, DETAIL = "far_new", "near_detail"
"""Forms of texts that no source says: of another field, and a passage said again but for one detail."""
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_FIRST = 3
_Z = 1.96
_LONG = 50
_STRANGER = 6
"""Every sixth text of other fields is asked, too, where weights are fitted."""
_NUMBER = re.compile(r"\d[\d.,]*")
_STEPS, _RIDGE = 200, 0.1

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A text that asks a set, its form and kind, and the document that it was written from; empty for a far one."""

    set: str
    source: str
    form: str
    text: str
    kind: str = ""

    @property
    def is_said(self) -> bool:
        """Whether the source says it."""
        return self.form in SAID_FORMS


@dataclass(frozen=True, slots=True)
class Told:
    """What coverage tells of a text: its matches, the nearest first, each with the id of its document."""

    asked: Asked
    matches: Sequence[tuple[str, PassageMatch]]

    @property
    def rank(self) -> int:
        """SAID, CLOSE or NOTHING: the nearest of all."""
        return min((rank_of(match.reading()) for _, match in self.matches), default=2)

    @property
    def p(self) -> float:
        """How likely any document says it."""
        return max((match.p for _, match in self.matches), default=0.0)

    @property
    def finds_source(self) -> bool:
        """Whether the source is among the first three."""
        return self.asked.source in [name for name, _ in self.matches[:_FIRST]]


class Corpus:
    """A set of documents as a library: no document is a copy of another, and it has no collections."""

    def __init__(self, corpus: Sequence[Document]) -> None:
        """Take its documents."""
        self._held = {one.id: one for one in corpus}

    @property
    def collections(self) -> Corpus:
        """Nothing that can be asked for."""
        return self

    def ids(self, name: str) -> list[str]:
        """Raise, for it has no collections."""
        raise AssertionError(name)

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return documents by their ids, in this order."""
        return [self._held[one] for one in ids]

    def duplicates_of(self, document: Document) -> set[str]:
        """Return the document itself."""
        return {document.id}


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, count and save."""
    given = measurement.read_options(_parser(), arguments)
    encoder = PassageEncoder()
    shelves = {name: _shelf(given, name, encoder) for name in given.sets}
    if given.fit:
        valid = list(written("valid"))
        print_fit(_told(shelves, [*valid, *strangers(valid, given.sets)], "valid", given.together))
        return
    asked = read_rows(given.rows, given.sets) if given.rows is not None else list(written("test"))
    far = [] if given.rows is not None else list(strangers(asked, given.sets))
    told = _told(shelves, [*asked, *far], "test", given.together)
    tables = {"all": told} | {name: [one for one in told if one.asked.set == name] for name in given.sets}
    if given.rows is None:
        plain = [one for one in told if one.asked.form != FAR and one.asked.kind not in ("rival", "opposite")]
        masked = _told(shelves, [masked_numbers(one) for one in asked], "test, numbers masked", given.together)
        tables |= {"without rebuttals": plain, "numbers masked": masked}
    report = {name: measured(some) for name, some in tables.items() if some}
    facts: dict[str, object] = {"rows": files.sha256_file(given.rows) if given.rows is not None else "written, test"}
    words = ["--data", "DIR", "--sets", *given.sets, *(["--rows", given.rows.name] if given.rows is not None else [])]
    words += ["--most", str(given.most)] if given.most is not None else []
    words += ["--together", str(given.together)] if given.together > 1 else []
    words += ["--without-judge"] if given.without_judge else []
    facts |= measurement.circumstances("restated", words)
    text = as_markdown(report, told, facts)
    print(text)
    measurement.save(
        given.save, {**facts, "tables": report, "curve": curve(told), "calibration": calibration(told)}, text
    )


def read_rows(path: Path, sets: Sequence[str]) -> list[Asked]:
    """Return the rows of a file; each far one asks every set."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Asked(name, one.get("source") or "", one["form"], one["text"])
        for one in rows
        for name in ([one["set"]] if one.get("set") else sets)
    ]


def written(split: Split) -> Iterator[Asked]:
    """Yield the texts written from the passages of a split: what says them, and what is near."""
    for one in read_written(split):
        for form, text in one.said():
            yield Asked(one.set, one.source, form, text, one.kind)
        near = DETAIL if one.kind == "detail" else NEAR
        yield Asked(one.set, one.source, near, one.near, one.kind)
        yield Asked(one.set, one.source, near, one.near_condensed, one.kind)


def strangers(asked: Sequence[Asked], sets: Sequence[str]) -> Iterator[Asked]:
    """Yield texts of each form as far ones of the other sets than theirs."""
    every = list(asked)
    for name in sets:
        others = [one for one in every if one.set != name]
        yield from (replace(one, set=name, source="", form=FAR) for one in others[::_STRANGER])


def masked_numbers(one: Asked) -> Asked:
    """Return the same without its numbers."""
    return replace(one, text=_NUMBER.sub("#", one.text))


def _shelf(given: argparse.Namespace, name: str, encoder: PassageEncoder) -> Shelf:
    corpus = read_documents(given.data / name / CORPUS)
    if given.most is not None:
        sources = {one.source for split in get_args(Split) for one in read_written(split) if one.set == name}
        corpus = sorted(corpus, key=lambda one: one.id not in sources)[: given.most]
    matcher = kept_rows.matcher(corpus, None if given.cache is None else given.cache / name, bar())
    judge = None if given.without_judge else encoder.judge()
    return Shelf(Corpus(corpus), encoder, matcher, lambda _document, _most: [], judge)


def _told(shelves: Mapping[str, Shelf], every: Sequence[Asked], part: str, together: int = 1) -> list[Told]:
    asked = [one for one in every if one.set in shelves]
    meter, found = Meter(f"ask the texts of {part}", len(asked), bar()), list[Told]()
    for name, shelf in shelves.items():
        own = [one for one in asked if one.set == name]
        for first in range(0, len(own), together):
            some = own[first : first + together]
            found += map(Told, some, _matches(shelf, some))
            meter.add(len(some))
    meter.finish()
    return found


def _matches(shelf: Shelf, some: Sequence[Asked]) -> Iterator[list[tuple[str, PassageMatch]]]:
    """Yield the matches of each text, where they ask together as the sections of one draft."""
    question = Document("asked", sections=tuple(Section(f"Text {n}", one.text) for n, one in enumerate(some)))
    passages = [part.chunk(question.id, n, 0, len(part.text)) for n, part in enumerate(question.parts)]
    compared: ComparedColumns = compare_all(shelf, question, passages, CoverageSettings("passages"))
    for matches in compared.matches:
        named = zip([document.id for document in compared.columns], matches, strict=True)
        yield sorted(named, key=lambda each: -each[1].p)


def measured(told: Sequence[Told]) -> dict[str, object]:
    """Return for each form how many texts, how often the source is among the first three, and each word's share."""
    forms = [form for form in (*SAID_FORMS, NEAR, DETAIL, FAR) if any(one.asked.form == form for one in told)]
    lines = {form: _line([one for one in told if one.asked.form == form]) for form in forms}
    return {**lines, "area": {form: area(told, [form]) for form in SAID_FORMS} | {"all": area(told, SAID_FORMS)}}


def _line(some: Sequence[Told]) -> dict[str, object]:
    ranks = [one.rank for one in some]
    shares = {word_of(rank): interval(ranks.count(rank), len(some)) for rank in range(3)}
    found = {"source first three": interval(sum(one.finds_source for one in some), len(some))}
    return {"count": len(some), **(found if some[0].asked.source else {}), **shares}


def interval(count: int, total: int) -> tuple[float, float, float]:
    """Return a share with the ends of Wilson's interval."""
    share, spread = count / total, _Z**2 / total
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return round(share, 3), round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)


def area(told: Sequence[Told], forms: Sequence[str]) -> float | None:
    """Return the area under the curve of p, of forms that are said against near ones; None without one of them."""
    from sklearn.metrics import roc_auc_score

    some = [one for one in told if one.asked.form in (*forms, NEAR)]
    known = [one.asked.is_said for one in some]
    return round(float(roc_auc_score(known, [one.p for one in some])), 3) if len(set(known)) == 2 else None


def curve(told: Sequence[Told]) -> dict[str, dict[str, float]]:
    """Return for each threshold of p the share of each form that is told said from it on."""
    forms = dict.fromkeys(one.asked.form for one in told)
    return {
        f"{threshold:g}": {
            form: round(float(np.mean([one.p >= threshold for one in told if one.asked.form == form])), 3)
            for form in forms
        }
        for threshold in THRESHOLDS
    }


def calibration(told: Sequence[Told]) -> list[dict[str, object]]:
    """Return for each word, of long texts and of short ones, how probable their p says and how often they are said.

    The texts are of the forms that p was fitted on: what is said, what is near, and what is of another field.
    `error` is the difference, and in the lines of all words the mean of theirs by count (as of Naeini et al., AAAI
    2015, section 2, with words for bins).
    """
    lines: list[dict[str, object]] = []
    for size, is_of in (("long", True), ("short", False)):
        some = [one for one in told if one.asked.form != DETAIL]
        some = [one for one in some if (len(one.asked.text.split()) >= _LONG) is is_of]
        known = np.array([one.asked.is_said for one in some], np.float64)
        if not 0 < known.sum() < len(known):
            continue
        p, ranks = np.array([one.p for one in some]), np.array([one.rank for one in some])
        total = 0.0
        for rank in sorted(set(ranks.tolist())):
            own = ranks == rank
            says, is_said = float(p[own].mean()), float(known[own].mean())
            total += float(own.mean()) * abs(says - is_said)
            lines.append(_calibrated(size, word_of(rank), int(own.sum()), says, is_said))
        lines.append({"texts": size, "word": "all", "count": len(some), "error": round(total, 3)})
    return lines


def _calibrated(size: str, word: str, count: int, says: float, is_said: float) -> dict[str, object]:
    error = round(abs(says - is_said), 3)
    numbers = {"p": round(says, 3), "said": round(is_said, 3), "error": error}
    return {"texts": size, "word": word, "count": count, **numbers}


def print_fit(told: Sequence[Told]) -> None:
    """Print the weights of matches that are judged, and of all, fitted on the best match of each text.

    Texts that change one detail are left out: they say the passage for the most part, and few drafts are made so.
    """
    for name, judged in (("WEIGHTS", False), ("JUDGED_WEIGHTS", True)):
        features, known = [], []
        for one in told:
            match = next((match for _, match in one.matches if not judged or match.judged is not None), None)
            if match is None or one.asked.form == DETAIL:
                continue
            plain = match if judged else replace(match, judged=None)
            features.append(plain.features)
            known.append(float(one.asked.is_said))
        weights = logistic(np.array(features), np.array(known))
        print(name, "=", tuple(round(float(one), 3) for one in weights), f"of {len(known)} matches")


def logistic(told: Numbers, known: Numbers) -> Numbers:
    """Return the weights (f,) of what is told (n, f), by Newton's method."""
    weights = np.zeros(told.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(told @ weights, -30, 30)))
        slope = told.T @ (known - p) - _RIDGE * weights
        curve = (told * (p * (1 - p))[:, None]).T @ told + _RIDGE * np.eye(told.shape[1])
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


def as_markdown(report: Mapping[str, Mapping[str, object]], told: Sequence[Told], facts: Mapping[str, object]) -> str:
    """Return the tables by form for each set, the curve, and the calibration."""
    lines = ["# What coverage says of restated texts", ""]
    for name, table in report.items():
        lines += [f"## {name}", "", *_table(table), f"Area under the curve against near texts: {_areas(table)}.", ""]
    thresholds = curve(told)
    forms = list(next(iter(thresholds.values())))
    rows = [[name, *(f"{shares[form]:.2f}" for form in forms)] for name, shares in thresholds.items()]
    lines += ["## Told as said, by the probability from which on", "", *measurement.table(("from", *forms), rows)]
    lines += [f"## How well p holds, of texts of {_LONG} words and more (long) and of others (short)", ""]
    keys = ("texts", "word", "count", "p", "said", "error")
    lines += measurement.table(keys, [[str(line.get(key, "")) for key in keys] for line in calibration(told)])
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _table(table: Mapping[str, object]) -> list[str]:
    heads = ("form", "texts", "source among the first three", *(word_of(rank) for rank in range(3)))
    rows = []
    for form, line in table.items():
        if form == "area" or not isinstance(line, dict):
            continue
        cells = [_share(line.get("source first three")), *(_share(line[word_of(rank)]) for rank in range(3))]
        rows.append([form, str(line["count"]), *cells])
    return measurement.table(heads, rows)


def _share(value: object) -> str:
    return f"{value[0]:.2f} ({value[1]:.2f} to {value[2]:.2f})" if isinstance(value, tuple) else ""


def _areas(table: Mapping[str, object]) -> str:
    areas = table["area"]
    assert isinstance(areas, dict)
    return ", ".join(f"{form} {value:.3f}" for form, value in areas.items() if value is not None) or "none"


def _parser() -> Parser:
    parser = measurement.make_parser("restated", __doc__, cache=True)
    parser.add_argument("--rows", type=Path, metavar="FILE", help="the rows that ask (default: the judge's test texts)")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS, help="default: all three")
    parser.add_argument("--most", type=int, metavar="N", help="documents of a set, those first that texts are from")
    parser.add_argument(
        "--together", type=int, default=1, metavar="N", help="how many texts ask as one draft (default: 1)"
    )
    parser.add_argument("--without-judge", action="store_true", help="by cosines and shared words alone")
    parser.add_argument("--fit", action="store_true", help="only print the weights that fit the valid texts")
    return parser
