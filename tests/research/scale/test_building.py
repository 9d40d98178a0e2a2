"""What a large library is built of, block by block, and what is measured of it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.library import Library
from engine.research.scale import building, embedded, measuring, real
from engine.research.scale.building import Imported, build, imported
from engine.research.scale.command import main
from engine.research.scale.made import Maker
from engine.research.scale.real import RealTexts
from engine.vectors import kept_passage_store, open_index
from tests.evaluation.small import write_table
from tests.research.scale.texts import CARD, texts, written
from tests.search.hashed_words import HashedWords

__all__ = ["texts"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of ten documents; passages by their words."""
    monkeypatch.setattr(building, "BLOCK", 10)
    monkeypatch.setattr(building, "_MADE_AT_ONCE", 5)
    for module in (building, real):
        monkeypatch.setattr(module, "PassageEncoder", HashedWords)


def rows_of(folder: Path) -> list[str]:
    with Library.open(folder) as library:
        home = library.vectors_folder(CARD.name) / CARD.fingerprint
        return list(open_index(home, fingerprint=CARD.fingerprint, dim=CARD.dim, kind="embedded").ids)


def test_a_library_is_built_with_its_rows_and_passages_and_goes_on(texts: RealTexts, tmp_path: Path) -> None:
    folder, maker = tmp_path / "library", Maker(texts)
    build(folder, maker, CARD, 30)
    build(folder, maker, CARD, 35)
    ids = [*texts.ids, *(f"made:{number}" for number in range(24, 35))]
    with Library.open(folder) as library:
        assert library.ids() == rows_of(folder) == ids
        store = kept_passage_store(library.passages_folder / HashedWords.fingerprint)
        assert store is not None and set(store.ids) == set(ids)
    blocks = imported(folder)
    assert [one.last for one in blocks] == [10, 20, 30, 35]
    assert sum(one.passages for one in blocks) == len(store.view())
    assert all(one.seconds > 0 for one in blocks)


def test_a_run_that_was_stopped_gives_its_blocks_again(
    texts: RealTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, maker, taken = tmp_path / "library", Maker(texts), itertools.count()

    def stopped(*_: object) -> Imported:
        if next(taken) == 1:
            raise KeyboardInterrupt
        return take(*_)  # type: ignore[arg-type]

    take = building._take
    monkeypatch.setattr(building, "_take", stopped)
    with pytest.raises(KeyboardInterrupt):
        build(folder, maker, CARD, 30)
    assert imported(folder) == []
    build(folder, maker, CARD, 30)
    assert [one.last for one in imported(folder)] == [10, 20, 30]
    with Library.open(folder) as library:
        assert library.ids() == rows_of(folder) and len(library) == 30


def test_a_library_that_is_larger_already_is_refused(texts: RealTexts, tmp_path: Path) -> None:
    build(tmp_path / "library", Maker(texts), CARD, 20)
    with pytest.raises(EvaluationError, match=r"^Expected a library of at most 10 documents, .* was given 20\.$"):
        build(tmp_path / "library", Maker(texts), CARD, 10)


def test_the_import_is_told_by_its_parts_and_its_last_documents(tmp_path: Path) -> None:
    blocks = [Imported(50_000, 9, 40.0, 5.0, 5.0), Imported(100_000, 9, 80.0, 10.0, 10.0)]
    lines = [json.dumps({name: getattr(one, name) for name in one.__slots__}) for one in blocks]
    (tmp_path / "imported.jsonl").write_text("\n".join(lines))
    found = measuring.import_figures(tmp_path, 100_000)
    assert found["import s"] == 150 and found["import of documents s"] == 120
    assert found["documents a second, the last 50,000"] == 500
    assert measuring.import_figures(tmp_path, 50_000)["documents a second, the last 50,000"] == 1000


def test_the_stages_measure_a_library(texts: RealTexts, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    build(folder, Maker(texts), CARD, 30)
    pages = measuring.pages(folder)
    assert pages["count, a new filter ms"]["p95"] >= pages["count, a new filter ms"]["p50"] > 0
    assert {f"{place} page by year ms" for place in ("first", "middle", "last")} <= pages.keys()
    assert 0 < pages["memory GB"] <= pages["memory at most GB"]


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    options = ["embedded", "--data", str(tmp_path), "--work", str(tmp_path), "--documents", "10", "--stages", "real"]
    options += ["--save", str(tmp_path / "report.json"), "--passages"]
    with pytest.raises(EvaluationError, match=r"^Expected from 1\.25 to 40 passages a document, got 500 for 10\. Ask"):
        main([*options, "500"])


def test_too_few_real_documents_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "ABSTRACTS", ("small",))
    (tmp_path / "small").mkdir()
    write_table(tmp_path / "small" / "corpus.parquet", [written(f"short-{number}", body=0) for number in range(5)])
    with pytest.raises(EvaluationError, match=r"^Expected at least 240 real documents, got 5\. Ask for more"):
        real.read_real(tmp_path, tmp_path / "real", 5, 0.0)


def test_a_report_has_a_table_a_stage() -> None:
    times = {"p50": 1.0, "p95": 2.0, "max": 3.0}
    report = dict.fromkeys(("command", "commit", "hardware", "threads", "precision", "documents", "passages"), "")
    text = embedded.as_text({**report, "stages": {"pages": {"count ms": times, "load": 0.5}}})
    assert "## pages" in text and "| count ms | 1.0 | 2.0 | 3.0 |" in text and "| load | 0.500 |" in text
