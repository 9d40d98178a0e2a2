"""A benchmark of BioASQ's questions and PubMed's abstracts, for C-DSSM's paper: `python -m engine.research bioasq`.

The questions come from BioASQ's Task b, which its site gives to those who register; the paper's are of 2016 (4b).
The abstracts are records of PubMed in any format that Priorscope reads and that gives their PubMed numbers: PubMed's
XML, its own format (.nbib) and its text, JATS, or CSV, Parquet and JSON Lines with a column "pmid", such as BioASQ's.

What comes out serves as any other set below --data, here as DIR/bioasq:

    python -m engine.research train cdssm-words --data DIR --out runs/bioasq --set 'data.subjects=[]'
        --set 'data.files=[{corpus = "bioasq"}]' --set 'data.abstracts=[]' --set 'data.valid=["bioasq"]'
    python -m engine.research tables --tables cdssm-5 --data DIR --cache DIR --queries test
        --trained cdssm-words=runs/bioasq --set 'cdssm.sets=["bioasq"]'

The paper ranks among the abstracts of its validation part, as far as it says; here those of all parts are candidates.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.files import find_files
from engine.core.progress import Meter, Report
from engine.documents import Document
from engine.reading import iter_documents
from engine.research.bioasq.questions import Question, pubmed_number, read_questions
from engine.research.bioasq.related_set import RelatedSet

_PROGRAM = "python -m engine.research bioasq"
_HELD_OUT = 0.1


def main(given: Sequence[str] | None = None) -> None:
    """Write the folder and say what is in it."""
    parser = Parser(prog=_PROGRAM, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--questions", metavar="FILE", type=Path, nargs="+", required=True, help="JSON of Task b")
    parser.add_argument(
        "--corpus", metavar="PATH", type=Path, nargs="+", required=True, help="files or folders with PubMed's records"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new folder for the benchmark")
    parser.add_argument(
        "--held-out",
        metavar="SHARE",
        type=float,
        default=_HELD_OUT,
        help=f"share of the related abstracts for each of valid and test (default: {_HELD_OUT})",
    )
    arguments = parser.parse_args(given)
    if arguments.out.exists():
        raise EvaluationError(f"Expected a new folder for --out, got {arguments.out}, which exists. Name another.")
    asked = [question for path in arguments.questions for question in read_questions(path)]
    wanted = {name for question in asked for name in question.documents}
    if not wanted:
        raise EvaluationError(
            f"Expected questions with documents of PubMed, got {len(asked):,} without one. Give a file of Task b with "
            "answers, such as its training data."
        )
    found = Found.of(arguments.corpus, wanted, bar())
    made = RelatedSet.of(_numbered(asked), found.documents, held_out=arguments.held_out)
    read = {path.name: files.sha256_file(path) for path in (*arguments.questions, *found.files)}
    facts = {**_counts(asked, wanted, found), **made.counts()}
    words = ("--held-out", str(arguments.held_out), "--questions", *(path.name for path in arguments.questions))
    made.write(arguments.out, {"command": f"{_PROGRAM} {shlex.join(words)}", **facts, "sha256": read})
    print("\n".join([*found.told, *(f"{name}: {value:,}" for name, value in facts.items())]))


@dataclass(slots=True)
class Found:
    """The abstracts that questions name, by id; the files that held them, and what is to be told of all files."""

    documents: dict[str, Document] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    without_text: int = 0

    @classmethod
    def of(cls, paths: Iterable[Path], wanted: Container[str], report: Report) -> Found:
        """Read the records of all files, and keep title and abstract of those that are wanted, once each.

        Raises InputError if a file cannot be read.
        """
        found = cls()
        for path in find_files(paths, lambda path, why: found.told.append(f"{path.name}: {why}")):
            held, meter = len(found.documents), Meter(f"read {path.name}", None, report)
            for document in iter_documents(path, warn=found.told.append):
                found._keep(document, wanted)
                meter.add()
            meter.finish()
            if len(found.documents) > held:
                found.files.append(path)
        return found

    def _keep(self, document: Document, wanted: Container[str]) -> None:
        number = number_of(document)
        if number not in wanted or _name(number) in self.documents:
            return
        if not document.text.strip():
            self.without_text += 1
            return
        kept = replace(document, id=_name(number), kind="paper", sections=(), references=(), claims=(), family="")
        self.documents[kept.id] = kept


def number_of(document: Document) -> str:
    """A document's PubMed number, by its identifiers, or its id; empty if it has none."""
    given = [one.value for one in document.identifiers if one.scheme == "pmid"]
    return next(filter(None, map(pubmed_number, (*given, document.id))), "")


def _name(number: str) -> str:
    return f"pmid:{number}"


def _numbered(questions: Iterable[Question]) -> list[Question]:
    """The questions with the ids of their documents."""
    return [replace(one, documents=tuple(map(_name, one.documents))) for one in questions]


def _counts(questions: Sequence[Question], wanted: set[str], found: Found) -> dict[str, int]:
    repeated = sum(count - 1 for count in Counter(one.id for one in questions).values())
    return {
        "questions": len(questions),
        "questions given again under their id": repeated,
        "documents outside PubMed": sum(one.strangers for one in questions),
        "records of PubMed named": len(wanted),
        "of these not in the corpus": len(wanted) - len(found.documents),
        "records in the corpus without text": found.without_text,
    }
