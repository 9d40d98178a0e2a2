"""A blind bake-off: two rankings of one's own questions in one list, judged without knowing which brought what.

Lists are joined by team draft (Radlinski, Kurup and Joachims, CIKM 2008, section 4.2): in each round a coin says which
ranking picks first, and each adds its best document that is not in the list yet. If the rankings were equally good,
a document that is found relevant would be either's with the same chance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from engine import encoders
from engine.core import files
from engine.core.errors import EvaluationError, StorageError
from engine.documents import Document, as_fields, from_fields
from engine.documents.questions import Ranking
from engine.documents.text import how_many
from engine.evaluation.significance import Interval
from engine.evaluation.systems import DEFAULT_ROW, KEYWORDS_ROW, fused_encoder
from engine.library import Grade, JudgedQuery, Library
from engine.workspace import Workspace

SHOWN = 10
LEVEL = 0.05
_FORMAT, _FILE, _MOST_KEPT = 1, "bake-offs.json", 20
_FEW_QUESTIONS = 5
_REMEDY = "Delete the file to begin again."


@dataclass(frozen=True, slots=True)
class TeamPick:
    """A document's id, and which of the two rankings put it into the list: 0 or 1."""

    id: str
    team: int


@dataclass(frozen=True, slots=True)
class AskedBlind:
    """A question, the joined list, and the grades given to it here, by id."""

    query: Document
    picks: tuple[TeamPick, ...]
    grades: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What names the question."""
        return JudgedQuery.key_of(self.query)

    def relevant(self, team: int) -> int:
        """Return how many of a ranking's documents were found relevant."""
        return sum(pick.team == team and self.grades.get(pick.id, 0) > 0 for pick in self.picks)


@dataclass(frozen=True, slots=True)
class BakeOffVerdict:
    """What judgements say: relevant documents of each ranking, the first one's share with its 95 % Wilson interval.

    `p` is the exact binomial test's that both bring relevant documents equally often. `questions` counts those on which
    the first brought more, as many, and fewer.
    """

    rows: tuple[str, str]
    judged: int
    relevant: tuple[int, int]
    share: Interval
    p: float
    questions: tuple[int, int, int]

    @property
    def better(self) -> str:
        """The ranking that brings more of what is wanted; empty where chance would often give as large a lead."""
        if self.p >= LEVEL:
            return ""
        return self.rows[0] if self.relevant[0] > self.relevant[1] else self.rows[1]

    def sentences(self, names: tuple[str, str] | None = None) -> list[str]:
        """Return the verdict in sentences; `names` are what to call the two rankings."""
        one, other = names or self.rows
        by_row = dict(zip(self.rows, (one, other), strict=True))
        total = sum(self.relevant)
        if not total:
            return [f"None of the {self.judged} documents was relevant, so nothing tells {one} and {other} apart."]
        better = by_row.get(self.better)
        head = f"{better} finds more of what you want." if better else f"{one} and {other} are too close to tell apart."
        share = self.share
        lines = [
            head,
            f"Of the {how_many(total, 'document')} that you found relevant among {self.judged}, {one} brought "
            f"{self.relevant[0]} and {other} {self.relevant[1]}: {share.mean:.0%} for {one}, 95 % interval "
            f"{share.low:.0%} to {share.high:.0%} (p {self.p:.2g}).",
            f"{one} brought more on {how_many(self.questions[0], 'question')}, {other} on {self.questions[2]}, "
            f"both as many on {self.questions[1]}.",
        ]
        if sum(self.questions) < _FEW_QUESTIONS:
            lines.append("So few questions say little about others: ask more in the next bake-off.")
        return lines


