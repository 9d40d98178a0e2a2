"""Collections of several fields, and what is known of any two of their documents."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from engine.core import files
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.documents.works import same_family
from engine.evaluation.benchmarks import CORPUS, QRELS, QUERIES, read_documents
from engine.evaluation.formats import read_qrels
from engine.search import fitted_on
from engine.search.readings import CLOSE, OTHER, SAME, SAME_FIELD
from engine.workspace import Workspace

SEED = 1
_OPENING_WORDS = 150
COMPUTING = frozenset({"cs", "stat", "cmp-lg"})
_EXACT = frozenset("math physics cond-mat astro-ph nlin quant-ph math-ph hep-th hep-ph hep-ex gr-qc nucl-th".split())
_MEGA = frozenset(
    (
        "plos one|scientific reports|peerj|nature communications|biomed research international|"
        "international journal of environmental research and public health|elife|f1000research"
    ).split("|")
)
"""Journals of all fields: to share one says nothing of a subject."""

Distance = Literal["own", "neighbouring", "far"]

Known = frozenset[int]
"""What two documents may be to each other, as places in `WORDS`; a single one where all is known."""

NEIGHBOURS = frozenset(
    {
        frozenset({"aerodynamics", "exact sciences"}),
        frozenset({"electronics", "exact sciences"}),
        frozenset({"electronics", "aerodynamics"}),
        frozenset({"machines of the 1880s", "aerodynamics"}),
    }
)
"""Areas that share subjects: papers of physics are about fluids and circuits, too."""

SAME_WORK, RELATED, OF_ONE_FIELD, APART = (frozenset({one}) for one in (SAME, CLOSE, SAME_FIELD, OTHER))
_NOT_RELATED = OF_ONE_FIELD | APART


@dataclass(frozen=True)
class Field:
    """A collection of one area: its documents, the questions that were asked of it, and how two of them are labelled.

    `related` are the ids of pairs that cite one another or share references, or of a question and what it cites.
    `rows` (n, dim) are their rows by `student`, where they were at hand.
    """

    name: str
    area: str
    documents: Sequence[Document]
    label: Callable[[Document, Document], Known]
    questions: Sequence[Document] = ()
    related: frozenset[frozenset[str]] = field(default=frozenset())
    sha256: str = ""
    rows: DenseRows | None = None

    def known(self, one: Document, other: Document) -> Known:
        """Return what two of its documents, or a question and a document, may be to each other."""
        if same_family(one.family, other.family):
            return SAME_WORK
        if frozenset({one.id, other.id}) in self.related:
            return RELATED
        return self.label(one, other)


def read_fields(data: Path, library: Path, *, report: Report = silent) -> list[Field]:
    """Return every collection, cut to titles and abstracts: of benchmarks a few thousand documents each, by a seed.

    `library` is the folder of the sample library: its papers of computing, those of mathematics and physics, and its
    old patents are three collections, whose rows are taken as they are kept.
    """
    found = [_acl(data / "acl-long"), _pmc(data / "pmc-long"), _patents(data / "patents-citation")]
    found += [_acm(data / "acm-citation"), *_samples(library, report)]
    return [*found, _judged(data / "cranfield", "aerodynamics", 900), _judged(data / "npl", "electronics", 800)]


def distance(asks: Field, asked: Field) -> Distance:
    """Return how far one field is from another: the same collection, a neighbouring one, or a far one."""
    if asks.name == asked.name:
        return "own"
    areas = frozenset({asks.area, asked.area})
    return "neighbouring" if len(areas) == 1 or areas in NEIGHBOURS else "far"


def drawn(documents: Iterable[Document], count: int, *, key: str = "") -> list[Document]:
    """Return `count` of the documents, always the same."""
    return sorted(documents, key=lambda one: random.Random(f"{SEED} {key} {one.id}").random())[:count]


def _cut(path: Path) -> list[Document]:
    """Return the documents of a table by title and abstract, without those that have neither."""
    cut = [replace(one, sections=(), claims=()) for one in read_documents(path)]
    return [one for one in cut if len(one.text.split()) >= 20]


def known_pairs(path: Path) -> frozenset[frozenset[str]]:
    """Return the pairs of a table whose label is 1, or that has no labels."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return frozenset(frozenset(line[:2]) for line in lines if len(line) < 3 or line[2] == "1")


def _acl(folder: Path) -> Field:
    related = known_pairs(folder / "pairs.tsv") | known_pairs(folder / "citations.tsv")
    path = folder / CORPUS
    return Field(
        "acl", "computing", _cut(path), lambda *_: OF_ONE_FIELD, related=related, sha256=files.sha256_file(path)
    )


def _pmc(folder: Path) -> Field:
    def label(one: Document, other: Document) -> Known:
        if one.venue and one.venue == other.venue and one.venue.lower() not in _MEGA:
            return OF_ONE_FIELD
        return _NOT_RELATED

    path = folder / CORPUS
    related = known_pairs(folder / "pairs.tsv")
    return Field("pmc", "biomedicine", drawn(_cut(path), 1300), label, related=related, sha256=files.sha256_file(path))


