"""A library is written whole or not at all, by several at once and when killed, over every store."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputError, UnknownDocumentError
from engine.documents import Document
from engine.library.filters import Filters
from engine.library.records import Added
from engine.library.store import Library
from tests.conftest import PROJECT
from tests.library.records import ARTICLE, KITES, PAPER, PATENT, POOLS, REELS, REFERENCE, WHOLE
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
    """Start an import in a process of its own, and kill it after a number of documents."""
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


class KeepingContract:
    def test_a_library_opens_and_answers_while_another_process_imports(self, folder: Path) -> None:
        seen: list[int] = []

        def documents() -> Iterator[Document]:
            yield PAPER
            with Library.open(folder) as other:
                seen.append(len(other))

        with Library.open(folder, create=True) as library:
            library.add_file("k1", "slow.jsonl", documents())
            assert (seen, len(library)) == ([0], 1)

    def test_a_file_that_fails_midway_leaves_nothing(self, library: Library) -> None:
        def documents() -> Iterator[Document]:
            yield PAPER
            raise InputError("line 2 is broken")

        with pytest.raises(InputError, match="line 2"):
            library.add_file("k1", "broken.jsonl", documents())
        assert len(library) == 0 and not library.has_file("k1")
        assert library.keywords.search("kites", 3) == []
        assert library.add_file("k1", "mended.jsonl", [PAPER, PATENT]) == Added(2, 0)
        assert [hit.id for hit in library.keywords.search("reel", 3)] == [PATENT.id]

    def test_the_same_file_adds_nothing_twice(self, library: Library) -> None:
        library.add_file("k1", "two.jsonl", [PAPER, PATENT])
        assert library.add_file("k1", "copy.jsonl", [PAPER, PATENT]) == Added(0, 0)
        assert [file.name for file in library.files()] == ["two.jsonl"]

    def test_a_failure_is_kept_until_the_file_succeeds(self, library: Library) -> None:
        library.record_failure("bad.pdf", "Expected text; found pictures.")
        assert [(failure.name, failure.reason) for failure in library.failures()] == [
            ("bad.pdf", "Expected text; found pictures.")
        ]
        library.add_file("k1", "bad.pdf", [PAPER])
        assert library.failures() == []

    def test_half_characters_are_replaced(self, library: Library) -> None:
        library.add_file("k1", "odd.jsonl", [Document("a\ud800", title="Kites \udfff fly", venue="\ud800")])
        (document,) = library.iter_documents()
        assert document.title == "Kites ? fly" and library.ids() == ["a?"]

    def test_a_file_goes_with_what_it_alone_brought(self, imported: Library) -> None:
        assert imported.documents_of_file("k1") == ["US1"]  # the paper came with the second file, too
        assert imported.remove_file("k1") == ["US1"]
        assert imported.ids() == ["p1", "p2"]
        assert [file.name for file in imported.files()] == ["pools.jsonl"]
        assert imported.remove_file("k2") == ["p1", "p2"]
        assert (len(imported), imported.files()) == (0, [])

    def test_a_file_that_is_gone_can_come_again(self, imported: Library) -> None:
        imported.remove_file("k1")
        assert not imported.has_file("k1")
        assert imported.add_file("k1", "kites.jsonl", [KITES, REELS]).added == 1
        assert sorted(imported.ids()) == ["US1", "p1", "p2"]

    def test_a_file_that_nothing_is_left_of_is_forgotten(self, imported: Library) -> None:
        imported.remove(["US1"])
        assert imported.has_file("k1")
        imported.remove(["p1"])
        assert not imported.has_file("k1") and imported.has_file("k2")

    def test_what_is_left_is_found_as_if_the_other_had_never_been(self, imported: Library, folder: Path) -> None:
        imported.remove(["p1"])
        with Library.open(folder / "other", create=True) as other:
            other.add_file("k", "rest.jsonl", [REELS, POOLS])
            for question in ("kite", "reel line", "pools dawn", "kites " * 20):
                assert imported.keywords.search(question, 9) == other.keywords.search(question, 9)
            assert imported.title_matches("ki") == other.title_matches("ki") == ["US1"]
            assert imported.duplicates_of(KITES) == set()

    def test_the_postings_in_memory_are_read_again(self, imported: Library) -> None:
        question = "kites in gusts on a line of a kite before the dawn at the tide pools"  # too long for FTS5
        assert "p2" in [hit.id for hit in imported.keywords.search(question, 9)]
        imported.remove(["p2"])  # the last: its position is the highest
        assert "p2" not in [hit.id for hit in imported.keywords.search(question, 9)]

    def test_the_place_of_what_went_is_not_given_to_what_comes(self, imported: Library) -> None:
        versions = [imported.version()]
        imported.remove(["p2"])
        versions.append(imported.version())
        imported.add_file("k3", "new.jsonl", [Document("p3", "paper", "Harbour seals")])
        versions.append(imported.version())
        assert versions == sorted(set(versions))
        assert imported.title_matches("tide") == imported.title_matches("pools") == []
        assert imported.title_matches("seals") == ["p3"]

    def test_all_or_none(self, imported: Library) -> None:
        with pytest.raises(UnknownDocumentError, match="it holds none with the id 'nowhere'"):
            imported.remove(["p1", "nowhere"])
        assert len(imported) == 3
        assert imported.remove([]) == []
        assert imported.remove(["p1", "p1"]) == ["p1"]

    def test_a_changed_text_is_told_of_once(self, library: Library) -> None:
        library.add_file(
            "k1", "refs.bib", [REFERENCE, replace(ARTICLE, id="other", title="Box kites and their many uses")]
        )
        assert (library.revision(), library.revised_since(0)) == (0, [])
        library.add_file("k2", "paper.pdf", [WHOLE])
        assert (library.revision(), library.revised_since(0)) == (1, ["gale2015"])
        assert library.revised_since(1) == []
        library.add_file("k3", "again.pdf", [replace(WHOLE, id="file:2", abstract="We fly kites again.")])
        assert library.revision() == 1

    @pytest.mark.parametrize("seed", range(4))
    def test_killed_at_random_points(self, folder: Path, seed: int) -> None:
        draw = random.Random(seed)
        whole = 0
        for _ in range(2):
            run_and_kill(folder, draw.randrange(1, FILES * PER_FILE // 2))
            with Library.open(folder, create=True) as library:
                found = check_whole(library)
                assert found >= whole
                whole = found
        with Library.open(folder) as library:
            added = sum(library.add_file(f"key-{n}", f"file-{n}", documents(n)).added for n in range(FILES))
            assert added == (FILES - whole) * PER_FILE
            assert check_whole(library) == FILES

    def test_killed_while_it_opens(self, folder: Path) -> None:
        run_and_kill(folder, 0)
        with Library.open(folder, create=True) as library:
            assert library.add_file("key-0", "file-0", documents(0)).added == PER_FILE

    def test_threads_read_while_one_writes(self, folder: Path) -> None:
        problems: list[BaseException] = []
        with Library.open(folder, create=True) as library:
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

    def test_two_processes_add_at_once(self, folder: Path) -> None:
        commands = [[sys.executable, "-c", CHILD, str(folder)] for _ in range(2)]
        children = [subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=PROJECT) for command in commands]
        assert json.dumps([child.wait(120) for child in children]) == "[0, 0]"
        with Library.open(folder) as library:
            assert check_whole(library) == FILES
