"""A benchmark: a corpus, queries, and which documents are relevant to each.

It comes from a folder, from single files, from an upload (a zip, or queries and judgements with or without documents),
or from a library: from its owner's judgements, or from its documents' subject labels.
"""

from __future__ import annotations

import csv
import io
import lzma
import tempfile
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.documents.text import how_many
from engine.documents.works import names, same_family, same_work
from engine.evaluation.formats import BOUNDS, UPLOADS, Bounds, Qrels, read_collection, read_excluded, read_qrels
from engine.library import JudgedQuery, Library

QueryPart = Literal["valid", "test", "all"]
PARTS: tuple[QueryPart, ...] = ("valid", "test", "all")

CORPUS, QUERIES, QRELS, SPLITS = "corpus.parquet", "queries.parquet", "qrels.tsv", "query-splits.tsv"
EXCLUDE = "exclude.tsv"
BEIR_CORPUS, BEIR_QUERIES, BEIR_QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
BEIR_PARTS: Mapping[QueryPart, str] = {"all": "test.tsv", "test": "test.tsv", "valid": "dev.tsv"}
"""The file of judgements for each part; a BEIR folder has no single file for all its queries."""

_VALID_ONE_IN = 5
JUDGED, SUBJECTS = "your-judgements", "your-subjects"
MOST_QUERIES = 200
"""How many documents are queries where labels are the judgements: intervals of some hundredths, in seconds."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Documents, judged queries and their qrels.

    `sha256` has the digest of each file read. `left_out` counts the queries of this part without a relevant document,
    `others` are the ids of all queries that are not asked. `own_works` are, by query, documents that are the query
    itself under another id (`engine.evaluation.measure`), and `excluded` those that exclude.tsv names; rankings are
    scored without both. `notes` say what of the files was left out because its id is missing.
    """

    name: str
    part: QueryPart
    corpus: Sequence[Document]
    queries: Sequence[Document]
    qrels: Qrels
    sha256: Mapping[str, str]
    left_out: int = 0
    others: frozenset[str] = frozenset()
    own_works: Mapping[str, frozenset[str]] = field(default_factory=dict)
    excluded: Mapping[str, frozenset[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def corpus_sha256(self) -> str:
        """The digest of the corpus, under any file name."""
        return next(digest for name, digest in self.sha256.items() if name.startswith("corpus"))

    @staticmethod
    def from_judgements(library: Library, *, report: Report = silent) -> Benchmark:
        """Return a library as corpus, and the queries whose hits were judged.

        Unjudged documents count as not relevant, so rankings that put other documents first than those a person saw are
        scored too low. Queries without a relevant document are left out and counted. Raises EvaluationError where no
        query has one.
        """
        held = set(library.ids())
        asked, own = _named_apart(library)
        graded = [(one, {name: grade for name, grade in one.grades.items() if name in held}) for one in asked]
        judged = [(one, grades) for one, grades in graded if any(grade > 0 for grade in grades.values())]
        if not judged:
            raise EvaluationError(
                "Expected a query with a hit that was judged relevant; there is none yet. Search for a document, judge "
                "some of its hits, and come back."
            )
        queries = [one.query for one, _ in judged]
        qrels = {one.query.id: grades for one, grades in judged}
        made = from_parts(JUDGED, _read(library, report), queries, qrels)
        own_works = {
            query: frozenset({own[query]})
            for query, grades in qrels.items()
            if own.get(query) in held and not grades.get(own[query], 0) > 0
        }
        return replace(made, left_out=len(graded) - len(judged), own_works=own_works)

    @staticmethod
    def from_subjects(
        library: Library, *, most: int = MOST_QUERIES, seed: int = 0, report: Report = silent
    ) -> Benchmark:
        """Return a library whose documents are queries; those with the same set of categories are relevant to them.

        CTPE judges arXiv papers this way (section 4.2). It needs no judgements, and measures whether a ranking brings
        together what publishers filed together, which is less than relevance. Other versions of a query's work are not
        among its answers, because rankings leave them out. Of the documents that share their set with another work,
        `most` are drawn at random; the same library and seed give the same ones. Raises EvaluationError where no two
        works share one.
        """
        corpus = _read(library, report)
        members: defaultdict[tuple[str, ...], list[Document]] = defaultdict(list)
        for document in corpus:
            if document.categories:
                members[_label(document)].append(document)
        able = [document for together in members.values() if len(together) > 1 for document in together]
        queries: list[Document] = []
        qrels: dict[str, dict[str, int]] = {}
        for query in sorted(able, key=lambda document: files.fingerprint(str(seed), document.id)):
            if len(queries) == most:
                break
            if others := _other_works(library, query, members[_label(query)]):
                queries.append(query)
                qrels[query.id] = dict.fromkeys(others, 1)
        if not queries:
            raise EvaluationError(
                "Expected two works with the same subjects in the library; there are none. Import documents that have "
                "categories, or judge hits on the Search page."
            )
        return from_parts(SUBJECTS, corpus, queries, qrels)

    def names_only(self) -> Benchmark:
        """Return the benchmark without texts: the corpus has only what a list of hits shows."""
        corpus = [Document(one.id, one.kind, one.name, year=one.year) for one in self.corpus]
        return replace(self, corpus=corpus)

    def without_own_works(self) -> Benchmark:
        """Return the benchmark with each query's own works marked, as a search would recognise them.

        In acm-citation the corpus has the citing paper's record for nearly every query, and it is relevant to none: any
        good ranking puts it first. A document that is relevant to the query is never taken for it.
        """
        named: defaultdict[str, list[Document]] = defaultdict(list)
        for document in self.corpus:
            for name in names(document):
                named[name].append(document)
        own = {
            query.id: frozenset(
                found.id
                for name in names(query)
                for found in named.get(name, ())
                if found.id not in self.qrels[query.id] and same_work(query, found)
            )
            for query in self.queries
        }
        return replace(self, own_works={query: works for query, works in own.items() if works})


def load_benchmark(folder: Path, *, part: QueryPart = "all", bounds: Bounds = BOUNDS) -> Benchmark:
    """Read one part of the queries of a folder, ours or BEIR's, with its corpus.

    Ours holds corpus.parquet, queries.parquet and qrels.tsv. A query is in the part that query-splits.tsv names;
    without that file it is `valid` where its id's sha1 is divisible by five, else `test`. A line of exclude.tsv, a
    query's id and a document's, leaves that document out of the query's rankings: what an encoder was trained on, say.
    BEIR's holds corpus.jsonl, queries.jsonl and qrels/test.tsv, which are the parts `test` and `all`, or qrels/dev.tsv,
    the part `valid`. In those files, as published, some ids are missing: what names one is left out, and told in
    `notes`, unless that is most of a file. Raises EvaluationError where a file is missing or the files do not belong
    together, or InputError.
    """
    if (folder / BEIR_CORPUS).is_file() and not (folder / CORPUS).is_file():
        return _load_beir(folder, part, bounds)
    _require(folder, (CORPUS, QUERIES, QRELS))
    corpus, queries = read_documents(folder / CORPUS), read_documents(folder / QUERIES)
    qrels = read_qrels(folder / QRELS, bounds=bounds)
    splits = _read_splits(folder / SPLITS)
    asked = frozenset(query.id for query in queries if part == "all" or _part_of(query.id, splits) == part)
    excluded = read_excluded(folder / EXCLUDE, bounds=bounds) if (folder / EXCLUDE).is_file() else {}
    read = (CORPUS, QUERIES, QRELS, *([EXCLUDE] if excluded else []))
    sha256 = {name: files.sha256_file(folder / name) for name in read}
    return _chosen(Benchmark(folder.name, part, corpus, queries, qrels, sha256, excluded=excluded), asked)


def _load_beir(folder: Path, part: QueryPart, bounds: Bounds) -> Benchmark:
    """Return the queries judged in the part's file; a BEIR folder's other queries belong to other parts."""
    qrels_name = f"{BEIR_QRELS}/{BEIR_PARTS[part]}"
    _require(folder, (BEIR_CORPUS, BEIR_QUERIES, qrels_name))
    notes: list[str] = []
    corpus = read_collection(folder / BEIR_CORPUS, bounds=bounds, tell=notes.append)
    queries = read_collection(folder / BEIR_QUERIES, kind="query", bounds=bounds, tell=notes.append)
    qrels = _of_these(read_qrels(folder / qrels_name, bounds=bounds), corpus, queries, notes.append)
    sha256 = {name: files.sha256_file(folder / name) for name in (BEIR_CORPUS, BEIR_QUERIES, qrels_name)}
    made = Benchmark(folder.name, part, corpus, queries, qrels, sha256, notes=tuple(notes))
    return _chosen(made, frozenset(qrels))


def _of_these(
    qrels: Qrels, corpus: Sequence[Document], queries: Sequence[Document], tell: Callable[[str], None]
) -> Qrels:
    """Return judgements without those of queries and documents that are not there, where these are the fewer ones."""
    asked, held = {query.id for query in queries}, {document.id for document in corpus}
    strange = sorted(qrels.keys() - asked)
    if strange and 2 * len(strange) < len(qrels):
        tell(f"Judgements of {how_many(len(strange), 'missing query')} left out, the first {strange[0]!r}.")
        qrels = {query: grades for query, grades in qrels.items() if query in asked}
    named = [name for grades in qrels.values() for name, grade in grades.items() if grade > 0]
    lost = [name for name in named if name not in held]
    if lost and 2 * len(lost) < len(named):
        tell(f"{how_many(len(lost), 'judgement')} of missing documents left out, the first of {min(lost)!r}.")
        qrels = {query: {name: grades[name] for name in grades if name in held} for query, grades in qrels.items()}
    return qrels


def from_parts(
    name: str,
    corpus: Sequence[Document],
    queries: Sequence[Document],
    qrels: Qrels,
    *,
    part: QueryPart = "all",
    excluded: Mapping[str, frozenset[str]] | None = None,
) -> Benchmark:
    """Return a benchmark from objects in memory; digests of their content stand for the files'.

    Raises EvaluationError for a repeated id, parts that do not belong together, or no judged query.
    """
    for what, documents in (("document", corpus), ("query", queries)):
        twice = [one for one, count in Counter(document.id for document in documents).items() if count > 1]
        if twice:
            raise EvaluationError(
                f"Expected an id of its own for each {what} of {name}, got {min(twice)!r} more than once. Rename one."
            )
    pairs = sorted((query, *pair) for query, grades in qrels.items() for pair in grades.items())
    sha256 = {"corpus": _digest(corpus), "queries": _digest(queries), "qrels": files.sha256_bytes(repr(pairs).encode())}
    made = Benchmark(name, part, corpus, queries, qrels, sha256, excluded=excluded or {})
    return _chosen(made, frozenset(query.id for query in queries))


def from_files(
    name: str, corpus: Path | Sequence[Document], queries: Path, qrels: Path, *, bounds: Bounds = BOUNDS
) -> Benchmark:
    """Return a benchmark from single files in any format that `read_collection` and `read_qrels` read.

    `corpus` may also be documents, such as a library's. Raises EvaluationError or InputError.
    """
    notes: list[str] = []
    documents = read_collection(corpus, bounds=bounds, tell=notes.append) if isinstance(corpus, Path) else corpus
    asked = read_collection(queries, kind="query", bounds=bounds, tell=notes.append)
    judged = _of_these(read_qrels(qrels, bounds=bounds), documents, asked, notes.append)
    return replace(from_parts(name, documents, asked, judged), notes=tuple(notes))


def read_documents(path: Path) -> list[Document]:
    """Return every document of a table; the first of those with one id."""
    from engine.reading import iter_documents

    held: dict[str, Document] = {}
    for document in iter_documents(path):
        held.setdefault(document.id, document)
    return list(held.values())


def _chosen(whole: Benchmark, asked: frozenset[str]) -> Benchmark:
    """Return the benchmark with only the asked queries that have a relevant document."""
    _check(whole)
    wanted = [query for query in whole.queries if query.id in asked]
    judged = [query for query in wanted if any(grade > 0 for grade in whole.qrels.get(query.id, {}).values())]
    if not judged:
        raise EvaluationError(
            f"Expected judged queries in the part {whole.part!r} of {whole.name}, found none with a relevant document. "
            "Take another part, or judge some."
        )
    qrels = {query.id: whole.qrels[query.id] for query in judged}
    others = frozenset(query.id for query in whole.queries) - qrels.keys()
    left_out = len(wanted) - len(judged)
    excluded = {query: ids for query, ids in whole.excluded.items() if query in qrels}
    return replace(whole, queries=judged, qrels=qrels, left_out=left_out, others=others, excluded=excluded)


def _require(folder: Path, names: Sequence[str]) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise EvaluationError(
            f"Expected {names[0]}, {names[1]} and {names[2]} in {folder}; missing: {', '.join(missing)}. "
            f"Name a folder that holds all three, or {BEIR_CORPUS}, {BEIR_QUERIES} and {BEIR_QRELS}/test.tsv."
        )


def _check(benchmark: Benchmark) -> None:
    """Raise EvaluationError where qrels or exclusions name an unknown query or document, or contradict each other."""
    strange = benchmark.qrels.keys() - {query.id for query in benchmark.queries}
    if strange:
        raise EvaluationError(
            f"Expected judgements of the queries of {benchmark.name}, got {len(strange)} others, the first "
            f"{min(strange)!r}. Take both files from one set."
        )
    held = {document.id for document in benchmark.corpus}
    relevant = (name for grades in benchmark.qrels.values() for name, grade in grades.items() if grade > 0)
    lost = sorted({name for name in relevant if name not in held})
    if lost:
        raise EvaluationError(
            f"Expected every relevant document of {benchmark.name} in its corpus, {len(lost)} are not there, the first "
            f"{lost[0]!r}. Take both files from one set."
        )
    asked = {query.id for query in benchmark.queries}
    for query, ids in sorted(benchmark.excluded.items()):
        unknown = sorted(({query} - asked) | (ids - held))
        if unknown:
            raise EvaluationError(
                f"Expected ids of queries and documents of {benchmark.name} in {EXCLUDE}, got {unknown[0]!r}. Take all "
                "files from one set."
            )
        both = sorted(name for name in ids if benchmark.qrels.get(query, {}).get(name, 0) > 0)
        if both:
            raise EvaluationError(
                f"Expected {EXCLUDE} of {benchmark.name} to leave out no relevant document, got {both[0]!r} for "
                f"{query!r}. Take the line out of one of the two files."
            )


def _digest(documents: Sequence[Document]) -> str:
    """Return the digest of documents, in order, over everything in them."""
    return files.sha256_bytes("".join(files.sha256_bytes(repr(document).encode()) for document in documents).encode())


def _read_splits(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if len(row) == 2}


def _part_of(query: str, splits: Mapping[str, str]) -> str:
    if splits:
        return splits.get(query, "test")
    return "valid" if files.spread(query, _VALID_ONE_IN) == 0 else "test"


def library_key(library: Library) -> str:
    """Return what identifies a library's content: its imported files, in order, without reading documents."""
    held = (f"{file.key} {file.documents} {file.folded}" for file in library.files())
    return files.fingerprint(str(len(library)), *held)


def _named_apart(library: Library) -> tuple[list[JudgedQuery], dict[str, str]]:
    """Return the judged queries; a corrected one keeps its id, so the later of two gets another name.

    Also returns the former id for each new name, under which the query itself may be in the library.
    """
    found, seen, own = [], set(), {}
    for one in reversed(library.judgements.queries()):
        query = one.query
        if query.id in seen:
            query = replace(query, id=f"{query.id}#{one.key[:8]}")
            own[query.id] = one.query.id
        seen.add(query.id)
        found.append(replace(one, query=query))
    return found, own


def _other_works(library: Library, query: Document, together: Sequence[Document]) -> list[str]:
    """Return the ids of documents other than the query's own work, which rankings leave out."""
    own, family = {query.id, *library.duplicates_of(query)}, query.family
    return [one.id for one in together if one.id not in own and not same_family(one.family, family)]


def _label(document: Document) -> tuple[str, ...]:
    return tuple(sorted(set(document.categories)))


def _read(library: Library, report: Report) -> list[Document]:
    meter = Meter("read the library", len(library), report)
    corpus = []
    for document in library.iter_documents():
        corpus.append(document)
        meter.add()
    meter.finish()
    return corpus


NEEDED = (
    "Bring queries and qrels, and the documents unless they are your library's: files whose names begin with "
    "“queries”, “qrels” and “corpus”, or a zip of them."
)
_BEGINNINGS = {"queries": ("quer", "topic"), "corpus": ("corpus", "doc", "collection")}
_SPLITS = "query-splits"
_USUAL_QRELS = "test"
_MOST_MEMBERS = 2_000
_BLOCK_BYTES = 1 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError, OSError)
"""What zipfile raises on damaged bytes, depending on the compression; OSError is bz2's."""


@dataclass(frozen=True, slots=True)
class Brought:
    """A benchmark, and whether its documents are the library's."""

    benchmark: Benchmark
    in_library: bool


def from_uploads(
    uploads: Sequence[tuple[str, bytes]], library: Callable[[], Sequence[Document]], *, bounds: Bounds = UPLOADS
) -> Brought:
    """Read uploads, each a name and the file's content; without documents, the judgements refer to the library's.

    `library` gives its documents if they are needed. Of several qrels in a zip, "test" is read, as in BEIR.
    Raises EvaluationError where a file is missing, too large or damaged, or InputError where it cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="priorscope-") as temporary:
        files = _written(uploads, Path(temporary), bounds)
        missing = [role for role in ("queries", "qrels") if role not in files]
        if missing:
            named = ", ".join(name for name, _ in uploads) or "no file"
            raise EvaluationError(f"Expected {' and '.join(missing)}, found none in {named}. {NEEDED}")
        corpus: Path | Sequence[Document] = files["corpus"] if "corpus" in files else library()
        name = PurePosixPath(uploads[0][0]).stem if len(uploads) == 1 else "uploaded"
        benchmark = from_files(name, corpus, files["queries"], files["qrels"], bounds=bounds)
    return Brought(benchmark, in_library="corpus" not in files)


def role_of(name: str) -> str:
    """Return a file's role in a benchmark, from its name and folders: queries, qrels, corpus, or none."""
    path = PurePosixPath(name.replace("\\", "/").lower())
    if path.name.startswith((".", "_", _SPLITS)) or "__macosx" in path.parts:
        return ""
    if "qrel" in path.name:
        return "qrels"
    named = next((role for role, beginnings in _BEGINNINGS.items() if path.name.startswith(beginnings)), "")
    return named or ("qrels" if any("qrel" in part for part in path.parts) else "")


def _written(uploads: Sequence[tuple[str, bytes]], folder: Path, bounds: Bounds) -> dict[str, Path]:
    """Return the file of each role, written into a folder under our name with its ending."""
    files: dict[str, Path] = {}
    for name, read in sorted(_members(uploads, bounds), key=lambda one: _preference(one[0])):
        role = role_of(name)
        if role and role not in files:
            files[role] = folder / f"{role}{PurePosixPath(name).suffix[:10]}"
            files[role].write_bytes(read())
    return files


def _preference(name: str) -> tuple[bool, str]:
    """Return the sort key of a role's files: BEIR's test judgements first, then by name."""
    return PurePosixPath(name).stem.lower() != _USUAL_QRELS, name


def _members(uploads: Sequence[tuple[str, bytes]], bounds: Bounds) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield every file by name, including those in a zip, with what reads it."""
    for name, content in uploads:
        if not content.startswith(b"PK\x03\x04") or (role_of(name) and not name.lower().endswith(".zip")):
            yield name, partial(bytes, content)
            continue
        archive = _opened(name, content)
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > _MOST_MEMBERS:
            raise EvaluationError(
                f"Expected at most {_MOST_MEMBERS:,} files in {name}, it holds {len(members):,}. Zip less."
            )
        for member in members:
            yield member.filename, partial(_unpacked, archive, member, bounds)


def _opened(name: str, content: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _DAMAGED as error:
        raise EvaluationError(f"Expected a whole zip file, {name} is damaged: {error}. Zip the files again.") from None


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, bounds: Bounds) -> bytes:
    """Read one file's content up to the limit, whatever size the zip claims."""
    if member.flag_bits & 1:
        raise EvaluationError(f"Expected a zip without a password, {member.filename} needs one. Zip the files again.")
    blocks, size = [], 0
    try:
        with archive.open(member) as file:
            while block := file.read(_BLOCK_BYTES):
                blocks.append(block)
                size += len(block)
                if size > bounds.max_bytes:
                    raise EvaluationError(
                        f"Expected at most {bounds.max_bytes >> 20:,} MiB in {member.filename}, it has more. "
                        "Take a part of it."
                    )
    except _DAMAGED as error:
        raise EvaluationError(
            f"Expected a whole zip file, {member.filename} in it cannot be read: {error}. Zip the files again."
        ) from None
    return b"".join(blocks)
