"""A person's own documents outlive a reload and a restart, within their limits, and nobody else reads them.

Recent searches and comparisons: listed once each, bounded, forgotten on demand.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import ConfigError, StorageError, UnknownDocumentError
from engine.core.files import write_arrays
from engine.documents import Document, LineBox, PageStart, Section
from engine.vectors import ReadPassages
from engine.workspace.keeping import (
    FOLDER,
    MOST_RECENT,
    OwnDocument,
    OwnDocuments,
    Recent,
    change_keeping,
    is_key,
    keeping_settings,
)
from engine.workspace.workspace import Workspace

DAY = 86_400
SECRET_WORD = "quixotic"
OWN = OwnDocument(
    Document(
        "file:1",
        title=f"A {SECRET_WORD} walk",
        sections=(Section("Method", "We walk.", pages=(PageStart(0, 1),), boxes=(LineBox(0, 1, 1.0, 2.0, 3.0, 4.0),)),),
        claims=("A walk.", ""),
        year=2020,
    ),
    "walks.pdf",
    ("Page 2 is a picture.",),
    2,
)


def own(text: str) -> OwnDocument:
    return OwnDocument(Document("text:1", title=text), "Pasted text")


def aged(library: Path, key: str, days: float) -> None:
    past = time.time() - days * DAY
    os.utime(library / FOLDER / "documents" / f"{key}.json", (past, past))


def test_another_window_and_a_restart_find_the_document_by_its_key(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as first, Workspace(tmp_path) as second:
        key = first.own.keep(OWN)
        assert is_key(key) and SECRET_WORD not in key
        found = second.own.get(key)
        assert found == OWN and found.document.sections[0].boxes == OWN.document.sections[0].boxes
        assert second.own.keep(OWN) == key
    with Workspace(tmp_path) as restarted:
        assert restarted.own.get(key) == OWN and len(restarted.own.files()) == 1


READ = ReadPassages(
    OWN.document.id, [OWN.document.parts[1].chunk(OWN.document.id, 1, 0, 8)], np.ones((1, 3), np.float32)
)


def rows_of(tmp_path: Path, key: str, fingerprint: str = "f") -> ReadPassages | None:
    """What an app that starts now finds of the rows."""
    restarted = OwnDocuments(tmp_path)
    return restarted.rows(fingerprint, restarted.get(key).document)


def test_rows_are_kept_beside_a_document_counted_and_forgotten_with_it(tmp_path: Path) -> None:
    kept = OwnDocuments(tmp_path)
    key = kept.keep(OWN)
    (alone,) = kept.files()
    kept.keep_rows("f", OWN.document, READ)
    kept.keep_rows("f", OWN.document, READ)
    found = rows_of(tmp_path, key)
    assert found is not None and found.passages == READ.passages and np.array_equal(found.rows, READ.rows)
    assert rows_of(tmp_path, key, "of other weights") is None
    (file,) = kept.files()
    assert file.bytes > alone.bytes and len(list((tmp_path / FOLDER / "documents").iterdir())) == 2
    (path,) = (tmp_path / FOLDER / "documents").glob("*.f.*")
    path.write_bytes(path.read_bytes()[:-1])
    assert rows_of(tmp_path, key) is None  # damaged, so they are read again
    kept.forget(key)
    assert list((tmp_path / FOLDER / "documents").iterdir()) == []


def test_no_rows_are_kept_of_what_is_not_kept_or_has_no_room(tmp_path: Path) -> None:
    kept = OwnDocuments(tmp_path)
    kept.keep_rows("f", OWN.document, READ)
    assert not (tmp_path / FOLDER / "documents").exists()
    key = kept.keep(OWN)
    wide = ReadPassages(OWN.document.id, READ.passages, np.ones((1, 300_000), np.float32))
    kept.limit(megabytes=1)
    kept.keep_rows("f", OWN.document, wide)
    change_keeping(tmp_path, remember=False)
    kept.keep_rows("f", OWN.document, READ)
    assert rows_of(tmp_path, key) is None


def test_rows_of_a_document_that_is_forgotten_as_they_are_written_do_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = OwnDocuments(tmp_path)
    key = kept.keep(OWN)

    def written(path: Path, arrays: Mapping[str, np.ndarray]) -> str:
        OwnDocuments(tmp_path).forget(key)  # in another window
        return write_arrays(path, arrays)

    monkeypatch.setattr("engine.workspace.keeping.write_arrays", written)
    kept.keep_rows("f", OWN.document, READ)
    assert list((tmp_path / FOLDER / "documents").iterdir()) == []


def test_two_libraries_name_one_document_differently(tmp_path: Path) -> None:
    keys = {OwnDocuments(tmp_path / name).keep(OWN) for name in ("one", "other")}
    assert len(keys) == 2
    with pytest.raises(
        UnknownDocumentError, match=r"of your own that is not on this machine.*Upload or paste it again"
    ):
        OwnDocuments(tmp_path / "third").get(keys.pop())


def test_only_their_owner_can_read_the_files(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        OwnDocuments(tmp_path).keep(OWN)
    finally:
        os.umask(before)
    paths = [tmp_path / FOLDER, *(tmp_path / FOLDER).rglob("*")]
    assert {path.name for path in paths} >= {FOLDER, "documents", "secret"}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file()} == {0o600}


@pytest.mark.parametrize(
    "damage", [lambda data: data.replace(b"walk", b"talk"), lambda data: b"", lambda data: data[:-9]]
)
def test_a_changed_file_is_told_and_not_used(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    documents = OwnDocuments(tmp_path)
    key = documents.keep(OWN)
    path = tmp_path / FOLDER / "documents" / f"{key}.json"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(StorageError, match="the file was changed or damaged, and is not used"):
        documents.get(key)
    assert documents.keep(OWN) == key and documents.get(key) == OWN  # brought again, it is whole


def test_a_file_that_was_put_under_another_key_is_not_used(tmp_path: Path) -> None:
    documents = OwnDocuments(tmp_path)
    one, other = documents.keep(own("One")), documents.keep(own("Other"))
    folder = tmp_path / FOLDER / "documents"
    (folder / f"{one}.json").write_bytes((folder / f"{other}.json").read_bytes())
    with pytest.raises(StorageError, match="changed or damaged"):
        documents.get(one)


def test_a_damaged_secret_says_what_to_do(tmp_path: Path) -> None:
    documents = OwnDocuments(tmp_path)
    key = documents.keep(OWN)
    (tmp_path / FOLDER / "secret").write_bytes(b"short")
    with pytest.raises(StorageError, match=r"Expected 32 bytes in .*, got 5. Remove the folder"):
        documents.get(key)


def test_what_was_not_used_for_too_long_is_forgotten(tmp_path: Path) -> None:
    documents = OwnDocuments(tmp_path)
    old, used = documents.keep(own("Old")), documents.keep(own("Used"))
    aged(tmp_path, old, 31)
    aged(tmp_path, used, 29)
    assert documents.get(used) == own("Used")
    assert [file.key for file in documents.files()] == [used]
    with pytest.raises(UnknownDocumentError, match="as happens 30 days after its last use"):
        documents.get(old)
    aged(tmp_path, used, 29)
    documents.get(used)  # its days begin again
    assert documents.files()[0].used > time.time() - DAY


def test_the_oldest_go_where_all_are_too_large(tmp_path: Path) -> None:
    change_keeping(tmp_path, megabytes=1)
    documents = OwnDocuments(tmp_path)
    keys = [documents.keep(own(str(number) * 300_000)) for number in range(3)]
    for age, key in enumerate(reversed(keys), start=1):
        aged(tmp_path, key, age)
    last = documents.keep(own("x" * 300_000))
    assert [file.key for file in documents.files()] == [last, keys[2], keys[1]]
    with pytest.raises(
        StorageError, match=r"Expected at most 1 MB to keep, got 2 MB. You can work with this document now"
    ):
        documents.keep(own("y" * 1_500_000))
    assert len(documents.files()) == 3


def test_the_oldest_go_where_all_are_too_many_and_a_new_limit_holds_at_once(tmp_path: Path) -> None:
    documents = OwnDocuments(tmp_path)
    keys = [documents.keep(own(f"Document {number}")) for number in range(4)]
    for age, key in enumerate(reversed(keys), start=1):
        aged(tmp_path, key, age)
    assert documents.limit(documents=2).documents == 2
    assert [file.key for file in documents.files()] == [keys[3], keys[2]]
    last = documents.keep(own("Another"))
    assert [file.key for file in documents.files()] == [last, keys[3]]
    with pytest.raises(ConfigError, match="Expected days from 1"):
        documents.limit(days=0)
    assert len(documents.files()) == 2


def test_nothing_is_kept_where_nothing_is_to_be_remembered(tmp_path: Path) -> None:
    change_keeping(tmp_path, remember=False)
    documents = OwnDocuments(tmp_path)
    assert documents.keep(OWN) == "" and documents.files() == []


def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    documents = OwnDocuments(tmp_path)
    key = documents.keep(OWN)
    documents.keep(own("Other"))
    documents.forget(key)
    documents.forget("../../secret")
    assert len(documents.files()) == 1
    documents.forget_all()
    assert documents.files() == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and SECRET_WORD.encode() in path.read_bytes()]


def test_many_windows_keep_at_once(tmp_path: Path) -> None:
    def window(number: int) -> str:
        return OwnDocuments(tmp_path).keep(own(f"Document {number % 5}"))

    with ThreadPoolExecutor(8) as windows:
        keys = list(windows.map(window, range(40)))
    assert len(set(keys)) == 5  # all of them used one secret
    assert OwnDocuments(tmp_path).get(keys[7]) == own("Document 2")


@pytest.mark.parametrize(
    "changes", [{"days": 0}, {"days": 5_000}, {"megabytes": 0}, {"megabytes": 10**9}, {"documents": 0}]
)
def test_settings_out_of_range_are_refused(tmp_path: Path, changes: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=r"Expected .* from 1 to .* Choose a number in between"):
        change_keeping(tmp_path, **changes)
    assert keeping_settings(tmp_path).days == 30 and keeping_settings(tmp_path).megabytes == 200


def test_damaged_settings_are_told(tmp_path: Path) -> None:
    change_keeping(tmp_path, days=7)
    (tmp_path / FOLDER / "settings.json").write_text('{"days": "many", "stranger": 1}')
    with pytest.raises(ConfigError, match=r"settings\.json: unknown key stranger"):
        OwnDocuments(tmp_path).keep(OWN)


@pytest.fixture
def recent(tmp_path: Path) -> Recent:
    return Recent(tmp_path, OwnDocuments(tmp_path))


def titles(recent: Recent) -> list[str]:
    return [entry.title for entry in recent.listed().entries]


def test_the_last_asked_stands_first_with_a_link_that_restores_it(recent: Recent) -> None:
    recent.record("search", "Walks on graphs", {"doc": ["doi:10.1/x y"], "in": ["To read"], "k": ["20"]})
    recent.record("compare", "One and Other", {"a": ["library:p"], "b": ["example:e"]})
    first, second = recent.listed().entries
    assert (first.title, first.address) == ("One and Other", "compare?a=library%3Ap&b=example%3Ae")
    assert (second.title, second.address) == ("Walks on graphs", "?doc=doi%3A10.1%2Fx+y&in=To+read&k=20")
    assert first.when >= second.when > time.time() - 60


def test_what_is_asked_again_moves_up_with_its_new_filters(recent: Recent) -> None:
    recent.record("search", "Walks", {"doc": ["p"]})
    recent.record("search", "Kites", {"doc": ["q"]})
    recent.record("search", "Walks", {"doc": ["p"], "kind": ["patent"]})
    assert titles(recent) == ["Walks", "Kites"]
    assert recent.listed().entries[0].link == {"doc": ["p"], "kind": ["patent"]}
    recent.record("compare", "Walks", {"doc": ["p"], "a": ["library:p"], "b": ["library:q"]})
    assert len(titles(recent)) == 3


def test_another_window_and_a_restart_see_the_list(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as first, Workspace(tmp_path) as second:
        first.recent.record("search", "Walks", {"doc": ["p"]})
        second.recent.record("search", "Kites", {"doc": ["q"]})
        assert titles(first.recent) == titles(second.recent) == ["Kites", "Walks"]


def test_the_list_is_bounded(recent: Recent, tmp_path: Path) -> None:
    for number in range(MOST_RECENT + 5):
        recent.record("search", f"Search {number}", {"doc": [str(number)]})
    assert len(titles(recent)) == MOST_RECENT and titles(recent)[0] == f"Search {MOST_RECENT + 4}"
    assert len(list((tmp_path / FOLDER / "recent").iterdir())) == MOST_RECENT
    recent.record("search", "x" * 5_000, {"doc": ["x"]})
    assert titles(recent)[0] == "x" * 300


def test_old_entries_are_forgotten(recent: Recent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    with monkeypatch.context() as past:
        past.setattr("time.time", lambda: now - 31 * 86_400)
        recent.record("search", "Old", {"doc": ["p"]})
    recent.record("search", "New", {"doc": ["q"]})
    assert titles(recent) == ["New"]
    assert len(list((tmp_path / FOLDER / "recent").iterdir())) == 1


def test_a_damaged_entry_is_counted_and_left_out(recent: Recent, tmp_path: Path) -> None:
    recent.record("search", "Walks", {"doc": ["p"]})
    recent.record("search", "Kites", {"doc": ["q"]})
    path = tmp_path / FOLDER / "recent" / f"{recent.listed().entries[1].key}.json"
    path.write_bytes(path.read_bytes().replace(b"Walks", b"Talks"))
    assert titles(recent) == ["Kites"] and recent.listed().damaged == 1
    recent.forget_all()
    assert titles(recent) == [] and recent.listed().damaged == 0


def test_an_entry_takes_the_document_along_that_only_it_names(recent: Recent, tmp_path: Path) -> None:
    own = OwnDocuments(tmp_path)
    both, alone = (own.keep(OwnDocument(Document("t", title=title), "Pasted text")) for title in ("Both", "Alone"))
    recent.record("search", "Both", {"own": [both]})
    recent.record("compare", "Both and Alone", {"a": [f"own:{both}"], "b": [f"own:{alone}"]})
    recent.forget(recent.listed().entries[0].key)
    assert titles(recent) == ["Both"] and [file.key for file in own.files()] == [both]
    recent.forget("0" * 32)
    recent.forget_all()
    assert titles(recent) == [] and own.files() == []


def test_nothing_is_noted_where_nothing_is_to_be_remembered(recent: Recent, tmp_path: Path) -> None:
    recent.record("search", "Before", {"doc": ["p"]})
    change_keeping(tmp_path, remember=False)
    recent.record("search", "After", {"doc": ["q"]})
    assert titles(recent) == ["Before"]


def test_only_their_owner_can_read_recent_searches(recent: Recent, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        recent.record("search", "Walks", {"doc": ["p"]})
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / FOLDER).rglob("*") if path.is_file()]
    assert files and {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_many_windows_note_at_once(tmp_path: Path) -> None:
    def window(number: int) -> None:
        Recent(tmp_path, OwnDocuments(tmp_path)).record("search", f"Search {number % 5}", {"doc": [str(number % 5)]})

    with ThreadPoolExecutor(8) as windows:
        list(windows.map(window, range(40)))
    found = Recent(tmp_path, OwnDocuments(tmp_path)).listed()
    assert {entry.title for entry in found.entries} == {f"Search {number}" for number in range(5)}
    assert len(found.entries) == 5 and found.damaged == 0
