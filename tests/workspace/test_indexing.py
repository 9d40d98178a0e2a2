"""Files into a library, and a library into an index: whole, resumable, and what is said without loading an encoder."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine.core.errors import CancelledError, EmptyLibraryError, StorageError, UnknownEncoderError, VectorIndexError
from engine.core.progress import Meter, Progress, Report
from engine.documents import Chunk, Document, Section
from engine.documents.text import tokens
from engine.encoders import registry as encoder_registry
from engine.encoders.blend import BlendEncoder
from engine.library import Library
from engine.vectors import registry, storage
from engine.workspace import indexing, reading_state
from engine.workspace import passages as module
from engine.workspace.indexing import (
    encoder_for,
    exact_index,
    index_library,
    open_vectors,
    reading_costs,
    search_index,
    vectors_folder,
    whole_index,
)
from engine.workspace.opened_library import load_named
from engine.workspace.passages import index_passages
from engine.workspace.reading_state import unread_ids
from engine.workspace.workspace import Workspace
from tests.conftest import PROJECT
from tests.explorer.conftest import OWN
from tests.few_codes import codes_for_few
from tests.halves import HalvesEncoder
from tests.search.hashed_words import HashedWords, paper
from tests.workspace.letters import Letters, completing, reference

NAME = "word2vec-sif"


def folders(library: Library) -> list[str]:
    return [path.name for path in library.vectors_folder("letters").iterdir() if path.is_dir()]


def test_an_index_takes_up_where_it_was_stopped(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_FIRST_BATCH", 4)
    monkeypatch.setattr(indexing, "_LARGEST_BATCH", 4)
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 0)
    library.add_file("k1", "many", [Document(f"d{n}", title="abc" * n + str(n)) for n in range(30)])
    with pytest.raises(KeyboardInterrupt):
        index_library(library, Letters(stop_after=20))
    resumed = Letters()
    assert len(open_vectors(library, resumed)) == 20
    told: list[Progress] = []
    index = index_library(library, resumed, report=told.append)
    assert resumed.read == 10 and (told[-1].done, told[-1].total) == (10, 10)
    assert sorted(index.ids) == sorted(library.ids())
    assert sorted(open_vectors(library, resumed).ids) == sorted(library.ids())


@pytest.mark.parametrize(("writing", "between"), [(0.0, 15), (0.5, 15), (3.0, 60)])
def test_the_longer_writing_takes_the_less_often_is_it_done(
    writing: float, between: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, kept = [0.0], list[float]()
    monkeypatch.setattr(indexing, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def read() -> Iterator[Sequence[Document]]:
        for _ in range(200):
            yield [Document("one")]
            now[0] += 1

    def keep() -> None:
        kept.append(now[0])
        now[0] += writing

    indexing.keep_in_steps(read(), keep, Meter("read", None, lambda _: None), {})
    assert {round(after - before - writing) for before, after in pairwise(kept[:-1])} == {between}


def test_a_run_that_is_cancelled_keeps_all_it_counted_and_reads_what_has_come_first(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_FIRST_BATCH", 4)
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 1e9)
    monkeypatch.setattr(Meter, "_emit_in_time", lambda self: self.finish())
    library.add_file("k1", "many", [Document(f"d{n}", title="abc" * n + str(n)) for n in range(30)])
    told: list[Progress] = []

    def stop(progress: Progress) -> None:
        told.append(progress)
        if progress.done > 6:
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError):
        index_library(library, Letters(), first={"d27", "d29"}, report=stop)
    kept = list(open_vectors(library, Letters()).ids)
    assert len(kept) == told[-1].done < 30 and {"d27", "d29", "d0", "d1"} <= set(kept)
    resumed = Letters()
    index_library(library, resumed)
    assert resumed.read == 30 - len(kept)


def test_a_batch_shrinks_while_the_encoder_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.workspace.indexing.time.monotonic", lambda: now[0])
    size = indexing.BatchSize(32, 256)
    for seconds, after in ((0.1, 64), (0.7, 64), (3.0, 32), (0.1, 64), (0.1, 128), (0.1, 256), (0.1, 256)):
        with size.timed():
            now[0] += seconds
        assert size.now == after


def sizes(documents: int, monkeypatch: pytest.MonkeyPatch, **limits: float) -> list[int]:
    """How many documents each batch holds."""
    for name, value in limits.items():
        monkeypatch.setattr(indexing, name, value)
    return [
        len(batch) for batch in indexing._batches(iter([Document(f"d{n}", title="abcd") for n in range(documents)]))
    ]


def test_batches_grow_while_the_encoder_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"_FIRST_BATCH": 2, "_LARGEST_BATCH": 8}
    assert sizes(25, monkeypatch, **limits, _BATCH_SECONDS=1e9) == [2, 4, 8, 8, 3]
    assert sizes(7, monkeypatch, **limits, _BATCH_SECONDS=0.0) == [2, 1, 1, 1, 1, 1]


def test_a_batch_of_long_documents_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sizes(5, monkeypatch, _FIRST_BATCH=100, _BATCH_CHARACTERS=8) == [2, 2, 1]


def test_vectors_written_are_held_by_an_index_of_the_card_s_precision(library: Library) -> None:
    documents = [Document(f"d{n}", title=f"abc {n}", abstract="cab" * n) for n in range(30)]
    library.add_file("k1", "many", documents)
    encoder = HalvesEncoder.fit(documents, stored="int8")
    index_library(library, encoder)
    folder = library.vectors_folder("halves") / encoder.card.fingerprint
    assert json.loads((folder / "index.json").read_text())["precision"] == "int8"
    assert (folder / "rows.safetensors").stat().st_size < 30 * (encoder.card.dim + 4) + 300
    whole = HalvesEncoder.fit(documents)  # the same encoder, whose rows are now to be kept whole
    assert len(whole_index(library, whole)) == 30
    assert json.loads((folder / "index.json").read_text())["precision"] == "float32"


KILLED = """
import os, signal, sys
from pathlib import Path
from engine.workspace import indexing, reading_state
from engine.library import Library
from tests.workspace.letters import Letters