def _patents(folder: Path) -> Field:
    """Half of the documents are those that questions cite, a fifth have families."""
    path = folder / CORPUS
    corpus = _cut(path)
    qrels = read_qrels(folder / QRELS)
    related = known_pairs(folder / "train-pairs.tsv") | _judgements(qrels)
    cited = {name for grades in qrels.values() for name in grades}
    families: dict[str, int] = {}
    for one in corpus:
        families[one.family] = families.get(one.family, 0) + 1
    kin = [one for one in corpus if families[one.family] > 1 and one.family]
    kin_families = {one.family for one in drawn(kin, 220, key="kin")}
    chosen = drawn((one for one in corpus if one.id in cited), 1100)
    chosen += [one for one in kin if one.family in kin_families] + drawn(corpus, 600, key="any")
    documents = list({one.id: one for one in chosen}.values())
    questions = drawn(_cut(folder / QUERIES), 250)
    digest = files.sha256_file(path)
    return Field("patents", "computing", documents, lambda *_: _NOT_RELATED, questions, related, digest)


def _acm(folder: Path) -> Field:
    """Return the field whose questions are passages; what they do not cite is of the field or is not."""

    def label(one: Document, other: Document) -> Known:
        if one.venue and other.venue and series_of(one.venue) == series_of(other.venue):
            return RELATED | OF_ONE_FIELD
        return _NOT_RELATED if "query" in (one.kind, other.kind) else RELATED | _NOT_RELATED

    path, qrels = folder / CORPUS, read_qrels(folder / QRELS)
    corpus = _cut(path)
    cited = {name for grades in qrels.values() for name in grades}
    chosen = [one for one in corpus if one.id in cited] + drawn(corpus, 1500)
    questions = [replace(one, title="") for one in _cut(folder / QUERIES)]
    documents = list({one.id: one for one in chosen}.values())
    return Field("acm", "computing", documents, label, questions, _judgements(qrels), files.sha256_file(path))


def _samples(folder: Path, report: Report) -> list[Field]:
    """Return the sample library in three: arXiv's papers of computing, those of exact sciences, and old patents."""
    with Workspace(folder) as workspace:
        encoder, index = workspace.encoder("default", report=report), workspace.exact_index("default")
        held = [one for one in workspace.library.get(workspace.library.ids()) if one.id in index]
        rows = encoder.sentence_rows(index.rows([one.id for one in held]), fitted_on("document"))
    found = []
    for name, area, label, is_of in _PARTS:
        places = [place for place, one in enumerate(held) if is_of(one)]
        kept = None if rows is None else rows[places]
        found.append(Field(name, area, [_opening(held[place]) for place in places], label, rows=kept))
    return found


def _opening(document: Document) -> Document:
    """Return a document with no more than an abstract: an old patent, which has none, with the opening of its text."""
    if document.abstract:
        return replace(document, sections=(), claims=())
    parts = [part.text for part in document.parts if part.role == "body"]
    return replace(document, abstract=" ".join(" ".join(parts).split()[:_OPENING_WORDS]), sections=(), claims=())


def _by_category(one: Document, other: Document) -> Known:
    """Tell papers apart by archive; those of a common category are of one field or nearer."""
    if set(one.categories) & set(other.categories):
        return RELATED | OF_ONE_FIELD
    return _NOT_RELATED if archives_of(one) & archives_of(other) else APART


def _by_class(one: Document, other: Document) -> Known:
    """Tell patents apart by section of the CPC; those of a common subclass are of one field or nearer.

    Section Y only repeats what other sections say.
    """
    ours, theirs = ({name[:4] for name in each.categories if not name.startswith("Y")} for each in (one, other))
    if ours & theirs:
        return RELATED | OF_ONE_FIELD
    return _NOT_RELATED if {name[0] for name in ours} & {name[0] for name in theirs} else APART


def _judged(folder: Path, area: str, count: int) -> Field:
    """Return a small collection with judged questions; what is judged relevant answers, and need not be related."""
    path = folder / CORPUS
    questions = _judged_questions(folder / QUERIES)
    any_of = RELATED | _NOT_RELATED
    documents = drawn(_cut(path), count)
    return Field(folder.name, area, documents, lambda *_: any_of, questions, sha256=files.sha256_file(path))


def _judged_questions(path: Path) -> list[Document]:
    return drawn(read_documents(path), 100)


def archives_of(document: Document) -> set[str]:
    """Return the archives of arXiv that a paper is in: cs for cs.CL."""
    return {name.partition(".")[0] for name in document.categories}


def series_of(venue: str) -> str:
    """Return a venue without its number: SIGIR of SIGIR '12."""
    return re.sub(r"[ '’]*\d+.*$", "", venue).removesuffix(" EA").strip().lower()


def _judgements(qrels: Mapping[str, Mapping[str, int]]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset({query, name}) for query, grades in qrels.items() for name in grades if grades[name] > 0)


_PARTS: tuple[tuple[str, str, Callable[[Document, Document], Known], Callable[[Document], bool]], ...] = (
    ("arxiv-cs", "computing", _by_category, lambda one: one.kind == "paper" and archives_of(one) <= COMPUTING),
    ("arxiv-exact", "exact sciences", _by_category, lambda one: one.kind == "paper" and archives_of(one) <= _EXACT),
    ("old-patents", "machines of the 1880s", _by_class, lambda one: one.kind == "patent" and (one.year or 0) < 1900),
)
"""The parts of the sample library: name, area, labels, and which of its documents belong there."""
