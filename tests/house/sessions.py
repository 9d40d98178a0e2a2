"""What is asked of both checkouts: sessions of commands, each on one library, over examples and shared data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet

VIGNETTES = Path("/usr/lib/R/site-library")
PAPER, LONGER_PAPER = VIGNETTES / "zoo/doc/zoo.pdf", VIGNETTES / "lme4/doc/lmer.pdf"
"""Papers that Debian's r-cran-zoo and r-cran-lme4 install."""

FORMATS = (
    "jats/PMC7599108.xml",
    "marec/EP-1129692-B1.xml",
    "marec/US-20030004557-A1.xml",
    "marec/WO-1995010353-A1.xml",
    "uspto/US03937375.greenbook",
    "uspto/US06859910.xml",
    "uspto/US20010000044A1.xml",
    "responses/ops/get_biblio.xml",
    "scans/c02-22.pdf",
    "scans/linn.pdf",
)
"""Ten files of DIR/formats, each another format or another edition of one."""

EXCERPTS = {"acl-long": 60, "cranfield": 300}
"""How many of the first documents of DIR/data/NAME the library holds: long papers, for passages, and abstracts."""

ROWS = (
    "default,meaning,keywords,bm25,bm25-stems,tfidf,lsa,word2vec-mean,word2vec-sif,cdssm,ctpe,keyvec,colde,"
    "blend,blend-large,student,student-large,default(ctpe)"
)
"""Every row that `priorscope evaluate` knows, measured on the small benchmark."""

COMMANDS = (
    *("app", "samples", "import", "remove", "library", "documents", "read", "page", "salient", "search", "coverage"),
    *("compare", "map", "recent", "collections", "encoders", "evaluate", "bake-off", "train"),
)
SUBCOMMANDS = (
    *(f"collections {one}" for one in ("list", "show", "add", "remove", "rename", "delete")),
    *(f"encoders {one}" for one in ("look", "measure", "offer", "remove")),
    *(f"bake-off {one}" for one in ("start", "ask", "judge", "show", "reveal")),
)
EXAMPLES = "assets/examples"
OWN = f"{EXAMPLES}/sentence-graph-duplicates.md"
PATENT = f"{EXAMPLES}/car-coupling.md"
PAIRS = ("assets/pairs/feeding-pump-blockage.md", "assets/pairs/manuscript-alignment.md")

Words = tuple[str, ...]


@dataclass(frozen=True)
class Data:
    """Where the excerpts lie that are imported, and the shared folder, if one was named."""

    corpora: Path
    shared: Path | None = None

    def has(self, place: str) -> bool:
        """Whether the shared folder holds this."""
        return self.shared is not None and (self.shared / place).exists()


@dataclass(frozen=True)
class Session:
    """Commands that run one after another, on a new library (`imports`), on a copy of BEFORE's (`opens`), or none."""

    name: str
    commands: tuple[Words, ...]
    imports: bool = False
    opens: bool = False


Commands = Callable[..., list[Session]]


def corpora(data: Data) -> None:
    """Write the excerpts of the shared data that are imported, once."""
    for name, count in EXCERPTS.items():
        path = data.corpora / f"{name}.parquet"
        if data.has(f"data/{name}/corpus.parquet") and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            whole = pyarrow.parquet.read_table(data.shared / f"data/{name}/corpus.parquet")
            pyarrow.parquet.write_table(whole.slice(0, count), path)


def sessions(data: Data, project: Path, *, quick: bool) -> list[Session]:
    """Every session that can run here; says what is left out because it is not there."""
    examples = sorted(f"{EXAMPLES}/{path.name}" for path in (project / EXAMPLES).iterdir())
    papers = [str(path) for path in (PAPER, LONGER_PAPER) if path.exists()]
    if len(papers) < 2:
        print("Left out: papers as PDF. Install Debian's r-cran-zoo and r-cran-lme4 to have them.")
    if data.shared is None:
        print("Left out: formats, field files and shared data. Name their folder with --shared.")
    excerpts = [f"{{corpora}}/{name}.parquet" for name in EXCERPTS if data.has(f"data/{name}/corpus.parquet")]
    return [
        Session("help", _split("--help", *(f"{name} --help" for name in (*COMMANDS, *SUBCOMMANDS)))),
        Session("errors", _errors()),
        Session("read", tuple(_read([*examples, *PAIRS, *papers, *_formats(data)]))),
        Session("field", tuple(_field(data))),
        Session("compare", tuple(_compare(examples, papers))),
        Session("import", tuple(_import(excerpts, papers)), imports=True),
        Session("search", tuple(_search(examples, papers)), opens=True),
        Session("library", tuple(_library(papers)), opens=True),
        Session("rankings", tuple(_rankings(data, quick=quick))),
    ]


