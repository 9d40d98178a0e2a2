"""`priorscope library`, `import`, `samples`, `documents`, `collections` and `remove`, as a person runs them."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.library import Library
from tests.browser.tiny_pdf import tiny_pdf
from tests.library.records import BOX, DELTA, SLED
from tests.modes import modes, usual_umask
from tests.search.library import DOCUMENTS
from tests.workspace.test_importing import files, one_sample

Run = Callable[..., str]

__all__ = ["files", "one_sample", "usual_umask"]  # fixtures

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"
FIRST, SECOND, THIRD = (document.id for document in DOCUMENTS[:3])


@pytest.fixture
def run_beside_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a library in a folder of the test."""
    (tmp_path / "a.pdf").write_bytes(tiny_pdf())

    def run_beside_pdf(*words: str) -> str:
        assert main([*words, "--library", str(tmp_path / "library")]) == 0
        return capsys.readouterr().out

    return run_beside_pdf


def copies(run_beside_pdf: Run) -> dict[str, object]:
    found = json.loads(run_beside_pdf("library", "--json"))["copies"]
    assert isinstance(found, dict)
    return found


def test_the_library_tells_what_it_holds_and_how_large_its_copies_are(run_beside_pdf: Run, tmp_path: Path) -> None:
    run_beside_pdf("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    size = (tmp_path / "a.pdf").stat().st_size
    assert copies(run_beside_pdf) == {"files": 1, "bytes": size, "kept_at_import": True}
    assert run_beside_pdf("library").splitlines() == [
        f"1 document from 1 file in {tmp_path / 'library'}",
        "1 paper, 0 patents",
        "1 copy of PDFs, 0.0 MB; imports keep a copy of each PDF",
    ]


def test_copies_are_switched_off_for_good_or_for_one_import(run_beside_pdf: Run, tmp_path: Path) -> None:
    run_beside_pdf("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf", "--no-copies")
    assert copies(run_beside_pdf) == {"files": 0, "bytes": 0, "kept_at_import": True}
    assert "imports do not keep a copy" in run_beside_pdf("library", "--copies", "off")
    run_beside_pdf("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    assert copies(run_beside_pdf)["files"] == 0
    run_beside_pdf("library", "--copies", "on")
    run_beside_pdf("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    assert copies(run_beside_pdf)["files"] == 1


def test_copies_are_removed_and_the_documents_stay(run_beside_pdf: Run, tmp_path: Path) -> None:
    run_beside_pdf("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    found = json.loads(run_beside_pdf("library", "--remove-copies", "--json"))
    assert (found["documents"], found["copies"]["files"]) == (1, 0)


def test_import_says_what_happened(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["import", str(files), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("6 documents from 2 files added; 1 file was already held; 1 file failed.")
    assert "empty.txt: " in printed
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["documents"], answer["skipped"], answer["total"]) == (0, 3, 6)
    assert answer["failures"][0]["name"].endswith("empty.txt")


def test_import_says_what_was_left_out_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kites.ris").write_text("TY  - BOOK\nTI  - Kites\nER  - \nTY  - BOOK\nPY  - 1999\nER  - \n")
    arguments = ["import", str(tmp_path / "kites.ris"), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    assert main(arguments) == 0
    assert (
        "  1 entry of kites.ris without title and abstract was left out: the record of line 4."
        in capsys.readouterr().out
    )


def test_an_import_of_which_nothing_could_be_read_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.txt").write_text("")
    arguments = ["import", str(tmp_path / "empty.txt"), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    for told in (arguments, [*arguments, "--json"]):
        assert main(told) == 2
        captured = capsys.readouterr()
        assert "empty.txt" in captured.out
        assert captured.err.splitlines()[-1].startswith("priorscope: Expected a file that can be read; 1 file failed.")


def test_entries_without_a_text_are_an_error_also_the_second_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.bib").write_text("@misc{key, year = {2001}}")
    words = ["import", str(tmp_path / "a.bib"), "--encoder", "tfidf", "--library", str(tmp_path / "library")]
    for _ in range(2):
        assert main(words) == 2
        captured = capsys.readouterr()
        assert "Expected a document in a.bib, found none. 1 entry of a.bib without title" in captured.out
        assert captured.err.splitlines()[-1].startswith("priorscope: Expected a file that can be read; 1 file failed.")


def test_a_folder_without_a_file_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / ".hidden.md").write_text("# Kites")
    assert main(["import", str(tmp_path / "papers"), "--encoder", "tfidf", "--library", str(tmp_path / "library")]) == 2
    assert "Expected files to read; what was named holds none. We read PDF" in capsys.readouterr().err


def test_what_was_removed_comes_back_with_a_word(run_beside_pdf: Run, tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_text("".join(f'{{"id": "{name}", "title": "{name} kites"}}\n' for name in "ab"))
    words = ("import", str(tmp_path / "two.jsonl"), str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    run_beside_pdf(*words)
    (paper,) = json.loads(run_beside_pdf("documents", "--json", "--line", "NOT title:kites"))["documents"]
    run_beside_pdf("remove", "b", paper["id"])
    assert run_beside_pdf(*words).splitlines() == [
        "2 documents from 2 files added. The library holds 3 documents.",
        f"  2 documents of these had been removed and came back: b, {paper['id']}.",
    ]
    assert "2 files were already held. The library holds 3 documents." in run_beside_pdf(*words)


def test_import_of_a_path_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(tmp_path / "nowhere"), "--library", str(tmp_path / "library")]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("priorscope: Expected a file or a folder at")
    assert captured.err.count("\n") == 1


@pytest.mark.usefixtures("usual_umask")
def test_all_that_is_made_of_a_library_is_for_its_owner_alone(files: Path, tmp_path: Path) -> None:
    one, other = map(str, sorted(EXAMPLES.glob("*.md"))[:2])
    library = ["--library", str(tmp_path / "made" / "library")]
    for line in (
        ["import", str(EXAMPLES), str(files), "--encoder", "tfidf"],
        ["map", "--encoder", "tfidf", "--out", str(tmp_path / "made" / "map.csv")],
        ["compare", one, other, "--report", str(tmp_path / "made" / "compare.html")],
        ["search", one, "--encoder", "tfidf", "--report", str(tmp_path / "made" / "near.html")],
    ):
        assert main([*line, *library]) == 0
    found = modes(tmp_path / "made")
    assert len(found) > 10 and {name: mode for name, mode in found.items() if mode not in ("0o700", "0o600")} == {}


def test_samples_are_fetched_indexed_and_mapped(
    one_sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "samples",
        "--library",
        str(tmp_path / "library"),
        "--downloads",
        str(one_sample),
        "--encoder",
        "tfidf",
    ]
    assert main(arguments) == 0
    assert "The sample library is ready after" in capsys.readouterr().out
    assert (tmp_path / "library" / "maps" / "tfidf").is_dir()
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["present"] is True and answer["counts"]["documents"] == 2


def test_samples_are_only_imported_where_the_app_is_to_read_them(
    one_sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "library"
    arguments = ["samples", "--library", str(folder), "--downloads", str(one_sample), "--encoder", "tfidf"]
    assert main([*arguments, "--import-only"]) == 0
    assert "The sample library is imported after" in (told := capsys.readouterr().out) and "2 documents" in told
    assert not (folder / "maps").exists() and not (folder / "vectors").exists()
    assert main(arguments) == 0
    assert "The sample library is present: 2 documents" in capsys.readouterr().out
    assert (folder / "maps" / "tfidf").is_dir()


def test_samples_that_were_removed_stay_out_until_they_are_wanted_again(
    one_sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["samples", "--import-only", "--downloads", str(one_sample), "--library", str(tmp_path / "library")]
    assert main(words) == 0
    with Library.open(tmp_path / "library") as library:
        library.remove(library.ids()[:1])
    capsys.readouterr()
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "What you removed of it stays out; `priorscope samples --again` brings it back."
    ]
    with Library.open(tmp_path / "library") as library:
        library.remove(library.ids())
        assert not len(library)
    assert main(words) == 0
    assert "0 documents" in capsys.readouterr().out
    assert main([*words, "--again"]) == 0
    assert "2 documents of these had been removed and came back: " in capsys.readouterr().out


def test_samples_without_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import requests

    def refuse(*_: object, **__: object) -> None:
        raise requests.ConnectionError("no route")

    monkeypatch.setattr("pypi_simple.PyPISimple.get_project_page", refuse)
    assert main(["samples", "--library", str(tmp_path / "library")]) == 2
    captured = capsys.readouterr().err
    assert "could not be had (no route). Check the network and run the command again" in captured


@pytest.fixture
def studies(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("k1", "reviews/first.ris", [BOX, DELTA])
        library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
    return tmp_path / "library"


@pytest.fixture
def run_documents(studies: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_documents(*words: str, code: int = 0) -> str:
        assert main(["documents", *words, "--library", str(studies)]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run_documents


def ids(run_documents: Run, *words: str) -> list[str]:
    return [row["id"] for row in json.loads(run_documents(*words, "--json"))["documents"]]


def test_pages_come_in_the_order_asked_for(run_documents: Run) -> None:
    assert ids(run_documents) == [BOX.id, DELTA.id, SLED.id]
    assert ids(run_documents, "--sort", "title", "--descending") == [SLED.id, DELTA.id, BOX.id]
    assert ids(run_documents, "--sort", "year", "--first", "2", "--limit", "1") == [DELTA.id]
    assert ids(run_documents, SLED.id, "box again") == [SLED.id, BOX.id]
    assert run_documents("--limit", "2").splitlines()[-1] == "2 of 3 documents"


def test_filters_are_those_of_a_search(run_documents: Run) -> None:
    assert ids(run_documents, "--from-file", "first.ris", "--year-from", "2016") == [DELTA.id]
    assert ids(run_documents, "--from-file", "second.ris") == [BOX.id, SLED.id]
    assert ids(run_documents, "--line", "title:sled OR title:box", "--year-to", "2015") == [BOX.id]
    assert "the library has reviews/first.ris, second.ris" in run_documents("--from-file", "third.ris", code=2)
    assert "Expected a year or years at character 6" in run_documents("--line", "year:soon", code=2)


@pytest.mark.parametrize("huge", [2**63, 10**30])
def test_a_number_beyond_64_bits_limits_as_it_says(run_documents: Run, huge: int) -> None:
    assert ids(run_documents, "--year-from", str(huge)) == ids(run_documents, "--year-to", f"-{huge}") == []
    assert ids(run_documents, "--year-to", str(huge)) == ids(run_documents, "--year-from", f"-{huge}") != []
    assert run_documents("--first", str(huge)) == "0 of 3 documents\n"
    assert len(ids(run_documents, "--limit", str(huge))) == 3
    assert f"Expected first to be 1 or more, got -{huge}" in run_documents("--first", f"-{huge}", code=2)


def test_a_name_that_is_no_text_is_refused_in_one_line(run_documents: Run) -> None:
    odd = b"caf\xe9".decode("utf-8", "surrogateescape")  # as Python reads a word that is not UTF-8
    assert "Expected the name of a collection, got" in run_documents("--collection", odd, code=2)
    assert "Expected the name of a review, got" in run_documents("--review", odd, code=2)
    assert "Expected the name of an imported file, got" in run_documents("--from-file", odd, code=2)
    assert "which none has" in run_documents(odd, "--tag", "wind", code=2)
    assert ids(run_documents, "--venue", odd, "--category", odd) == []
    run_documents(BOX.id, "--tag", odd, "--note", odd)
    assert "#caf\ufffd" in run_documents(BOX.id)


def test_a_row_as_json_holds_what_is_kept_of_it(run_documents: Run) -> None:
    run_documents(BOX.id, "--tag", "wind", "--tag", "to read", "--note", "Holds.", "--read", "--screen", "exclude")
    (row,) = json.loads(run_documents(BOX.id, "--json"))["documents"]
    assert row.pop("added").startswith("20")
    assert row == {
        **{"id": BOX.id, "kind": "paper", "title": BOX.title, "year": 2015, "venue": ""},
        **{"files": ["reviews/first.ris", "second.ris"], "tags": ["to read", "wind"], "note": "Holds.", "read": True},
        **{"review": "Review 1", "decision": "excluded", "reason": ""},
    }


def test_changes_are_counted_and_taken_back(run_documents: Run) -> None:
    assert run_documents(BOX.id, DELTA.id, "--tag", "wind", "--read") == "2 documents: 2 tagged, 2 read.\n"
    assert (
        run_documents(BOX.id, "--untag", "Wind", "--unread", "--note", "")
        == "1 document: 1 untagged, 0 noted, 1 unread.\n"
    )
    assert run_documents("--tags") == "      1  wind\n"
    assert json.loads(run_documents("--tags", "--json")) == {"tags": [{"name": "wind", "documents": 1}]}
    assert ids(run_documents, "--line", "tag:wind read:yes") == [DELTA.id]


def test_all_that_pass_are_changed_only_when_that_is_said(run_documents: Run) -> None:
    assert run_documents("--all", "--line", "year:2016-", "--screen", "exclude", "--reason", "Late").startswith(
        "2 documents: 2 ex"
    )
    assert ids(run_documents, "--line", "screen:excluded") == [DELTA.id, SLED.id]
    assert run_documents("--all", "--line", "year:2017", "--screen", "undecided") == "1 document: 1 undecided.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tag", "wind"), "Expected documents by id, or all that pass the filters, got neither"),
        (("p0", "--all", "--tag", "wind"), "Expected documents by id, or all that pass the filters, got both"),
        (("--all",), "Expected a change, such as a tag; got none"),
        (("p0", "--screen", "include", "--reason", "Fine"), "Expected a reason only to exclude documents"),
        (("--json", "--format", "csv"), "argument --json: not allowed with argument --format"),
        (("--flow", "--format", "ris"), "argument --flow: only with --format csv"),
        (("--delete-review", "Review 1"), "its decisions are lost; give --yes, too"),
        (("--first", "0"), "Expected first to be 1 or more, got 0"),
        (("--limit", "0"), "Expected limit to be 1 or more, got 0"),
    ],
)
def test_what_does_not_go_together_is_refused(
    studies: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit, match="2"):  # what the parser refuses ends so by itself
        sys.exit(main(["documents", *words, "--library", str(studies)]))
    assert said in capsys.readouterr().err


def test_documents_are_named_by_title_author_and_number_as_on_the_page(run_documents: Run) -> None:
    found = json.loads(run_documents(SLED.title, "--json"))["documents"]
    assert [one["id"] for one in found] == [SLED.id]
    every = json.loads(run_documents("ada gale", BOX.id, "--json"))["documents"]
    assert [one["id"] for one in every] == [BOX.id, DELTA.id, SLED.id]
    run_documents("stable flight of delta kites in gusty coastal wind.", "--tag", "wind")
    assert "#wind" in run_documents(DELTA.id)
    said = run_documents("Gale, Ada", "--tag", "air", code=2)
    assert "got 'Gale, Ada', which 3 documents have: p0 (Stable flight of box kites" in said
    assert "Name one by its id." in said


def test_an_unknown_id_changes_nothing(run_documents: Run) -> None:
    assert "got 'p9', which none has" in run_documents(BOX.id, "p9", "--tag", "wind", "--read", code=2)
    assert "No tags yet." in run_documents("--tags")
    assert ids(run_documents, "--line", "read:yes") == []


def test_screening_goes_from_one_undecided_to_the_next(run_documents: Run) -> None:
    shown = json.loads(run_documents("--next", "--json"))["document"]
    assert (shown["id"], shown["abstract"]) == (BOX.id, BOX.abstract)
    run_documents(BOX.id, "--screen", "include")
    assert run_documents("--next").startswith(f"{DELTA.id}  ")
    run_documents("--all", "--line", "screen:undecided", "--screen", "exclude", "--reason", "Wrong wind")
    assert run_documents("--next") == "All of them are decided.\n"
    assert json.loads(run_documents("--next", "--json")) == {"document": None}


def test_the_flow_comes_as_text_json_and_csv(run_documents: Run) -> None:
    run_documents(DELTA.id, "--screen", "exclude", "--reason", "=1+1 kites")
    run_documents(SLED.id, "--screen", "exclude")
    found = json.loads(run_documents("--flow", "--json"))
    assert found == {
        "review": "Review 1",
        **{"records_identified": 4, "duplicates_removed": 1, "records_to_screen": 3, "records_screened": 2},
        "records_excluded": 2,
        "reasons": [{"reason": None, "documents": 1}, {"reason": "=1+1 kites", "documents": 1}],
        **{"records_included": 0, "undecided": 1},
    }
    assert "        4  Records identified\n        1  Duplicates removed\n" in run_documents("--flow")
    rows = {name: number for _, name, number in csv.reader(io.StringIO(run_documents("--flow", "--format", "csv")))}
    assert rows["Records identified"] == "4" and rows["Excluded: No reason given"] == "1"
    assert json.loads(run_documents("--flow", "--json", "--from-file", "first.ris"))["records_identified"] == 2


def test_references_come_out_with_notes_and_decisions(run_documents: Run) -> None:
    run_documents(DELTA.id, "--note", "=HYPERLINK(1)", "--screen", "exclude", "--reason", "Too short", "--tag", "wind")
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(run_documents("--format", "csv"))))
    assert [row["id"] for row in rows] == [BOX.id, DELTA.id, SLED.id]
    assert (rows[1]["note"], rows[1]["decision"], rows[1]["reason"]) == ("'=HYPERLINK(1)", "excluded", "Too short")
    ris = run_documents("--format", "ris", "--line", "screen:excluded")
    assert ris.count("TY  - ") == 1 and "N1  - Screening (Review 1): excluded: Too short" in ris and "KW  - wind" in ris


def test_what_was_written_on_removed_documents_can_be_forgotten(run_documents: Run, studies: Path) -> None:
    run_documents(DELTA.id, "--note", "Holds.")
    with Library.open(studies) as library:
        library.remove([DELTA.id])
    assert json.loads(run_documents("--forget-removed", "--json")) == {"forgotten": 1}
    assert run_documents("--forget-removed") == "0 forgotten.\n"


def test_reviews_stand_side_by_side(run_documents: Run) -> None:
    run_documents(BOX.id, "--screen", "exclude", "--reason", "Wrong wind")
    assert run_documents("--new-review", "Beach") == "      1  Review 1\n      0  Beach\n"
    run_documents(BOX.id, SLED.id, "--screen", "include", "--review", "beach")
    flow = json.loads(run_documents("--flow", "--review", "beach", "--json"))
    assert (flow["review"], flow["records_included"]) == ("Beach", 2)
    assert json.loads(run_documents("--flow", "--json"))["records_excluded"] == 1
    assert json.loads(run_documents("--next", "--review", "Beach", "--json"))["document"]["id"] == DELTA.id
    rows = json.loads(run_documents("--review", "Beach", "--json"))["documents"]
    assert [row["decision"] for row in rows] == ["included", "undecided", "included"]
    assert {row["review"] for row in rows} == {"Beach"}
    assert "included" in run_documents("--review", "Beach", "--format", "csv")
    assert ids(run_documents, "--line", 'screen:"Beach/included"') == [BOX.id, SLED.id]
    run_documents("--rename-review", "Beach", "Coast")
    found = json.loads(run_documents("--delete-review", "Coast", "--yes", "--json"))
    assert found == {"reviews": [{"name": "Review 1", "decided": 1}]}
    assert "got 'Coast'; the library has Review 1" in run_documents(BOX.id, "--tag", "x", "--review", "Coast", code=2)
    assert json.loads(run_documents("--tags", "--json")) == {"tags": []}


def test_a_tag_is_renamed_and_taken_in(run_documents: Run) -> None:
    run_documents(BOX.id, DELTA.id, "--tag", "wind")
    run_documents(DELTA.id, "--tag", "gusts")
    assert run_documents("--rename-tag", "wind", "Gusts") == "The tag is renamed on 2 documents.\n"
    assert json.loads(run_documents("--tags", "--json")) == {"tags": [{"name": "gusts", "documents": 2}]}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("key", "texts", DOCUMENTS)
    return tmp_path / "library"


@pytest.fixture
def run_on_texts(texts: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_on_texts(*words: str, code: int = 0) -> str:
        assert main([*words, "--library", str(texts)]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run_on_texts


def test_documents_come_and_go_and_are_counted(run_on_texts: Run) -> None:
    assert "No collections yet. Make one with `priorscope collections add NAME ID`." in run_on_texts(
        "collections", "list"
    )
    assert run_on_texts("collections", "add", "To read", FIRST, SECOND) == "2 added. To read holds 2.\n"
    assert run_on_texts("collections", "add", "To read", SECOND, THIRD) == "1 added. To read holds 3.\n"
    assert run_on_texts("collections", "remove", "To read", FIRST) == "1 removed. To read holds 2.\n"
    assert run_on_texts("collections", "list") == "      2  To read\n"
    shown = run_on_texts("collections", "show", "To read").splitlines()
    assert [line.split("  ")[0] for line in shown] == [SECOND, THIRD]
    renamed = run_on_texts("collections", "rename", "to read", "Read")
    assert renamed == "The collection is called Read now. It holds 2.\n"
    assert "its documents, 2, stay" in run_on_texts("collections", "delete", "Read")
    assert "No collections yet" in run_on_texts("collections", "list")


def test_json_says_the_same(run_on_texts: Run) -> None:
    assert json.loads(run_on_texts("collections", "add", "A", FIRST, "--json")) == {
        "added": 1,
        "name": "A",
        "documents": 1,
    }
    assert json.loads(run_on_texts("collections", "list", "--json")) == {"collections": [{"name": "A", "documents": 1}]}
    (document,) = json.loads(run_on_texts("collections", "show", "A", "--json"))["documents"]
    assert (document["id"], document["title"]) == (FIRST, DOCUMENTS[0].title)
    assert json.loads(run_on_texts("collections", "delete", "A", "--json")) == {
        "deleted": 1,
        "name": "A",
        "documents": 1,
    }


def test_references_of_a_collection_come_out(run_on_texts: Run) -> None:
    run_on_texts("collections", "add", "A", FIRST, SECOND)
    found = run_on_texts("collections", "show", "A", "--format", "bibtex")
    assert found.count("\n@") + found.startswith("@") == 2 and DOCUMENTS[0].title.split()[0] in found


def test_references_of_a_collection_hold_what_was_written(run_on_texts: Run) -> None:
    run_on_texts("collections", "add", "A", FIRST)
    run_on_texts("documents", FIRST, "--tag", "to read", "--note", "See figure 2.")
    found = run_on_texts("collections", "show", "A", "--format", "ris")
    assert "KW  - to read" in found and "N1  - See figure 2." in found


def test_a_search_looks_through_one_collection(run_on_texts: Run, texts: Path) -> None:
    run_on_texts("collections", "add", "A", SECOND)
    query = texts / "query.md"
    query.write_text(f"Something like {DOCUMENTS[0].title}, and {DOCUMENTS[1].abstract}", "utf-8")
    words = ("search", str(query), "--ranking", "keywords", "--encoder", "tfidf", "--json", "--collection")
    assert [hit["id"] for hit in json.loads(run_on_texts(*words, "a"))["hits"]] == [SECOND]
    assert "Expected the name of a collection, got 'b'; the library has A" in run_on_texts(*words, "b", code=2)


def test_a_collection_alone_can_ask(run_on_texts: Run) -> None:
    run_on_texts("collections", "add", "A", FIRST)
    words = ("search", "--ranking", "keywords", "--encoder", "tfidf", "-k", "3")
    assert run_on_texts(*words, "--like-collection", "A").startswith("More like 1 document of the library\n")
    hits = json.loads(run_on_texts(*words, "--like-collection", "a", "--like", FIRST, "--json"))["hits"]
    assert hits and FIRST not in {hit["id"] for hit in hits}
    assert "Expected the name of a collection, got 'b'" in run_on_texts(*words, "--like-collection", "b", code=2)


def test_what_is_not_there_is_refused_in_one_line(run_on_texts: Run) -> None:
    for words, said in (
        (("add", "A", "nowhere"), "got 'nowhere', which none has"),
        (("show", "A"), "Expected the name of a collection, got 'A'"),
        (("remove", "A", FIRST), "Expected the name of a collection, got 'A'"),
    ):
        error = run_on_texts("collections", *words, code=2)
        assert said in error and error.count("\n") == 1


@pytest.fixture
def run_on_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a library of three documents from two files."""

    def run_on_three(*words: str, code: int = 0) -> str:
        assert main([*words, "--library", str(tmp_path / "library")]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    for name, titles in (
        ("a.jsonl", ("Kites in gusts", "Tide pools at night")),
        ("b.jsonl", ("Harbour seals in ice",)),
    ):
        lines = [{"id": title[:4], "title": title, "abstract": f"We study {title}."} for title in titles]
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
    run_on_three("import", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--encoder", "tfidf")
    return run_on_three


def found(run_on_three: Run, tmp_path: Path) -> list[str]:
    (tmp_path / "query.txt").write_text("Kites\n\nKites and tide pools and seals in the ice at night")
    answer = json.loads(run_on_three("search", str(tmp_path / "query.txt"), "--encoder", "tfidf", "--json"))
    return sorted(hit["id"] for hit in answer["hits"])


def test_documents_are_removed_by_id(run_on_three: Run, tmp_path: Path) -> None:
    assert found(run_on_three, tmp_path) == ["Harb", "Kite", "Tide"]
    assert run_on_three("remove", "Kite") == "1 document removed. The library holds 2.\n"
    assert found(run_on_three, tmp_path) == ["Harb", "Tide"]
    assert json.loads(run_on_three("remove", "Tide", "Harb", "--json")) == {"removed": ["Tide", "Harb"], "total": 0}
    assert not list((tmp_path / "library" / "vectors").iterdir())


def test_notes_that_wait_for_removed_documents_are_told(run_on_three: Run) -> None:
    run_on_three("documents", "Kite", "Tide", "--note", "Holds.")
    assert json.loads(run_on_three("remove", "Kite", "--json")) == {"removed": ["Kite"], "total": 2, "notes_waiting": 1}
    assert "on 2 removed documents wait in case they come back. To forget them: priorscope" in run_on_three(
        "remove", "Tide"
    )


def test_a_file_is_removed_by_its_name_or_its_path(run_on_three: Run, tmp_path: Path) -> None:
    assert run_on_three("remove", "--file", "a.jsonl") == "2 documents removed. The library holds 1.\n"
    assert found(run_on_three, tmp_path) == ["Harb"]
    assert run_on_three("remove", "--file", str(tmp_path / "b.jsonl")) == "1 document removed. The library holds 0.\n"


def test_vectors_of_what_went_are_gone_from_the_disk(run_on_three: Run, tmp_path: Path) -> None:
    run_on_three("remove", "Kite")
    headers = [path.read_text() for path in (tmp_path / "library" / "vectors").rglob("*.json")]
    assert any("Tide" in header for header in headers)
    assert not any("Kite" in header for header in headers)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "it holds none with the id 'nowhere'"),
        (("--file", "c.jsonl"), "Expected the name of an imported file, got 'c.jsonl'; the library has"),
    ],
)
def test_what_is_not_there_is_named(run_on_three: Run, words: tuple[str, ...], said: str) -> None:
    assert said in run_on_three("remove", *words, code=2)


def test_a_name_that_two_files_have_is_no_name(run_on_three: Run, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.jsonl").write_text('{"id": "x", "title": "Another one", "abstract": "Of its own."}')
    run_on_three("import", str(tmp_path / "more"), "--encoder", "tfidf")
    assert "Expected the name of one file, got a.jsonl, which 2 have" in run_on_three(
        "remove", "--file", "a.jsonl", code=2
    )


def test_workers_read_and_encode_as_this_process_does(
    run_beside_pdf: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = run_beside_pdf("import", str(tmp_path / "a.pdf"), str(EXAMPLES), "--encoder", "tfidf", "--workers", "1")
    assert said.startswith("7 documents from 7 files added.")
    said = run_beside_pdf("encode", "--encoder", "tfidf", "--workers", "1")
    assert said == "7 documents can be found by their vectors.\n"
    assert main(["encode", "--library", str(tmp_path / "library"), "--gpus-per-worker", "1"]) == 2
    assert "Name the cluster with --ray." in capsys.readouterr().err