class Killed(Letters):
    def encode_documents(self, documents):
        if self.read >= 12:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_documents(documents)

indexing._FIRST_BATCH = indexing._LARGEST_BATCH = 4
indexing._SECONDS_KEPT = 0.0
with Library.open(Path(sys.argv[1])) as library:
    indexing.index_library(library, Killed())
"""


def test_a_killed_run_goes_on_from_what_it_had_written(library: Library) -> None:
    library.add_file("k1", "many", [Document(f"d{n}", title="abc" * n + str(n)) for n in range(30)])
    run = subprocess.run([sys.executable, "-c", KILLED, str(library.folder)], cwd=PROJECT, check=False)
    assert run.returncode == -signal.SIGKILL
    resumed = Letters()
    index = index_library(library, resumed)
    assert resumed.read == 18
    assert sorted(index.ids) == sorted(library.ids())
    assert folders(library) == [resumed.card.fingerprint]


def test_only_new_documents_are_encoded(library: Library) -> None:
    library.add_file("k1", "one", [Document("a", title="abc")])
    encoder = Letters()
    index_library(library, encoder)
    library.add_file("k2", "two", [Document("b", title="cde")])
    assert list(index_library(library, encoder).ids) == ["a", "b"]
    assert encoder.read == 2


def test_a_reference_that_got_its_paper_s_text_is_encoded_again(library: Library) -> None:
    title, authors = "Stable flight of tethered kites", ("Ada Gale",)
    library.add_file(
        "k1", "refs.bib", [Document("r", "paper", title, year=2015, authors=authors), Document("o", title="abc")]
    )
    first = Letters()
    before = index_library(library, first).rows(["r"])
    paper = Document("p", "paper", title, sections=(Section("S", "a a a b"),), authors=authors)
    library.add_file("k2", "p.pdf", [paper])
    second = Letters()
    index = whole_index(library, second)
    assert second.read == 1 and set(index.ids) == {"r", "o"}
    assert index.rows(["r"]).tolist() != before.tolist()
    third = Letters()
    whole_index(library, third)
    index_library(library, third)
    assert third.read == 0
    (library.vectors_folder("letters") / "letters-1.json").write_text("{", "utf-8")
    whole_index(library, third)
    assert third.read == 1
    index_library(library, Letters("letters-2"))
    assert [path.name for path in library.vectors_folder("letters").glob("*.json")] == ["letters-2.json"]


def test_a_text_that_changed_has_no_vector_until_it_is_encoded_again(library: Library) -> None:
    library.add_file("k1", "refs.bib", [reference(1), reference(2)])
    one, other = Letters("letters-1"), Letters("letters-2")
    index_library(library, one)
    library.add_file("k2", "p.pdf", [completing(1)])
    assert open_vectors(library, one).ids == ("r2",)
    assert search_index(library, one).ids == ("r2",)
    index_library(library, one)
    assert set(open_vectors(library, one).ids) == {"r1", "r2"}
    assert len(open_vectors(library, other)) == 0


def test_vectors_of_a_library_with_more_revisions_are_not_taken_for_new_ones(library: Library) -> None:
    library.add_file("k1", "refs.bib", [reference(1), reference(2)])
    library.add_file("k2", "one.pdf", [completing(1)])
    index_library(library, Letters())
    (library.vectors_folder("letters") / "letters-1.json").write_text('{"revision": 7}', "utf-8")
    encoder = Letters()
    whole_index(library, encoder)
    assert encoder.read == 1
    assert json.loads((library.vectors_folder("letters") / "letters-1.json").read_text("utf-8"))["revision"] == 1


def test_another_fingerprint_is_encoded_anew(library: Library) -> None:
    library.add_file("k1", "one", [Document("a", title="abc")])
    index_library(library, Letters("one"))
    other = Letters("two")
    assert len(open_vectors(library, other)) == 0
    index_library(library, other)
    assert other.read == 1
    assert folders(library) == ["two"]


@pytest.mark.parametrize("damaged", ["index.json", "rows.safetensors"])
def test_damaged_vectors_are_made_anew(library: Library, damaged: str) -> None:
    library.add_file("k1", "one", [Document("a", title="abc")])
    index_library(library, Letters())
    (library.vectors_folder("letters") / "letters-1" / damaged).write_bytes(b"{")
    with pytest.raises(StorageError):
        open_vectors(library, Letters())
    assert index_library(library, Letters()).ids == ("a",)
    assert open_vectors(library, Letters()).ids == ("a",)


def test_an_index_that_is_whole_is_opened_and_another_is_put_right(library: Library) -> None:
    library.add_file("k1", "one", [Document("a", title="abc")])
    encoder = Letters()
    for _ in range(2):
        assert whole_index(library, encoder).ids == ("a",)
    assert encoder.read == 1
    (library.vectors_folder("letters") / "letters-1" / "index.json").write_bytes(b"{")
    assert whole_index(library, encoder).ids == ("a",)
    assert encoder.read == 2


def test_vectors_of_a_library_that_was_replaced_are_removed(library: Library) -> None:
    library.add_file("k1", "one", [Document("b", title="abc")])
    left_over = index_library(library, Letters())
    left_over.add(["gone"], np.ones((1, 8), np.float32))
    left_over.remove(["b"])
    left_over.flush()
    assert whole_index(library, Letters()).ids == ("b",)
    assert open_vectors(library, Letters()).ids == ("b",)


def test_a_damaged_encoder_is_fitted_anew(library: Library) -> None:
    texts = ["kites fly in wind", "boats sail in wind", "soup is served hot"]
    library.add_file("k1", "few", [Document(str(n), title=text) for n, text in enumerate(texts)])
    first = encoder_for(library, "tfidf").card.fingerprint
    for path in library.encoder_folder("tfidf").iterdir():
        content = path.read_bytes()
        path.write_bytes(b"{")
        assert encoder_for(library, "tfidf").card.fingerprint == first
        assert path.read_bytes() == content


def test_an_empty_library_is_not_indexed(library: Library) -> None:
    with pytest.raises(EmptyLibraryError, match="the library is empty"):
        index_library(library, Letters())
    with pytest.raises(EmptyLibraryError, match="the library is empty"):
        encoder_for(library, "tfidf")


def test_an_encoder_that_learns_is_fitted_once_and_again_when_the_library_has_grown(library: Library) -> None:
    texts = ["kites fly in wind", "boats sail in wind", "soup is served hot", "bread is baked slowly"]
    library.add_file("k1", "few", [Document(f"a{n}", title=text) for n, text in enumerate(texts)])
    first = encoder_for(library, "tfidf").card.fingerprint
    assert encoder_for(library, "tfidf").card.fingerprint == first
    library.add_file("k2", "one", [Document("b", title="reels wind lines")])
    assert encoder_for(library, "tfidf").card.fingerprint == first
    library.add_file("k3", "more", [Document(f"c{n}", title=f"{text} again") for n, text in enumerate(texts)])
    assert encoder_for(library, "tfidf").card.fingerprint != first


def test_a_sparse_encoder_is_indexed(library: Library) -> None:
    texts = ["kites fly in wind", "boats sail in wind", "soup is served hot"]
    library.add_file("k1", "few", [Document(str(n), title=text) for n, text in enumerate(texts)])
    encoder = encoder_for(library, "tfidf")
    index = index_library(library, encoder)
    (hits,) = index.search(encoder.encode_queries([Document("q", title="hot soup")]), 1)
    assert hits[0].id == "2"


def test_an_encoder_that_nobody_knows(library: Library) -> None:
    with pytest.raises(UnknownEncoderError, match="got 'nobody'"):
        encoder_for(library, "nobody")


@pytest.fixture
def many(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library of 60 documents, which is more than 50; codes are made of 20 and more."""
    codes_for_few(monkeypatch, above=50, fewest=20)
    library.add_file("many", "many", [worded(number) for number in range(60)])
    return library


