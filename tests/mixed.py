"""Files as people have them: good and broken ones of every format, under odd names, the same for the same seed.

`python -m tests.mixed --count 1000` imports that many by the command, and accounts for each file and each document.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core.files import sha256_file
from engine.library import Library
from tests.browser.tiny_pdf import tiny_pdf
from tests.conftest import PROJECT
from tests.reading.docx.writer import docx, paragraph
from tests.reading.tables.rows import jsonl, parquet

THINGS = (
    "kettle",
    "whistle",
    "spout",
    "lid",
    "handle",
    "boiler",
    "valve",
    "gauge",
    "burner",
    "flask",
    "funnel",
    "ladle",
)
NAMES = (
    "{}",
    "{} draft",
    "résumé {}",
    "日本 {}",
    "-{}",
    "{}%s",
    "<b>{}</b>",
    "![{}](x)",
    "{}.final.v2",
    "a\nb {}",
    ":red[{}]",
)
SHARE_BROKEN = 0.35


@dataclass(frozen=True)
class Record:
    """One document to be written in some format."""

    title: str
    abstract: str
    year: int
    number: int


@dataclass(frozen=True)
class Made:
    """A file: what was done to it, and the titles that a good one must bring."""

    path: Path
    format: str
    fault: str
    titles: tuple[str, ...]


def record(number: int, draw: random.Random) -> Record:
    """A document unlike all others."""
    one, other = draw.sample(THINGS, 2)
    title = f"The {one} and the {other} under {number} degrees of heat"
    abstract = f"We measure the {one} at {number} places. The {other} is heated, and {number * 7} readings are taken."
    return Record(title, abstract, draw.randrange(1990, 2025), number)


def _pdf(records: Sequence[Record]) -> bytes:
    (one,) = records
    body = ((11, one.abstract), (0, ""), (14, "1 Introduction"), (11, "Water boils in a vessel, and steam leaves it."))
    return tiny_pdf(((20, one.title), (11, "Ada Example"), (0, ""), (14, "Abstract"), *body))


def _docx(records: Sequence[Record]) -> bytes:
    (one,) = records
    heads = paragraph(one.title, "Title"), paragraph("Abstract", "berschrift1"), paragraph(one.abstract)
    return docx(*heads, paragraph("Method", "berschrift1"), paragraph("We heat water."))


def _jats(records: Sequence[Record]) -> bytes:
    (one,) = records
    return (
        f'<?xml version="1.0"?><article article-type="research-article"><front><article-meta><article-id pub-id-type='
        f'"doi">10.1234/kettle.{one.number}</article-id><title-group><article-title>{one.title}</article-title>'
        f"</title-group><pub-date><year>{one.year}</year></pub-date><abstract><p>{one.abstract}</p></abstract>"
        "</article-meta></front><body><sec><title>Method</title><p>We heat water.</p></sec></body></article>"
    ).encode()


def _tei(records: Sequence[Record]) -> bytes:
    (one,) = records
    return (
        '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title '
        f'level="a" type="main">{one.title}</title></titleStmt><publicationStmt><date when="{one.year}"/>'
        f"</publicationStmt><sourceDesc/></fileDesc><profileDesc><abstract><p>{one.abstract}</p></abstract></profileDesc></teiHeader>"
        "<text><body><div><head>Method</head><p>We heat water.</p></div></body></text></TEI>"
    ).encode()


def _grant(records: Sequence[Record]) -> bytes:
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n<us-patent-grant lang="EN" country="US"><us-bibliographic-data-grant>'
        f"<publication-reference><document-id><country>US</country><doc-number>{9_000_000 + one.number:08d}"
        f"</doc-number><kind>B2</kind><date>{one.year}0901</date></document-id></publication-reference><invention-title>{one.title}"
        f"</invention-title></us-bibliographic-data-grant><abstract><p>{one.abstract}</p></abstract><description>"
        "<heading>FIELD</heading><p>Vessels.</p></description><claims><claim><claim-text>1. A vessel.</claim-text>"
        "</claim></claims></us-patent-grant>\n"
        for one in records
    ]
    return "".join(parts).encode()


def _greenbook(records: Sequence[Record]) -> bytes:
    parts = [
        f"PATN\nWKU  0{3_000_000 + one.number:07d}5\nAPT  1\nTTL  {one.title}\nISD  19761228\nINVT\n"
        f"NAM  Noether; Emmy\nABST\nPAL  {one.abstract}\nBSUM\nPAR  Vessels are old.\nCLMS\nSTM  I claim:\n"
        "NUM  1.\nPAR  1. A vessel.\n"
        for one in records
    ]
    return "".join(parts).encode()


def _latex(records: Sequence[Record]) -> bytes:
    (one,) = records
    text = (
        f"\\title{{{one.title}}}\\maketitle\\begin{{abstract}}{one.abstract}\\end{{abstract}}\\section{{Method}}Heat."
    )
    return f"\\documentclass{{article}}\\begin{{document}}{text}\\end{{document}}".encode()


def _ris(records: Sequence[Record]) -> bytes:
    parts = [f"TY  - JOUR\nTI  - {one.title}\nAB  - {one.abstract}\nPY  - {one.year}\nER  - \n\n" for one in records]
    return "".join(parts).encode()


def _bibtex(records: Sequence[Record]) -> bytes:
    parts = [
        f"@article{{k{one.number},\n  title = {{{one.title}}},\n  abstract = {{{one.abstract}}},\n"
        f"  year = {one.year}\n}}\n"
        for one in records
    ]
    return "".join(parts).encode()


def _rows(records: Sequence[Record]) -> list[dict[str, object]]:
    return [
        {"id": f"m{one.number}", "kind": "paper", "title": one.title, "abstract": one.abstract, "year": one.year}
        for one in records
    ]


def _csv(records: Sequence[Record]) -> bytes:
    held = io.StringIO()
    writer = csv.DictWriter(held, ("id", "kind", "title", "abstract", "year"))
    writer.writeheader()
    writer.writerows(_rows(records))
    return held.getvalue().encode()


def _markdown(records: Sequence[Record]) -> bytes:
    (one,) = records
    return f"# {one.title}\n\n## Abstract\n\n{one.abstract}\n\n## Method\n\nWe heat water.\n".encode()


def _text(records: Sequence[Record]) -> bytes:
    (one,) = records
    return f"{one.title}\n\nAbstract\n{one.abstract}\n\n1. Method\n\nWe heat water.\n".encode()


FORMATS: dict[str, tuple[str, Callable[[Sequence[Record]], bytes], int]] = {
    "pdf": (".pdf", _pdf, 1),
    "docx": (".docx", _docx, 1),
    "parquet": (".parquet", lambda records: parquet(_rows(records)), 60),
    "jats": (".xml", _jats, 1),
    "tei": (".tei", _tei, 1),
    "uspto-grant": (".xml", _grant, 20),
    "greenbook": (".txt", _greenbook, 20),
    "latex": (".tex", _latex, 1),
    "ris": (".ris", _ris, 60),
    "bibtex": (".bib", _bibtex, 60),
    "jsonl": (".jsonl", lambda records: jsonl(*_rows(records)), 60),
    "csv": (".csv", _csv, 60),
    "markdown": (".md", _markdown, 1),
    "text": (".txt", _text, 1),
}
"""Of each format its ending, its writer and the most documents of a file."""


def _flipped(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(max(1, len(data) // 50)):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def _torn(data: bytes, draw: random.Random) -> bytes:
    """A line in the middle gone to pieces, as one bad entry among good ones."""
    lines = data.split(b"\n")
    place = len(lines) // 2
    return b"\n".join([*lines[:place], lines[place][: len(lines[place]) // 2] + b'{"<@}', *lines[place + 1 :]])


FAULTS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda data, draw: b"",
    "blank": lambda data, draw: b" \n\t\n" * 20,
    "cut": lambda data, draw: data[: len(data) * draw.randrange(1, 10) // 10],
    "flipped": _flipped,
    "torn": _torn,
    "noise": lambda data, draw: draw.randbytes(len(data)),
    "zeros": lambda data, draw: bytes(len(data)),
    "beginning lost": lambda data, draw: data[len(data) // 3 :],
    "twice": lambda data, draw: data + data,
    "wide": lambda data, draw: data.decode("utf-8", "replace").encode("utf-16"),
}


def make(folder: Path, count: int, seed: int) -> list[Made]:
    """Write that many files into a folder and its subfolders; returns them in a fixed order."""
    draw, made, number = random.Random(seed), [], 0
    for place in range(count):
        format_ = list(FORMATS)[place % len(FORMATS)]
        ending, write, most = FORMATS[format_]
        records = [record(number + step, draw) for step in range(draw.randrange(1, most + 1))]
        number += len(records)
        fault = draw.choice(list(FAULTS)) if draw.random() < SHARE_BROKEN else ""
        data = FAULTS[fault](write(records), draw) if fault else write(records)
        name = NAMES[place % len(NAMES)].format(f"{place:05d}") + ending
        path = folder / f"part {place % 7}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        made.append(Made(path, format_, fault, () if fault else tuple(one.title for one in records)))
    return [*made, *_no_files(folder)]


def _no_files(folder: Path) -> list[Made]:
    """What lies in folders beside files."""
    (folder / "round.txt").symlink_to(folder / "round.txt")
    os.mkfifo(folder / "pipe.txt")
    return [Made(folder / name, "none", "no file", ()) for name in ("round.txt", "pipe.txt")]


@dataclass(frozen=True)
class Account:
    """Where every file and every document of the good ones is after an import.

    `lost` are files without any word on them, `missing` titles of good files, `unreasoned` failures without a sentence
    on what is wrong and one on what to do.
    """

    lost: tuple[str, ...]
    missing: tuple[str, ...]
    refused: tuple[str, ...]
    unreasoned: tuple[str, ...]
    outcomes: Counter[tuple[str, str, str]]


def account(made: Iterable[Made], library: Library) -> Account:
    """Look for all that was made in the library, among its files and its failures."""
    failures = {failure.name: failure.reason for failure in library.failures()}
    titles = {document.title for document in library.iter_documents()}
    outcomes: Counter[tuple[str, str, str]] = Counter()
    lost, missing, refused = [], [], []
    for one in made:
        name = str(one.path)
        came_in = one.path.is_file() and library.has_file(sha256_file(one.path))
        outcome = "came in" if came_in else "failed" if name in failures else "lost"
        outcomes[one.format, one.fault, outcome] += 1
        lost += [name] if outcome == "lost" or (came_in and name in failures) else []
        refused += [f"{name}: {failures[name]}"] if outcome == "failed" and not one.fault else []
        missing += [title for title in one.titles if title not in titles]
    bare = [f"{name}: {reason}" for name, reason in failures.items() if ". " not in reason]
    return Account(tuple(lost), tuple(missing), tuple(refused), tuple(bare), outcomes)


def table(outcomes: Counter[tuple[str, str, str]], column: int) -> str:
    """How files ended, by format (0) or by fault (1)."""
    ends = ("came in", "failed", "lost")
    counts: Counter[tuple[str, str]] = Counter()
    for key, count in outcomes.items():
        counts[key[column] or "good", key[2]] += count
    rows = [(name, *(str(counts[name, end]) for end in ends)) for name in sorted({name for name, _ in counts})]
    return "\n".join(f"{one[0]:16}" + "".join(f"{cell:>10}" for cell in one[1:]) for one in [("", *ends), *rows])


def main() -> int:
    """Make, import and account; returns 0 if nothing is lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.mixed", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mixed-") as temporary:
        folder, held = Path(temporary) / "files", Path(temporary) / "library"
        made = make(folder, arguments.count, arguments.seed)
        command = [sys.executable, "-m", "engine.cli.main", "import", str(folder), "--library", str(held)]
        ended = subprocess.run(
            [*command, "--encoder", "tfidf", "--json"], cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False
        )
        summary = json.loads(ended.stdout)
        with Library.open(held) as library:
            found = account(made, library)
    known = summary["files"] + summary["skipped"] + len(summary["failures"])
    lines = [table(found.outcomes, 0), "", table(found.outcomes, 1), ""]
    lines += [
        f"{len(made):,} files: {summary['files']:,} read, {summary['skipped']:,} held already, "
        f"{len(summary['failures']):,} failed; {summary['documents']:,} documents; exit code {ended.returncode}"
    ]
    for what, names in (
        ("lost", found.lost),
        ("good files refused", found.refused),
        ("documents missing", found.missing),
        ("failures without a reason", found.unreasoned),
    ):
        lines += [f"{what}: {len(names)}", *(f"  {name}" for name in names[:10])]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(found.lost or found.missing or found.unreasoned or known != len(made) or ended.returncode))


if __name__ == "__main__":
    sys.exit(main())
