"""A file that CTPE's authors released as a benchmark folder: `python -m engine.research ctpe_files --file F --to DIR`.

The authors give arXiv20000, DBLP20000 and USPTO20000 as one text file each (github.com/opendata-ai/tr, "Format", and
the scripts of github.com/aitsc/text-representation that write and read them). Its first line is a Python dictionary
from each test document to the set of its relevant candidates: {'q1': {'d4', 'd7'}, 'q2': {'d1'}}. Every other line is a
document: its id, a tab, its former part, a tab, its latter part. Of papers the parts are title and abstract; of patents
"title. abstract" and the first claim, for which --kind patent is needed. The page of the data words the dictionary the
other way round; in the authors' scripts its keys are the test documents.

The first line is read as such a dictionary and nothing else; nothing in it is run. A file is read line by line, and of
its documents only the ids are kept in memory. Text behind a third tab belongs to the latter part; the authors' own
reader drops it. Candidates become the corpus and test documents the queries. So what is trained here reads no query,
where the paper's methods read all documents; and copies of queries among the candidates stay, as the paper has them. A
folder named arxiv20000, dblp20000 or uspto20000 has the paper's figures beside ours:
`python -m engine.research tables --tables ctpe --set 'ctpe.sets=["dblp20000"]' --set 'ctpe.small_sets=["dblp20000"]'`.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.cli.terminal import Parser
from engine.core.errors import EvaluationError
from engine.documents import Document, Kind
from engine.evaluation.formats import BOUNDS, Bounds, numbered_lines
from engine.research.sets.folder import new_benchmark

KINDS: tuple[Kind, ...] = ("paper", "patent")

_MARK = re.compile(r"""\s*+('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|set\(\)|[{}\[\]:,]|\Z)""")
"""The next mark of the first line: a quoted id, an empty set, a bracket, a colon, a comma, or the end."""

_OPEN, _CLOSE = ("{", "["), {"{": "}", "[": "]"}
_EMPTY, _SHOWN = "set()", 40


def main(arguments: Sequence[str] | None = None) -> None:
    """Convert one file and say what is in the folder."""
    given = _parser().parse_args(arguments)
    documents, relevant = convert(given.file, given.to, kind=given.kind)
    pairs = sum(map(len, relevant.values()))
    print(
        f"{documents:,} documents and {len(relevant):,} queries with {pairs:,} relevant documents in {given.to}. They "
        "name no years, so table 1 has none of them."
    )


def convert(
    source: Path, folder: Path, *, kind: Kind = "paper", bounds: Bounds = BOUNDS
) -> tuple[int, dict[str, set[str]]]:
    """Write a released file as a benchmark folder; gives its number of candidates, and what is relevant to each query.

    Raises EvaluationError where the file breaks its form, is not whole or is beyond the bounds, or the folder exists;
    InputError for bytes that are not UTF-8 or a line of over 32 MiB.
    """
    lines = numbered_lines(source, bounds)
    _, first = next(lines, (1, ""))
    relevant = labels_in(first, source.name)
    seen: set[str] = set()
    with new_benchmark(folder) as made:
        for number, line in lines:
            document = document_in(line, f"line {number} of {source.name}", kind)
            if document.id in seen:
                raise EvaluationError(
                    f"Expected each document once, line {number} of {source.name} gives {document.id!r} again. "
                    "Drop one."
                )
            seen.add(document.id)
            (made.queries if document.id in relevant else made.corpus).add(document)
        _require_whole(relevant, seen, source.name)
        made.judge(relevant)
    return made.corpus.count, relevant


def document_in(line: str, place: str, kind: Kind) -> Document:
    """Return the document of a line: id, former part and latter part, by tabs.

    A paper's parts become title and abstract, a patent's abstract and first claim, where `meaningful` cuts it (CTPE,
    section 4.4). Raises EvaluationError where one of the three is missing.
    """
    name, _, text = line.partition("\t")
    former, _, latter = text.partition("\t")
    name, former, latter = name.strip(), former.strip(), " ".join(latter.split())
    if not (name and former and latter):
        raise EvaluationError(
            f"Expected an id, a former and a latter part with tabs between them in {place}, got {line[:_SHOWN]!r}. "
            "Correct or drop the line."
        )
    if kind == "patent":
        return Document(id=name, kind=kind, abstract=former, claims=(latter,))
    return Document(id=name, kind=kind, title=former, abstract=latter)


def labels_in(line: str, name: str) -> dict[str, set[str]]:
    """Return the first line's dictionary from each test document to its relevant candidates; lists may stand for sets.

    Raises EvaluationError where it is anything else, or names a test document twice.
    """
    marks = _Marks(line, name)
    relevant: dict[str, set[str]] = {}
    marks.take("{")
    while not marks.goes_by("}"):
        query = marks.text()
        marks.take(":")
        if query in relevant:
            raise marks.wrong(f"each test document once, {query!r} among them")
        relevant[query] = set(marks.group())
        if not marks.goes_by(","):
            marks.take("}")
            break
    marks.take("")
    if not any(relevant.values()):
        raise marks.wrong("a test document with a relevant candidate")
    return relevant


class _Marks:
    """The marks of the first line, one after another."""

    def __init__(self, line: str, name: str) -> None:
        self._line, self._name, self._at = line.removeprefix("\ufeff"), name, 0

    def goes_by(self, mark: str) -> bool:
        """Tell whether the next mark is this one; if so, the one behind it is next."""
        found = _MARK.match(self._line, self._at)
        if found is None or found[1] != mark:
            return False
        self._at = found.end()
        return True

    def take(self, mark: str) -> None:
        """Go behind a mark. Raises EvaluationError for another one."""
        if not self.goes_by(mark):
            raise self.wrong(repr(mark) if mark else "nothing more")

    def text(self) -> str:
        """Return the next mark, an id in quotes. Raises EvaluationError for another one."""
        found = _MARK.match(self._line, self._at)
        if found is None or not found[1].startswith(("'", '"')):
            raise self.wrong("an id in quotes")
        quoted = found[1]
        try:
            text = str(ast.literal_eval(quoted)) if "\\" in quoted else quoted[1:-1]
        except (SyntaxError, ValueError):
            raise self.wrong("an id in quotes, its escapes as Python writes them") from None
        self._at = found.end()
        return text

    def group(self) -> Iterator[str]:
        """Give the ids of a set or a list. Raises EvaluationError for anything else."""
        if self.goes_by(_EMPTY):
            return
        opened = next((mark for mark in _OPEN if self.goes_by(mark)), None)
        if opened is None:
            raise self.wrong("a set of ids")
        while not self.goes_by(_CLOSE[opened]):
            yield self.text()
            if not self.goes_by(","):
                self.take(_CLOSE[opened])
                break

    def wrong(self, wanted: str) -> EvaluationError:
        """Return the error for what does not stand at the present place."""
        found = self._line[self._at :].lstrip()[:_SHOWN] or "the end"
        return EvaluationError(
            f"Expected {wanted} at character {self._at + 1} of the first line of {self._name}, got {found!r}. The line "
            "gives each test document its candidates, as {'q1': {'d4', 'd7'}, 'q2': {'d1'}}."
        )


def _require_whole(relevant: dict[str, set[str]], seen: set[str], name: str) -> None:
    """Raise EvaluationError where the first line names a document that the file lacks, or a query as relevant."""
    named = set().union(*relevant.values())
    lost = sorted((named | relevant.keys()) - seen)
    if lost:
        raise EvaluationError(
            f"Expected a line for every document that the first line of {name} names, {len(lost)} are missing, the "
            f"first {lost[0]!r}. Take the whole file."
        )
    both = sorted(named & relevant.keys())
    if both:
        raise EvaluationError(
            f"Expected candidates other than the test documents in the first line of {name}, got {both[0]!r} as both. "
            "Take the file as it was released."
        )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research ctpe_files",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--file", type=Path, required=True, metavar="FILE", help="as released, such as DBLP20000.txt")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="the new folder")
    parser.add_argument("--kind", choices=KINDS, default="paper", help="of the documents (default: paper)")
    return parser
