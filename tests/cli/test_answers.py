"""What each command prints with `--json` is of its answer's type: every key that the type names, and no other."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from engine.cli.main import COMMANDS, build_parser, main
from engine.compare import json_form
from engine.documents import Section
from engine.encoders import ModelFacts, registry
from engine.evaluation.bake_off import BakeOffVerdict
from engine.evaluation.report import EvaluationJson
from engine.evaluation.significance import Interval
from engine.exports.answers import document, encoders, listing, maps, search
from engine.exports.records import FlowJson
from engine.library.records import Counts, Failure
from engine.research.bench.searching import as_markdown
from engine.workspace import OwnDocument, Workspace, comparison
from engine.workspace.checks import Finding
from engine.workspace.importing import ImportSummary, Note
from engine.workspace.keeping import KeepingSettings, Page
from engine.workspace.requests import one_document
from tests.browser.tiny_pdf import tiny_pdf
from tests.compare.shelves import PAPERS
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.evaluation.small import write_benchmark
from tests.reading import texts
from tests.workspace.test_importing import one_sample

__all__ = ["one_sample"]  # a fixture

UNTYPED = {
    "train": "it prints the facts of the card that a recipe writes, which no server answers with",
    "token": "it hands a secret to who sits at this machine, which no server answers with",
}
"""Commands whose JSON has no type, and why."""

Steps = Iterator[tuple[str, type[Any]]]


def form(**keys: object) -> type[Any]:
    """The type of a JSON object with these keys, of an answer that no server gives."""
    return TypedDict("Answer", keys)


def of_fields(kind: type[Any], /, **more: object) -> type[Any]:
    """The type of a JSON object with the fields of a dataclass and some keys more."""
    hints = get_type_hints(kind)
    return form(**{**{one.name: hints[one.name] for one in fields(kind)}, **more})


INTERVAL = of_fields(Interval)
SUMMARY = {"failures": list[of_fields(Failure)], "notes": list[of_fields(Note)], "library": str}
IMPORT = of_fields(ImportSummary, **SUMMARY, total=int)
SAMPLES = of_fields(ImportSummary, **SUMMARY, present=bool, seconds=float, counts=of_fields(Counts))
RECENT = form(
    entries=list[form(key=str, page=Page, title=str, link=str, when=str)],
    damaged=int,
    own_documents=form(documents=int, megabytes=float),
    settings=of_fields(KeepingSettings),
)
BACKUP = {"backup": str, "library": str, "made_at": str, "priorscope": str, "schema": int, "documents": int}
BACKUP |= {"files": int, "bytes": int}
MADE = {"folder": str, "new_files": int, "new_bytes": int, "left_out": list[str], "backups": list[str]}
DOCTOR = form(healthy=bool, findings=list[of_fields(Finding)])
SIDE = form(
    name=str,
    fingerprint=str,
    dim=int,
    documents_per_second=float,
    scores=dict[str, INTERVAL],
    keyword_weight=float,
)
MEASURED = form(
    **dict.fromkeys(("name", "command", "questions", "metric", "when", "hardware"), str),
    **dict.fromkeys(("queries", "documents", "of"), int),
    **dict.fromkeys(("model", "default"), SIDE),
    differences=dict[str, form(by=INTERVAL, p=float, verdict=str)],
    commit=str | None,
)
BLIND_LIST = form(key=str, documents=list[form(number=int, id=str, title=str)])
JUDGED = {"judged": int, "enough": int}
QUESTION = form(key=str, documents=list[str], grades=dict[str, int])
BAKE_OFFS = form(
    running=form(started=str, questions=list[QUESTION], **JUDGED) | None,
    ended=list[of_fields(BakeOffVerdict, share=INTERVAL)],
)


def of_documents() -> Steps:
    """A library that grows: what comes in, what is read, found and compared."""
    yield "import kites.md turbine.pdf broken.pdf grant.xml --encoder tfidf", IMPORT
    yield "samples --import-only --downloads {samples}", SAMPLES
    yield "encode --encoder tfidf", form(library=str, encoder=str, documents=int)
    yield "library", listing.LibraryJson
    for name in ("citing.md", "grant.xml", "turbine.pdf"):
        yield f"read {name}", document.DocumentJson
    yield "page turbine.pdf --text rotor", one_document.DrawnPageJson
    yield "page turbine.pdf --page 1 --out page.png", one_document.DrawnPageJson
    yield "salient kites.md", one_document.SalientJson
    yield "search citing.md", search.SearchJson
    yield "search citing.md --not-cited --stress wind --mute kite --line kite", search.SearchJson
    yield "search --like gliders --unlike US1 --so-far", search.SearchJson
    yield "coverage citing.md --documents 3", json_form.CoverageJson
    yield "coverage US1.md --rows claims --documents 1", json_form.CoverageJson
    yield "compare kites.md", json_form.WithinJson
    yield "compare citing.md US1.md", json_form.ComparisonJson
    yield "compare kites.md citing.md --versions", json_form.ComparisonJson
    yield "compare kites.md gliders.md US1.md", json_form.TogetherJson
    yield "map --encoder tfidf --query kites.md --clusters", maps.MapJson
    yield "recent", RECENT
    yield "backup backups", form(**{**BACKUP, **MADE})
    yield "backup backups --check", form(backups=list[form(**BACKUP)])
    yield "restore backups --replace", form(**BACKUP)
    yield "doctor", DOCTOR
    yield "move library moved", form(documents=int, rows=int, files=int)


def of_what_is_kept() -> Steps:
    """Notes, decisions and collections, on the documents of the library before."""
    every = "documents --all --tag wind --untag air --note near --read --screen exclude --reason topic"
    yield every, listing.DocumentsChangeJson
    yield "documents --kind patent --all --unread --screen undecided", listing.DocumentsChangeJson
    yield "documents --kind patent --all --screen include", listing.DocumentsChangeJson
    yield "documents", listing.DocumentsJson
    yield "documents --flow", FlowJson
    yield "documents --next", listing.NextJson
    yield "documents --new-review second", listing.ReviewsJson
    yield "documents --review second --next", listing.NextJson
    yield "documents --tags", listing.TagsJson
    yield "documents --rename-tag wind air", form(renamed=int)
    yield "documents --forget-removed", form(forgotten=int)
    yield "collections add mine US1 gliders", listing.CollectionChangeJson
    yield "collections list", listing.CollectionsJson
    yield "collections show mine", listing.CollectionJson
    yield "collections rename mine ours", listing.CollectionChangeJson
    yield "collections remove ours gliders", listing.CollectionChangeJson
    yield "collections delete ours", listing.CollectionChangeJson
    yield "remove gliders", listing.RemovedJson


def of_measurements() -> Steps:
    """Encoders, a model of one's own, a benchmark, and a bake-off to its end."""
    yield "encoders", encoders.EncodersJson
    yield "encoders look tiny", of_fields(ModelFacts, name=str)
    yield "encoders measure tiny", MEASURED
    yield "encoders offer tiny", form(offered=str)
    yield "encoders remove tiny", form(removed=str)
    yield "evaluate --benchmark small --encoders tfidf,bm25 --against bm25", EvaluationJson
    yield "bake-off start tfidf lsa", form(rows=list[str], started=str)
    for place in range(3):
        yield f"bake-off ask question{place}.txt", BLIND_LIST
        yield "bake-off judge relevant 1 2 3 4 5", form(**JUDGED)
        yield "bake-off judge not 6 7 8", form(**JUDGED)
        yield "bake-off show", BAKE_OFFS
    yield "bake-off reveal", of_fields(BakeOffVerdict, share=INTERVAL, better=str)
    yield "bake-off show", BAKE_OFFS


