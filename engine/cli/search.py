"""`priorscope search`: a file or pasted text in, its nearest documents with their evidence out."""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
import time
from datetime import date
from pathlib import Path

from engine import exports
from engine.cli import options
from engine.cli.read import NAMING, read_input, read_named
from engine.cli.terminal import bar
from engine.core import files
from engine.core.files import unreachable
from engine.documents import Chunk, Document
from engine.documents.questions import Ranking
from engine.documents.text import how_many
from engine.exports import RECORD_FORMATS, search_as_json
from engine.reading import ReadFile
from engine.search import Answer, Question, Result
from engine.workspace import NOTHING_READ, SearchRequest, Workspace

_WIDTH = 100
_SHARED_SHOWN = 5
_ORDERS: dict[Ranking, str] = {
    "default": "{encoder} and keywords together",
    "encoder": "{encoder}",
    "keywords": "keywords",
}


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "file",
        metavar="FILE_OR_-",
        nargs="?",
        help=f"the document that asks: {NAMING}; - reads text; without one, liked documents ask",
    )
    options.add_request(parser, SearchRequest)
    parser.add_argument("--review", metavar="NAME", help="begin a review of the results alone, in their order")
    parser.add_argument("--format", choices=tuple(RECORD_FORMATS), help="print the results' references in this format")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the answer as one HTML file, too")
    options.add_shared(parser)


def run_search(arguments: argparse.Namespace) -> None:
    """Read, search and print."""
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    asked = options.request_of(arguments, SearchRequest)
    asked.check(has_document=bool(arguments.file))
    started = time.perf_counter()
    reading = NOTHING_READ
    is_file = arguments.file and (arguments.file == "-" or not unreachable(Path(arguments.file)))
    if is_file:
        reading = read_input(arguments.file)
    read_seconds = time.perf_counter() - started
    with Workspace(options.library_folder(arguments)) as workspace:
        library = workspace.library
        if arguments.file and not is_file:
            reading = read_named(arguments.file, library)
        question = asked.question(reading.document, library)
        if arguments.report:
            files.check_writable(arguments.report)
        answer = asked.run(workspace, question, report=bar())
        review = None
        if arguments.review and answer.results:
            review = library.reviews.make_of([result.document.id for result in answer.results], arguments.review)
    _write(arguments, reading, question, answer, read_seconds)
    if review is not None:  # beside the answer, which may be read by another program
        print(f"To screen them: priorscope documents --review {shlex.quote(review)} --next", file=sys.stderr)


def _write(
    arguments: argparse.Namespace, reading: ReadFile, question: Question, answer: Answer, read_seconds: float
) -> None:
    """Print the answer, in the format that was asked for, and write the report."""
    if arguments.report:
        files.write_bytes(arguments.report, exports.search_html(question, answer, made_on=date.today()).encode())
    options.warn(reading.warnings)
    if arguments.format:
        print(RECORD_FORMATS[arguments.format](answer.results), end="")
    elif arguments.json:
        options.print_json(search_as_json(reading, answer, read_seconds))
    else:
        print(as_text(reading, answer, read_seconds, question, not_cited=arguments.not_cited))


def as_text(
    reading: ReadFile, answer: Answer, read_seconds: float, question: Question, *, not_cited: bool = False
) -> str:
    """Return the answer as a numbered list, which says what the results are ordered by.

    `not_cited` says that only what is near and not cited was asked for.
    """
    lines = [_asked(reading.document, question)]
    if answer.results or answer.verdict.is_gibberish:
        lines.append(answer.sentence)
    lines.append(
        f"{len(answer.results)} results by {_ORDERS[question.ranking].format(encoder=answer.encoder)}, "
        f"{1000 * (read_seconds + sum(answer.seconds.values())):.0f} ms"
    )
    if answer.query_duplicates:
        lines.append(f"In the library already, left out: {', '.join(answer.query_duplicates)}")
    if answer.cites:
        lines.append(answer.cites)
    if not answer.results and not answer.verdict.is_gibberish:
        lines.append(answer.explain_empty(question, not_cited=not_cited))
    lines += [f"{word}: {count:,} documents of the library say it" for word, count in answer.holders.items()]
    lines += [f"{line}: {how_many(count, 'document')} by itself" for line, count in answer.lines.items()]
    for result in answer.results:
        lines += ["", *_result_lines(result)]
    return "\n".join(lines)


def _asked(query: Document, question: Question) -> str:
    """Return what asked, in a line."""
    if not query.text:
        return f"More like {len(question.liked):,} document{'' if len(question.liked) == 1 else 's'} of the library"
    title, count = query.title or textwrap.shorten(query.text, _WIDTH), len(query.sections)
    return f"{title}  ({query.kind}, {count} section{'' if count == 1 else 's'})"


def _result_lines(result: Result) -> list[str]:
    document, evidence = result.document, result.evidence
    facts = [str(document.year) if document.year else "year unknown", document.kind, document.id]
    lines = [
        f"{result.rank:>2}. {document.name}",
        f"    {result.reading.in_words}",
        f"    {', '.join(facts)}" + (f"; also {', '.join(result.folded)}" if result.folded else ""),
    ]
    if said_words := (*result.stressed, *result.muted):
        lines.append(f"    says: {', '.join(said_words)}")
    lines += _cited(result)
    if evidence.terms:
        lines.append(f"    shared: {', '.join(term.term for term in evidence.terms)}")
    if evidence.couplings:
        met = [(*one.parts, one.similarity) for one in evidence.couplings]
        lines.append(f"    met: {'; '.join(f'{theirs} with {ours} {near:.2f}' for theirs, ours, near in met)}")
    if result.by_passage:
        lines.append(f"    nearest passage: {result.by_passage.in_words}")
    if evidence.quoted:
        lines.append(f"    {evidence.quoted.sentence}")
    if evidence.passage:
        lines += _quoted("yours", evidence.passage.query) + _quoted("theirs", evidence.passage.document)
    return lines


def _cited(result: Result) -> list[str]:
    """Return whether the question cites a hit, which of its sections the hit is near to, and which works both cite."""
    lines = [] if result.cited is None else ["    cited by you" if result.cited else "    not cited"]
    if (
        result.cited is False
        and result.is_closely_related
        and (near_to := result.near_to) is not None
        and near_to.place
    ):
        lines[0] += f"; near to your {near_to.place}"
    if shared := result.shared:
        names = [textwrap.shorten(one.name, _WIDTH // 2, placeholder=" ...") for one in shared[:_SHARED_SHOWN]]
        more = f"; and {len(shared) - len(names)} more" if len(shared) > len(names) else ""
        said = f"both cite {how_many(len(shared), 'work')}: {'; '.join(names)}{more}"
        lines += textwrap.wrap(said, _WIDTH, initial_indent="    ", subsequent_indent=" " * 8)
    return lines


def _quoted(label: str, chunk: Chunk) -> list[str]:
    """Return a passage over as many lines as it needs, and its place."""
    words = [*chunk.text.split(), *([f"[{chunk.place}]"] if chunk.place else [])]
    return textwrap.wrap(" ".join(words), _WIDTH, initial_indent=f"    {label + ':':<8}", subsequent_indent=" " * 12)
