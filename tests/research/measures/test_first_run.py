"""What a first run and the first reading of a library take."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.library import Library
from engine.research.measures import first_reading, first_run
from engine.search import passages as module
from engine.workspace import Workspace, comparison
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.search.hashed_words import HashedWords, paper

_SERVER = """
import http.server, os, pathlib
pathlib.Path(os.environ["PRIORSCOPE_LIBRARY"] + ".port").write_text(os.environ["STREAMLIT_SERVER_PORT"])
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/_stcore/health" else 404)
        self.end_headers()
place = (os.environ["STREAMLIT_SERVER_ADDRESS"], int(os.environ["STREAMLIT_SERVER_PORT"]))
http.server.HTTPServer(place, Answer).serve_forever()
"""
_READY = "The sample library is imported after 12.5 s: 1,234 documents (1,200 papers, 34 patents; 0 duplicates folded)."
_READS = """#!/bin/sh
test "$*" = "-m engine.research first_reading $PRIORSCOPE_LIBRARY" && test ! -e "$PRIORSCOPE_LIBRARY/vectors" || exit 3
echo '{"seconds": 7.5}'
"""


def _project(folder: Path, *commands: str, reads: str = _READS) -> Path:
    """A repository whose `make run` installs nothing but a `python` of these lines, and then does some commands."""
    folder.mkdir()
    (folder / "reads").write_text(reads)
    (folder / "reads").chmod(0o755)
    lines = [
        "@mkdir -p .venv/bin && cp reads .venv/bin/python && mkdir -p $$PRIORSCOPE_LIBRARY/vectors && touch .venv/.app",
        *commands,
    ]
    (folder / "Makefile").write_text("run:\n" + "".join(f"\t{line}\n" for line in lines))
    (folder / "app.py").write_text(_SERVER)
    by = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (("init",), ("add", "."), (*by, "commit", "--message", "All of it")):
        subprocess.run(["git", "-C", str(folder), *command], check=True, capture_output=True)
    return folder


def test_what_a_newcomer_waits_for_is_told_and_the_app_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", "another")
    project = _project(tmp_path / "ours", f"@echo '{_READY}'", '@test -z "$$VIRTUAL_ENV" && $(PYTHON) app.py')
    (project / "Makefile").write_text("run:\n\tfalse\n")  # what is not committed is not run
    (tmp_path / "run").mkdir()
    run = first_run.first_run(project, tmp_path / "run")
    assert (run.seconds_to_import, run.documents, run.reading) == (12.5, 1234, {"seconds": 7.5})
    assert 0 <= run.seconds_to_install <= run.seconds_until_the_page_answers < first_run.PATIENCE
    port = (tmp_path / "run" / "library.port").read_text()
    with pytest.raises(OSError):  # refused, or broken off while the app ends
        urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2)

    first_run.main(["--project", str(project), "--save", str(tmp_path / "report.json")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert report == json.loads(capsys.readouterr().out)
    assert {"seconds_to_install", "commit", "hardware", "command"} <= report.keys()
    first_run.main(["--project", str(project), "--start-only"])
    assert json.loads(capsys.readouterr().out)["reading"] == {}


def test_a_run_without_samples_is_no_measurement(tmp_path: Path) -> None:
    project = _project(tmp_path / "ours", "@echo no network", "@$(PYTHON) app.py")
    with pytest.raises(EvaluationError, match="to get the sample library; it said:\nno network"):
        first_run.main(["--project", str(project)])


def test_samples_that_cannot_be_read_are_no_measurement(tmp_path: Path) -> None:
    reads = "#!/bin/sh\necho the weights are away >&2 && exit 2\n"
    project = _project(tmp_path / "ours", f"@echo '{_READY}'", "@$(PYTHON) app.py", reads=reads)
    with pytest.raises(EvaluationError, match="to read the samples; it said:\nthe weights are away"):
        first_run.main(["--project", str(project)])


def test_a_run_that_ends_says_why(tmp_path: Path) -> None:
    project = _project(tmp_path / "ours", "@echo the index is away && false")
    with pytest.raises(EvaluationError, match="it ended and said:\nthe index is away"):
        first_run.main(["--project", str(project)])


def test_a_run_that_never_answers_is_given_up(tmp_path: Path) -> None:
    project = _project(tmp_path / "ours", "@$(PYTHON) -c 'import signal; signal.pause()'")
    with pytest.raises(EvaluationError, match="none answered in time"):
        first_run.main(["--project", str(project), "--patience", "1"])


def test_a_folder_without_history_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="Expected a git repository in"):
        first_run.main(["--project", str(tmp_path)])


ENCODER = "word2vec-sif"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    encoder = tiny.placed(write_tiny_transformer(tmp_path / "model"))
    monkeypatch.setattr(module, "PassageEncoder", HashedWords)
    monkeypatch.setattr(comparison, "load_colde", lambda _: encoder)
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", [paper(f"d{n}", body=0 if n % 2 else 120 + n) for n in range(20)])
    return tmp_path / "library"


def test_the_reading_is_timed_to_its_end(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "report.json"
    first_reading.main([str(library), "--encoder", ENCODER, "--save", str(saved)])
    found = json.loads(capsys.readouterr().out)
    assert (found["documents"], found["long"]) == (20, 10)
    assert 0 <= found["seconds_to_first_hit"] <= found["seconds"] and found["seconds_to_map"] <= found["seconds"]
    assert None not in (found["seconds_to_meaning"], found["seconds_to_shown_passages"])
    assert found["seconds_to_compare"] >= 0 and found["answers"]["read"]["max"] > 0
    assert json.loads(saved.read_text("utf-8"))["commit"] and "| read |" in saved.with_suffix(".md").read_text("utf-8")
    with Workspace(library) as workspace:
        assert workspace.passages() is not None and any(workspace.library.chunks_folder.iterdir())


def test_a_library_that_was_read_is_refused(library: Path) -> None:
    with Workspace(library) as workspace:
        workspace.prepare(ENCODER)
    with pytest.raises(EvaluationError, match="Expected a library that was not read yet"):
        first_reading.first_reading(library, ENCODER)


def test_a_library_of_abstracts_is_refused(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as held:
        held.add_file("k", "papers", [paper("a", body=0)])
    with pytest.raises(EvaluationError, match="Expected a library with two long documents"):
        first_reading.first_reading(tmp_path, ENCODER)
