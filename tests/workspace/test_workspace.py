"""A workspace while things change, as when documents are taken out: what it holds afterwards is what the disk holds."""

from __future__ import annotations

import gc
import logging
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine.maps
from engine.core.errors import LibraryError, UnknownDocumentError
from engine.core.progress import Progress
from engine.documents import Document
from engine.encoders import registry
from engine.library import Filters, Library
from engine.maps import LibraryMap
from engine.search import Question
from engine.search.readings import WORDS
from engine.workspace import importing, indexing, reading_state
from engine.workspace.indexing import encoder_for, index_library, open_vectors, whole_index
from engine.workspace.reading_state import reading_alone
from engine.workspace.workspace import Workspace
from tests.explorer.conftest import OWN
from tests.library.records import left_to_index
from tests.workspace.letters import Letters, completing, reference, remove_documents

NAME = "word2vec-sif"
EVERY = Filters()
QUERY = Document("q", title="Random walks on a graph")


class Slow:
    """A function that waits, in the thread of one visitor, between its work and its return."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:  # noqa: ANN401  a module
        self.done, self.go = threading.Event(), threading.Event()
        self._work = getattr(module, name)
        monkeypatch.setattr(module, name, self)

    def __call__(self, *arguments: object, **options: object) -> object:
        result = self._work(*arguments, **options)
        if threading.current_thread().name == "visitor":
            self.done.set()
            assert self.go.wait(30)
        return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    """The library, with a folder for vectors that holds none yet."""
    with Workspace(folder, create=True) as opened:
        opened.library.add_file("own", "own.jsonl", OWN)
        (opened.library.vectors_folder(NAME) / "started").mkdir(parents=True)
        yield opened


def is_free(workspace: Workspace) -> bool:
    try:
        with workspace.working():
            return True
    except LibraryError:
        return False


def test_vectors_that_were_opened_while_others_came_are_not_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch, indexing, "open_index")
    visitor = threading.Thread(target=workspace.vector_count, args=(NAME,), name="visitor")
    visitor.start()
    assert slow.done.wait(30)
    workspace.prepare(NAME)
    slow.go.set()
    visitor.join(30)
    assert workspace.vector_count(NAME) == len(workspace.library) == len(OWN)
    assert len(workspace.searcher(NAME).search(Question(QUERY, k=3, ranking="encoder")).results) == 3


def test_a_map_that_was_opened_while_another_was_drawn_is_not_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.prepare(NAME)
    assert not workspace.is_mapped(NAME)
    workspace.draw_map(NAME)
    assert workspace.is_mapped(NAME)
    slow = Slow(monkeypatch, engine.maps, "kept_map")
    opened: list[LibraryMap] = []
    visitor = threading.Thread(target=lambda: opened.append(workspace.library_map(NAME)), name="visitor")
    visitor.start()
    assert slow.done.wait(30)
    workspace.draw_map(NAME)
    slow.go.set()
    visitor.join(30)
    again = workspace.library_map(NAME)
    assert again is not opened[0]
    assert workspace.library_map(NAME) is again


def test_what_is_made_of_a_map_is_made_once_until_the_map_is_another(workspace: Workspace) -> None:
    made: list[int] = []

    def sizes(drawn: LibraryMap) -> int:
        made.append(len(drawn))
        return len(drawn)

    workspace.draw_map(NAME)
    assert [workspace.of_map(NAME, "size", sizes) for _ in range(2)] == [6, 6] and made == [6]
    workspace.keep_map(NAME, workspace.library_map(NAME))
    assert workspace.of_map(NAME, "size", sizes) == 6 and made == [6, 6]


def test_what_an_import_brings_is_read_first_when_it_is_read(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kites.bib").write_text("@book{a, title = {Kites and their tails}}\n@book{b, title = {Lines in wind}}")
    before = set(workspace.library.ids())
    assert workspace.import_paths([tmp_path / "kites.bib"], encoder=None).documents == 2
    assert not workspace.has_vectors(NAME)
    given: list[set[str]] = []
    monkeypatch.setattr("engine.workspace.indexing.index_library", lambda *_, first, **__: given.append(set(first)))
    workspace.prepare(NAME)
    assert given == [set(workspace.library.ids()) - before]


def test_a_library_that_was_replaced_is_another_one_with_as_many_documents(workspace: Workspace) -> None:
    workspace.prepare(NAME)
    before, searcher = workspace.state(), workspace.searcher(NAME)
    assert workspace.state() == before and workspace.searcher(NAME) is searcher
    workspace.prepare(NAME)
    assert workspace.state() == before  # its vectors are others, its words are not
    assert workspace.holds_document(OWN[0])
    shutil.rmtree(workspace.folder)
    with Library.open(workspace.folder, create=True) as library:
        library.add_file("new", "new.jsonl", [Document(f"n{n}", title=f"Kites, part {n}") for n in range(len(OWN))])
    assert workspace.state()[2] == before[2]
    assert workspace.state() != before
    assert not workspace.holds_document(OWN[0])
    assert workspace.searcher(NAME) is not searcher


def test_a_library_that_is_missing_is_refused_unless_it_may_be_made(folder: Path) -> None:
    with Workspace(folder) as workspace:
        with pytest.raises(LibraryError, match="Expected a library in"):
            _ = workspace.library
        assert workspace.library_if_any() is None
    with Workspace(folder, create=True) as workspace:
        assert len(workspace.library) == 0
        assert workspace.library_if_any() is workspace.library


def test_two_threads_load_an_encoder_once_and_work_does_not_forget_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    load = registry.load

    def counted(name: str, **options: Any) -> Any:  # noqa: ANN401
        loaded.append(name)
        return load(name, **options)

    monkeypatch.setattr(registry, "load", counted)
    threads = [threading.Thread(target=workspace.encoder, args=(NAME,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    encoder = workspace.encoder(NAME)
    workspace.prepare(NAME)
    assert loaded == [NAME] and workspace.encoder(NAME) is encoder


def test_an_encoder_that_learns_is_loaded_again_when_documents_have_come(workspace: Workspace) -> None:
    first = workspace.encoder("tfidf")
    assert workspace.encoder("tfidf") is first
    workspace.library.add_file("more", "more.jsonl", [Document(f"m{n}", title=f"Kites, part {n}") for n in range(9)])
    assert workspace.encoder("tfidf").card.fingerprint != first.card.fingerprint


def test_the_default_encoder_goes_by_both_of_its_names(workspace: Workspace) -> None:
    assert workspace.is_mapped("default") is workspace.is_mapped(registry.DEFAULT) is False
    workspace.library.map_folder(registry.DEFAULT).mkdir(parents=True)
    assert workspace.is_mapped("default")


def test_what_is_imported_is_encoded_before_the_library_is_given_up(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[bool] = []
    index_library = indexing.index_library
    paper = tmp_path / "walks.md"
    paper.write_text("# Walks\n\nA random walk on a graph visits every vertex of it.\n")

    def looking(*arguments: Any, **options: Any) -> object:  # noqa: ANN401
        free.append(is_free(workspace))
        return index_library(*arguments, **options)

    monkeypatch.setattr(indexing, "index_library", looking)
    reports: list[Progress] = []
    with Workspace(folder, create=True) as workspace:
        summary = workspace.import_paths([paper], encoder=NAME, names={paper: "own name.md"}, report=reports.append)
        assert summary.documents == workspace.vector_count(NAME) == 1
        assert [file.name for file in workspace.library.files()] == ["own name.md"]
        assert free == [False] and is_free(workspace)
    assert {"import files", f"encode with {NAME}"} <= {progress.stage for progress in reports}


def test_an_import_that_brings_nothing_encodes_nothing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    with Workspace(folder, create=True) as workspace:
        assert len(workspace.import_paths([tmp_path / "empty.md"], encoder=NAME).failures) == 1
        assert not workspace.has_vectors(NAME)


def test_samples_are_encoded_only_where_an_encoder_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def samples(library: Library, **_: object) -> importing.ImportSummary:
        return importing.ImportSummary(1, library.add_file("own", "own.jsonl", OWN).added, 0, 0)

    monkeypatch.setattr(importing, "import_samples", samples)
    with Workspace(folder, create=True) as workspace:
        assert workspace.import_samples(encoder=None).documents == len(OWN)
        assert not workspace.has_vectors(NAME)
        workspace.import_samples(encoder=NAME)
        assert workspace.has_vectors(NAME)


def test_work_on_a_library_that_is_held_is_refused(workspace: Workspace) -> None:
    searcher = workspace.searcher(NAME)
    with workspace.working(), pytest.raises(LibraryError, match="another window is importing"):
        workspace.prepare(NAME)
    assert workspace.searcher(NAME) is searcher  # nothing has changed
    workspace.prepare(NAME)
    assert workspace.searcher(NAME) is not searcher


def test_what_is_missing_is_encoded_for_who_asks_for_the_whole(workspace: Workspace) -> None:
    encoder, index = workspace.whole(NAME)
    assert encoder.card.name == NAME and set(index.ids) == {document.id for document in OWN}
    assert workspace.vector_count(NAME) == len(OWN)


_OTHER = """
import sys
from pathlib import Path
from engine.core.progress import silent
from engine.workspace import Workspace
from engine.workspace.indexing import index_library, open_vectors
from engine.workspace.reading_state import reading_alone