def worded(number: int) -> Document:
    """A document whose letters are not those of its neighbours."""
    letters = "".join(letter * (1 + number * place % 7) for place, letter in enumerate("abcdefgh", start=1))
    return Document(f"d{number}", title=f"{number} {letters}")


def has_codes(library: Library) -> bool:
    return storage.has_codes(vectors_folder(library, Letters()))


def test_many_documents_are_searched_by_codes_beside_their_vectors(many: Library) -> None:
    index = index_library(many, Letters())
    assert not index.is_exact and has_codes(many)
    folder = vectors_folder(many, Letters())
    assert sorted(path.name for path in folder.iterdir()) == ["codes.safetensors", "index.json", "rows.safetensors"]
    for opened in (open_vectors(many, Letters()), whole_index(many, Letters())):
        assert not opened.is_exact and opened.ids == index.ids
    exact = exact_index(many, Letters())
    assert exact.is_exact and exact.ids == index.ids and has_codes(many)
    assert open_vectors(many, Letters(), choice="embedded").is_exact
    query = Letters().encode_queries([worded(7)])
    assert index.search(query, 5) == exact.search(query, 5)  # of so few all are looked up


def test_codes_are_kept_in_step_with_documents_that_come_and_go(many: Library) -> None:
    encoder = Letters()
    index_library(many, encoder)
    many.add_file("more", "more", [worded(number) for number in range(60, 64)])
    assert not open_vectors(many, encoder).is_exact  # as far as it has been filled
    index = whole_index(many, encoder)
    assert not index.is_exact and index.ids == tuple(f"d{number}" for number in range(64)) and encoder.read == 64
    query = encoder.encode_queries([worded(62)])
    assert "d62" in [hit.id for hit in open_vectors(many, encoder).search(query, 9)[0]]
    left_over = open_vectors(many, encoder, choice="embedded")
    left_over.add(["gone"], query)
    left_over.flush()
    assert not has_codes(many)  # codes of other rows are worse than none
    index = whole_index(many, encoder)
    assert not index.is_exact and "gone" not in index.ids
    assert "gone" not in [hit.id for hit in index.search(query, 64)[0]]


