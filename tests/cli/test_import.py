"""`priorscope import` and `priorscope samples`, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli.main import main
from tests.modes import modes, usual_umask
from tests.workspace.test_importing import files, one_sample

__all__ = ["files", "one_sample", "usual_umask"]  # fixtures
EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"


def test_import_says_what_happened(files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["import", str(files), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("6 documents from 2 files added; 1 file was held already; 1 file failed.")
    assert "empty.txt: " in printed
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["documents"], answer["skipped"], answer["total"]) == (0, 3, 6)
    assert answer["failures"][0]["name"].endswith("empty.txt")


def test_import_says_what_was_left_out_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kites.ris").write_text("TY  - BOOK\nTI  - Kites\nER  - \nTY  - BOOK\nPY  - 1999\nER  - \n")
    arguments = ["import", str(tmp_path / "kites.ris"), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    assert main(arguments) == 0
    assert "  1 entry of kites.ris without title and abstract were left out." in capsys.readouterr().out


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
