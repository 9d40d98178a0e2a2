"""Binary codes for libraries as small as those of tests."""

from __future__ import annotations

import pytest

from engine.vectors import binary, registry
from engine.vectors.binary import BinarySettings
from engine.vectors.codes import CodeSettings


def codes_for_few(patch: pytest.MonkeyPatch, *, above: int, fewest: int = 4) -> None:
    """Search libraries of more documents than `above` by codes, which are made of `fewest` rows and more.

    So many are looked up and compared that answers are those of comparing all, by way of the codes.
    """
    codes = CodeSettings(code_bits=64, tables=2)
    settings = BinarySettings(candidates=10_000, rerank=1_000, fewest=fewest, codes=codes)
    patch.setattr(registry, "BINARY_ABOVE", above)
    patch.setattr(registry, "FEWEST", fewest)
    patch.setattr(binary, "BinarySettings", lambda: settings)
