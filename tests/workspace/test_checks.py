"""What is wrong with an installation or a library is found, each in a line with what to do, and nothing is changed."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections import namedtuple
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from engine import encoders, reading
from engine.core.errors import StorageError
from engine.core.files import sha256_bytes
from engine.encoders import registry
from engine.library import Library, inspect_database
from engine.library.database import Database, DatabaseState
from engine.maps import fit
from engine.vectors import storage
from engine.workspace import checks as module
from engine.workspace.checks import Finding, check_all
from engine.workspace.indexing import encoder_for, index_library
from engine.workspace.passages import index_passages
from tests.conftest import PROJECT
from tests.library.test_earlier import written
from tests.search.hashed_words import paper
from tests.workspace.letters import Letters
from tests.workspace.test_backup import PDF, fill, flip
from tests.workspace.test_passages import LetterPassages

Find = Callable[[], list[Finding]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with rows, passages, a copy, a map and an encoder that learnt from it."""
    folder = tmp_path_factory.mktemp("made") / "library"
    with fill(folder, 12) as library:
        encoder = encoder_for(library, "tfidf")
        index = index_library(library, encoder)
        fit(index, library, encoder=encoder).save(library.map_folder("tfidf"))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def wrong(folder: Path, about: str) -> list[Finding]:
    """What is to be mended, which is all of one kind."""
    found = [one for one in check_all(folder) if one.state == "mend"]
    assert {one.about for one in found} == {about}
    return found


def told(found: list[Finding], about: str) -> list[str]:
    return [f"{one.state}: {one.found}" for one in found if one.about == about]


def is_healthy(found: list[Finding]) -> bool:
    return all(one.state != "mend" for one in found)


def state_of(folder: Path) -> dict[str, tuple[int, int, int]]:
    found = {str(path): path.stat() for path in (folder, *folder.rglob("*"))}
    return {name: (state.st_mode, state.st_size, state.st_mtime_ns) for name, state in found.items()}


def test_a_whole_library_is_healthy_and_stays_as_it_is(folder: Path) -> None:
    before = state_of(folder)
    found = check_all(folder)
    assert is_healthy(found) and state_of(folder) == before
    assert told(found, "database") == ["good: 12 documents, schema 9, whole"]
    assert told(found, "copies") == ["good: 1 copy of PDFs, whole"]
    rows = told(found, "vectors")
    assert "good: letters/letters-1: 12 documents, whole" in rows
    assert "note: rows of letters, an encoder that is not here" in rows
    assert told(found, "passages")[0] == "good: letters: 12 documents, whole"
    assert told(found, "maps") == ["good: tfidf: whole"]


def test_a_library_in_use_is_looked_at(folder: Path) -> None:
    with Library.open(folder) as library, FileLock(folder / "importing.lock"):
        library.add_file("k2", "more", [paper("later")])
        library.record_failure("scan.pdf", "Expected text, found pictures.")
        found = check_all(folder)
        assert told(found, "database") == ["good: 13 documents, schema 9, whole"]
        assert told(found, "library") == ["note: another process imports into it, or reads its documents, now"]
        assert told(found, "imports") == ["note: 1 file could not be imported: scan.pdf"]
        assert "note: 1 document of 13 not read by tfidf yet" in told(found, "vectors")
        assert told(found, "maps") == ["good: tfidf: whole, 1 document to be placed when it is next opened"]
        assert is_healthy(found)


def one_of(pattern: str) -> Callable[[Path], Path]:
    return lambda folder: next(iter(sorted(folder.glob(pattern))))


