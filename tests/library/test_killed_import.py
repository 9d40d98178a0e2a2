"""An import that is killed leaves whole files only, and running it again adds the rest and nothing twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.library.filters import Filters
from engine.library.store import Library
from tests.conftest import PROJECT
from tests.library.told import FILES, PER_FILE, documents

CHILD = """
import sys
from pathlib import Path
from engine.library import Library
from tests.library.told import documents, FILES
with Library.open(Path(sys.argv[1]), create=True) as library:
    for number in range(FILES):
        library.add_file(f"key-{number}", f"file-{number}", documents(number, sys.stdout))
    print("done", flush=True)
"""


def run_and_kill(folder: Path, after_documents: int) -> None:
    """Start an import in a process of its own, and kill it when it has told of so many documents."""
    command = [sys.executable, "-c", CHILD, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT, text=True) as child:
        assert child.stdout is not None
        for _ in range(after_documents):
            if child.stdout.readline() in ("done\n", ""):
                break
        child.kill()


def check_whole(library: Library) -> int:
    """Assert that every table tells of whole files only; returns how many."""
    held = [int(file.key.removeprefix("key-")) for file in library.files()]
    expected = [document for number in sorted(held) for document in documents(number)]
    assert held == list(range(len(held)))
    assert list(library.iter_documents()) == expected
    assert library.ids(Filters(categories=frozenset({"x"}))) == [document.id for document in expected]
    assert library.keywords.size == len(expected) == len(library.summaries().ids)
    assert all(library.keywords.search(document.text, 1)[0].id == document.id for document in expected[::40])
    return len(held)


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_random_points(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    whole = 0
    for _ in range(2):
        run_and_kill(tmp_path / "library", draw.randrange(1, FILES * PER_FILE // 2))
        with Library.open(tmp_path / "library", create=True) as library:
            found = check_whole(library)
            assert found >= whole
            whole = found
    with Library.open(tmp_path / "library") as library:
        added = sum(library.add_file(f"key-{n}", f"file-{n}", documents(n)).added for n in range(FILES))
        assert added == (FILES - whole) * PER_FILE
        assert check_whole(library) == FILES


def test_killed_while_it_opens(tmp_path: Path) -> None:
    run_and_kill(tmp_path / "library", 0)
    with Library.open(tmp_path / "library", create=True) as library:
        assert library.add_file("key-0", "file-0", documents(0)).added == PER_FILE


def test_threads_read_while_one_writes(tmp_path: Path) -> None:
    problems: list[BaseException] = []
    with Library.open(tmp_path, create=True) as library:
        written = threading.Event()

        def read() -> None:
            try:
                while not written.is_set():
                    assert len(library.ids()) % PER_FILE == 0
                    assert len(list(library.iter_documents())) % PER_FILE == 0
                    library.keywords.search("word1 word2", 3)
            except BaseException as error:  # noqa: BLE001  handed to the test's own thread
                problems.append(error)

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        for number in range(FILES):
            library.add_file(f"key-{number}", f"file-{number}", documents(number))
        written.set()
        for reader in readers:
            reader.join()
        assert not problems
        assert check_whole(library) == FILES


def test_two_processes_add_at_once(tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", CHILD, str(tmp_path)] for _ in range(2)]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=PROJECT) for command in commands]
    assert json.dumps([child.wait(120) for child in children]) == "[0, 0]"
    with Library.open(tmp_path) as library:
        assert check_whole(library) == FILES
