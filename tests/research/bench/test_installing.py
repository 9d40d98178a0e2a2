"""What an install takes, as it is added up; nothing is installed here."""

from __future__ import annotations

import http.server
import os
import threading
import zipfile
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.bench import installing
from engine.research.bench.searching import timed

GIVEN = ["--constraint", "constraints.txt", "--find-links", "wheels", "ours.whl"]


def wheel(path: Path, size: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("module.py", b"0" * size)
        made.writestr("RECORD", b"1" * 100)
    return path


def test_files_count_once_and_bytecode_apart(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "module.py").write_bytes(os.urandom(3_000_000))
    (tmp_path / "__pycache__" / "module.pyc").write_bytes(os.urandom(1_000_000))
    os.link(tmp_path / "module.py", tmp_path / "again.py")
    (tmp_path / "python").symlink_to(tmp_path / "module.py")
    assert installing.megabytes(tmp_path) == pytest.approx((4.0, 1.0), abs=0.1)


def test_what_other_wheels_add_is_read_from_them(tmp_path: Path) -> None:
    large, small = wheel(tmp_path / "large one.whl", 5_000_000), wheel(tmp_path / "small.whl", 2_000_000)
    assert installing.wheel_bytes(large.as_uri()) == (large.stat().st_size, 5_000_100)
    found = installing.with_default_torch(1_800.0, {large.as_uri()}, {small.as_uri()})
    assert found == {"wheels": 1, "more MB fetched": 0.0, "more MB on disk": 3.0, "MB on disk": 1_803.0}


def test_no_more_than_the_end_of_a_wheel_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = b"0" * 5_000 + wheel(tmp_path / "a.whl", 1_000).read_bytes()
    monkeypatch.setattr(installing, "_LIST_BYTES", 2_000)

    class Parts(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = int(self.headers["Range"].removeprefix("bytes=-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {len(whole) - asked}-{len(whole) - 1}/{len(whole)}")
            self.end_headers()
            self.wfile.write(whole[-asked:])

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Parts) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert installing.wheel_bytes(f"http://127.0.0.1:{server.server_port}/a.whl") == (len(whole), 1_100)


def test_each_tool_compiles_where_it_is_asked_to() -> None:
    place = Path("place")
    lines = {(tool, on): installing.steps(tool, on, GIVEN, place)[-1] for tool in installing.TOOLS for on in (0, 1)}
    assert "--no-compile" in lines["pip", 0] and "--no-compile" not in lines["pip", 1]
    assert "--compile-bytecode" in lines["uv", 1] and "--compile-bytecode" not in lines["uv", 0]
    pinned = "--constraint constraints.txt --find-links wheels"
    assert f"--pip-args=--no-compile {pinned}" in lines["pipx", 0] and f"--pip-args={pinned}" in lines["pipx", 1]
    assert all(line[-1] == "ours.whl" for line in lines.values())


def test_the_page_has_a_row_an_install() -> None:
    found = {name: "-" for name in ("command", "commit", "hardware", "python", "load")} | {
        "not at hand": ["pipx"],
        "installs": {"pip, without bytecode": {"MB on disk": 1_836.4, "install s": 50.26}},
        "default torch": {"wheels": 20, "more MB fetched": 2_500.0, "more MB on disk": 4_000.0, "MB on disk": 5_836.4},
    }
    page = installing.as_markdown(found)
    assert "| pip, without bytecode | 1,836 | 50.3 |" in page and "were not at hand: pipx" in page
    assert "20 other wheels: 2,500 MB more to fetch and 4,000 MB more on disk, 5,836 MB in all" in page


def test_a_command_that_fails_is_told_by_its_last_words() -> None:
    with pytest.raises(EvaluationError, match=r"Expected `false` to end well, it ended with 1: nothing"):
        timed(["false"])
