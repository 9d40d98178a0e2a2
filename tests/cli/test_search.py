"""`priorscope search` on a small library of our own texts, and `priorscope recent`."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.cli.main import build_parser, main
from engine.core.errors import (
    EmptyInputError,
    EmptyLibraryError,
    LibraryError,
    LineError,
    SearchError,
    UnknownDocumentError,
    UnknownEncoderError,
    VectorIndexError,
)
from engine.core.progress import silent
from engine.documents import Document
from engine.encoders import registry
from engine.library import Library
from engine.search.readings import WORDS
from engine.vectors import IndexChoice, open_index
from engine.workspace import OwnDocument, Workspace
from engine.workspace.indexing import open_vectors
from engine.workspace.reading_state import importing, reading_alone
from tests.few_codes import codes_for_few
from tests.halves import HalvesEncoder
from tests.search.library import DOCUMENTS

TEXT = """# Learning potentials of crystals

## Abstract

Graph neural networks learn interatomic potentials of many materials. Rounds of message passing between the atoms of \
a crystal predict its formation energies.

## Introduction

Energies of crystals are slow to compute. We read each crystal as a graph of atoms.
"""

Command = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with Library.open(folder, create=True) as library:
        library.add_file("key", "texts", DOCUMENTS)
    (folder / "query.md").write_text(TEXT, "utf-8")
    return folder


@pytest.fixture
def command(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str, library: Path = folder) -> str:
        arguments = build_parser(words[0]).parse_args([*words, "--library", str(library)])
        arguments.run(arguments)
        return capsys.readouterr().out

    return run


@pytest.fixture
def found(command: Command, folder: Path) -> Callable[..., dict[str, Any]]:
    return lambda *options: json.loads(command("search", str(folder / "query.md"), "--json", *options))


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in answer["hits"]]


def test_json_has_every_promised_key(found: Callable[..., dict[str, Any]]) -> None:
    answer = found("-k", "3")
    assert answer["query"] == {"title": "Learning potentials of crystals", "kind": "paper", "sections": 1}
    assert answer["encoder"] == registry.DEFAULT
    assert set(answer["seconds"]) == {"read", "encode", "search", "evidence"}
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2, 3]
    first = answer["hits"][0]
    assert {"rank", "id", "score", "title", "year", "kind", "terms", "passage"} <= set(first)
    assert first["id"] == "p-crystals"
    assert all(isinstance(term, str) for term in first["terms"]) and first["terms"]
    assert first["passage"]["query"] in TEXT
    place = first["passage"]["document_at"]
    part = next(document for document in DOCUMENTS if document.id == first["id"]).parts[place["part"]]
    assert part.text[place["start"] : place["stop"]] == first["passage"]["document"]


def test_words_can_be_stressed_and_left_out(found: Callable[..., dict[str, Any]]) -> None:
    words = found("--stress", "satellite images", "--stress", "messages", "--mute", "graph")
    assert words["holders"] == {"satellite images": 1, "messages": 2, "graph": 3}
    held = {hit["id"]: (hit["stressed"], hit["muted"]) for hit in words["hits"]}
    assert held["p-molecules"] == (["messages"], ["graph"]) and held["p-images"] == (["satellite images"], [])
    without = found("--ranking", "keywords", "--mute", "networks", "--mute", "graph")
    assert not any({"networks", "graph"} & set(hit["terms"]) for hit in without["hits"])


def test_json_reads_every_hit_and_the_list(found: Callable[..., dict[str, Any]], command: Command) -> None:
    answer = found("-k", "3")
    assert all(hit["reading"]["word"] in WORDS and 0 < hit["reading"]["p"] <= 1 for hit in answer["hits"])
    assert answer["verdict"]["near"] and set(answer["verdict"]) == {"near", "sentence", "unknown_terms"}
    assert answer["verdict"]["sentence"].startswith(("One ", "Two ", "Three "))


def test_gibberish_gets_no_hits(folder: Path, command: Command) -> None:
    (folder / "gibberish.txt").write_text("asdfgh qwerty")
    answer = json.loads(command("search", str(folder / "gibberish.txt"), "--json"))
    assert answer["hits"] == [] and answer["verdict"]["unknown_terms"] == ["asdfgh", "qwerty"]
    assert not answer["verdict"]["near"]
    assert answer["verdict"]["sentence"] in command("search", str(folder / "gibberish.txt"))


def test_text_shows_a_numbered_list_with_evidence(command: Command, folder: Path) -> None:
    text = command("search", str(folder / "query.md"), "-k", "2")
    assert f"2 results by {registry.DEFAULT} and keywords together" in text
    assert " 1. Crystal energies from graph networks" in text
    assert "2021, paper, p-crystals; also p-crystals-preprint" in text
    assert re.search(r"(closely related|says the same) \(\d+\xa0%\), nearness 0\.\d\d", text)
    assert "shared: " in text and "yours:" in text and "theirs:" in text


@pytest.mark.parametrize(
    "words",
    [
        ("-k", "4"),
        ("-k", "3", "--kind", "paper", "--year-from", "2010"),
        ("-k", "5", "--like", "p-crystals", "--unlike", "US3"),
        ("-k", "3", "--ranking", "encoder"),
    ],
)
def test_an_index_of_codes_answers_as_the_other_does(
    folder: Path,
    found: Callable[..., dict[str, Any]],
    command: Command,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes_for_few(monkeypatch, above=4)
    words = (*words, "--encoder", "word2vec-sif")  # which is quick to load: every command loads it
    expected = found(*words, "--index", "embedded")
    with Library.open(folder) as library:
        vectors = library.vectors_folder(expected["encoder"])
    for kind in ("binary", "auto"):
        assert {**found(*words, "--index", kind), "seconds": 0} == {**expected, "seconds": 0}
        assert len(list(vectors.glob("*/codes.safetensors"))) == 1
    query = str(folder / "query.md")
    references = [
        command("search", query, *words, "--format", "bibtex", "--index", kind) for kind in get_args(IndexChoice)
    ]
    assert references[0].startswith("@") and len(set(references)) == 1


def test_codes_are_for_dense_rows(command: Command, folder: Path) -> None:
    with pytest.raises(VectorIndexError, match="Expected an encoder of dense rows for the binary index"):
        command("search", str(folder / "query.md"), "--encoder", "tfidf", "--index", "binary")


def test_a_report_is_written_beside_the_answer(command: Command, folder: Path, tmp_path: Path) -> None:
    printed = command("search", str(folder / "query.md"), "-k", "2", "--report", str(tmp_path / "near.html"))
    page = (tmp_path / "near.html").read_text("utf-8")
    titles = [line[4:] for line in printed.splitlines() if line[:4] in (" 1. ", " 2. ")]
    assert len(titles) == 2 and all(title in page for title in titles)
    assert "What lies near Learning potentials of crystals" in page


def test_a_review_of_the_results_begins_in_their_order(
    command: Command, folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own = shutil.copytree(folder, tmp_path / "own")
    words = ("search", str(folder / "query.md"), "-k", "3", "--json", "--library", str(own))
    found = json.loads(command(*words))
    assert main([*words, "--review", "Potentials of crystals"]) == 0
    assert "priorscope documents --review 'Potentials of crystals' --next" in capsys.readouterr().err
    with Library.open(own) as library:
        review = library.screening.in_review("Potentials of crystals")
        assert review.next() == ids(found)[0]
        review.decide(ids(found)[:1], "included")
        assert review.next() == ids(found)[1] and review.flow().identified == 3


@pytest.fixture
def by_halves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command searches with an encoder that compares the parts of two documents."""
    encoder = HalvesEncoder.fit(DOCUMENTS)
    index = open_index(folder / "none", fingerprint="f", dim=encoder.card.dim, kind="embedded")
    index.add([document.id for document in DOCUMENTS], encoder.encode_documents(DOCUMENTS))
    monkeypatch.setattr(Workspace, "whole", lambda self, name, choice, report: (encoder, index))