@pytest.mark.parametrize("damage", [flip, Path.unlink, lambda path: os.truncate(path, 3)])
@pytest.mark.parametrize(
    ("pattern", "about", "remedy"),
    [
        ("vectors/letters/*/rows.safetensors", "vectors", "reads it again"),
        ("passages/*/*.safetensors", "passages", "reads it again"),
        ("encoders/tfidf/weights.safetensors", "encoders", "reads it again"),
        ("encoders/tfidf/vocabulary.txt", "encoders", "reads it again"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(
    folder: Path, pattern: str, about: str, remedy: str, damage: Callable[[Path], None]
) -> None:
    damage(path := one_of(pattern)(folder))
    (found,) = wrong(folder, about)
    assert str(path.name) in found.found and remedy in found.remedy


@pytest.mark.parametrize("name", ["vectors/letters/letters-1/index.json", "passages/letters/passages.json"])
@pytest.mark.parametrize("text", ["", "{}", "[]", "\xff"])
def test_a_damaged_list_is_told(folder: Path, name: str, text: str) -> None:
    (folder / name).write_bytes(text.encode("latin-1"))
    (found,) = wrong(folder, name.split("/")[0])
    assert str((folder / name).parent) in found.found


@pytest.mark.parametrize("name", ["vectors/letters/letters-1", "passages/letters"])
def test_rows_that_are_written_while_they_are_looked_at_are_no_damage(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_arrays, written = storage.map_arrays, list[Path]()

    def map_later(path: Path, sha256: str) -> dict[str, np.ndarray]:
        if path.parent == folder / name and not written:  # its list was read just before
            written.append(path)
            with Library.open(folder) as library:
                library.add_file("k2", "more", [paper("later")])
                index_library(library, Letters())
                index_passages(library, LetterPassages())
            if name.startswith("passages"):
                path.unlink()  # as when segments are joined
                shutil.copytree(made_again(folder, name), folder / name, dirs_exist_ok=True)
        return map_arrays(path, sha256)

    monkeypatch.setattr(storage, "map_arrays", map_later)
    assert is_healthy(check_all(folder)) and written


def made_again(folder: Path, name: str) -> Path:
    """The passages of a library as another process would have read them."""
    with Library.open(Path(shutil.copytree(folder, folder.parent / "again"))) as library:
        shutil.rmtree(library.folder / name)
        index_passages(library, LetterPassages())
        return library.folder / name


def test_a_database_that_is_written_while_it_is_looked_at_is_no_damage(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect, looks = Database.inspect, list[DatabaseState]()

    def inspect_torn(self: Database) -> DatabaseState:
        looks.append(inspect(self))
        if len(looks) == 1:
            with Library.open(folder) as library:
                library.add_file("k2", "more", [paper("later")])
            return looks[0]._replace(damage="torn")
        if len(looks) == 2:
            os.utime(folder / "library.sqlite3", (1, 1))
            raise StorageError("torn")
        return looks[-1]

    monkeypatch.setattr(Database, "inspect", inspect_torn)
    assert inspect_database(folder / "library.sqlite3").damage == "" and len(looks) == 3


def test_a_damaged_copy_names_its_file_and_what_to_do(folder: Path) -> None:
    with Library.open(folder) as library:
        library.add_file(sha256_bytes(PDF), "given.pdf", [paper("given")])
    flip(path := one_of("copies/*.pdf")(folder))
    (found,) = wrong(folder, "copies")
    assert f"Remove {path}, and import given.pdf again" in found.remedy


def test_a_damaged_map_and_what_was_kept_are_told(folder: Path) -> None:
    os.truncate(folder / "maps" / "tfidf" / "map.safetensors", 9)
    assert "Fit the map again" in wrong(folder, "maps")[0].found
    (folder / "maps" / "tfidf" / "map.json").write_text("{")
    assert "Fit the map again" in wrong(folder, "maps")[0].found
    shutil.rmtree(folder / "maps")
    flip(one_of("kept/documents/*.json")(folder))
    assert "Bring the document again" in wrong(folder, "kept")[0].found
    (folder / "kept" / "secret").unlink()
    assert "changed or damaged" in wrong(folder, "kept")[0].found and not (folder / "kept" / "secret").exists()
    shutil.rmtree(folder / "kept")
    (folder / "kept").mkdir()
    (folder / "kept" / "settings.json").write_text('{"days": 0}')
    assert "days must be from 1" in wrong(folder, "kept")[0].found


def test_a_damaged_database_is_told(folder: Path) -> None:
    with Library.open(folder) as library, library._database.write() as connection:
        connection.execute("DELETE FROM contents WHERE position = 2")
    (found,) = wrong(folder, "database")
    assert "1 of 12 documents lack their text" in found.found and "priorscope restore" in found.remedy
    data = (folder / "library.sqlite3").read_bytes()
    (folder / "library.sqlite3").write_bytes(data[:4096] + b"\xff" * 8192 + data[3 * 4096 :])
    assert "database" in wrong(folder, "database")[0].about
    (folder / "library.sqlite3").write_bytes(b"this is not a database: " * 100)
    assert "Expected a library's database" in wrong(folder, "database")[0].found


def test_a_library_of_an_earlier_schema_is_looked_at_and_left_so(tmp_path: Path) -> None:
    folder = written("schema-4-notes", tmp_path / "library")
    before = state_of(folder)
    found = check_all(folder)
    assert told(found, "database") == ["note: 3 documents, schema 4, whole; of an earlier Priorscope"]
    assert is_healthy(found) and state_of(folder) == before


def test_what_a_stopped_process_left_is_told(folder: Path) -> None:
    (folder / "vectors" / ".letters-1.new-x").mkdir()
    (folder.parent / ".library.new-y").mkdir()
    (left,) = told(check_all(folder), "library")
    assert ".letters-1.new-x" in left and ".library.new-y" in left
    (folder.parent / ".library.old-z").mkdir()
    (folder / "vectors" / ".letters-1.new-x").rmdir()
    folder.rename(folder.parent / ".library.old-z" / "library")
    (found,) = wrong(folder, "library")
    assert found.remedy == f"Move {folder.parent / '.library.old-z' / 'library'} to {folder}, or restore again."


def test_no_library_is_no_fault(tmp_path: Path) -> None:
    found = check_all(tmp_path / "not" / "yet")
    assert is_healthy(found)
    assert told(found, "library") == [f"note: none in {tmp_path / 'not' / 'yet'}"]
    assert not (tmp_path / "not").exists()


def test_a_folder_that_is_closed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "unreachable", lambda _: "Permission denied")
    assert "cannot be reached: Permission denied" in wrong(tmp_path, "library")[0].found


def test_a_disk_that_is_nearly_full_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: namedtuple("usage", "free")(40_000_000))
    (found,) = wrong(folder, "disk")
    assert found.found.startswith("40 MB are free") and "Make room" in found.remedy


# What is installed ---------------------------------------------------------------------------


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Packages by the versions that they seem to have; "" for one that is missing."""
    others, version = dict[str, str](), metadata.version

    def seeming(name: str) -> str:
        if others.get(name) == "":
            raise metadata.PackageNotFoundError(name)
        return others.get(name) or version(name)

    monkeypatch.setattr(metadata, "version", seeming)
    return others


def test_packages_that_are_missing_or_too_old_are_named(tmp_path: Path, versions: dict[str, str]) -> None:
    versions |= {"numpy": "1.26.4", "scipy": "", "rapidocr": "", "torch": "9.0.0+cpu"}
    (found,) = wrong(tmp_path, "packages")
    assert found.found.startswith("numpy 1.26.4 (") and found.found.endswith(" or later is needed), scipy is missing")
    assert found.remedy == "Install Priorscope again, from the wheel or the checkout that it came from."
    (extra,) = [one for one in check_all(tmp_path) if one.about == "[ocr]"]
    assert (extra.state, extra.found) == ("note", "rapidocr is missing")
    assert extra.remedy.endswith('pip install "priorscope[ocr]"')


@pytest.mark.parametrize(
    ("found", "lowest", "fits"),
    [
        *(("2.10", "2.9", True), ("2.9", "2.10", False), ("2.4", "2.4.0", True), ("3.0.0+cpu", "3.0", True)),
        *(("5.0rc1", "5.0", True), ("4.10.0.84", "4.11", False), ("10", "10.0.0", True), ("20.0.1", "20", True)),
    ],
)
def test_versions_are_compared_as_numbers(
    found: str, lowest: str, fits: bool, tmp_path: Path, versions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    versions["numpy"] = found
    lines = [f"numpy>={lowest}", "pywin32>=300; sys_platform == 'win32'", "absent>=1; extra == 'ocr'", "scipy"]
    monkeypatch.setattr(metadata, "requires", lambda _: lines)
    found_here = {one.about: one for one in check_all(tmp_path)}
    assert found_here["packages"].state == ("good" if fits else "mend")
    assert found_here["[ocr]"].found == "absent is missing"


def test_a_python_that_is_too_old_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.platform, "python_version", lambda: "3.9.18")
    assert wrong(tmp_path, "python")[0].found == "3.9.18; 3.11 or later is needed"


def test_a_checkout_that_is_not_installed_knows_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requires = metadata.requires

    def nothing(name: str) -> list[str] | None:
        if name == "priorscope":
            raise metadata.PackageNotFoundError(name)
        return requires(name)

    monkeypatch.setattr(metadata, "requires", nothing)
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    count = len(project["dependencies"])
    assert told(check_all(tmp_path), "packages") == [f"good: {count} packages, each of a version that fits"]
    assert set(module._EXTRAS) == set(project["optional-dependencies"]) - {"research", "test"}


def test_what_reads_scans_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIORSCOPE_OCR", "abacus")
    assert "Expected tesseract or rapidocr" in wrong(tmp_path, "scans")[0].found
    monkeypatch.delenv("PRIORSCOPE_OCR")
    monkeypatch.setattr(reading, "choose_engine", lambda: None)
    (found,) = [one for one in check_all(tmp_path) if one.about == "scans"]
    assert found.state == "note" and 'pip install "priorscope[ocr]"' in found.remedy


@pytest.mark.parametrize("damage", [flip, Path.unlink, None])
def test_weights_that_are_missing_or_damaged_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None] | None
) -> None:
    kept = Path(shutil.copytree(encoders.PRETRAINED / "word2vec", tmp_path / "pretrained" / "word2vec"))
    monkeypatch.setattr(registry, "PRETRAINED", kept.parent)
    named = {"word2vec-sif": registry.ENTRIES["word2vec-sif"]}
    monkeypatch.setattr(registry, "ENTRIES", named)
    assert told(check_all(tmp_path), "weights") == ["good: 1 model, whole"]
    if damage:
        damage(kept / "weights.safetensors")
    else:
        shutil.rmtree(kept)
    (found,) = wrong(tmp_path, "weights")
    assert "word2vec" in found.found and found.remedy.startswith("Install Priorscope again")
