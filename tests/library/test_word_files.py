"""Words in files beside the database: they are read in place of it, and say nothing that it does not say."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.documents import Document
from engine.library import Library, keywords, segments
from engine.library.segments import TermCounts, TermSegment
from engine.library.word_files import WordFiles
from tests.library.test_segments import check, documents

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let segments be full after a few documents, and let one query read fewer."""
    monkeypatch.setattr(segments, "FULL", 2_000)
    monkeypatch.setattr(keywords, "FULL", 2_000)
    monkeypatch.setattr(keywords, "_PAGE", 7)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many documents each segment that is made in memory holds."""
    found, of = list[int](), TermSegment.of

    def spied(counts: TermCounts, first: int, width: int) -> TermSegment:
        found.append(len(counts.starts) - 1)
        return of(counts, first, width)

    monkeypatch.setattr(TermSegment, "of", spied)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library whose words lie in files, but for those of a few documents."""
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("many", "many", documents(1, 300))
        assert library.keywords.size == 302
        assert any(one.stored for one in library.keywords._postings().segments)
    return tmp_path / "library"


def named(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "words").glob("*.safetensors"))


def checked(folder: Path, seed: int = 1) -> None:
    """Open a library, and compare what it answers with a plain reference."""
    with Library.open(folder) as library:
        check(library.keywords, library.get(library.summaries().ids), seed)


def test_a_library_that_is_opened_reads_only_what_lies_in_no_file(folder: Path, counted: list[int]) -> None:
    counted.clear()
    with Library.open(folder) as library:
        assert library.keywords.size == 302 and sum(counted) < 100
        check(library.keywords, library.get(library.summaries().ids), 1)
        before = named(folder)
        library.add_file("one", "one", [Document("one", title="banda unheard", abstract="bandas and non-linear banda")])
        check(library.keywords, library.get(library.summaries().ids), 2)
        assert named(folder) == before  # so little is worth no file
    checked(folder)


@pytest.mark.parametrize("seed", range(2))
def test_each_opening_answers_alike_after_every_import_change_and_removal(tmp_path: Path, seed: int) -> None:
    draw, other = random.Random(seed), Library.open(tmp_path, create=True)
    for step in range(12):
        with Library.open(tmp_path) as library:
            library.add_file(
                f"k{step}", f"n{step}", documents(100 * seed + step, draw.choice([1, 30, 60]), f"d{step}-")
            )
            assert library.keywords.size == len(library)
            if step % 3 == 2:
                library.remove(draw.sample(library.ids(), draw.choice([1, 40])))
            if step % 4 == 3:
                library.add_file(f"b{step}", "b", [Document(f"bare{step}", title=f"Stable flight of {step} kites")])
                library.add_file(
                    f"f{step}",
                    "f",
                    [Document(f"bare{step}", title=f"Stable flight of {step} kites", abstract="We fly them in gusts.")],
                )
        checked(tmp_path, step)
        if step % 2:
            check(other.keywords, other.get(other.summaries().ids), step)
    assert len(named(tmp_path)) > 3
    other.close()


def test_files_of_which_most_are_gone_are_written_anew(folder: Path) -> None:
    before = named(folder)
    with Library.open(folder) as library:
        library.remove(library.ids()[:200])
        checked(folder)
        assert library.keywords.size == 102
        library.add_file("more", "more", documents(5, 200, "e"))
        check(library.keywords, library.get(library.summaries().ids), 3)
        assert library.keywords._postings().holes == 0
    assert named(folder) and not set(named(folder)) & set(before)
    checked(folder)


def test_numbers_of_terms_are_written_again_once_half_as_many_came(folder: Path) -> None:
    with Library.open(folder) as library:
        for step in range(4):
            new = [
                Document(f"w{step}-{n}", abstract=" ".join(f"coined{step}x{n}x{m}" for m in range(50)))
                for n in range(60)
            ]
            library.add_file(f"k{step}", "k", new)
            check(library.keywords, library.get(library.summaries().ids), step)
            assert library.keywords.frequencies()[f"coined{step}x0x0"] == 1
    checked(folder)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "lost", ["damaged", "missing", "list cut off", "list of another form", "other version", "no terms"]
)
def test_files_that_are_damaged_are_read_from_the_database_and_written_again(folder: Path, lost: str) -> None:
    listed = folder / "words" / "words.json"
    header = files.read_json(listed)
    if lost == "damaged":
        damage(folder / "words" / named(folder)[0])
    elif lost == "missing":
        (folder / "words" / named(folder)[-1]).unlink()
    elif lost == "list cut off":
        listed.write_bytes(listed.read_bytes()[:-20])
    elif lost == "list of another form":
        files.write_json(listed, ["of another form"])
    elif lost == "other version":
        files.write_json(listed, {**header, "format": 99})
    else:
        files.write_json(listed, {**header, "terms": None})
    files.forget_digests()
    checked(folder)
    assert set(named(folder)) == {f"{one}.safetensors" for one in names_in(listed)}
    assert files.read_json(listed)["format"] == header["format"]
    checked(folder)