with Workspace(Path(sys.argv[1])) as other:
    library, encoder = other.library, other.encoder("word2vec-sif")
    documents = library.get(library.ids())
    with reading_alone(library, silent):
        index = open_vectors(library, encoder)
        for stop in map(int, sys.argv[2:]):
            some = documents[len(index) : stop]
            index.add([one.id for one in some], encoder.encode_documents(some))
            index.flush()
            print(stop, flush=True)
            sys.stdin.readline()
    index_library(library, encoder)
"""


def test_words_of_an_earlier_version_are_indexed_again_first(workspace: Workspace, folder: Path) -> None:
    left_to_index(folder)
    told: list[Progress] = []
    with reading_alone(workspace.library, told.append):
        assert workspace.is_being_read() and workspace.library.count_left_to_index() == len(OWN)  # others answer so far
    workspace.whole("word2vec-sif", report=told.append)
    assert workspace.library.count_left_to_index() == 0
    done = [one for one in told if one.stage == "index words"][-1]
    assert done.done == done.total == len(OWN)


def test_what_another_process_reads_is_searched_and_counted_as_it_comes(workspace: Workspace) -> None:
    """The counts are of now at every step, and one process reads at a time."""
    kites = [Document(f"k{n}", title=f"Kites of kind {n}") for n in range(100 - len(OWN))]
    workspace.library.add_file("kites", "kites.jsonl", kites)
    assert workspace.unread_count(NAME) == 100 and not workspace.is_being_read()
    command = [sys.executable, "-c", _OTHER, str(workspace.folder), "1", "10", "50", "99"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        for share in (1, 10, 50, 99):
            assert other.stdout.readline() == f"{share}\n"
            answer = workspace.searcher(NAME).search(Question(QUERY))
            assert f"Read so far: {share} % of your library; " in answer.sentence
            assert workspace.unread_count(NAME) == answer.verdict.unread == 100 - share
            assert answer.results[0].document.id == "p1" and workspace.is_being_read()
            if share < 99:
                print(file=other.stdin, flush=True)
        told: list[Progress] = []
        waiting = threading.Thread(target=workspace.prepare, args=(NAME,), kwargs={"report": told.append})
        waiting.start()
        waiting.join(1)
        assert waiting.is_alive() and {one.stage for one in told} == {"wait for another process that reads the library"}
        print(file=other.stdin, flush=True)
        waiting.join(30)
        assert other.wait(30) == 0
    assert not workspace.searcher(NAME).search(Question(QUERY)).verdict.read
    assert workspace.unread_count(NAME) == 0 and not workspace.is_being_read()


def test_a_reader_that_was_killed_leaves_the_library_free(workspace: Workspace) -> None:
    command = [sys.executable, "-c", _OTHER, str(workspace.folder), "1", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "1\n"
        assert workspace.is_being_read() and not workspace.may_be_read()
        other.kill()
        other.wait(30)
    assert workspace.may_be_read()
    workspace.prepare(NAME)
    assert workspace.unread_count(NAME) == 0


def test_who_reads_waits_for_a_question_but_not_for_long(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_state, "_GIVES_WAY_SECONDS", 300)
    reading = threading.Thread(target=workspace.prepare, args=(NAME,))
    with workspace.asking():
        reading.start()
        reading.join(1)
        assert reading.is_alive()
    reading.join(30)
    assert not reading.is_alive() and workspace.unread_count(NAME) == 0
    monkeypatch.setattr(reading_state, "_GIVES_WAY_SECONDS", 0.01)
    workspace.library.add_file("more", "more.jsonl", [Document("more", title="Kites of another kind")])
    with workspace.asking(), workspace.asking():
        workspace.prepare(NAME)
    assert workspace.unread_count(NAME) == 0


def test_nobody_else_reads_what_an_import_brings(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "more.md").write_text("# Kites of another kind\n\nThey fly.\n")
    told: list[bool] = []
    workspace.import_paths([tmp_path / "more.md"], encoder=NAME, report=lambda _: told.append(workspace.may_be_read()))
    assert told and not any(told) and workspace.may_be_read()


def test_a_folder_that_cannot_be_written_to_is_not_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert not workspace.may_be_read()


def test_reading_needs_no_lock_where_none_can_be_had(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, **options: object) -> None:
        raise PermissionError("a folder that cannot be written to")

    monkeypatch.setattr(reading_state.FileLock, "acquire", refuse)
    workspace.prepare(NAME)
    assert workspace.unread_count(NAME) == 0 and not workspace.is_being_read()


def test_changed_texts_are_not_read_until_they_are_read_again(workspace: Workspace) -> None:
    workspace.prepare(NAME)
    changed = replace(OWN[1], abstract="A chain of kites mixes fast.")
    workspace.library.add_file("own", "own.jsonl", [OWN[0], changed, *OWN[2:]])
    assert workspace.unread_count(NAME) == len(OWN) - workspace.vector_count(NAME)
    workspace.prepare(NAME)
    assert workspace.unread_count(NAME) == 0


def test_documents_leave_with_what_was_made_of_them(workspace: Workspace) -> None:
    workspace.prepare(NAME)
    assert workspace.remove_documents(["p1"]) == ["p1"]
    assert "p1" not in workspace.index(NAME).ids and workspace.vector_count(NAME) == len(OWN) - 1
    assert len(workspace.remove_file("own")) == len(OWN) - 1
    assert len(workspace.library) == workspace.vector_count(NAME) == 0


def test_documents_are_read_in_words_by_any_encoder(workspace: Workspace) -> None:
    workspace.prepare(NAME)
    one, *others = workspace.library.get(workspace.library.ids())
    found = workspace.readings(NAME, one, [one, *others])
    assert found[0].word == "says the same" and len(found) == len(OWN)
    assert {reading.word for reading in found} <= set(WORDS)


def test_what_waits_in_a_review_comes_as_a_search_finds_more_like_some(workspace: Workspace) -> None:
    library = workspace.library
    library.screening.decide(["p1", "p3"], "included")

    def waiting(review: str, *near: str, most: int = 9, filters: Filters = EVERY) -> list[str]:
        return workspace.waiting(review, filters, near, name=NAME, most=most)

    by_words = waiting("Review 1", "p1")  # nothing is read, so only what shares words is found
    assert by_words[0] == "p4" and {"p1", "p3"}.isdisjoint(by_words)
    workspace.prepare(NAME)
    found = workspace.searcher(NAME).search(Question(Document("q"), 9, liked=("p1",))).results
    assert waiting("Review 1", "p1") == [one.document.id for one in found if one.document.id != "p3"]
    patents, relays = Filters(kinds=frozenset({"patent"})), Filters(lines=("relay",))
    assert waiting("Review 1", "US1", most=1, filters=patents) == waiting("Review 1", "p1", filters=relays) == ["US1"]
    assert waiting("Review 1", "US2", "p1")[0] == "US2"  # which waits itself
    limited = library.reviews.make_of(["US1", "p2"], "Two")
    assert sorted(waiting(limited, "p1")) == ["US1", "p2"]
    library.screening.in_review(limited).decide(["p2", "US1"], "excluded")
    assert waiting(limited, "p1") == []


def test_what_a_first_search_needs_is_loaded_or_timed(workspace: Workspace) -> None:
    workspace.rehearse("lsa")
    assert (workspace.reading_seconds("lsa") or 0) > 0
    workspace.prepare("tfidf")
    workspace.rehearse("tfidf")
    assert workspace.reading_seconds("tfidf") is None


def test_what_a_first_search_counts_is_counted_before_it(workspace: Workspace) -> None:
    workspace.prepare("tfidf")
    workspace.rehearse("tfidf")

    read: list[str] = []
    with workspace.library._database.read() as connection:
        connection.set_trace_callback(read.append)
    workspace.library.facets(Filters(kinds=frozenset({"patent"}), year_from=1900))
    assert read and not any(statement.startswith(("SELECT position", "SELECT category")) for statement in read)


KITES = [Document(f"d{n}", title=f"Kites of kind {n} in the wind") for n in range(3)]


def encoded(library: Library) -> None:
    """Two files of kites, read by an encoder that learns from the library."""
    library.add_file("k1", "one.jsonl", KITES[:2])
    library.add_file("k2", "two.jsonl", KITES[2:])
    index_library(library, encoder_for(library, "tfidf"))


def kept(library: Library) -> list[str]:
    """The documents that have a vector."""
    return sorted(open_vectors(library, encoder_for(library, "tfidf")).ids)


def test_a_document_goes_with_its_vector(library: Library) -> None:
    encoded(library)
    assert remove_documents(library, ["d0"]) == ["d0"]
    assert library.ids() == kept(library) == ["d1", "d2"]


def test_a_file_goes_with_the_vectors_of_its_documents(library: Library) -> None:
    encoded(library)
    with Workspace(library.folder) as workspace:
        assert workspace.remove_file("k1") == ["d0", "d1"]
    assert library.ids() == kept(library) == ["d2"]


def test_what_is_not_held_is_told_and_nothing_goes(library: Library) -> None:
    encoded(library)
    with pytest.raises(UnknownDocumentError, match="stranger"):
        remove_documents(library, ["d0", "stranger"])
    with Workspace(library.folder) as workspace, pytest.raises(LibraryError, match="Expected"):
        workspace.remove_file("k3")
    assert library.ids() == kept(library) == ["d0", "d1", "d2"]


def test_an_empty_library_keeps_no_vectors(library: Library) -> None:
    encoded(library)
    remove_documents(library, ["d0", "d1", "d2"])
    assert not library.vectors_folder("tfidf").exists()


def test_damaged_vectors_are_left_as_they_are_with_a_warning(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    encoded(library)
    (damaged,) = library.vectors_folder("tfidf").glob("*/rows.safetensors")
    damaged.write_bytes(b"no rows")
    with caplog.at_level(logging.WARNING, logger=indexing.__name__):
        assert remove_documents(library, ["d0"]) == ["d0"]
    assert library.ids() == ["d1", "d2"]
    assert "the vectors of tfidf are left as they are" in caplog.text
    assert damaged.read_bytes() == b"no rows"


def test_encoders_that_have_read_nothing_are_not_loaded(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.add_file("k1", "one.jsonl", KITES)
    monkeypatch.setattr(registry, "load", pytest.fail)
    assert remove_documents(library, ["d1"]) == ["d1"]


def test_a_revision_s_number_is_never_given_again(library: Library) -> None:
    library.add_file("k1", "refs.bib", [reference(1), reference(2)])
    library.add_file("k2", "one.pdf", [completing(1)])
    index_library(library, Letters())
    remove_documents(library, ["r1"])
    assert library.revision() == 1 and library.revised_since(0) == []
    library.add_file("k3", "two.pdf", [completing(2)])
    assert library.revised_since(1) == ["r2"]
    encoder = Letters()
    kept = whole_index(library, encoder).rows(["r2"])
    assert encoder.read == 1
    assert kept.tolist() == encoder.encode_documents(library.get(["r2"])).tolist()


def test_what_was_opened_of_an_earlier_state_is_let_go(library: Library) -> None:
    workspace = Workspace(library.folder)
    workspace.library.add_file("k1", "one", [Document("a", title="steam valves")])
    workspace.prepare(NAME)
    earlier = [weakref.ref(workspace.searcher(NAME)), weakref.ref(workspace.index(NAME))]
    assert workspace.is_open(NAME)
    workspace.library.add_file("k2", "two", [Document("b", title="steam boilers")])
    assert not workspace.is_open(NAME)  # what is open does not know the second
    assert workspace.searcher(NAME) is workspace.searcher(NAME) and workspace.is_open(NAME)
    gc.collect()
    assert [one() for one in earlier] == [None, None]
