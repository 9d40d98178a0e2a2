"""What every store of passages promises; a store's own test inherits this, and says where the rows lie."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import FingerprintError
from engine.core.stores import Stores
from engine.documents import Document
from engine.vectors import PassageStore, PassageView, ReadPassages, kept_passage_store, open_passage_store
from tests.search.hashed_words import DIM, paper, read

NAMES = [f"d{number}" for number in range(30)]

_ADDS = """
import sys
from pathlib import Path
from engine.core.stores import Stores
from engine.vectors import open_passage_store
from tests.search.hashed_words import DIM, read
store = open_passage_store(Path(sys.argv[1]), fingerprint="f" * 16, dim=DIM, stores=Stores(vectors=sys.argv[2]))
number = len(store)
while True:
    store.add([read(f"d{number}")])
    number += 1
    print(number, flush=True)
"""


class PassageContract:
    stores: Stores = Stores()
    """Where the rows lie: in the folder, or on a server, whose test sets it."""

    def opened(self, folder: Path, fingerprint: str = "f" * 16) -> PassageStore:
        return open_passage_store(folder / "passages", fingerprint=fingerprint, dim=DIM, stores=self.stores)

    def kept(self, folder: Path) -> PassageStore | None:
        return kept_passage_store(folder / "passages", self.stores)

    def held_rows(self, folder: Path, name: str) -> np.ndarray:
        view = self.opened(folder).view()
        passages, _ = view.of_documents(np.array([view.number_of[name]]))
        return view.rows(passages)

    @pytest.fixture
    def view(self, tmp_path: Path) -> PassageView:
        store = self.opened(tmp_path)
        for first in range(0, 30, 7):
            store.add([read(name) for name in NAMES[first : first + 7]])
        store.remove(["d3", "d20"])
        return store.view()

    def test_the_nearest_passages_come_first(self, view: PassageView) -> None:
        live = np.flatnonzero(view.held[view.owner])
        rows = view.rows(live)
        queries = np.concatenate([read("d0").rows, read("d29").rows])
        places, scores = view.search(queries, 9)
        exact = queries @ rows.T
        best = np.argsort(-exact, axis=1)[:, :9]
        np.testing.assert_allclose(scores, np.take_along_axis(exact, best, 1), atol=1e-4)
        assert [view.names[view.owner[one]] for one in places[:, 0]] == ["d0"] * len(read("d0").rows) + ["d29"] * len(
            read("d29").rows
        )

    def test_an_answer_is_limited_to_some_documents(self, view: PassageView) -> None:
        among = view.among(["d1", "d3", "d5", "unknown"])
        places, scores = view.search(read("d1").rows, 40, among=among)
        names = {view.names[view.owner[one]] for one in places.ravel() if one >= 0}
        assert names == {"d1", "d5"}  # d3 was removed
        assert ((places == -1) == (scores == -np.inf)).all() and (places == -1).any()

    def test_a_place_leads_to_the_words(self, view: PassageView) -> None:
        for name in ("d0", "d29"):
            passages, _ = view.of_documents(np.array([view.number_of[name]]))
            for number, chunk in zip(passages.tolist(), read(name).passages, strict=True):
                place = view.place(number)
                assert paper(name).parts[place.part].text[place.start : place.stop] == chunk.text

    def test_documents_passages_stand_end_to_end(self, view: PassageView) -> None:
        numbers = np.array([view.number_of[name] for name in ("d9", "d2")])
        passages, starts = view.of_documents(numbers)
        assert view.owner[passages[starts]].tolist() == numbers.tolist()
        rows = np.concatenate([read("d9").rows, read("d2").rows])
        np.testing.assert_allclose(view.rows(passages), rows, atol=0.01)

    def test_a_documents_passages_come_nearest_first(self, view: PassageView) -> None:
        own = read("d8")
        places = [(chunk.part, chunk.start, chunk.stop) for chunk in own.passages]
        found = view.nearest_in("d8", own.rows[[2, 1]], 2)
        assert {tuple(one) for one in found} == {places[1], places[2]}
        products = (read("d9").rows[:1] @ own.rows.T).ravel()
        assert [tuple(one) for one in view.nearest_in("d8", read("d9").rows[:1], 99)] == [
            places[n] for n in np.argsort(-products)
        ]

    def test_a_document_that_does_not_count_has_no_nearest_passage(self, view: PassageView) -> None:
        assert view.nearest_in("d3", read("d3").rows, 2) == [] and view.nearest_in("unknown", read("d3").rows, 2) == []

    def test_what_is_added_is_held_and_found_when_opened_again(self, tmp_path: Path) -> None:
        made = read("a")
        self.opened(tmp_path).add([made, read("b")])
        again = self.opened(tmp_path)
        assert set(again.ids) == {"a", "b"} and "a" in again and len(again) == 2
        np.testing.assert_allclose(self.held_rows(tmp_path, "a"), made.rows, atol=np.abs(made.rows).max() / 254 + 1e-6)

    def test_a_document_added_again_has_its_new_passages_alone(self, tmp_path: Path) -> None:
        store, new = self.opened(tmp_path), read("a", seed=1, body=120)
        store.add([read("a"), read("b")])
        store.add([new])
        for one in (store, self.opened(tmp_path)):
            assert set(one.ids) == {"a", "b"} and len(one.view()) == len(new.passages) + len(read("b").passages)
        np.testing.assert_allclose(self.held_rows(tmp_path, "a"), new.rows, atol=0.01)

    def test_a_removed_document_is_gone_here_and_when_opened_again(self, tmp_path: Path) -> None:
        store = self.opened(tmp_path)
        store.add([read("a"), read("b"), read("c")])
        store.remove(["b", "unknown"])
        for one in (store, self.opened(tmp_path)):
            assert set(one.ids) == {"a", "c"} and "b" not in one.view().number_of
            places, _ = one.view().search(read("b").rows, 4)
            found = {one.view().names[owner] for owner in one.view().owner[places.ravel()]}
            assert found <= {"a", "c"}

    def test_the_revision_is_kept(self, tmp_path: Path) -> None:
        store = self.opened(tmp_path)
        store.revision = 7
        store.keep()
        assert self.opened(tmp_path).revision == 7

    def test_another_encoders_passages_are_refused(self, tmp_path: Path) -> None:
        self.opened(tmp_path).add([read("a")])
        with pytest.raises(FingerprintError, match=r"Expected passages read by the encoder g{16}, found those of f"):
            self.opened(tmp_path, "g" * 16)

    def test_kept_passages_are_opened_without_their_encoder(self, tmp_path: Path) -> None:
        self.opened(tmp_path).add([read("a")])
        assert set(self.kept(tmp_path).ids) == {"a"}

    def test_a_large_answer_leaves_out_what_is_removed(self, view: PassageView) -> None:
        places, scores = view.search(read("d1").rows, 400)
        assert not {"d3", "d20"} & {view.names[view.owner[one]] for one in places.ravel() if one >= 0}
        assert ((places >= 0).sum(axis=1) == len(view)).all() and (np.diff(scores[:, : len(view)], axis=1) <= 0).all()

    def test_nothing_is_found_where_nothing_is_held(self, tmp_path: Path) -> None:
        assert self.kept(tmp_path) is None
        store = self.opened(tmp_path)
        store.add([])
        store.remove(["a"])
        places, scores = store.view().search(read("d1").rows, 3)
        assert (places == -1).all() and (scores == -np.inf).all() and self.kept(tmp_path) is None

    def test_a_document_without_passages_is_held(self, tmp_path: Path) -> None:
        nothing = ReadPassages("empty", (), np.zeros((0, DIM), np.float32))
        self.opened(tmp_path).add([nothing, read("a")])
        again = self.opened(tmp_path)
        assert set(again.ids) == {"empty", "a"} and len(again.view()) == len(read("a").passages)
        places, _ = again.view().search(read("a").rows, 40)
        assert (places >= 0).sum() == len(read("a").passages) ** 2

    def test_what_is_hidden_is_gone_for_good_with_the_next_change(self, tmp_path: Path) -> None:
        store = self.opened(tmp_path)
        store.add([read("a"), read("b")])
        assert store.hide(["a", "unknown"]) and not store.hide(["a"])
        assert set(store.ids) == set(store.view().number_of) == {"b"} and set(self.opened(tmp_path).ids) == {"a", "b"}
        store.add([read("c")])
        assert set(store.ids) == set(self.opened(tmp_path).ids) == {"b", "c"}

    def test_a_view_stays_as_it_was(self, tmp_path: Path) -> None:
        store = self.opened(tmp_path)
        store.add([read("a")])
        before = store.view()
        store.add([read("b")])
        assert set(before.number_of) == {"a"} and set(store.view().number_of) == {"a", "b"}

    def test_a_document_is_read_with_its_words(self, view: PassageView) -> None:
        found, own = view.read(paper("d5")), read("d5")
        assert found is not None and found.passages == own.passages
        np.testing.assert_allclose(found.rows, own.rows, atol=0.01)
        assert view.read(Document("unknown")) is None


class SharedPassageContract(PassageContract):
    """What a store promises that several processes use."""

    def test_a_killed_process_leaves_whole_documents(self, tmp_path: Path) -> None:
        command = [sys.executable, "-c", _ADDS, str(tmp_path / "passages"), self.stores.vectors]
        for _ in range(3):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            added = 0
            for _ in range(11):
                added = int(process.stdout.readline())
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            store = self.opened(tmp_path)
            assert len(store) >= added
            for name in store.ids:
                found = store.view().read(paper(name))
                assert found is not None
                np.testing.assert_allclose(found.rows, read(name).rows, atol=0.01)
