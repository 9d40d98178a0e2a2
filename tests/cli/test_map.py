"""`priorscope map` on a small library: fitted, reopened, asked, written out."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq
import pytest

from engine.cli.main import main
from engine.documents import Document
from engine.library import Library

WORDS = (
    "neural networks learn images from labels with convolution and attention",
    "enzymes bind a protein in yeast cells after the gene is expressed",
    "galaxies and dark matter halos seen by a large telescope at redshift",
)
EACH = 12

Command: TypeAlias = Callable[..., Any]


def documents() -> list[Document]:
    made = []
    for number in range(3 * EACH):
        words = WORDS[number % 3].split()
        text = " ".join(words[(number + place) % len(words)] for place in range(len(words) - number % 4))
        abstract = f"{WORDS[number % 3]} {number}"  # alike, and no two the same: equal ones would fold
        made.append(Document(id=f"d{number}", title=f"{text} {number}", abstract=abstract, year=2000 + number))
    return [Document(id="formula", title="=HYPERLINK('x')", abstract=WORDS[0]), *made]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with Library.open(folder, create=True) as library:
        library.add_file("key", "made", documents())
    return folder


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str) -> Any:  # noqa: ANN401  what the command printed
        assert main(["map", "--library", str(folder), "--encoder", "lsa", "--json", *arguments]) == 0
        return json.loads(capsys.readouterr().out)

    return command


def test_the_map_is_fitted_then_reopened(run: Command, folder: Path) -> None:
    first = run()
    assert first["encoder"] == "lsa"
    assert first["points"] == 3 * EACH + 1
    assert 0 < first["kept"] <= 1
    assert 0 < first["trustworthiness"] <= 1
    assert len(first["clusters"]) == 3
    saved = folder / "maps" / "lsa" / "map.json"
    fitted = saved.stat()
    assert run()["seconds"]["fit"] == first["seconds"]["fit"]
    assert (saved.stat().st_ino, saved.stat().st_mtime_ns) == (fitted.st_ino, fitted.st_mtime_ns)
    run("--refit")
    assert saved.stat().st_mtime_ns > fitted.st_mtime_ns


def test_groups_are_renamed_and_stay_so(run: Command, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    made = run()["labels"][0]["text"]
    assert run("--rename", made.upper(), "Our own")["labels"][0]["text"] == "Our own"
    assert run()["labels"][0]["text"] == "Our own"
    assert run("--rename", "our own", "")["labels"][0]["text"] == made
    assert main(["map", "--library", str(folder), "--encoder", "lsa", "--rename", "nowhere", "x"]) == 2
    assert "Expected the name of a group on the map, got 'nowhere'. Its regions are" in capsys.readouterr().err


def test_a_document_is_placed_among_its_neighbours(run: Command, tmp_path: Path) -> None:
    query = tmp_path / "query.txt"
    query.write_text("Protein and yeast\n\nWhen enzymes bind a protein in yeast cells the gene is expressed.\n")
    placed = run("--query", str(query))["query"]
    assert set(placed) == {"title", "x", "y", "kept", "seconds", "neighbours"}
    assert len(placed["neighbours"]) == 15
    assert "yeast" in placed["neighbours"][0]["title"]


def test_every_place_is_written_as_csv(run: Command, tmp_path: Path) -> None:
    run("--out", str(tmp_path / "places.csv"))
    with (tmp_path / "places.csv").open(newline="") as file:
        records = list(csv.DictReader(file))
    assert len(records) == 3 * EACH + 1
    assert records[0]["title"] == "'=HYPERLINK('x')"
    assert records[1]["id"] == "d0"
    assert records[1]["year"] == "2000"
    assert float(records[1]["x"])


def test_every_place_is_written_as_json(run: Command, tmp_path: Path) -> None:
    run("--out", str(tmp_path / "places.json"))
    records = json.loads((tmp_path / "places.json").read_text())
    assert records[0]["title"] == "=HYPERLINK('x')"
    assert records[0]["year"] is None
    assert records[1]["placed"] is False


def test_every_place_is_written_as_parquet(run: Command, tmp_path: Path) -> None:
    run("--export", str(tmp_path / "places.parquet"))
    table = pq.read_table(tmp_path / "places.parquet")
    assert table.num_rows == 3 * EACH + 1
    assert {"id", "title", "year", "kind", "x", "y", "cluster"} <= set(table.column_names)


def test_clusters_are_listed_and_written(run: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run("--clusters", str(tmp_path / "clusters.csv"))["cluster_list"]
    assert found == run("--clusters")["cluster_list"]
    assert all(one["size"] >= len(one["central_ids"]) == len(one["central_titles"]) > 0 for one in found)
    with (tmp_path / "clusters.csv").open(newline="") as file:
        assert [row["label"] for row in csv.DictReader(file)] == [one["label"] for one in found]
    assert "cluster_list" not in run()


def test_the_map_is_written_as_one_file_to_open(run: Command, tmp_path: Path, folder: Path) -> None:
    run("--html", str(tmp_path / "map.html"))
    text = (tmp_path / "map.html").read_text("utf-8")
    assert "Map of 37 documents" in text
    assert "HYPERLINK" not in text  # titles are packed
    assert main(["map", "--library", str(folder), "--html", str(tmp_path / "map.pdf")]) == 2


def test_without_json_it_prints_figures(run: Command, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run()
    query = str(folder.parent / "query.md")
    Path(query).write_text("# Dark matter\n\nGalaxies and dark matter halos seen by a telescope.\n")
    assert main(["map", "--library", str(folder), "--encoder", "lsa", "--query", query]) == 0
    printed = capsys.readouterr().out
    assert "37 documents on the map of lsa" in printed
    assert "true neighbours kept in the picture" in printed
    assert "trustworthiness" in printed
    assert "stands at x" in printed


def test_a_small_map_says_how_many_neighbours_it_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("key", "made", documents()[:7])
    assert main(["map", "--library", str(tmp_path), "--encoder", "tfidf"]) == 0
    assert "% of 3; trustworthiness" in capsys.readouterr().out


def test_another_ending_is_refused_before_anything_is_fitted(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["map", "--library", str(folder), "--out", "places.xlsx"]) == 2
    assert "Expected --export to end in .csv or .json or .parquet, got places.xlsx" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_a_user_s_error(
    run: Command, folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run()
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["map", "--library", str(folder), "--encoder", "lsa", "--out", str(blocked / "places.csv")]) == 2
    assert "Expected to write" in capsys.readouterr().err


def test_an_empty_library_is_a_user_s_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Library.open(tmp_path, create=True).close()
    assert main(["map", "--library", str(tmp_path), "--encoder", "lsa"]) == 2
    assert "library is empty" in capsys.readouterr().err
