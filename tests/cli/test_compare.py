"""`priorscope compare` and `priorscope coverage`, on files and library documents of our own texts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.compare.document_score import CALIBRATION_FACT, Calibration, Mix
from engine.documents import Document, Section
from engine.encoders import registry
from engine.library import LIBRARY_VARIABLE, Library
from engine.research.bench.searching import as_markdown
from engine.workspace import Workspace, comparison
from tests.compare.shelves import PAPERS, Reader, draft, matcher
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn
from tests.encoders.colde import tiny
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.reading.pdf.writer import PdfWriter

Run = Callable[..., str]
PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    calibration = Calibration.measured({"paper, paper": [place / 1_000 for place in range(1_000)]})
    made = StandIn(facts={CALIBRATION_FACT: calibration.as_facts()})
    monkeypatch.setattr(comparison, "load_colde", lambda _: made)
    return made


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three documents as files; no library is where one is looked for."""
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "no library"))
    for document in (KITES, GLIDERS, PATENT):
        (tmp_path / f"{document.id}.md").write_text(as_markdown(document), "utf-8")
    return tmp_path


@pytest.fixture
def run(files: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> str:
        named = [str(files / word) if word.endswith(".md") else word for word in words]
        assert main(["compare", *named]) == 0
        return capsys.readouterr().out

    return run


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["compare", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def in_words(reading: dict[str, Any]) -> str:
    return f"{reading['word']} ({round(100 * reading['p'])}\xa0%)"


@pytest.mark.usefixtures("encoder")
def test_json_has_the_promised_keys_and_no_others(run: Run) -> None:
    value: dict[str, Any] = json.loads(run("kites.md", "gliders.md", "--json"))
    keys = ["document", "sections", "chunks", "passages", "chains", "claims", "shared_references", "differences"]
    assert list(value) == keys
    assert list(value["document"]) == ["score", "percentile", "reading", "read"]
    for level in ("sections", "chunks"):
        grid = value[level]
        attention = ["attention"] if level == "chunks" else []
        assert list(grid) == ["a", "b", "across", "within_a", "within_b", *attention]
        rows, columns = len(grid["a"]), len(grid["b"])
        for name, height, width in (
            ("across", rows, columns),
            ("within_a", rows, rows),
            ("within_b", columns, columns),
        ):
            assert [len(row) for row in grid[name]] == [width] * height
    assert value["sections"]["a"] == ["Abstract", "Introduction", "Method", "Results"]
    for passage in value["passages"]:
        assert list(passage) == ["score", "reading", "a", "b", "acknowledged"]
        assert list(passage["a"]) == list(passage["b"]) == ["section", "start", "stop", "text"]
        assert passage["a"]["stop"] - passage["a"]["start"] == len(passage["a"]["text"])
    assert value["document"]["percentile"] == pytest.approx(100 * value["document"]["score"], abs=0.2)
    assert all(len(set(chain)) > 1 and max(chain) < len(value["passages"]) for chain in value["chains"])
    assert value["claims"] == []


@pytest.mark.usefixtures("encoder")
def test_the_summary_says_score_sections_and_passages(run: Run) -> None:
    text = run("kites.md", "gliders.md")
    value = json.loads(run("kites.md", "gliders.md", "--json"))
    assert text.startswith("A: Kites that harvest wind (paper)\nB: Gliders on a winch (paper)\n")
    assert f"\n\n{in_words(value['document']['reading'])}, by both texts whole\nSentence by sentence, " in text
    assert value["document"]["read"] == "by both texts whole"
    assert f"Score of the whole texts: {value['document']['score']:.4f}. Closer than " in text
    assert "of 1,000 unrelated pairs of papers." in text
    assert "Without a library of at least 50 documents, words weigh by" in text
    assert f"{max(map(max, value['sections']['across'])):.4f}  " in text
    assert f"  {in_words(value['passages'][0]['reading'])}: Method | Measurements" in text
    assert "Sentences left out of A and B: " in text and "references" in text
    assert "Elements of claims" not in text


def test_a_mixed_score_names_its_parts(encoder: StandIn, run: Run) -> None:
    alone = json.loads(run("kites.md", "gliders.md", "--json"))["document"]
    encoder.facts = {**encoder.facts, "mix": Mix.alike(0.25, 100.0).as_facts()}
    found = json.loads(run("kites.md", "gliders.md", "--json"))["document"]
    ours, words = found["parts"]
    assert ours == {"name": "stand-in", "value": alone["score"], "share": 0.75} and words["name"] == "shared words"
    assert found["score"] == pytest.approx(0.75 * alone["score"] + 0.25 * words["value"], abs=1e-4)
    parts = f"stand-in {alone['score']:.2f} (75\xa0%), shared words {words['value']:.2f} (25\xa0%)"
    text = run("kites.md", "gliders.md")
    assert f"Mixed of {parts}." in text and f"{found['score']:.4f}. Closer than " in text


@pytest.mark.usefixtures("encoder")
def test_a_patent_gets_a_claim_chart(run: Run) -> None:
    value = json.loads(run("kites.md", "US1.md", "--json"))
    assert {element["side"] for element in value["claims"]} == {"b"}
    assert list(value["claims"][0]) == ["side", "claim", "element", "passages"]
    text = run("kites.md", "US1.md")
    assert "Elements of claims, those with the weakest match first:" in text and "B, claim 1: " in text
    weakest = min((one["passages"][0] for one in value["claims"]), key=lambda near: near["score"])
    assert f"its nearest: {in_words(weakest['reading'])}" in text
    assert "No unrelated pairs of a paper and a patent were measured" in text


@pytest.mark.usefixtures("encoder")
def test_the_options_change_what_is_left_out(run: Run) -> None:
    kept = run("kites.md", "gliders.md", "--keep-references", "--keep-recurring")
    assert "Sentences left out" not in kept
    assert ": Method | Measurements" in run("kites.md", "gliders.md", "--min-words", "16")
    assert ": Method | Measurements" not in run("kites.md", "gliders.md", "--min-words", "17")


@pytest.mark.usefixtures("encoder")
def test_report_and_tables_hold_the_numbers_of_the_json(run: Run, files: Path) -> None:
    value = json.loads(
        run("kites.md", "gliders.md", "--json", "--report", str(files / "o.html"), "--csv", str(files / "tables"))
    )
    page = (files / "o.html").read_text("utf-8")
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert "Kites that harvest wind" in page
    table = (files / "tables" / "sections-across.csv").read_text("utf-8").splitlines()
    assert [float(cell) for cell in table[1].split(",")[1:]] == value["sections"]["across"][0]


@pytest.fixture
def weigher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A small encoder of sentences among the installed ones; the names that were loaded."""
    tiny_keyvec().save(tmp_path / "pretrained" / "keyvec")
    (tmp_path / "pretrained" / "word2vec").symlink_to(registry.PRETRAINED / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    loaded: list[str] = []
    load = registry.load

    def counted(name: str, **given: Any) -> Any:  # noqa: ANN401
        loaded.append(name)
        return load(name, **given)

    monkeypatch.setattr(registry, "load", counted)
    return loaded


@pytest.mark.usefixtures("encoder")
def test_the_report_underlines_salient_sentences_and_nothing_else_loads_their_encoder(
    run: Run, files: Path, weigher: list[str]
) -> None:
    (files / "steam.md").write_text(as_markdown(paper()), "utf-8")
    run("steam.md", "gliders.md")
    run("steam.md", "gliders.md", "--csv", str(files / "tables"))
    report = str(files / "o.html")
    run("steam.md", "gliders.md", "--report", report, "--no-salient")
    assert "keyvec" not in weigher
    assert "Salient sentence" not in Path(report).read_text("utf-8")
    run("steam.md", "gliders.md", "--report", report)
    assert weigher.count("keyvec") == 1
    assert 'title="Salient sentence, p 0.' in Path(report).read_text("utf-8")
    (files / "pretrained" / "keyvec").rename(files / "elsewhere")
    run("steam.md", "gliders.md", "--report", report)
    assert "Salient sentence" not in Path(report).read_text("utf-8")


def test_library_documents_are_named_by_their_ids(
    run: Run, files: Path, encoder: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIBRARY_VARIABLE, str(files / "library"))
    others = [Document(f"d{n}", title=f"Work {n} {chr(97 + n) * 4}", abstract=f"Kite{n} rests.") for n in range(20)]
    with Library.open(files / "library", create=True) as library:
        library.add_file("key", "texts", [KITES, GLIDERS, *others])
    first = run("kites", "gliders", "--json")
    assert run("kites", "gliders", "--json") == first
    run("kites", "US1.md")
    assert encoder.documents_read == 6  # an import reads ahead what is long


def test_the_encoder_is_one_of_long_documents(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = str(files / "kites.md"), str(files / "gliders.md")
    assert (
        refusal(capsys, a, b, "--encoder", "word2vec-sif")
        == "priorscope: Expected an encoder that compares long documents, such as colde; got word2vec-sif.\n"
    )
    tiny.encoder(write_tiny_transformer(files / "model")).save(files / "tiny")
    assert main(["compare", a, a, "--encoder", str(files / "tiny"), "--json", "--keep-recurring"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["document"]["score"] == 1.0
    for level in ("sections", "chunks"):
        for place, row in enumerate(value[level]["across"]):
            assert row[place] == max(row)


@pytest.mark.usefixtures("encoder")
def test_a_scanned_pdf_says_which_side_it_is(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf = PdfWriter()
    pdf.page().picture()
    (files / "scan.pdf").write_bytes(pdf.data())
    said = refusal(capsys, str(files / "kites.md"), str(files / "scan.pdf"))
    assert said.startswith("priorscope: B, ") and "scan.pdf: " in said and "OCR" in said


@pytest.mark.usefixtures("encoder")
def test_what_cannot_be_compared_is_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = str(files / "kites.md")
    assert refusal(capsys, a, "nowhere") == (
        "priorscope: B: Expected a file or a document of the library; nothing is called 'nowhere'. Check the path, "
        "or name a library with --library.\n"
    )
    assert "Expected a library in" in refusal(capsys, a, a, "--library", str(files / "none"))
    assert refusal(capsys, a, a, "--min-words", "-1") == (
        "priorscope: Expected matches of 0 words or more, got -1. Give 0 to keep every match.\n"
    )
    (files / "blocked").write_text("")
    assert "Expected to write" in refusal(capsys, a, a, "--csv", str(files / "blocked"))
    (files / "list.md").write_text("# Only a list\n\n## References\n\nJ. Smith. 2003. Kites.\n")
    assert refusal(capsys, a, str(files / "list.md"))


def test_works_that_both_cite_are_named(run: Run, encoder: StandIn, files: Path) -> None:
    for name in (KITES.id, GLIDERS.id):
        with (files / f"{name}.md").open("a", encoding="utf-8") as file:
            file.write("\n\n## References\n\n[1] T. Davis. Direct methods for sparse linear systems. SIAM, 2006.\n")
    words = (f"{KITES.id}.md", f"{GLIDERS.id}.md")
    assert "Both cite 1 work:\n  Direct methods for sparse linear systems" in run(*words)
    (shared,) = json.loads(run(*words, "--json"))["shared_references"]
    assert shared["title"] == "Direct methods for sparse linear systems"


@pytest.mark.usefixtures("encoder")
def test_what_the_other_lacks_is_said_with_its_share_and_nearest_miss(run: Run) -> None:
    text = run("kites.md", "gliders.md")
    found = json.loads(run("kites.md", "gliders.md", "--json"))["differences"]
    near = found["a"]["close"]
    kinds = ("and nothing in B comes close", found["a"]["share"] - near), ("close to a sentence of B: read both", near)
    for told, share in kinds:
        assert f"In A, {told}: {share:.0%} of".replace("%", "\xa0%") in text
    longest = max(found["a"]["passages"], key=lambda one: one["words"])
    word = in_words(longest["nearest"]["reading"]).replace("\xa0", " ")  # a quoted passage is cut at any white space
    assert f"(nearest, {word}, " in text
    assert found["versions"] is False and "--versions" not in text


@pytest.mark.usefixtures("encoder")
def test_versions_are_noticed_and_their_changes_told_on_request(run: Run, files: Path) -> None:
    draft = (files / "kites.md").read_text("utf-8")
    added = "Salt water corrodes the bearings unless wax seals them."
    (files / "second.md").write_text(draft.replace("## Results\n\n", f"## Results\n\n{added} "), "utf-8")
    assert "Add --versions to see what changed." in run("kites.md", "second.md")
    text = run("kites.md", "second.md", "--versions")
    assert text.startswith("Changed from A to B: new ") and "Salt water corrodes the bearings" in text
    value = json.loads(run("kites.md", "second.md", "--versions", "--json"))["versions"]
    (change,) = value["changes"]
    assert (change["kind"], change["old"]) == ("new", None) and change["nearest"]["section"]
    assert run("kites.md", "kites.md", "--versions") == "B says what A says, in the same words.\n"


@pytest.mark.usefixtures("encoder")
def test_one_file_is_compared_within_itself(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "within.html"
    text = run("kites.md", "--report", str(report))
    assert text.startswith("Within Kites that harvest wind (paper)") and "The nearest sections" in text
    value = json.loads(run("kites.md", "--json"))
    names = value["sections"]["names"]
    assert [len(row) for row in value["sections"]["within"]] == [len(names)] * len(names)
    assert len(value["chunks"]["attention"]) == len(value["chunks"]["names"])
    assert "Within one document" in report.read_text("utf-8")


@pytest.mark.usefixtures("encoder")
def test_three_files_are_compared_together(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "three.html"
    text = run("kites.md", "gliders.md", "US1.md", "--report", str(report))
    assert all(f"{pair}: " in text for pair in ("A and B", "A and C", "B and C"))
    value = json.loads(run("kites.md", "gliders.md", "US1.md", "--json"))
    pair = json.loads(run("kites.md", "US1.md", "--json"))
    assert value["scores"][0][2] == pair["document"]["score"]
    assert value["passages"]["A C"] == pair["passages"]
    assert "Three documents compared" in report.read_text("utf-8")


@pytest.mark.parametrize("option", ["--versions", "--csv"])
@pytest.mark.parametrize("names", [["kites.md"], ["kites.md", "gliders.md", "US1.md"]])
def test_what_needs_two_documents_is_refused_for_others(
    files: Path, capsys: pytest.CaptureFixture[str], option: str, names: list[str]
) -> None:
    words = [option] if option == "--versions" else [option, str(files / "tables")]
    told = refusal(capsys, *(str(files / name) for name in names), *words)
    asked = "as versions" if option == "--versions" else f"with {option}"
    assert f"Expected two documents {asked}, got {len(names)}." in told


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of papers whose passages are kept, read by hashed words."""
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as held:
        held.add_file("k", "papers", PAPERS)
        held.collections.add("mine", ["d3", "d4"])
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    return folder


@pytest.fixture
def run_coverage(papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_coverage(document: Document, *words: str, code: int = 0) -> str:
        file = tmp_path / "draft.md"
        file.write_text(as_markdown(document), "utf-8")
        assert main(["coverage", str(file), "--library", str(papers), *words]) == code
        read = capsys.readouterr()
        return read.err if code else read.out

    return run_coverage


def test_json_says_which_rows_are_covered_and_by_what(run_coverage: Run) -> None:
    value = json.loads(run_coverage(draft(PARAGRAPH), "--json"))
    row = next(row for row in value["rows"] if row["title"] == "Planted 0")
    assert row["covered"] is True and row["word"] == "said there" and row["p"] > 0.5
    number = value["rows"].index(row)
    column = value["columns"].index("d5")
    assert value["cells"][number][column] == row["p"]
    assert len(value["cells"]) == len(value["rows"]) and len(value["cells"][0]) == len(value["columns"])
    assert value["readings"][number][column]["word"] == "says the same"
    assert PARAGRAPH[:40] in value["passages"][number][column]["query"]["text"]
    assert value["set"]["documents"][0]["id"] == "d5"
    assert number not in value["new"]


def test_the_terminal_shows_each_row_and_the_documents_that_say_most(run_coverage: Run) -> None:
    told = run_coverage(draft(PARAGRAPH), "--documents", "6")
    assert "6 documents of 24 in the library" in told
    (planted,) = [line for line in told.splitlines() if "Planted 0" in line]
    assert planted.startswith("said there") and PAPERS[5].title in planted
    (own,) = [line for line in told.splitlines() if " Discussion " in line]
    assert own.startswith(("close: read it", "nothing like it so far")) and "new" not in told
    assert "24 documents of the library are not read yet." in " ".join(told.split())
    assert f"the words: {PAPERS[5].title}." in " ".join(told.split())


def test_a_long_title_keeps_the_number_of_its_paragraph(run_coverage: Run) -> None:
    name = "A long name of a section that nobody could ever read in full"
    named = replace(draft(PARAGRAPH), sections=(Section(name, PARAGRAPH),))
    assert " ..., paragraph 1 " in run_coverage(named, "--rows", "paragraphs")


def test_a_collection_and_rows_by_paragraphs_least_covered_first(run_coverage: Run) -> None:
    value = json.loads(
        run_coverage(
            draft(PARAGRAPH), "--collection", "mine", "--rows", "paragraphs", "--sort-rows", "coverage", "--json"
        )
    )
    assert sorted(value["columns"]) == ["d3", "d4"]
    assert value["by"] == "paragraphs"
    assert [row["share"] for row in value["rows"]] == sorted(row["share"] for row in value["rows"])


def test_columns_by_year_begin_with_the_earliest(run_coverage: Run) -> None:
    value = json.loads(run_coverage(draft(PARAGRAPH), "--sort-columns", "year", "--json"))
    years = [one["year"] for one in value["documents"]]
    assert years == sorted(years)


def test_files_are_written_as_asked(run_coverage: Run, tmp_path: Path) -> None:
    table, picture, report = tmp_path / "c.csv", tmp_path / "c.png", tmp_path / "c.html"
    run_coverage(draft(PARAGRAPH), "--csv", str(table), "--png", str(picture), "--report", str(report))
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert {row["row"]: row["covered"] for row in rows}["Planted 0"] == "yes"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "is already said" in report.read_text("utf-8")


def test_a_library_without_documents_is_refused(
    tmp_path: Path, run_coverage: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Library.open(tmp_path / "empty", create=True).close()
    run_coverage(draft())
    assert main(["coverage", str(tmp_path / "draft.md"), "--library", str(tmp_path / "empty")]) == 2
    assert "Expected a library with documents to compare with; it holds none" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--collection", "gone"), "gone"),
        (("--documents", "0"), "Expected at least 1 document to compare with"),
        (("--rows", "claims"), "Expected a document with claims"),
    ],
)
def test_what_cannot_be_covered_is_said_in_one_line(run_coverage: Run, words: tuple[str, ...], sentence: str) -> None:
    told = run_coverage(draft(), *words, code=2)
    assert sentence in told.splitlines()[-1]
