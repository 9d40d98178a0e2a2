"""Only HTML that was built comes onto the page."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from engine.documents.markup import element, joined
from explorer.shared.markup import plain, show


def test_a_plain_string_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(st, "html", shown.append)
    with pytest.raises(TypeError, match="Expected Markup from element"):
        show("<b>x</b>")  # type: ignore[arg-type]
    show(joined(["a", element("b", "c")]))
    assert shown == ["a<b>c</b>"]


def test_a_label_is_shown_as_it_is_written() -> None:
    assert plain(":red[a] *b* 1. `c`") == r"\:red\[a\] \*b\* 1\. \`c\`"
