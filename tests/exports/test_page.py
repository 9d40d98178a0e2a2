"""What all reports have in common: a template refuses what it was not given, and escapes what it was."""

from __future__ import annotations

import jinja2
import pytest

from engine.documents.markup import Markup
from engine.exports.page import render
from tests.read_page import Page


def test_a_text_is_escaped_and_loses_its_control_characters_wherever_it_stands() -> None:
    source = render("page.html", title="<a>\u202e", heading="<b>\x00", making={"<i>": "<u>\x1b"}, note="<p>")
    shown = Page(source)
    assert shown.all("title")[0].text == "<a>" and shown.all("h1")[0].text == "<b>"
    assert (shown.all("dt")[0].text, shown.all("dd")[0].text) == ("<i>", "<u>")
    assert not set("\u202e\x00\x1b") & set(source)
    assert render("page.html", title="", heading=Markup("<b>x</b>"), making={}, note="").count("<b>x</b>") == 1


def test_a_template_refuses_a_name_that_it_is_not_given() -> None:
    with pytest.raises(jinja2.UndefinedError, match="is undefined"):
        render("search_report.html", title="", heading="", making={}, note="")
