"""Long documents to learn from: tables of pairs, which documents belong together, and what each epoch draws of them."""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import InputError
from engine.core.rows import Positions
from engine.documents import Document
from engine.reading import iter_documents
from engine.training.corpora import CORPUS

PAIRS = "pairs.tsv"
Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
_COLUMNS = ("id-a", "id-b", "label", "split")
_NOT_BODY = re.compile(r"\W*(?:abstract|summary|references?|bibliography|literature cited)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two documents by id, and whether they belong together."""

    a: str
    b: str
    related: bool
    split: Split


def read_labelled_pairs(path: Path) -> list[LabelledPair]:
    """Return every pair of a table with the columns id-a, id-b, label (0 or 1) and split, separated by tabs.

    Raises InputError if the table is missing, or one of its lines says something else.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if missing := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
                raise InputError(
                    f"Expected the columns {', '.join(_COLUMNS)} in {path.name}; missing: {', '.join(missing)}. "
                    "Separate the columns by tabs and name them in the first line."
                )
            found = [_pair(row, f"{path.name}, line {number}") for number, row in enumerate(rows, start=2)]
    except FileNotFoundError:
        raise InputError(f"Expected a table of pairs at {path}; there is none.") from None
    except UnicodeDecodeError:
        raise InputError(f"Expected {path.name} to be text in UTF-8, found other bytes. Save it as UTF-8.") from None
    if not found:
        raise InputError(f"Expected pairs of documents in {path.name}, found none.")
    return found


def write_labelled_pairs(path: Path, pairs: Sequence[LabelledPair]) -> None:
    """Write pairs as the table that `read_labelled_pairs` reads."""
    lines = ["\t".join(_COLUMNS), *("\t".join((one.a, one.b, str(int(one.related)), one.split)) for one in pairs)]
    files.write_bytes(path, "".join(f"{line}\n" for line in lines).encode())


def table_digests(corpora: Sequence[str], data: Path) -> dict[str, str]:
    """Return the sha256 of each corpus's table of pairs, by its corpus and name."""
    return {f"{name}/{PAIRS}": files.sha256_file(data / name / PAIRS) for name in corpora}


def ids_in(pairs: Sequence[LabelledPair]) -> list[str]:
    """Return every document of a pair, sorted."""
    return sorted({name for pair in pairs for name in (pair.a, pair.b)})


def body_of(document: Document) -> Document:
    """Return a document without title, abstract, references and claims: the text by which pairs are told apart.

    As in CoLDE, section 4.1.1, except that the paper reads a patent's claims, which our patents do not have.
    """
    sections = tuple(
        section for section in document.sections if section.role == "body" and not _NOT_BODY.fullmatch(section.title)
    )
    return dataclasses.replace(document, title="", abstract="", sections=sections, claims=())


def _pair(row: dict[str, str | None], where: str) -> LabelledPair:
    a, b, label, split = (row.get(name) or "" for name in _COLUMNS)
    if not a or not b or label not in ("0", "1") or split not in SPLITS:
        raise InputError(
            f"Expected two ids, label 0 or 1, and split {', '.join(SPLITS)} in {where}; "
            f"got {a!r}, {b!r}, {label!r}, {split!r}."
        )
    return LabelledPair(a, b, label == "1", split)


class PlacedPairs(NamedTuple):
    """Pairs of m documents by their places (m, 2), and whether they are related (m,)."""

    places: Positions
    related: NDArray[np.bool_]


class LongBatch(NamedTuple):
    """A step's documents (n,), what seeds its draws, and for a loss over pairs their places (m, 2) in `documents`."""

    documents: Positions
    key: tuple[int, int, int]
    pairs: PlacedPairs


@dataclass(frozen=True)
class LongCorpus:
    """The documents of every pair of several corpora, bodies alone; each corpus is one of `parts`, sorted by id.

    `train` and `valid` are pairs by corpus. `related` (n, n) marks documents that a train pair or a family joins, and
    each document with itself; it ignores valid and test pairs.
    """

    documents: tuple[Document, ...]
    parts: Mapping[str, slice]
    train: Mapping[str, PlacedPairs]
    valid: Mapping[str, PlacedPairs]
    related: csr_array

    def same_label(self, documents: Positions) -> NDArray[np.bool_]:
        """Tell which of some documents (n,) belong together: (n, n)."""
        return np.asarray(self.related[documents][:, documents].toarray(), bool)


def read_long_corpora(names: Sequence[str], data: Path) -> LongCorpus:
    """Read the corpora and pairs of each name below `data`.

    Raises InputError if a file is missing, a pair names a document that is not there, or no two are related.
    """
    documents: list[Document] = []
    parts: dict[str, slice] = {}
    train: dict[str, PlacedPairs] = {}
    valid: dict[str, PlacedPairs] = {}
    for name in names:
        pairs = read_labelled_pairs(data / name / PAIRS)
        wanted = {id_ for pair in pairs for id_ in (pair.a, pair.b)}
        found = sorted(
            (one for one in iter_documents(data / name / CORPUS) if one.id in wanted), key=lambda one: one.id
        )
        if missing := sorted(wanted - {one.id for one in found}):
            raise InputError(
                f"Expected every document of {name}/{PAIRS} in its {CORPUS}; {len(missing)} are not there, "
                f"{missing[0]} among them. Take both files from one release."
            )
        place_of = {one.id: len(documents) + place for place, one in enumerate(found)}
        parts[name] = slice(len(documents), len(documents) + len(found))
        documents += [body_of(one) for one in found]
        train[name] = _placed(pairs, place_of, "train")
        valid[name] = _placed(pairs, place_of, "valid")
    if not any(pairs.related.any() for pairs in train.values()):
        raise InputError(f"Expected train pairs with label 1 for {', '.join(names)}, found none.")
    return LongCorpus(tuple(documents), parts, train, valid, _related(documents, tuple(train.values())))


def contrastive_batches(corpus: LongCorpus, size: int, *, seed: int, epoch: int) -> list[LongBatch]:
    """Return an epoch of about `size` documents a batch, each of one corpus; every related train pair comes once.

    They follow from the seed and the epoch's number alone.
    """
    generator = np.random.default_rng([seed, epoch])
    drawn = [_shuffled(pairs.places[pairs.related], size // 2, generator) for pairs in corpus.train.values()]
    flat = [np.unique(part) for parts in drawn for part in parts]
    none = PlacedPairs(np.zeros((0, 2), np.int64), np.zeros(0, bool))
    order = generator.permutation(len(flat))
    return [LongBatch(flat[place], (seed, epoch, number), none) for number, place in enumerate(order)]


def pair_batches(corpus: LongCorpus, size: int, *, seed: int, epoch: int) -> list[LongBatch]:
    """Return an epoch in which every train pair of either label comes once, about `size` documents a batch."""
    generator = np.random.default_rng([seed, epoch])
    every = np.concatenate([pairs.places for pairs in corpus.train.values()])
    labels = np.concatenate([pairs.related for pairs in corpus.train.values()])
    batches = []
    for number, rows in enumerate(_parts(generator.permutation(len(every)), size // 2)):
        documents, places = np.unique(every[rows], return_inverse=True)
        pairs = PlacedPairs(places.reshape(-1, 2), labels[rows])
        batches.append(LongBatch(documents, (seed, epoch, number), pairs))
    return batches


def step_count(corpus: LongCorpus, size: int, *, related_only: bool) -> int:
    """Return the number of batches that an epoch takes."""
    if related_only:
        return sum(-(-int(pairs.related.sum()) // (size // 2)) for pairs in corpus.train.values())
    return -(-sum(len(pairs.related) for pairs in corpus.train.values()) // (size // 2))


def _shuffled(pairs: Positions, size: int, generator: np.random.Generator) -> list[Positions]:
    return _parts(generator.permutation(pairs), size) if len(pairs) else []


def _parts(rows: Positions, size: int) -> list[Positions]:
    """Cut rows into parts of at most `size`, as even as they can be."""
    return np.array_split(rows, -(-len(rows) // size))


def _placed(pairs: Sequence[LabelledPair], place_of: Mapping[str, int], split: Split) -> PlacedPairs:
    chosen = [pair for pair in pairs if pair.split == split]
    places = np.array([(place_of[pair.a], place_of[pair.b]) for pair in chosen], np.int64).reshape(-1, 2)
    return PlacedPairs(places, np.array([pair.related for pair in chosen], bool))


def _related(documents: Sequence[Document], train: Sequence[PlacedPairs]) -> csr_array:
    """Tell who belongs together by a train pair or a family, both ways, and each with itself: (n, n)."""
    joined = [pairs.places[pairs.related] for pairs in train]
    families: dict[str, list[int]] = {}
    for place, document in enumerate(documents):
        families.setdefault(document.family or f"\0{place}", []).append(place)
    joined.append(np.array([(a, b) for held in families.values() for a in held for b in held], np.int64))
    rows, columns = np.concatenate(joined).T
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    found = csr_array((np.ones(len(both[0]), bool), both), shape=(len(documents), len(documents)))
    found.sum_duplicates()
    return found
