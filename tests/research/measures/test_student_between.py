"""A student between two, written by the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError
from engine.encoders.student import StudentEncoder
from engine.research.measures import student_between
from tests.contracts.encoder import corpus
from tests.encoders.student.test_encoder import moved, tiny


def test_the_student_between_two_is_written_with_what_both_were_made_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tiny(), moved()
    one.facts, other.facts = {"best_epoch": 1}, {"best_epoch": 2}
    for name, student in (("one", one), ("other", other)):
        student.save(tmp_path / name)
    words = [str(tmp_path / "one"), str(tmp_path / "other"), "--share", "0.25", "--tokens", "7", "--query-tokens", "9"]
    student_between.main([*words, "--write", str(tmp_path / "new")])
    found = StudentEncoder.load(tmp_path / "new")
    assert (found.settings.max_tokens, found.settings.query_tokens) == (7, 9)
    np.testing.assert_array_equal(
        found.encode_documents(corpus()[:2]), one.between(other, 0.25).reading(7).encode_documents(corpus()[:2])
    )
    assert found.facts["between"] == {
        "share": 0.25,
        "of": [
            {"fingerprint": one.card.fingerprint, "best_epoch": 1},
            {"fingerprint": other.card.fingerprint, "best_epoch": 2},
        ],
    }
    assert found.card.fingerprint in capsys.readouterr().out


def test_a_share_outside_its_range_writes_nothing(tmp_path: Path) -> None:
    tiny().save(tmp_path / "one")
    words = [str(tmp_path / "one"), str(tmp_path / "one"), "--share", "1.5", "--write", str(tmp_path / "new")]
    with pytest.raises(EncoderError, match=r"Expected a share from 0 to 1, got 1\.5"):
        student_between.main(words)
    assert not (tmp_path / "new").exists()