def test_a_document_that_is_added_to_many_leaves_their_codes_as_they_are(
    many: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_library(many, Letters())
    codes = (vectors_folder(many, Letters()) / "codes.safetensors").read_bytes()
    many.add_file("more", "more", [worded(60)])
    index = index_library(many, Letters())
    assert not index.is_exact and "d60" in index and not open_vectors(many, Letters()).is_exact
    assert (vectors_folder(many, Letters()) / "codes.safetensors").read_bytes() == codes


def test_a_run_that_stops_leaves_vectors_without_codes(many: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_FIRST_BATCH", 4)
    monkeypatch.setattr(indexing, "_LARGEST_BATCH", 4)
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 0)
    with pytest.raises(KeyboardInterrupt):
        index_library(many, Letters(stop_after=40))
    assert open_vectors(many, Letters()).is_exact
    resumed = Letters()
    assert not whole_index(many, resumed).is_exact
    assert resumed.read == 20


def test_vectors_of_before_get_codes_without_being_encoded_again(many: Library) -> None:
    index_library(many, Letters(), choice="embedded")
    assert not has_codes(many) and open_vectors(many, Letters()).is_exact
    encoder = Letters()
    assert not whole_index(many, encoder).is_exact
    assert encoder.read == 0 and has_codes(many)


def test_a_search_makes_the_codes_that_a_library_read_earlier_lacks(many: Library) -> None:
    index_library(many, Letters(), choice="embedded")
    encoder = Letters()
    index = search_index(many, encoder)
    assert not index.is_exact and index.ids == tuple(many.ids()) and has_codes(many) and encoder.read == 0
    many.add_file("more", "more", [worded(60)])
    (vectors_folder(many, encoder) / "codes.safetensors").unlink()
    assert search_index(many, encoder).is_exact and not has_codes(many)  # one vector is missing


def test_a_search_without_room_for_codes_compares_all(many: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    index_library(many, Letters(), choice="embedded")

    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(indexing, "_with_codes", full)
    assert search_index(many, Letters()).is_exact


def test_damaged_codes_are_made_anew_and_vectors_stay(many: Library) -> None:
    index_library(many, Letters())
    (vectors_folder(many, Letters()) / "codes.safetensors").write_bytes(b"{")
    with pytest.raises(StorageError, match="it is damaged"):
        open_vectors(many, Letters())
    encoder = Letters()
    assert not whole_index(many, encoder).is_exact
    assert encoder.read == 0


def test_the_choice_can_be_made_by_hand(many: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BINARY_ABOVE", 100)
    assert whole_index(many, Letters()).is_exact
    assert not whole_index(many, Letters(), choice="binary").is_exact
    assert whole_index(many, Letters()).is_exact  # a small library is searched exactly though it has codes
    monkeypatch.setattr(registry, "FEWEST", 61)
    assert whole_index(many, Letters(), choice="binary").is_exact
    encoder = encoder_for(many, "tfidf")
    assert whole_index(many, encoder).is_exact
    with pytest.raises(VectorIndexError, match="Expected an encoder of dense rows for the binary index"):
        whole_index(many, encoder, choice="binary")
    with pytest.raises(VectorIndexError, match="Expected an encoder of dense rows for the binary index"):
        index_library(many, encoder, choice="binary")


SHORT = [paper(f"short{n}", body=0) for n in range(120)]


LONG = [paper(f"long{n}", body=900) for n in range(12)]


SECONDS_A_TOKEN = 0.001


class Clock:
    """Seconds as what reads says them."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def read(self, documents: Iterable[Document], most: int | None = None, share: float = 1.0) -> None:
        counts = [len(tokens(document.text)) for document in documents]
        self.now += share * SECONDS_A_TOKEN * sum(min(most or count, count) for count in counts)


class Timed(HashedWords):
    """Takes as long as a document has tokens."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        for document, passages in read:  # a long one comes in parts
            self._clock.read([document], share=len(passages) / len(self.cut(document)))
        return super().encode(read)


class FirstTokens(Letters):
    """Reads the first tokens of a document, all by default."""

    def __init__(self, clock: Clock, most: int | None = None) -> None:
        super().__init__()
        self._card, self._clock = replace(self._card, max_tokens=most), clock

    def encode_documents(self, documents: Sequence[Document]) -> np.ndarray:
        self._clock.read(documents, self.card.max_tokens)
        return super().encode_documents(documents)


def passages(library: Library, clock: Clock, report: Report) -> None:
    index_passages(library, Timed(clock), report=report)  # type: ignore[arg-type]


def beginnings(library: Library, clock: Clock, report: Report) -> None:
    index_library(library, FirstTokens(clock, 60), report=report)


def whole_texts(library: Library, clock: Clock, report: Report) -> None:
    index_library(library, FirstTokens(clock), report=report)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("engine.core.progress.time", made)
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    monkeypatch.setattr(indexing, "_batches", _one_by_one)
    return made


def _one_by_one(documents: Iterator[Document]) -> Iterator[list[Document]]:
    return ([document] for document in documents)


@pytest.mark.parametrize("order", [[*SHORT, *LONG], [*LONG, *SHORT], [*SHORT[:60], *LONG, *SHORT[60:]]])
@pytest.mark.parametrize("work", [passages, beginnings, whole_texts])
def test_the_time_left_is_within_a_third_of_the_truth(
    library: Library, clock: Clock, work: Callable[[Library, Clock, Report], None], order: list[Document]
) -> None:
    library.add_file("k", "mixed", order)
    told: list[Progress] = []
    work(library, clock, told.append)
    whole = clock.now
    known = [(one.seconds_left, whole - one.seconds) for one in told if 0.1 * whole <= one.seconds < whole - 0.1]
    assert len(known) >= 10
    assert [pair for pair in known if pair[0] is None or not 0.67 <= pair[0] / pair[1] <= 1.33] == []
    assert told[-1].share == 1 and told[-1].seconds_left == 0


def test_what_costs_is_what_is_read(library: Library) -> None:
    library.add_file("k", "mixed", [SHORT[0], LONG[0]])
    ids = [SHORT[0].id, LONG[0].id]
    short, long = (len(tokens(document.text)) for document in (SHORT[0], LONG[0]))
    assert reading_costs(library, ids) == {ids[0]: short + 20, ids[1]: long + 20}
    first = FirstTokens(Clock(), 60)
    assert list(reading_costs(library, ids, first.costs).values()) == [80, 80]
    blend = BlendEncoder(Letters(), first)
    assert list(reading_costs(library, [*ids, "gone"], blend.costs).values()) == [80, 80, 20]


def test_the_time_to_read_is_no_estimate_where_it_cannot_be_measured(tmp_path: Path) -> None:
    with Workspace(tmp_path / "library", create=True) as workspace:
        assert indexing.reading_seconds(workspace.library, "lsa") == 0
        workspace.library.add_file("own", "own.jsonl", [Document("d", title="…")])
        workspace.rehearse("lsa")
        assert workspace.reading_seconds("lsa") == 0


def test_time_in_which_the_processor_did_other_work_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, used = iter([10.0, 70.0, 80.0, 82.0]), iter([1.0, 3.0, 4.0, 8.0])
    monkeypatch.setattr(indexing.time, "perf_counter", lambda: next(passed))
    monkeypatch.setattr(indexing.time, "process_time", lambda: next(used))
    assert indexing._Clock().seconds() == 2.0  # busy elsewhere
    assert indexing._Clock().seconds() == 2.0  # on two cores


def test_times_to_read_are_measured_in_the_background_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[str] = []

    def seconds(_: Library, name: str) -> float:
        timed.append(name)
        return 42.0

    monkeypatch.setattr(indexing, "reading_seconds", seconds)
    with Workspace(tmp_path / "library", create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", OWN)
        for names in (("lsa", "cdssm"), ("lsa", "ctpe")):
            workspace.measure_reading(names).join(60)
        assert timed == ["lsa", "cdssm", "ctpe"]
        assert workspace.reading_seconds("cdssm") == 42.0
        assert workspace.reading_seconds("word2vec-sif") is None


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", create=True) as opened:
        opened.library.add_file("own", "own.jsonl", OWN)
        yield opened


def test_a_library_holds_a_document_word_for_word(workspace: Workspace) -> None:
    assert workspace.holds_document(OWN[0])
    assert not workspace.holds_document(Document("p1", "paper", "Another text"))
    assert not workspace.holds_document(Document("other", title="Kites"))


def test_an_encoder_that_learns_has_a_card_and_files_of_its_own_once_it_has(workspace: Workspace) -> None:
    library = workspace.library
    assert workspace.encoder_card("tfidf").dim == 0 and workspace.encoder_files("tfidf") is None
    assert workspace.encoder_bytes("tfidf") == 0
    encoder = workspace.encoder("tfidf")
    card = workspace.encoder_card("tfidf")
    assert (card.dim, card.fingerprint) == (encoder.card.dim, encoder.card.fingerprint)
    assert card.trained_on == ("your library",)
    assert workspace.encoder_files("tfidf") == library.encoder_folder("tfidf")
    assert workspace.encoder_bytes("tfidf") > 0
    (library.encoder_folder("tfidf") / "card.json").write_text("{}")
    assert workspace.encoder_card("tfidf").dim == 0  # it has yet to learn again


def test_a_joined_encoder_takes_the_room_of_its_parts_too(workspace: Workspace) -> None:
    sizes = {name: workspace.encoder_bytes(name) for name in ("blend", *encoder_registry.find("blend").joins)}
    whole = sizes.pop("blend")
    assert len(sizes) == 2 and whole > sum(sizes.values()) > 0


def test_vectors_are_there_once_the_library_is_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not workspace.has_vectors(NAME) and workspace.vector_bytes(NAME) == 0
    workspace.prepare(NAME)
    assert workspace.has_vectors(NAME) and workspace.vector_bytes(NAME) >= 100
    assert not workspace.uses_codes(NAME)
    codes_for_few(monkeypatch, above=5)
    assert not workspace.uses_codes(NAME)  # they are due, and not made yet
    workspace.forget()
    assert not workspace.searcher(NAME)._index.is_exact and workspace.uses_codes(NAME)


def test_an_encoder_goes_by_its_name_or_its_folder(workspace: Workspace, tmp_path: Path) -> None:
    workspace.encoder("tfidf").save(tmp_path / "mine")
    assert load_named(str(tmp_path / "mine")).card.name == "tfidf"
    assert load_named(NAME).card.name == NAME


def test_a_library_that_was_read_whole_is_known_to_be_until_it_or_its_vectors_change(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_file("k1", "two", [Document("a", title="abc"), Document("b", title="bcd")])
    encoder = Letters()
    index_library(library, encoder)
    with monkeypatch.context() as patch:
        patch.setattr(reading_state, "kept_ids", lambda *_: pytest.fail("the ids were compared"))
        assert unread_ids(library, encoder.card) == set()
    library.add_file("later", "later", [Document("later", title="came later")])
    assert unread_ids(library, encoder.card) == {"later"}
    index_library(library, encoder)
    assert unread_ids(library, encoder.card) == set()
    shutil.rmtree(library.vectors_folder("letters") / encoder.card.fingerprint)
    assert unread_ids(library, encoder.card) == set(library.ids())
    (library.vectors_folder("letters") / "letters-1.json").write_text("[]", "utf-8")  # no note of ours
    assert unread_ids(library, encoder.card) == set(library.ids())