STEPS = {"documents": of_documents, "kept": of_what_is_kept, "measurements": of_measurements}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files to ask with, and a library."""
    made = tmp_path_factory.mktemp("answers")
    cites = Section("References", f"[1] A. Ek. {GLIDERS.title}. 2004.\n[2] B. Ek. Nothing held. 2005.", "references")
    for one in (KITES, GLIDERS, PATENT, replace(KITES, id="citing", sections=(*KITES.sections[:3], cites))):
        (made / f"{one.id}.md").write_text(as_markdown(one), "utf-8")
    (made / "turbine.pdf").write_bytes(tiny_pdf())
    (made / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    (made / "grant.xml").write_text(texts.GRANT)
    for place, one in enumerate(corpus()[:3]):
        (made / f"question{place}.txt").write_text(one.text)
    write(made / "tiny")
    write_benchmark(made / "small")
    with Workspace(made / "library", create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", [GLIDERS, PATENT, PAPERS[0], *corpus()])
        workspace.prepare("tfidf")
        workspace.prepare("lsa")
        workspace.own.keep(OwnDocument(KITES, "md"))
        workspace.recent.record("search", KITES.title, {"doc": ("kites",)})
    return made


@pytest.fixture
def answer(
    folder: Path, one_sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    """Run a command in the folder, on a library of its own; returns the JSON that it printed."""
    shutil.copytree(folder / "library", tmp_path / "library")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(folder / "models"))
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setattr(comparison, "load_colde", lambda _: StandIn())

    def run(words: str) -> str:
        given = words.format(samples=one_sample)
        assert main([*given.split(), "--json"]) <= (given == "doctor"), capsys.readouterr().err
        return capsys.readouterr().out

    return run


def check(printed: str, kind: type[Any]) -> None:
    """Hold a JSON value against its type: every value as the type says, and no key beside those that it names."""
    TypeAdapter(tuple[kind], config=ConfigDict(strict=True, extra="forbid")).validate_json(f"[{printed}]")


@pytest.mark.parametrize("steps", STEPS)
def test_what_is_printed_is_of_its_type(
    steps: str, answer: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if steps == "measurements":
        monkeypatch.setattr(registry, "DEFAULT", "word2vec-mean")  # reads the small benchmark in a moment
    for words, kind in STEPS[steps]():
        try:
            check(answer(words), kind)
        except ValidationError as error:
            raise AssertionError(f"priorscope {words} --json: {error}") from None


def test_a_key_that_no_type_names_and_a_value_of_another_type_are_found() -> None:
    for wrong in ({"renamed": 1, "more": 2}, {}, {"renamed": "1"}):
        with pytest.raises(ValidationError, match=r"renamed|more"):
            check(json.dumps(wrong), form(renamed=int))


def printing(parser: argparse.ArgumentParser, words: str) -> Iterator[str]:
    """Yield the commands of a parser that take --json."""
    actions = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    if any("--json" in one.option_strings for one in parser._actions):
        yield words
    for name, inner in ((name, inner) for one in actions for name, inner in one.choices.items()):
        yield from printing(inner, f"{words} {name}")


def test_every_command_that_prints_json_is_run() -> None:
    asked = [words for steps in STEPS.values() for words, _ in steps()]
    for command in COMMANDS.keys() - UNTYPED.keys():
        actions = [one for one in build_parser(command)._actions if isinstance(one, argparse._SubParsersAction)]
        for words in printing(actions[0].choices[command], command):
            assert any(f"{one} ".startswith(f"{words} ") for one in asked), f"No step runs `priorscope {words} --json`"