@dataclass(frozen=True, slots=True)
class BakeOff:
    """Two rankings by their rows' names, and what was asked; once `revealed`, nothing more is judged."""

    rows: tuple[str, str]
    started: str
    asked: tuple[AskedBlind, ...] = ()
    revealed: bool = False
    seed: int = 0
    ENOUGH: ClassVar[int] = 20
    """How many judgements a verdict needs."""

    @property
    def judged(self) -> int:
        """The number of documents that were judged."""
        return sum(len(one.grades) for one in self.asked)

    @property
    def is_ready(self) -> bool:
        """Whether enough was judged for a verdict."""
        return self.judged >= self.ENOUGH

    def verdict(self) -> BakeOffVerdict:
        """Return what was judged so far. Raises EvaluationError before there are twenty judgements."""
        from scipy.stats import binomtest

        if not self.is_ready:
            raise EvaluationError(
                f"Expected at least {self.ENOUGH} judgements, got {self.judged}: too early to say. "
                "Judge more documents."
            )
        by_question = [(one.relevant(0), one.relevant(1)) for one in self.asked if one.grades]
        first, second = (sum(pair[team] for pair in by_question) for team in (0, 1))
        if first + second:
            test = binomtest(first, first + second)
            bounds = test.proportion_ci(method="wilson")
            share, p = Interval(first / (first + second), float(bounds.low), float(bounds.high)), float(test.pvalue)
        else:
            share, p = Interval(0.5, 0.0, 1.0), 1.0
        more, fewer = (sum(sign * (one - other) > 0 for one, other in by_question) for sign in (1, -1))
        same = len(by_question) - more - fewer
        return BakeOffVerdict(self.rows, self.judged, (first, second), share, p, (more, same, fewer))


def team_draft(rankings: tuple[Sequence[str], Sequence[str]], k: int, *, seed: str) -> tuple[TeamPick, ...]:
    """Join two rankings into one list of up to k documents; the same seed gives the same list."""
    coin = random.Random(seed)
    rest = [iter(ranking) for ranking in rankings]
    picks: list[TeamPick] = []
    taken: set[str] = set()
    while len(picks) < k:
        before = len(picks)
        first = coin.randrange(2)
        for team in (first, 1 - first):
            found = next((id_ for id_ in rest[team] if id_ not in taken), None)
            if found is not None and len(picks) < k:
                taken.add(found)
                picks.append(TeamPick(found, team))
        if len(picks) == before:
            break
    return tuple(picks)


def ranked(workspace: Workspace, row: str, query: Document, k: int = SHOWN) -> list[str]:
    """Return the ids of a query's k best documents, without the query's own work.

    `row` is "default" or "default(NAME)" for a search's ranking, NAME for an encoder alone, or "keywords". Raises
    EvaluationError for another row, or an encoder that has not read the whole library.
    """
    fused = fused_encoder(row)
    name, how = _asked_by(row, fused)
    if (count := workspace.vector_count(name)) < len(workspace.library):
        raise EvaluationError(
            f"Expected every document of the library read by {name}, it has read {count:,} of "
            f"{len(workspace.library):,}. Search with it once, which reads the others."
        )
    hidden = {query.id, *workspace.library.duplicates_of(query)}
    hits = workspace.searcher(name).rank([query], k + len(hidden), how)[0]
    return [hit.id for hit in hits if hit.id not in hidden][:k]


def _asked_by(row: str, fused: str | None) -> tuple[str, Ranking]:
    """Return the encoder and the way of ranking of a row."""
    if fused is not None:
        return fused, "default"
    if row == KEYWORDS_ROW:
        return encoders.DEFAULT, "keywords"
    if row in encoders.search_names():
        return row, "encoder"
    raise EvaluationError(
        f"Expected {DEFAULT_ROW}, {DEFAULT_ROW}(NAME), {KEYWORDS_ROW} or an encoder that searches, got {row!r}. "
        "`priorscope encoders` lists the names."
    )


