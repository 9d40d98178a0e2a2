"""The count of what one call walks through."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.house import walks

PROJECT = Path(__file__).resolve().parents[2]


def test_each_function_below_the_root_counts_once() -> None:
    here = f"{Path(__file__).parent}/"

    def one() -> int:
        return max(n for n in range(2))

    def both() -> None:
        one()
        thread = threading.Thread(target=one)
        thread.start()
        thread.join()

    found = walks.walk(both, here)
    assert sorted(code.co_name for code in found.functions) == ["<genexpr>", "both", "one"]
    assert found.modules == ["test_walks.py"]
    found = walks.walk(lambda: threading.Thread(target=one).start(), str(PROJECT / "engine"))
    assert not found.functions


def test_a_command_is_walked_through_warm(tmp_path: Path) -> None:
    text = tmp_path / "pump.md"
    text.write_text("# A pump\n\nIt feels a blockage by the current of its motor.\n", "utf-8")
    times = []
    command = walks.Command("read", ("read", str(text), "--json"), lambda: times.append(1))
    found = walks.warm_walk(command, f"{PROJECT / 'engine'}/")
    assert len(times) == 2
    assert {"cli/main.py", "cli/read.py"} <= set(found.modules) and len(found.functions) > len(found.modules)


def test_the_ten_files_are_there(tmp_path: Path) -> None:
    files = walks._ten_files(tmp_path / "files", tmp_path / "paper.pdf")
    assert len({path.suffix for path in files}) == len(files) == 10
    assert all((PROJECT / path).is_file() for path in files[1:])
