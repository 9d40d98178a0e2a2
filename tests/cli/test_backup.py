"""`priorscope backup`, `restore` and `doctor`, as a person runs them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from tests.workspace.test_backup import fill


@pytest.fixture
def library(tmp_path: Path) -> Path:
    fill(tmp_path / "library").close()
    return tmp_path / "library"


def run(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code
    told = capsys.readouterr()
    return told.err if code == 2 else told.out


def as_json(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> Any:  # noqa: ANN401  JSON
    return json.loads(run(capsys, *words, "--json", code=code))


def test_a_library_is_backed_up_and_brought_back(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups, new = tmp_path / "backups", tmp_path / "new"
    (library / "notes.txt").write_text("mine")
    first, left = run(capsys, "backup", backups, "--library", library).splitlines()
    assert first.startswith("6 documents backed up as 20") and f"1 backup in {backups}." in first
    assert left == "Not in it, as it is a link or not the library's: notes.txt"
    made = as_json(capsys, "backup", backups, "--library", library, "--keep", "2")
    assert (made["documents"], made["new_bytes"], made["left_out"], made["schema"]) == (6, 0, ["notes.txt"], 9)
    assert len(made["backups"]) == 2 and made["backups"][1] == made["backup"]
    lines = run(capsys, "backup", backups, "--check").splitlines()
    assert [line.partition(":")[0] for line in lines] == made["backups"]
    assert all(line.endswith("MB, whole") for line in lines)
    assert [one["backup"] for one in as_json(capsys, "backup", backups, "--check")["backups"]] == made["backups"]
    told = run(capsys, "restore", backups, "--library", new, "--backup", made["backups"][0])
    assert told == f"6 documents restored from {made['backups'][0]} to {new}.\n"
    assert as_json(capsys, "library", "--library", new)["documents"] == 6
    assert "--replace" in run(capsys, "restore", backups, "--library", new, code=2)
    assert as_json(capsys, "restore", backups, "--library", new, "--replace")["backup"] == made["backup"]


def test_damage_ends_in_a_line_that_names_it(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backups = tmp_path / "backups"
    run(capsys, "backup", backups, "--library", library)
    path = max((backups / "files").iterdir(), key=lambda one: one.stat().st_size)
    os.truncate(path, 100)
    for words in (("backup", backups, "--check"), ("restore", backups, "--library", tmp_path / "new")):
        said = run(capsys, *words, code=2)
        assert said.count("\n") == 1 + ("check" in said.splitlines()[0])
        assert f"library.sqlite3 (files/{path.name}) has 100 bytes" in said
    assert "holds none" in run(capsys, "restore", library, code=2)
    assert "holds none" in run(capsys, "backup", tmp_path / "no", "--check", code=2)
    assert not (tmp_path / "new").exists() and not (tmp_path / "no").exists()


def test_the_doctor_says_what_to_mend_and_ends_with_1(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run(capsys, "doctor", "--library", library).splitlines()
    assert "good  database: 6 documents, schema 9, whole" in lines
    assert {line.split()[0] for line in lines} <= {"good", "note"}
    assert as_json(capsys, "doctor", "--library", library)["healthy"] is True
    next(library.glob("vectors/letters/*/rows.safetensors")).unlink()
    (line,) = [one for one in run(capsys, "doctor", "--library", library, code=1).splitlines() if one[:4] == "mend"]
    assert line.startswith("mend  vectors: Expected the file rows.safetensors in") and "priorscope search" in line
    told = as_json(capsys, "doctor", "--library", library, code=1)
    assert told["healthy"] is False
    (wrong,) = [one for one in told["findings"] if one["state"] == "mend"]
    assert wrong["about"] == "vectors" and set(wrong) == {"about", "state", "found", "remedy"}
    assert "the folder does not exist" in run(capsys, "doctor", "--library", tmp_path / "no", code=2)


@pytest.mark.parametrize("text", ["{", "[1]", "{}", '"on"', "\xff"])
@pytest.mark.parametrize(
    ("name", "about", "remedy"),
    [
        ("tokens.json", "tokens", ("Bring it back from a backup", "Remove it, and add tokens again", "tokens.json: ")),
        ("bake-offs.json", "bake-offs", ("Delete the file to begin again",)),
        ("copies.json", "copies", ("`priorscope library --copies off`",)),
        ("kept/settings.json", "kept", ("Remove it, and the usual settings count", "settings.json: ")),
        ("stores.json", "library", ("Bring it back from a backup", "stores.json: ")),
    ],
)
def test_the_doctor_names_every_file_that_is_damaged(
    library: Path, capsys: pytest.CaptureFixture[str], name: str, about: str, remedy: Sequence[str], text: str
) -> None:
    (library / name).parent.mkdir(exist_ok=True)
    (library / name).write_bytes(text.encode("latin-1"))
    if text == "{}" and about in ("kept", "library"):  # each setting as usual
        assert as_json(capsys, "doctor", "--library", library)["healthy"]
        return
    (wrong,) = [
        one for one in as_json(capsys, "doctor", "--library", library, code=1)["findings"] if one["state"] == "mend"
    ]
    assert wrong["about"] == about and name.rpartition("/")[2] in wrong["found"], wrong
    assert any(one in wrong["found"] for one in remedy) and "Build" not in wrong["found"], wrong


def test_the_doctor_looks_at_no_library_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert "note  library: none in" in run(capsys, "doctor")
