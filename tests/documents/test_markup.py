"""Document text stays text, whatever it holds."""

from __future__ import annotations

import pytest

from engine.documents.markup import Markup, element, escaped, in_chart, in_label, in_markdown, joined

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) $$E$$ :material/bolt: `code`"


def test_a_child_that_is_a_plain_string_is_escaped() -> None:
    made = element("p", HOSTILE)
    assert "<script" not in made
    assert "<img" not in made
    assert made.startswith("<p>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;")
    assert "[x](javascript:alert(3)) $$E$$ :material/bolt: `code`" in made


def test_a_child_that_an_element_made_stays_a_tag() -> None:
    assert element("div", element("strong", "a"), " & b") == "<div><strong>a</strong> &amp; b</div>"


def test_a_plain_string_that_is_added_joined_or_formatted_is_a_text() -> None:
    assert element("p", "a") + "<script>\u202e" == "<p>a</p>&lt;script&gt;"
    assert "<b>" + element("p", "a") == "&lt;b&gt;<p>a</p>"
    assert joined(["<b>\x00", element("b", "c")]) == "&lt;b&gt;<b>c</b>"
    assert Markup("<i>{}</i>").format("<b>\u2066") == "<i>&lt;b&gt;</i>"
    assert Markup("<i>%s</i>") % "<b>\x1b" == "<i>&lt;b&gt;</i>"


def test_an_attribute_cannot_break_out() -> None:
    made = element("div", "x", aria_label='"><script>alert(1)</script>')
    assert made == '<div aria-label="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</div>'


def test_control_and_direction_characters_are_dropped() -> None:
    assert escaped("a\x00b\u202egnp.exe\x1b[31m\u2066\u2067\u2068\u2069") == "abgnp.exe[31m"
    assert escaped("line\nnext\tcolumn") == "line\nnext\tcolumn"


@pytest.mark.parametrize("name", ["script", "img", "iframe", "style", "form", "svg"])
def test_an_element_outside_the_list_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Expected one of a, b, button, code"):
        element(name, "x")


@pytest.mark.parametrize("name", ["onclick", "onerror", "src", "srcdoc"])
def test_an_attribute_outside_the_list_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Expected attributes among"):
        element("div", "x", **{name: "y"})


def test_a_link_that_is_not_web_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected an http or https address; got 'javascript:alert"):
        element("a", "x", href="javascript:alert(1)")


def test_markdown_stays_text_on_one_line() -> None:
    assert in_markdown("[a](b)\n![c] | <d> *e*") == r"\[a\](b) \!\[c\] \| \<d\> \*e\*"


def test_a_chart_shows_tags_as_text() -> None:
    assert in_chart('<b>\u202eR&D\'s "best"') == '&lt;b&gt;R&amp;D\'s "best"'


def test_a_label_holds_no_colour_and_no_icon() -> None:
    assert in_label(":red[a] :material/bolt: 1:2") == ":\u2060red\\[a\\] :\u2060material/bolt:\u2060 1:\u20602"
