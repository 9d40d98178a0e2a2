"""`priorscope documents` on a small library of our own texts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.library import Library
from tests.library.records import BOX, DELTA, SLED

Run = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("k1", "reviews/first.ris", [BOX, DELTA])
        library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
    return tmp_path / "library"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str, code: int = 0) -> str:
        assert main(["documents", *words, "--library", str(folder)]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run


def ids(run: Run, *words: str) -> list[str]:
    return [row["id"] for row in json.loads(run(*words, "--json"))["documents"]]


def test_pages_come_in_the_order_asked_for(run: Run) -> None:
    assert ids(run) == [BOX.id, DELTA.id, SLED.id]
    assert ids(run, "--sort", "title", "--descending") == [SLED.id, DELTA.id, BOX.id]
    assert ids(run, "--sort", "year", "--first", "2", "--limit", "1") == [DELTA.id]
    assert ids(run, SLED.id, "box again") == [SLED.id, BOX.id]
    assert run("--limit", "2").splitlines()[-1] == "2 of 3 documents"


def test_filters_are_those_of_a_search(run: Run) -> None:
    assert ids(run, "--from-file", "first.ris", "--year-from", "2016") == [DELTA.id]
    assert ids(run, "--from-file", "second.ris") == [BOX.id, SLED.id]
    assert ids(run, "--line", "title:sled OR title:box", "--year-to", "2015") == [BOX.id]
    assert "the library has reviews/first.ris, second.ris" in run("--from-file", "third.ris", code=2)
    assert "Expected a year or years at character 6" in run("--line", "year:soon", code=2)


def test_a_row_as_json_holds_what_is_kept_of_it(run: Run) -> None:
    run(BOX.id, "--tag", "wind", "--tag", "to read", "--note", "Holds.", "--read", "--screen", "exclude")
    (row,) = json.loads(run(BOX.id, "--json"))["documents"]
    assert row.pop("added").startswith("20")
    assert row == {
        **{"id": BOX.id, "kind": "paper", "title": BOX.title, "year": 2015, "venue": ""},
        **{"files": ["reviews/first.ris", "second.ris"], "tags": ["to read", "wind"], "note": "Holds.", "read": True},
        **{"review": "Review 1", "decision": "excluded", "reason": ""},
    }


def test_changes_are_counted_and_taken_back(run: Run) -> None:
    assert run(BOX.id, DELTA.id, "--tag", "wind", "--read") == "2 documents: 2 tagged, 2 read.\n"
    assert run(BOX.id, "--untag", "Wind", "--unread", "--note", "") == "1 document: 1 untagged, 0 noted, 1 unread.\n"
    assert run("--tags") == "      1  wind\n"
    assert json.loads(run("--tags", "--json")) == {"tags": [{"name": "wind", "documents": 1}]}
    assert ids(run, "--line", "tag:wind read:yes") == [DELTA.id]


def test_all_that_pass_are_changed_only_when_that_is_said(run: Run) -> None:
    assert run("--all", "--line", "year:2016-", "--screen", "exclude", "--reason", "Late").startswith(
        "2 documents: 2 ex"
    )
    assert ids(run, "--line", "screen:excluded") == [DELTA.id, SLED.id]
    assert run("--all", "--line", "year:2017", "--screen", "undecided") == "1 document: 1 undecided.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tag", "wind"), "name the documents to change by ID, or give --all"),
        (("p0", "--all", "--tag", "wind"), "name the documents to change by ID, or give --all"),
        (("--all",), "argument --all: only with a change"),
        (("p0", "--screen", "include", "--reason", "Fine"), "argument --reason: only with --screen exclude"),
        (("--json", "--format", "csv"), "argument --json: not allowed with argument --format"),
        (("--flow", "--format", "ris"), "argument --flow: only with --format csv"),
        (("--delete-review", "Review 1"), "its decisions are lost; give --yes, too"),
        (("--first", "0"), "expected a number from 1"),
        (("--limit", "0"), "expected a number from 1"),
    ],
)
def test_what_does_not_go_together_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit):
        main(["documents", *words, "--library", str(folder)])
    assert said in capsys.readouterr().err


def test_an_unknown_id_changes_nothing(run: Run) -> None:
    assert "holds none with the id 'p9'" in run(BOX.id, "p9", "--tag", "wind", "--read", code=2)
    assert "No tags yet." in run("--tags")
    assert ids(run, "--line", "read:yes") == []


def test_screening_goes_from_one_undecided_to_the_next(run: Run) -> None:
    shown = json.loads(run("--next", "--json"))["document"]
    assert (shown["id"], shown["abstract"]) == (BOX.id, BOX.abstract)
    run(BOX.id, "--screen", "include")
    assert run("--next").startswith(f"{DELTA.id}  ")
    run("--all", "--line", "screen:undecided", "--screen", "exclude", "--reason", "Wrong wind")
    assert run("--next") == "All of them are decided.\n"
    assert json.loads(run("--next", "--json")) == {"document": None}


def test_the_flow_comes_as_text_json_and_csv(run: Run) -> None:
    run(DELTA.id, "--screen", "exclude", "--reason", "=1+1 kites")
    run(SLED.id, "--screen", "exclude")
    found = json.loads(run("--flow", "--json"))
    assert found == {
        "review": "Review 1",
        **{"records_identified": 4, "duplicates_removed": 1, "records_to_screen": 3, "records_screened": 2},
        "records_excluded": 2,
        "reasons": [{"reason": None, "documents": 1}, {"reason": "=1+1 kites", "documents": 1}],
        **{"records_included": 0, "undecided": 1},
    }
    assert "        4  Records identified\n        1  Duplicates removed\n" in run("--flow")
    rows = {name: number for _, name, number in csv.reader(io.StringIO(run("--flow", "--format", "csv")))}
    assert rows["Records identified"] == "4" and rows["Excluded: No reason given"] == "1"
    assert json.loads(run("--flow", "--json", "--from-file", "first.ris"))["records_identified"] == 2


def test_references_come_out_with_notes_and_decisions(run: Run) -> None:
    run(DELTA.id, "--note", "=HYPERLINK(1)", "--screen", "exclude", "--reason", "Too short", "--tag", "wind")
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(run("--format", "csv"))))
    assert [row["id"] for row in rows] == [BOX.id, DELTA.id, SLED.id]
    assert (rows[1]["note"], rows[1]["decision"], rows[1]["reason"]) == ("'=HYPERLINK(1)", "excluded", "Too short")
    ris = run("--format", "ris", "--line", "screen:excluded")
    assert ris.count("TY  - ") == 1 and "N1  - Screening (Review 1): excluded: Too short" in ris and "KW  - wind" in ris


def test_what_was_written_on_removed_documents_can_be_forgotten(run: Run, folder: Path) -> None:
    run(DELTA.id, "--note", "Holds.")
    with Library.open(folder) as library:
        library.remove([DELTA.id])
    assert json.loads(run("--forget-removed", "--json")) == {"forgotten": 1}
    assert run("--forget-removed") == "0 forgotten.\n"


def test_reviews_stand_side_by_side(run: Run) -> None:
    run(BOX.id, "--screen", "exclude", "--reason", "Wrong wind")
    assert run("--new-review", "Beach") == "      1  Review 1\n      0  Beach\n"
    run(BOX.id, SLED.id, "--screen", "include", "--review", "beach")
    flow = json.loads(run("--flow", "--review", "beach", "--json"))
    assert (flow["review"], flow["records_included"]) == ("Beach", 2)
    assert json.loads(run("--flow", "--json"))["records_excluded"] == 1
    assert json.loads(run("--next", "--review", "Beach", "--json"))["document"]["id"] == DELTA.id
    rows = json.loads(run("--review", "Beach", "--json"))["documents"]
    assert [row["decision"] for row in rows] == ["included", "undecided", "included"]
    assert {row["review"] for row in rows} == {"Beach"}
    assert "included" in run("--review", "Beach", "--format", "csv")
    assert ids(run, "--line", 'screen:"Beach/included"') == [BOX.id, SLED.id]
    run("--rename-review", "Beach", "Coast")
    found = json.loads(run("--delete-review", "Coast", "--yes", "--json"))
    assert found == {"reviews": [{"name": "Review 1", "decided": 1}]}
    assert "got 'Coast'; the library has Review 1" in run(BOX.id, "--tag", "x", "--review", "Coast", code=2)
    assert json.loads(run("--tags", "--json")) == {"tags": []}


def test_a_tag_is_renamed_and_taken_in(run: Run) -> None:
    run(BOX.id, DELTA.id, "--tag", "wind")
    run(DELTA.id, "--tag", "gusts")
    assert run("--rename-tag", "wind", "Gusts") == "The tag is renamed on 2 documents.\n"
    assert json.loads(run("--tags", "--json")) == {"tags": [{"name": "gusts", "documents": 2}]}
