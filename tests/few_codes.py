"""Binary codes for libraries as small as those of tests."""

from __future__ import annotations

import pytest

from engine.vectors import binary, choice
from engine.vectors.binary_codes import CodeSettings
from engine.vectors.binary_view import BinarySettings


def codes_for_few(patch: pytest.MonkeyPatch, *, above: int, fewest: int = 4) -> None:
    """Search libraries of more documents than `above` by codes, which are made of `fewest` rows and more.

    So many are looked up and compared that answers are those of comparing all, by way of the codes.
    """
    codes = CodeSettings(code_bits=64, tables=2)
    settings = BinarySettings(candidates=10_000, rerank=1_000, fewest=fewest, codes=codes)
    patch.setattr(choice, "BINARY_ABOVE", above)
    patch.setattr(choice, "FEWEST", fewest)
    patch.setattr(binary, "BinarySettings", lambda: settings)
