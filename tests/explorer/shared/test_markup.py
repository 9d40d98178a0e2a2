"""Document text stays text, whatever it holds."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from explorer.shared.markup import Markup, element, escaped, joined, show

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) $$E$$ :material/bolt: `code`"


def test_a_child_that_is_a_plain_string_is_escaped() -> None:
    made = element("p", HOSTILE)
    assert "<script" not in made
    assert "<img" not in made
    assert made.startswith("<p>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;")
    assert "[x](javascript:alert(3)) $$E$$ :material/bolt: `code`" in made


def test_a_child_that_an_element_made_stays_a_tag() -> None:
    assert element("div", element("strong", "a"), " & b") == "<div><strong>a</strong> &amp; b</div>"


def test_joining_with_a_string_loses_the_mark_of_safety() -> None:
    assert not isinstance(element("p", "a") + "<script>", Markup)


def test_an_attribute_cannot_break_out() -> None:
    made = element("div", "x", aria_label='"><script>alert(1)</script>')
    assert made == '<div aria-label="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</div>'


def test_control_and_direction_characters_are_dropped() -> None:
    assert escaped("a\x00b\u202egnp.exe\x1b[31m\u2066\u2067\u2068\u2069") == "abgnp.exe[31m"
    assert escaped("line\nnext\tcolumn") == "line\nnext\tcolumn"


@pytest.mark.parametrize("name", ["script", "img", "iframe", "style", "form", "svg"])
def test_an_element_outside_the_list_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Expected one of a, b, code"):
        element(name, "x")


@pytest.mark.parametrize("name", ["onclick", "onerror", "src", "srcdoc"])
def test_an_attribute_outside_the_list_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Expected attributes among"):
        element("div", "x", **{name: "y"})


def test_a_link_that_is_not_web_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected an http or https address; got 'javascript:alert"):
        element("a", "x", href="javascript:alert(1)")


def test_a_plain_string_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(st, "html", shown.append)
    with pytest.raises(TypeError, match="Expected Markup from element"):
        show("<b>x</b>")  # type: ignore[arg-type]
    show(joined(["a", element("b", "c")]))
    assert shown == ["a<b>c</b>"]
