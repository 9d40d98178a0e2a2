"""Accents, symbols and settings."""

from __future__ import annotations

import pytest

from engine.reading.latex.symbols import LEFT_OUT, LINE_BREAKS, POINTS, SYMBOLS
from tests.reading.latex.sources import body


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\h{a} \H o \'{\^a} \c{c} \ss", "ả ő ấ ç ß"),
        (r"\og lids\fg", "«lids»"),
        (r"\medskip one\bigskip two \hypersetup{a=b}\newgeometry{left=1cm} three", "one\n\ntwo three"),
        (r"\citep{a}\autoref{b}\sisetup{c} kept", "kept"),
    ],
)
def test_what_commands_print(written: str, expected: str) -> None:
    assert body(written) == expected


def test_each_name_means_one_thing() -> None:
    assert not SYMBOLS.keys() & LEFT_OUT.keys()
    assert not LINE_BREAKS & (SYMBOLS.keys() | LEFT_OUT.keys())
    assert POINTS.fullmatch("parencite") and not POINTS.fullmatch("emph")
