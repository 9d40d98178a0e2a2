"""Abstracts that belong to one question are related (C-DSSM's tweaks, section III); the parts share no question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document, works
from engine.evaluation.benchmarks import CORPUS, QRELS, QUERIES, SPLITS
from engine.research.bioasq.questions import Question

Split = Literal["train", "valid", "test"]
TRAIN_PAIRS = "train-pairs.tsv"
_OF_A_TEXT = ("text:", "title:", "abstract:")
_WRITTEN = ("id", "kind", "title", "abstract", "venue", "family")
_LISTED = ("authors", "keywords", "categories")


@dataclass(frozen=True, slots=True)
class RelatedSet:
    """Documents by their ids, the pairs of ids that are related, each once in order, and the part of each document.

    Documents are of one part where a chain of questions or one text joins them, so that no part knows a question or a
    text of another one.
    """

    documents: Mapping[str, Document]
    pairs: Sequence[tuple[str, str]]
    part_of: Mapping[str, Split]
    groups: Sequence[int]
    """The sizes of what questions and texts join, largest first, of more than one document."""

    @classmethod
    def of(cls, questions: Iterable[Question], documents: Mapping[str, Document], *, held_out: float) -> RelatedSet:
        """Relate documents (by PubMed number), and hold about a share of them out for "valid", and as many for "test".

        Raises EvaluationError if a part would be empty, or the share is not between 0 and a half.
        """
        if not 0 < held_out < 0.5:
            raise EvaluationError(f"Expected a share above 0 and below .5 to hold out, got {held_out}. Try .1.")
        joined = [[one for one in question.documents if one in documents] for question in questions]
        pairs = sorted({pair for names in joined for pair in combinations(sorted(set(names)), 2)})
        groups = _groups(list(documents), [*joined, *_same_texts(documents)])
        part_of = _parts(groups, {name for pair in pairs for name in pair}, held_out)
        sizes = sorted(map(len, groups), reverse=True)
        return cls(documents, pairs, part_of, [size for size in sizes if size > 1])

    @property
    def related(self) -> dict[str, list[str]]:
        """The documents that are related to each one that has some."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for one, other in self.pairs:
            found[one].append(other)
            found[other].append(one)
        return dict(found)

    def write(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Write a benchmark: every document as corpus, those of "valid" and "test" that are related as queries.

        The train pairs lie beside it. Raises StorageError if the folder cannot be written.
        """
        related = {name: others for name, others in self.related.items() if self.part_of[name] != "train"}
        train = [pair for pair in self.pairs if self.part_of[pair[0]] == "train"]
        with files.new_folder(folder) as new:
            _write_table(new / CORPUS, [self.documents[name] for name in self.documents])
            _write_table(new / QUERIES, [self.documents[name] for name in related])
            judged = ((one, other, "1") for one, others in related.items() for other in others)
            _write_lines(new / QRELS, ("query-id", "corpus-id", "score"), judged)
            _write_lines(new / SPLITS, ("query-id", "split"), ((name, self.part_of[name]) for name in related))
            _write_lines(new / TRAIN_PAIRS, ("id-a", "id-b"), train)
            files.write_json(new / "about.json", about)

    def counts(self) -> dict[str, int]:
        """What a folder of it holds."""
        parts = [self.part_of[name] for name in self.related]
        return {
            "documents": len(self.documents),
            "groups of several documents": len(self.groups),
            "documents of the largest group": max(self.groups, default=0),
            "train pairs": sum(self.part_of[one] == "train" for one, _ in self.pairs),
            **{f"{part} queries": parts.count(part) for part in ("valid", "test")},
        }


def _same_texts(documents: Mapping[str, Document]) -> list[list[str]]:
    """The ids of documents that share a telling title, an abstract or the whole text."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, document in documents.items():
        for key in works.keys(document):
            if key.startswith(_OF_A_TEXT):
                found[key].append(name)
    return [names for names in found.values() if len(names) > 1]


def _groups(names: Sequence[str], joined: Iterable[Sequence[str]]) -> list[list[str]]:
    """All names, those together that chains of lists join."""
    number_of = {name: number for number, name in enumerate(names)}
    links = [(number_of[some[0]], number_of[other]) for some in joined for other in some[1:]]
    ones, others = np.array(links, np.int64).reshape(-1, 2).T
    table = csr_array((np.ones(len(links), np.int8), (ones, others)), shape=(len(names), len(names)))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for name, label in zip(names, connected_components(table, directed=False)[1].tolist(), strict=True):
        found[label].append(name)
    return list(found.values())


def _parts(groups: Sequence[Sequence[str]], related: set[str], share: float) -> dict[str, Split]:
    """The part of each document: groups in an order by chance fill "valid" and "test" as far as they fit whole."""
    room: dict[Split, float] = dict.fromkeys(("valid", "test"), share * len(related))
    part_of: dict[str, Split] = {}
    counts: defaultdict[Split, int] = defaultdict(int)
    for group in sorted(groups, key=lambda group: files.fingerprint(min(group))):
        size = sum(name in related for name in group)
        part: Split = next((part for part in room if size and counts[part] + size <= room[part]), "train")
        counts[part] += size
        part_of |= dict.fromkeys(group, part)
    empty = [part for part in ("train", "valid", "test") if not counts[part]]
    if empty:
        raise EvaluationError(
            f"Expected questions enough for train, valid and test that share no document, got none for "
            f"{', '.join(empty)}: {len(related)} related documents, {share:.0%} held out for each of valid and test. "
            "Give more questions and their abstracts, or hold out another share."
        )
    return part_of


def _write_table(path: Path, documents: Sequence[Document]) -> None:
    import pyarrow
    from pyarrow import parquet

    texts = [(name, pyarrow.string()) for name in _WRITTEN]
    lists = [(name, pyarrow.list_(pyarrow.string())) for name in _LISTED]
    schema = pyarrow.schema([*texts, *lists, ("year", pyarrow.int64())])
    rows = [{name: _plain(getattr(document, name)) for name in schema.names} for document in documents]
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), path, compression="zstd")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _write_lines(path: Path, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    text = "".join("\t".join(row) + "\n" for row in (heads, *rows))
    files.write_bytes(path, text.encode())
