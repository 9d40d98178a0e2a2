from __future__ import annotations

from engine.reading.references.journals import JOURNALS


def test_each_macro_has_a_name() -> None:
    assert JOURNALS["apj"] == "Astrophysical Journal"
    assert all(macro.isalpha() and name[:1].isupper() for macro, name in JOURNALS.items())