def names_in(listed: Path) -> Iterator[str]:
    header = files.read_json(listed)
    return (one["name"] for one in (header["terms"], *header["segments"]))


def test_files_of_another_library_are_not_read(folder: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "other", create=True) as library:
        library.add_file("other", "other", documents(77, 300))
    shutil.copytree(folder / "words", tmp_path / "other" / "words")
    checked(tmp_path / "other")
    # and where the file has this one's number, as one that was overwritten has
    listed = folder / "words" / "words.json"
    header = files.read_json(listed)
    with Library.open(folder) as library:
        library.remove(library.ids())
        library.add_file("new", "new", documents(78, 300, "new"))
    files.write_json(listed, header)
    checked(folder)


def test_nothing_is_written_for_one_who_only_reads(folder: Path) -> None:
    shutil.rmtree(folder / "words")
    with Library.open(folder, read_only=True) as library:
        check(library.keywords, library.get(library.summaries().ids), 1)
    assert not (folder / "words").exists()


def test_a_folder_that_cannot_be_written_to_leaves_the_words_in_memory(folder: Path) -> None:
    shutil.rmtree(folder / "words")
    (folder / "words").write_text("in the way")
    checked(folder)


def test_two_processes_at_once_leave_files_that_belong_together(folder: Path) -> None:
    with Library.open(folder) as one, Library.open(folder) as other:
        for step in range(6):
            for library in (one, other):
                library.add_file(f"{step}{id(library)}", "n", documents(step, 40, f"s{step}{id(library)}-"))
                check(library.keywords, library.get(library.summaries().ids), step)
        assert set(named(folder)) == {f"{name}.safetensors" for name in names_in(folder / "words" / "words.json")}
    checked(folder)


def test_what_a_stopped_process_left_goes_with_the_next_writing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "write_json", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with Library.open(folder) as library, pytest.raises(KeyboardInterrupt):
        library.add_file("more", "more", documents(3, 200, "m"))
        library.keywords.size  # noqa: B018 - which writes
    listed = set(names_in(folder / "words" / "words.json"))
    assert len(named(folder)) > len(listed)
    monkeypatch.undo()
    monkeypatch.setattr(segments, "FULL", 2_000)
    monkeypatch.setattr(keywords, "FULL", 2_000)
    checked(folder)
    assert set(named(folder)) == {f"{name}.safetensors" for name in names_in(folder / "words" / "words.json")}


def test_words_are_closed_to_others_and_stand_in_no_backup(folder: Path) -> None:
    assert (folder / "words").stat().st_mode & 0o077 == 0
    from engine.library import KEPT, is_own

    assert is_own("words") and "words" not in KEPT


def held_in_files(folder: Path) -> set[int]:
    """The positions of the documents that the files hold counts of."""
    found, first = set[int](), 0
    for one in files.read_json(folder / "words" / "words.json")["segments"]:
        arrays = files.map_arrays(folder / "words" / f"{one['name']}.safetensors", one["sha256"])
        found |= set(arrays["positions"][np.unique(arrays["rows"]) - first].tolist())
        first += len(arrays["positions"])
    return found


def test_a_removed_document_is_taken_out_of_the_files(folder: Path) -> None:
    with Library.open(folder) as library, Library.open(folder) as other:
        assert library.keywords.size == other.keywords.size == 302
        kept = held_in_files(folder)
        library.remove(["d3", "d50", "d60"])  # d3 is the fourth
        assert kept - held_in_files(folder) == {4, 51, 61}
        for one in (library, other):
            check(one.keywords, one.get(one.summaries().ids), 4)
        library.add_file("more", "more", documents(9, 200, "m"))
        check(library.keywords, library.get(library.summaries().ids), 5)
        assert not {4, 51, 61} & held_in_files(folder)
        library.remove_file("many")
        assert min(held_in_files(folder), default=999) > 300
        check(library.keywords, library.get(library.summaries().ids), 6)
    checked(folder)


def test_files_from_which_nothing_can_be_taken_go(folder: Path) -> None:
    damage(folder / "words" / named(folder)[0])
    damage(folder / "words" / named(folder)[1])
    files.forget_digests()
    with Library.open(folder) as library:
        library.remove(["d3"])
        assert not (folder / "words").exists()
        check(library.keywords, library.get(library.summaries().ids), 4)
    checked(folder)


def test_what_was_removed_while_words_were_read_is_not_written(folder: Path) -> None:
    shutil.rmtree(folder / "words")
    with Library.open(folder) as library, Library.open(folder, read_only=True) as other:
        postings = other.keywords._postings()
        with library._database.read() as connection:
            assert connection.execute("SELECT count(*) FROM documents").fetchone() == (302,)
            library.remove(["d3"])
            assert WordFiles(folder / "words", library._database).keep(connection, postings) is postings
        assert not named(folder)
        check(library.keywords, library.get(library.summaries().ids), 4)
        assert named(folder) and 4 not in held_in_files(folder)
