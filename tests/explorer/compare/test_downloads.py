"""The files of a comparison."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.encoders import EncoderCard, registry
from engine.encoders.keyvec import explained
from explorer.compare import comparison as shown
from explorer.compare import downloads, handles
from explorer.compare.side_by_side import Texts
from explorer.shared import salience_handles
from tests.explorer.compare.comparisons import made_comparison
from tests.explorer.compare.pages import COMPARED
from tests.explorer.conftest import Start

pytestmark = pytest.mark.usefixtures("by_hand")


def test_the_report_underlines_what_the_page_does(compared: list[Texts], compare_page: Start) -> None:
    compare_page(**COMPARED)
    texts = compared[-1]
    assert texts.salient is not None
    report = downloads.as_report(made_comparison(texts.a, texts.b)).decode()
    for marked in texts.salient.values():
        assert all(f'title="Salient sentence, {explained(p)}"' in report for _, p in marked)
    plain = downloads.as_report(made_comparison(texts.a, texts.b), salient=False).decode()
    assert "Salient sentence" not in plain


def test_the_switch_is_honoured_by_the_report(
    compared: list[Texts], compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []

    def prepared(_: object, *__: object, **given: object) -> Callable[[], bytes]:
        made.extend([given["salient"]] if "salient" in given else [])
        return lambda: b""

    monkeypatch.setattr(downloads, "partial", prepared)
    test = compare_page(**COMPARED)
    test.checkbox(key="compare-salient").uncheck().run()
    assert not test.exception
    assert made[0] is True and made[-1] is False


def test_a_report_stands_without_the_encoder_or_with_a_damaged_one(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise StorageError("Expected weights as they were written, found other bytes. Build the folder again.")

    monkeypatch.setattr(handles, "card", lambda: EncoderCard("colde", "", 4, "f"))
    with monkeypatch.context() as damaged:
        damaged.setattr(salience_handles, "salience", fail)
        assert b"Salient sentence" not in downloads.as_report(made_comparison())
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    assert b"Salient sentence" not in downloads.as_report(made_comparison())


def test_the_files_hold_the_numbers_of_the_screen() -> None:
    comparison = made_comparison()
    told = json.loads(downloads.as_json(comparison))
    assert f"{told['document']['score']:.2f}" in shown.score_panel(comparison)
    assert told["sections"]["across"] == comparison.sections.across.tolist()
    with zipfile.ZipFile(io.BytesIO(downloads.as_tables(comparison))) as archive:
        assert len(archive.namelist()) >= 6
    report = downloads.as_report(comparison).decode()
    assert f"{comparison.score:.2f}" in report
    assert "<img src=x" not in report