def _split(*lines: str) -> tuple[Words, ...]:
    return tuple(tuple(line.split()) for line in lines)


def _formats(data: Data) -> list[str]:
    return [f"{{shared}}/formats/{name}" for name in FORMATS if data.has(f"formats/{name}")]


def _errors() -> tuple[Words, ...]:
    """Commands that are refused: their sentences are part of what users see."""
    return _split(
        "read nowhere.pdf",
        "read assets",
        "read assets/logo.svg",
        "read --nonsense",
        "bench",
        "nonsense",
        f"search {OWN}",
        f"search {OWN} --encoder nonsense",
        "search",
        f"search {OWN} -k 0",
        "documents --json",
        "library",
        f"coverage {OWN}",
        "map",
        "map --export nowhere.txt",
        f"compare {OWN} nowhere.md",
        "page nowhere",
        f"page {OWN}",
        f"salient {OWN} --first 0",
        "evaluate",
        "evaluate --benchmark nowhere",
        "evaluate --benchmark assets/benchmarks/small --encoders nonsense",
        "evaluate --suite quick",
        "train nonsense --data assets --out {out}/trained",
        "encoders look assets",
        "import nowhere.pdf",
        "recent",
        "bake-off show",
    )


def _read(files: list[str]) -> Iterator[Words]:
    for file in files:
        yield ("read", file, "--json")
        yield ("read", file)


def _field(data: Data) -> Iterator[Words]:
    """The field files by their check, then each as it is read."""
    for folder in ("readers", "readers-2"):
        if data.has(f"field/{folder}/expected.json"):
            yield ("{shared}/field/readers/check.py", f"{{shared}}/field/{folder}")
            expected = json.loads((data.shared / f"field/{folder}/expected.json").read_text("utf-8"))
            for name in sorted(name for name in expected if data.has(f"field/{folder}/{name}")):
                yield ("read", f"{{shared}}/field/{folder}/{name}", "--json")


def _compare(examples: list[str], papers: list[str]) -> Iterator[Words]:
    """Comparisons and salient sentences, for which no library is needed."""
    first, second = PAIRS
    yield from _split(
        f"compare {first} {EXAMPLES}/infusion-occlusion.md --json",
        f"compare {second} {OWN} --json",
        f"compare {second} {OWN}",
        f"compare {second} {OWN} --versions --json",
        f"compare {second} {OWN} --versions",
        f"compare {OWN} --json",
        f"compare {OWN}",
        f"compare {first} {PATENT} {EXAMPLES}/infusion-occlusion.md --json",
        f"compare {first} {PATENT} {EXAMPLES}/infusion-occlusion.md",
        f"compare {second} {OWN} --keep-references --keep-recurring --min-words 4 --json",
        f"compare {second} {OWN} --report {{out}}/pair.html --csv {{out}}",
        f"compare {second} {OWN} --versions --report {{out}}/versions.html",
        f"compare {first} {PATENT} {OWN} --report {{out}}/three.html",
        f"compare {OWN} --report {{out}}/within.html",
    )
    for file in examples:
        yield ("salient", file, "--json")
    yield ("salient", OWN)
    for paper in papers:
        yield from _split(f"salient {paper} --json", f"compare {paper} {OWN} --json", f"compare {paper} --json")
    if len(papers) > 1:
        yield from _split(f"compare {' '.join(papers)} --json")


def _import(excerpts: list[str], papers: list[str]) -> Iterator[Words]:
    """The same files into a new library, and what it holds then: documents, tables, vectors, passages."""
    yield ("import", *excerpts, EXAMPLES, *papers[:1], "--json")
    yield from _split(
        "library --json",
        "library",
        "documents --json --limit 1000",
        "documents --format csv",
        "stored",
        f"search {OWN} --json",
        f"import {EXAMPLES} --json",
        f"import {PAIRS[0]}",
    )


