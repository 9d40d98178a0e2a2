"""Wikitext as sections of plain text and as links."""

from __future__ import annotations

import pytest

from engine.research.wiki.markup import is_list_of_names, links_in, sections_in

SOURCE = """{{Infobox engine
| name = {{lang|en|Engine}} | maker = [[james Watt|Watt]]
}}
[[File:Engine.jpg|thumb|The ''engine'' of [[Soho, Birmingham]]]]
A '''steam engine''' is a [[heat engine#Cycle|heat engine]] that works&nbsp;by [[steam]].<ref name="a">See
[[Hidden source]].</ref><!-- not this: [[Comment]] --> It has a <sub>b</sub> [https://example.org/a longer page].
== Parts ==
* a [[cylinder (engine)|cylinder]] and
# a ''piston''
=== Valves ===
{| class="wikitable"
| a || {{convert|1|m}} || [[In a table]]
|}
One valve.
== See also ==
* [[Other engine]]
==References==
{{reflist}}
[[Category:Engines]] [[de:Dampfmaschine]] [[:Category:Shown]] [[Wikipedia talk:Engines]]
"""


def test_sections_are_plain_text_without_lists_of_other_works() -> None:
    found = {section.title: section.text for section in sections_in(SOURCE)}
    assert list(found) == ["Lead", "Parts"]
    assert found["Lead"] == "A steam engine is a heat engine that works by steam. It has a b longer page."
    assert " ".join(found["Parts"].split()) == "a cylinder and a piston One valve."


def test_links_are_the_titles_of_articles_in_all_parts_but_references() -> None:
    engine = {"Heat engine", "Steam", "Cylinder (engine)"}
    assert links_in(SOURCE) == engine | {"James Watt", "Soho, Birmingham", "In a table", "Other engine"}
    assert links_in("[[2001: A Space Odyssey]] [[a_b  c]] [[#Here]] [[&amp;c]]") == {
        "2001: A Space Odyssey",
        "A b c",
        "&c",
    }


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a {{open b", "a {{open b"),
        ("a }} b |} c", "a }} b |} c"),
        ("a {{x|{{y}}|z}} b", "a b"),
        ("a <ref>open b", "a open b"),
        ("a <gallery> b <ref>x</ref> c <math>q</math> d", "a b c d"),
        ("a <!-- b <ref>x</ref> c", "a <!-- b c"),
        ("a <ref name=x /> b <ref>c<ref>d</ref> e", "a b e"),
        ("a [[open b", "a [[open b"),
        ("= b =", ""),
        ("1 < 2 __NOTOC__", "1 < 2"),
    ],
)
def test_markup_that_does_not_close_costs_no_text(source: str, text: str) -> None:
    assert " ".join(" ".join(section.text for section in sections_in(source)).split()) == text


@pytest.mark.parametrize("mark", ["{{", "[[", "<ref>", "<!--", "{|", "[[a|", "''", "[//", "== ", "<ref name="])
def test_a_source_of_nothing_but_marks_is_read(mark: str) -> None:
    long = mark * (400_000 // len(mark))  # in a moment: each mark would cost a scan of all behind it
    assert sum(len(section.text) for section in sections_in(long)) <= len(long)
    assert links_in(long) == frozenset()


def test_a_page_that_tells_names_apart_is_known() -> None:
    assert is_list_of_names("x may be: {{Disambiguation|geo}}") and is_list_of_names("{{hndis}}")
    assert not is_list_of_names("{{disagreement}} a {{surnames of}}")
