"""The measuring of the server: each part on a library of our examples, and what cannot be measured."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import psutil
import pytest

from engine.cli.main import main as priorscope
from engine.core.errors import EmptyLibraryError, EvaluationError
from engine.library import Library
from engine.research.bench import serving as bench
from engine.research.bench.command import main
from engine.research.bench.serving import BothWays, Clients, Questions, measure_memory
from engine.server.client import Priorscope
from tests.server.conftest import Served, read_once, served, serving  # noqa: F401

EXAMPLES = Path(__file__).resolve().parents[3] / "assets" / "examples"
TEXT = "a relay for telegraph lines whose armature a spring holds"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library that is read whole."""
    library = tmp_path / "library"
    assert priorscope(["import", str(EXAMPLES), "--library", str(library)]) == 0
    assert priorscope(["search", str(EXAMPLES / "car-coupling.md"), "--library", str(library)]) == 0
    return library


def test_both_ways_and_load_are_measured(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["serving", "--library", str(folder), "--what", "latency,load", "--queries", "1"]
    saved = tmp_path / "serving.json"
    main([*line, "--clients", "2", "--minutes", "0.05", "--save", str(saved)])
    report, said = json.loads(saved.read_text("utf-8")), capsys.readouterr().out
    ways, under = report["latency"], report["under_load"]
    assert ways["same_hits"] == ways["questions"] == 1 and ways["http"]["p50"] > 0 and ways["in_process"]["p50"] > 0
    assert ways["p95_above"] == pytest.approx(ways["http"]["p95"] - ways["in_process"]["p95"], abs=0.02)
    assert (under["clients"], under["errors"], under["problems"]) == (2, 0, {})
    assert under["answers"] and set(under["milliseconds"]) == {"all", *under["answers"]}
    assert under["mib"][0][1] > 50 and under["growth"] == pytest.approx(
        under["end_mib"] / under["settled_mib"] - 1, abs=1e-3
    )
    assert report["memory"] is None and report["goals"]["errors"] == 0 and report["documents"] == 6
    assert "1 questions, warm, the same hits 1 times" in said and "private memory" in said
    assert under["seconds"] >= 3 and f"2 clients, {under['seconds']:.0f} s" in said


def test_one_process_is_weighed_against_two(folder: Path) -> None:
    weighed = measure_memory(folder, TEXT)
    assert min(weighed.together, weighed.page, weighed.server) > 50
    assert weighed.saved == pytest.approx(weighed.page + weighed.server - weighed.together, abs=0.2)
    assert not [one for one in psutil.Process().children(recursive=True) if str(folder) in " ".join(one.cmdline())]


def test_a_library_that_is_not_read_whole_is_refused(served: Served) -> None:  # noqa: F811
    with (
        Priorscope(f"http://127.0.0.1:{served.port}") as client,
        pytest.raises(EvaluationError, match=r"read whole; \d of its documents are not\. Search it once first"),
    ):
        BothWays(served.workspace, client, psutil.Process(), 3).measure([TEXT])


def test_what_clients_are_refused_is_counted(served: Served) -> None:  # noqa: F811
    questions = Questions(["nobody knows this"], ["kettles"], ["..."])
    found = Clients(f"http://127.0.0.1:{served.port}", questions, 2, 0).measure(psutil.Process(), 3.0)
    assert found.errors == sum(found.problems.values()) > 0
    assert all(problem[:3] in ("404", "422") for problem in found.problems) and "document" not in found.answers


def test_a_server_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    questions = Questions(["a"], [], ["b"])
    clients = Clients(f"http://127.0.0.1:{port}", questions, 1, 0)
    with pytest.raises(Exception, match="Is it running"):
        clients.measure(psutil.Process(), 0.2)
    (tmp_path / "file").write_text("no library")
    with pytest.raises(EvaluationError, match="Expected `priorscope serve` to answer; it said: "):
        with bench.served(tmp_path / "file", "serve"):
            pass


def test_the_middle_of_half_a_minute() -> None:
    samples = [(0.0, 100.0), (95.0, 110.0), (110.0, 130.0), (119.0, 120.0), (121.0, 500.0)]
    assert bench._middle(samples, 120.0) == 120.0
    assert bench._middle(samples, 60.0) == 100.0


@pytest.mark.parametrize("more", [["--what", "speed"], ["--clients", "0"], ["--minutes", "0"]])
def test_what_cannot_be_measured_is_told_first(tmp_path: Path, more: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected parts among latency, load, memory, 1 client or more"):
        main(["serving", "--library", str(tmp_path), *more])


def test_an_empty_library_has_nothing_to_ask_with(tmp_path: Path) -> None:
    Library.open(tmp_path, create=True).close()
    with pytest.raises(EmptyLibraryError):
        main(["serving", "--library", str(tmp_path)])
    with Library.open(tmp_path) as library, pytest.raises(EvaluationError, match="Expected documents with titles and"):
        Questions.of(library, 0)