def _search(examples: list[str], papers: list[str]) -> Iterator[Words]:
    """Searches, coverage and the map on a library that BEFORE imported."""
    for file in [*examples, *PAIRS, *papers]:
        yield from _split(f"search {file} --json -k 20", f"coverage {file} --json")
    yield from _split(
        f"search {OWN}",
        f"search {PATENT} --ranking keywords --json",
        f"search {PATENT} --ranking encoder --json",
        f"search {OWN} --encoder ctpe --json",
        f"search {OWN} --encoder student --json",
        f"search {OWN} --kind paper --year-from 2000 --year-to 2010 --json",
        f"search {OWN} --line sentence --json",
        f"search {OWN} --stress graph --mute sentence --json",
        f"search {OWN} --not-cited --json",
        f"search {OWN} --report {{out}}/answer.html",
        *(f"search {OWN} --format {form}" for form in ("csv", "json", "bibtex", "ris")),
        f"coverage {OWN}",
        f"coverage {PATENT} --rows claims --json",
        f"coverage {OWN} --rows paragraphs --sort-rows coverage --sort-columns year --json",
        f"coverage {OWN} --rows passages --documents 5 --json",
        f"coverage {OWN} --csv {{out}}/c.csv --png {{out}}/c.png --report {{out}}/c.html",
        "map --json",
        "map",
        f"map --query {OWN} --clusters --json",
        "map --export {out}/m.csv --html {out}/m.html --clusters {out}/clusters.csv",
        "map --export {out}/m.json --json",
        "map --refit --encoder ctpe --json",
        "stored",
    )


def _library(papers: list[str]) -> Iterator[Words]:
    """What a person keeps in a library: collections, notes, decisions; pages; bake-offs; what is taken out again."""
    yield from _split(
        "library --json",
        "documents --json --limit 1000",
        "documents --sort title --descending --limit 5",
        "documents --line sentence --json",
        "documents --kind patent --json",
        *(f"documents --kind patent --format {form}" for form in ("csv", "json", "bibtex", "ris")),
        "documents --kind patent --all --tag coupling --note near --read --screen include --json",
        "documents --kind paper --line sentence --all --screen exclude --reason topic --json",
        "documents --tags --json",
        "documents --reviews --json",
        "documents --flow --json",
        "documents --flow --format csv",
        "documents --next --json",
        "documents --line tag:coupling --format csv",
        "documents cranfield:1 acl:C10-2104 --json",
        "collections add mine cranfield:1 cranfield:2 acl:C10-2104 --json",
        "collections list --json",
        "collections show mine --json",
        "collections show mine --format bibtex",
        f"search {OWN} --like-collection mine --json",
        "search --like cranfield:1 --unlike acl:C10-2104 --json",
        f"search {OWN} --collection mine --json",
        f"coverage {OWN} --collection mine --json",
        "compare cranfield:1 acl:C10-2104 --json",
        f"compare acl:C10-2104 acl:C10-2167 {OWN} --json",
        "bake-off start default keywords --json",
        f"bake-off ask {OWN} --json",
        "bake-off judge relevant 1 --json",
        "bake-off show --json",
        "encoders --json",
        "encoders",
        "recent --json",
        "recent --days 7 --json",
        "remove cranfield:1 --json",
        "remove --file cranfield.parquet --json",
        "documents --json --limit 1000",
        f"search {OWN} --json",
    )
    for paper in papers[:1]:
        yield from _split(
            f"page {paper} --text time --json",
            f"page {paper} --page 2 --out {{out}}/page.png --json",
            "remove --file zoo.pdf --json",
        )


def _rankings(data: Data, *, quick: bool) -> Iterator[Words]:
    """Runs and scores of each query on benchmarks."""
    yield _evaluate("assets/benchmarks/small", ROWS, "--against", "bm25")
    yield _evaluate("assets/benchmarks/small", "default,keywords", "--metrics", "trec", "--hide-itself")
    yield ("evaluate", "--benchmark", "assets/benchmarks/small")
    if data.has("data/cranfield"):
        yield _evaluate("{shared}/data/cranfield", "default,bm25,ctpe,student", "--against", "bm25")
    if data.has("data/arxiv-subject") and not quick:
        yield _evaluate("{shared}/data/arxiv-subject", "default,bm25")


def _evaluate(benchmark: str, rows: str, *more: str) -> Words:
    saved = ("--by-query", "--save", "{out}/figures.json", "--runs", "{out}/runs", "--json")
    return ("evaluate", "--benchmark", benchmark, "--encoders", rows, *more, *saved)