class BakeOffs:
    """The bake-offs of a library, kept in its folder; the last one is the one that runs."""

    def __init__(self, library: Path) -> None:
        """Take the folder of a library."""
        self._path = library / _FILE

    @staticmethod
    def rows_offered(workspace: Workspace) -> tuple[str, ...]:
        """Return the rankings that can be asked now: encoders that have read the whole library, and the keywords."""
        count = len(workspace.library)
        ready = [name for name in encoders.search_names() if count and workspace.vector_count(name) >= count]
        searches = [DEFAULT_ROW if name == encoders.DEFAULT else f"{DEFAULT_ROW}({name})" for name in ready]
        return (*searches, *ready, *([KEYWORDS_ROW] if ready else []))

    def all(self) -> tuple[BakeOff, ...]:
        """Return every bake-off, the oldest first. Raises StorageError where the file is damaged."""
        if not self._path.is_file():
            return ()
        content = files.read_json(self._path, remedy=_REMEDY)
        try:
            if content["format"] != _FORMAT:
                raise KeyError
            return tuple(map(_from_json, content["bake_offs"]))
        except (KeyError, TypeError, AttributeError, ValueError):
            raise StorageError(f"Expected bake-offs in {self._path}, found something else. {_REMEDY}") from None

    def current(self) -> BakeOff | None:
        """Return the one that runs; None where the last one has its verdict, or before any."""
        every = self.all()
        return every[-1] if every and not every[-1].revealed else None

    def start(self, rows: tuple[str, str], *, seed: int = 0) -> BakeOff:
        """Start a bake-off; one that ran without a verdict is dropped.

        Raises EvaluationError for an unknown ranking, or the same one twice.
        """
        for row in rows:
            _asked_by(row, fused_encoder(row))
        if rows[0] == rows[1]:
            raise EvaluationError(f"Expected two rankings, got {rows[0]!r} twice. Choose another.")
        made = BakeOff(rows, datetime.now(UTC).isoformat(timespec="seconds"), seed=seed)
        self._write([*(one for one in self.all() if one.revealed), made])
        return made

    def ask(self, workspace: Workspace, query: Document) -> AskedBlind:
        """Ask both rankings and keep the joined list; a question that was asked keeps its list.

        Raises EvaluationError where none runs, the text has no words, or as `ranked` does.
        """
        running = self._running()
        if not query.text.split():
            raise EvaluationError("Expected a question with words, got none. Type some.")
        if (before := next((one for one in running.asked if one.key == JudgedQuery.key_of(query)), None)) is not None:
            return before
        both = (ranked(workspace, running.rows[0], query), ranked(workspace, running.rows[1], query))
        asked = AskedBlind(query, team_draft(both, SHOWN, seed=f"{running.seed} {JudgedQuery.key_of(query)}"))
        self._replace(replace(running, asked=(*running.asked, asked)))
        return asked

    def judge(self, library: Library, question: AskedBlind, document: str, grade: Grade | None) -> BakeOff:
        """Keep a grade of a question's document, here and among the library's judgements, or take it back if None.

        Judgements that were given elsewhere do not count here: on a page that names the ranking nobody is blind. Raises
        EvaluationError for a document that is not in the question's list, or where none runs.
        """
        running, key = self._running(), question.key
        asked = next((one for one in running.asked if one.key == key), None)
        if asked is None or document not in {pick.id for pick in asked.picks}:
            raise EvaluationError(f"Expected a document of a list that was asked for, got {document!r}. Ask first.")
        if grade is None:
            library.judgements.take_back(asked.query, document)
        else:
            library.judgements.judge(asked.query, document, grade)
        grades = {name: given for name, given in asked.grades.items() if name != document}
        if grade is not None:
            grades[document] = grade
        graded = replace(asked, grades=grades)
        changed = replace(running, asked=tuple(graded if one.key == key else one for one in running.asked))
        self._replace(changed)
        return changed

    def reveal(self) -> BakeOff:
        """End the one that runs. Raises EvaluationError before twenty judgements, because then nothing can be said."""
        running = self._running()
        running.verdict()
        ended = replace(running, revealed=True)
        self._replace(ended)
        return ended

    def drop(self) -> None:
        """Forget the one that runs, if any."""
        self._write([one for one in self.all() if one.revealed])

    def _running(self) -> BakeOff:
        if (running := self.current()) is None:
            raise EvaluationError("Expected a bake-off that runs, got none. Start one with two rankings.")
        return running

    def _replace(self, running: BakeOff) -> None:
        self._write([*self.all()[:-1], running])

    def _write(self, every: Sequence[BakeOff]) -> None:
        kept = every[-_MOST_KEPT:]
        files.write_json(self._path, {"format": _FORMAT, "bake_offs": [_as_json(one) for one in kept]})


def _as_json(one: BakeOff) -> dict[str, Any]:
    asked = [
        {
            "query": as_fields(each.query),
            "picks": [[pick.id, pick.team] for pick in each.picks],
            "grades": dict(each.grades),
        }
        for each in one.asked
    ]
    return {
        "rows": list(one.rows),
        "started": one.started,
        "revealed": one.revealed,
        "seed": one.seed,
        "asked": asked,
    }


def _from_json(value: Mapping[str, Any]) -> BakeOff:
    asked = tuple(
        AskedBlind(
            from_fields(each["query"]),
            tuple(TeamPick(str(id_), int(team)) for id_, team in each["picks"]),
            {str(id_): int(grade) for id_, grade in each["grades"].items()},
        )
        for each in value["asked"]
    )
    first, second = value["rows"]
    return BakeOff((str(first), str(second)), str(value["started"]), asked, bool(value["revealed"]), int(value["seed"]))
