"""Good and broken files of every format: none is lost, each failure has its reason, and what was stopped goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.import_files import as_text
from engine.library import Library
from engine.workspace.importing import import_paths
from tests.conftest import PROJECT
from tests.mixed import FAULTS, FORMATS, account, make

FILES = 84


@pytest.mark.parametrize("seed", [3, 4])
def test_every_file_and_every_good_document_is_accounted_for(library: Library, tmp_path: Path, seed: int) -> None:
    made = make(tmp_path / "files", FILES, seed)
    summary = import_paths(library, [tmp_path / "files"])
    found = account(made, library)
    assert (found.lost, found.missing, found.refused, found.unreasoned) == ((), (), (), ())
    assert summary.files + summary.skipped + len(summary.failures) == len(made)
    assert {one.format for one in made} >= FORMATS.keys() and len({one.fault for one in made} & FAULTS.keys()) > 5
    lines = as_text(summary, len(library)).splitlines()
    assert f"{len(summary.failures)} files failed" in lines[0]
    assert len(lines) == 1 + len(summary.failures) + len(summary.told())


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    one, other = (make(tmp_path / name, 30, 5) for name in ("one", "other"))
    for first, second in zip(one, other, strict=True):
        assert (first.path.name, first.titles) == (second.path.name, second.titles)
        assert not first.path.is_file() or first.format == "docx" or first.path.read_bytes() == second.path.read_bytes()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_stopped_leaves_whole_files_and_goes_on_when_run_again(
    tmp_path: Path, sign: signal.Signals
) -> None:
    made = make(tmp_path / "files", FILES, 6)
    last = tmp_path / "files" / "zz last.jsonl"  # of a good length, so that it is stopped in the middle
    rows = (f'{{"id": "z{n}", "title": "Row {n} of a long table", "abstract": "Row {n}."}}\n' for n in range(100_000))
    last.write_text("".join(rows))
    command = [sys.executable, "-m", "engine.cli.main", "--verbose", "import", str(tmp_path / "files")]
    command += ["--library", str(tmp_path / "library"), "--encoder", "tfidf"]
    with subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "part 6" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(sign)
        said = process.communicate()[1]
        assert process.returncode == 130, said
    assert said.splitlines()[-1] == "priorscope: interrupted; what was whole is kept."
    with Library.open(tmp_path / "library") as library:
        held = len(library.files())
        assert len(library) == sum(file.documents for file in library.files())
        assert 0 < held < len(made)
        last.unlink()
        again = import_paths(library, [tmp_path / "files"])
        found = account(made, library)
        assert again.skipped >= held and (found.lost, found.missing) == ((), ())