@pytest.mark.usefixtures("by_halves")
def test_the_parts_that_met_are_told(command: Command, found: Callable[..., dict[str, Any]], folder: Path) -> None:
    couplings = found("-k", "1")["hits"][0]["couplings"]
    assert {(met["query"], met["document"]) for met in couplings} == {("abstract", "title"), ("title", "abstract")}
    assert couplings[0]["similarity"] >= couplings[1]["similarity"] > 0
    first = couplings[0]
    said = f"their {first['document']} with your {first['query']} {first['similarity']:.2f}; their "
    assert f"    met: {said}" in command("search", str(folder / "query.md"), "-k", "1")


def test_an_encoder_of_whole_documents_has_no_parts_to_tell(
    command: Command, found: Callable[..., dict[str, Any]], folder: Path
) -> None:
    assert all(hit["couplings"] == [] for hit in found("--encoder", "word2vec-sif")["hits"])
    assert " met: " not in command("search", str(folder / "query.md"), "--encoder", "word2vec-sif")


def test_a_hyphen_reads_standard_input(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    answer = json.loads(command("search", "-", "--json", "-k", "1"))
    assert ids(answer) == ["p-crystals"]


def test_a_named_encoder_ranks_alone_unless_told_otherwise(found: Callable[..., dict[str, Any]]) -> None:
    alone = found("--encoder", "lsa")
    assert alone["encoder"] == "lsa"
    assert all("keywords" not in hit["scores"] for hit in alone["hits"])
    assert any("keywords" in hit["scores"] for hit in found("--encoder", "lsa", "--ranking", "default")["hits"])
    assert all("keywords" in hit["scores"] for hit in found("--ranking", "keywords")["hits"])


def test_filters_reach_the_search(found: Callable[..., dict[str, Any]]) -> None:
    assert {hit["kind"] for hit in found("--kind", "patent")["hits"]} == {"patent"}
    assert ids(found("--year-from", "2014", "--year-to", "2016")) == ["p-images"]
    assert ids(found("--category", "cs.CV")) == ["p-images"]
    assert ids(found("--venue", "Journal of Learned Chemistry")) == ["p-molecules"]


def test_lines_reach_the_search_and_say_what_each_finds(
    found: Callable[..., dict[str, Any]], command: Command, folder: Path
) -> None:
    answer = found("--line", "kind:patent")
    assert {hit["kind"] for hit in answer["hits"]} == {"patent"}
    patents = sum(document.kind == "patent" for document in DOCUMENTS)
    assert answer["lines"] == {"kind:patent": patents}
    assert f"kind:patent: {patents} document" in command("search", str(folder / "query.md"), "--line", "kind:patent")
    with pytest.raises(LineError, match="at character 6"):
        found("--line", "car (")


def test_a_number_asks_with_the_library_s_document(command: Command, folder: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("key", "texts", [*DOCUMENTS, Document("doi:10.1000/own", title="Learning crystals")])
    answer = json.loads(command("search", "https://doi.org/10.1000/OWN", "--json", library=tmp_path))
    assert answer["query"]["title"] == "Learning crystals"
    assert "doi:10.1000/own" not in ids(answer)
    with pytest.raises(UnknownDocumentError, match=r"got the DOI 10\.1000/other, which none of them has\. Bring"):
        command("search", "10.1000/other", library=tmp_path)


def test_a_title_or_an_author_asks_with_the_library_s_document(command: Command, tmp_path: Path) -> None:
    own = [
        Document("o1", title="Learning crystals from their growth", authors=("Grace Hopper",)),
        Document("o2", title="Learning crystals", authors=("Ada Gale",)),
    ]
    with Library.open(tmp_path, create=True) as library:
        library.add_file("key", "texts", [*DOCUMENTS, *own])
    for asked, title in (
        ("hopper", own[0].title),
        ("Learning crystals.", own[1].title),
        ("crystals growth", own[0].title),
    ):
        assert json.loads(command("search", asked, "--json", library=tmp_path))["query"]["title"] == title
    with pytest.raises(
        UnknownDocumentError, match=r"No file is called 'learning'\. .* which 2 documents have: o2 \(Learn"
    ):
        command("search", "learning", library=tmp_path)
    with pytest.raises(UnknownDocumentError, match=r"No file is called 'draft\.pdf'\. .* which none has\. Type fewer"):
        command("search", "draft.pdf", library=tmp_path)


def test_two_ways_to_print_are_refused_and_so_is_a_report_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["search", str(folder / "query.md"), "--json", "--format", "ris"])
    assert "--json: not allowed with argument --format" in capsys.readouterr().err
    blocked = folder / "file"
    blocked.write_text("")
    words = ["search", str(folder / "query.md"), "--library", str(folder), "--report", str(blocked / "below.html")]
    assert main(words) == 2
    assert "Expected to write" in capsys.readouterr().err


def test_nothing_passing_the_filters_is_said(command: Command, folder: Path) -> None:
    said = command("search", str(folder / "query.md"), "--year-from", "2100")
    assert "Nothing was found that passes the filters." in said


def test_seeds_reach_the_search(found: Callable[..., dict[str, Any]]) -> None:
    answer = found("--like", "US3", "--unlike", "p-molecules")
    assert not {"US3", "p-molecules"} & set(ids(answer))


def test_the_query_in_the_library_is_reported(command: Command, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.md"
    path.write_text(f"# {DOCUMENTS[0].title}\n\n## Abstract\n\n{DOCUMENTS[0].abstract}\n", "utf-8")
    assert "In the library already, left out: p-molecules" in command("search", str(path))
    assert json.loads(command("search", str(path), "--json"))["query_duplicates"] == ["p-molecules"]


@pytest.mark.parametrize(("name", "sign"), [("bibtex", "@patent{"), ("ris", "TY  - PAT"), ("json", '"rank": 1')])
def test_formats_print_references(command: Command, folder: Path, name: str, sign: str) -> None:
    assert sign in command("search", str(folder / "query.md"), "--kind", "patent", "--format", name)


def test_csv_prints_one_row_a_result(command: Command, folder: Path) -> None:
    text = command("search", str(folder / "query.md"), "-k", "2", "--format", "csv")
    assert [row["id"] for row in csv.DictReader(io.StringIO(text))] == ["p-crystals", "p-molecules"]


def test_errors_are_named(command: Command, folder: Path, tmp_path: Path) -> None:
    query = str(folder / "query.md")
    with pytest.raises(LibraryError, match="there is none"):
        command("search", query, library=tmp_path / "nowhere")
    Library.open(tmp_path / "empty", create=True).close()
    with pytest.raises(EmptyLibraryError):
        command("search", query, library=tmp_path / "empty")
    with pytest.raises(UnknownEncoderError):
        command("search", query, "--encoder", "nothing")
    with pytest.raises(UnknownDocumentError):
        command("search", query, "--like", "nothing")
    with pytest.raises(SearchError, match="k = 0"):
        command("search", query, "-k", "0")
    (tmp_path / "blank.txt").write_text("  \n")
    with pytest.raises(EmptyInputError):
        command("search", str(tmp_path / "blank.txt"))


def test_a_missing_file_is_one_line_and_exit_code_two(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(folder / "nowhere.pdf"), "--library", str(folder)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_search_imports_no_library_that_it_does_not_need(folder: Path) -> None:
    code = (
        "import sys; from engine.cli.main import main; "
        "needless = {'transformers', 'gensim', 'torch._dynamo', 'sympy', 'jinja2'}; "
        "sys.exit(main(sys.argv[1:]) or len(needless & sys.modules.keys()))"
    )
    line = ["search", str(folder / "query.md"), "--library", str(folder), "--json"]
    run = subprocess.run([sys.executable, "-c", code, *line], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert answer["encoder"] == "blend" and answer["hits"]


@pytest.fixture
def citing(folder: Path) -> Path:
    listed = "\n\n## References\n\nRask B (2021). Crystal energies from graph networks. J. Crystals 4, 1-9.\n"
    (folder / "citing.md").write_text(TEXT + listed, "utf-8")
    return folder / "citing.md"


def test_json_says_what_is_cited_and_what_it_is_near_to(command: Command, citing: Path) -> None:
    answer = json.loads(command("search", str(citing), "--json"))
    cited = {hit["id"]: hit["cited"] for hit in answer["hits"]}
    assert cited["p-crystals"] is True and cited["p-molecules"] is False
    assert answer["citations"] == {"references": 1, "held": 1, "not_among_hits": 0}
    assert all(hit["shared_references"] == [] for hit in answer["hits"])
    near_to = next(hit["near_to"] for hit in answer["hits"] if hit["id"] == "p-molecules")
    assert near_to["section"] in ("Abstract", "Introduction") and near_to["text"] in TEXT


def test_text_marks_what_is_cited(command: Command, citing: Path) -> None:
    text = command("search", str(citing))
    assert "You cite 1 work. The library holds 1 of them." in text
    assert "    cited by you" in text and "    not cited" in text
    assert "cited by you" not in command("search", str(citing.with_name("query.md")))


def test_the_filter_leaves_cited_works_or_the_others(command: Command, citing: Path) -> None:
    assert ids(json.loads(command("search", str(citing), "--json", "--cited", "yes"))) == ["p-crystals"]
    assert "p-crystals" not in ids(json.loads(command("search", str(citing), "--json", "--cited", "no")))


def test_what_is_near_and_not_cited_is_listed(command: Command, citing: Path) -> None:
    answer = json.loads(command("search", str(citing), "--json", "--not-cited"))
    assert ids(answer) and {hit["reading"]["word"] for hit in answer["hits"]} <= set(WORDS[:2])
    assert "p-crystals" not in ids(answer)
    assert re.search(r"not cited; near to your (Abstract|Introduction)", command("search", str(citing), "--not-cited"))
    none = command("search", str(citing), "--not-cited", "--kind", "patent")
    assert "Nothing that you do not cite is closely related." in none


def test_citations_are_asked_of_documents_that_cite(command: Command, folder: Path, citing: Path) -> None:
    with pytest.raises(SearchError, match="reference list"):
        command("search", str(folder / "query.md"), "--not-cited")
    with pytest.raises(SearchError, match=r"Expected to list what is cited or what is not, got both"):
        command("search", str(citing), "--not-cited", "--cited", "yes")
    with pytest.raises(SearchError, match=r"Expected a document to ask with, or liked documents; got neither"):
        command("search", "--unlike", "p-crystals")


@pytest.fixture
def half_read(tmp_path: Path) -> Callable[[int], Path]:
    """A library of a hundred documents, of which the first ones are read."""

    def made(read: int) -> Path:
        walks = [Document(f"w{n}", title=f"A random walk of its own kind, part {n}") for n in range(99)]
        encoder, folder = registry.load("word2vec-sif"), tmp_path / str(read)
        with Library.open(folder, create=True) as library:
            library.add_file("walks", "walks.jsonl", [*walks, Document("US1", "patent", title="Elevated railway")])
            index = open_vectors(library, encoder)
            index.add([one.id for one in walks[:read]], encoder.encode_documents(walks[:read]))
            index.flush()
        (tmp_path / "asked.md").write_text("An elevated railway above the street, on columns and girders.", "utf-8")
        return folder

    return made


@pytest.mark.parametrize("share", [1, 10, 50, 99])
def test_what_is_read_so_far_answers_at_once_and_says_so(
    command: Command, half_read: Callable[[int], Path], tmp_path: Path, share: int
) -> None:
    library, options = half_read(share), (str(tmp_path / "asked.md"), "--encoder", "word2vec-sif", "--so-far")
    count = (
        "1 document is not read yet and ranks by its" if share == 99 else f"{100 - share} documents are not read yet"
    )
    text = command("search", *options, library=library)
    answer = json.loads(command("search", *options, "--json", library=library))
    for sentence in (text, answer["verdict"]["sentence"]):
        assert f"Read so far: {share} % of your library; {count}" in sentence
        assert "Nothing" not in sentence and "other subjects" not in sentence
    assert answer["unread"] == 100 - share and ids(answer)[0] == "US1"
    report = tmp_path / "report.html"
    command("search", *options, "--report", str(report), library=library)
    assert f"Read so far: {share} % of your library" in report.read_text("utf-8")


def test_a_library_that_another_process_reads_answers_at_once(
    command: Command, half_read: Callable[[int], Path], tmp_path: Path
) -> None:
    folder = half_read(10)
    options = (str(tmp_path / "asked.md"), "--encoder", "word2vec-sif", "--json")
    with Library.open(folder) as library, reading_alone(library, silent):
        assert json.loads(command("search", *options, library=folder))["unread"] == 90
    whole = json.loads(command("search", *options, library=folder))
    assert whole["unread"] == 0 and "Read so far" not in whole["verdict"]["sentence"]


def test_a_search_beside_an_import_or_another_search_answers_from_what_is_read(
    command: Command, half_read: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = half_read(10)
    options = (str(tmp_path / "asked.md"), "--encoder", "word2vec-sif", "--json")
    with Library.open(folder) as library:
        with importing(library):
            assert json.loads(command("search", *options, library=folder))["unread"] == 90
        monkeypatch.setattr(Workspace, "may_be_read", lambda self: True)  # the other one begins a moment later
        with reading_alone(library, silent):
            assert json.loads(command("search", *options, library=folder))["unread"] == 90


def test_no_empty_list_says_that_nothing_is_near_before_all_is_read(
    command: Command, half_read: Callable[[int], Path], tmp_path: Path
) -> None:
    (tmp_path / "cites.md").write_text(f"{TEXT}\n\n## References\n\nRask B (2021). Crystals. J. Crystals 4, 1-9.\n")
    options = (str(tmp_path / "cites.md"), "--encoder", "word2vec-sif", "--so-far", "--not-cited")
    text = command("search", *options, library=half_read(10))
    assert "0 results" in text and "Read so far: 10 % of the documents that you do not cite; 90 " in text
    assert "Nothing" not in text


@pytest.fixture
def remembered(tmp_path: Path) -> Path:
    Library.open(tmp_path / "library", create=True).close()
    with Workspace(tmp_path / "library") as workspace:
        key = workspace.own.keep(OwnDocument(Document("t", title="A draft"), "draft.md"))
        workspace.recent.record("search", "A draft", {"own": [key]})
        workspace.recent.record("compare", "One and Other", {"a": ["library:p"], "b": ["library:q"]})
    return tmp_path / "library"


def said(capsys: pytest.CaptureFixture[str], remembered: Path, *words: str) -> str:
    assert main(["recent", "--library", str(remembered), *words]) == 0
    return capsys.readouterr().out


def test_the_list_is_printed_with_its_links_and_limits(remembered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, remembered)
    assert text.index("compare  One and Other") < text.index("search   A draft")
    assert "compare?a=library%3Ap&b=library%3Aq" in text and "?own=" in text
    assert "Your own documents kept: 1, 0.0 MB. Each stays 30 days after its last use" in text
    assert "up to 1,000 documents and 200 MB in all" in text


def test_entries_and_limits_are_json(remembered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, remembered, "--json", "--days", "7", "--megabytes", "50"))
    assert [entry["title"] for entry in found["entries"]] == ["One and Other", "A draft"]
    assert found["settings"] == {"remember": True, "days": 7, "megabytes": 50, "documents": 1_000}
    assert found["own_documents"]["documents"] == 1 and found["damaged"] == 0


def test_one_entry_or_all_are_forgotten(remembered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = json.loads(said(capsys, remembered, "--json"))["entries"][0]["key"]
    assert "One and Other" not in said(capsys, remembered, "--forget", key)
    text = said(capsys, remembered, "--forget-all", "--remember", "no")
    assert "Nothing is remembered." in text and "documents kept: 0" in text and "Nothing new is kept." in text


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("days", "0", "Expected days from 1 to 3,650, got 0"),
        ("megabytes", "200000", "Expected megabytes from 1 to 100,000, got 200,000"),
        ("documents", "-1", "Expected documents from 1 to 100,000, got -1"),
    ],
)
def test_a_limit_out_of_range_is_refused(
    remembered: Path, capsys: pytest.CaptureFixture[str], limit: str, value: str, reason: str
) -> None:
    assert main(["recent", "--library", str(remembered), f"--{limit}", value]) == 2
    assert f"{reason}. Choose a number in between." in capsys.readouterr().err


def test_a_lower_limit_forgets_the_oldest_at_once(remembered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace(remembered) as workspace:
        workspace.own.keep(OwnDocument(Document("u", title="Another draft"), "other.md"))
    assert "Your own documents kept: 1" in said(capsys, remembered, "--documents", "1")
