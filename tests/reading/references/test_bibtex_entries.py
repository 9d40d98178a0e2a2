"""Entries of BibTeX, however they are written."""

from __future__ import annotations

import re
import time

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError, TruncatedFileError
from tests.reading.references.written import SIZE, bib


@pytest.mark.parametrize(
    "text",
    [
        "@misc{k, title = {A}}",
        "@MISC { k , TITLE = {A} , }",
        "@misc(k, title = {A})",
        '@misc(k, title = "A", note = {(a)},\n)',
        "@misc{De Vries 2020, title = {A}}",
        "@misc{\n  De Vries,\n  title = {A}\n}",
        "@misc{title = {A}}",
        "@misc{, title = {A}}",
        "@misc{k, title = {A} year = 1999}",
        "@misc{k, title = {A}, title = {B}}",
        "@misc{k,\r\n title = {A}\r\n}\r\n",
        "\ufeff@misc{k, title = {A}}",
        "Made by hand.\n% @misc{no, title = {No}}\n@comment{@misc{no, title = {No}}}\n@misc{k, title = {A}}",
        '@preamble{"\\newcommand{\\x}{y}"}\n@misc{k, title = {A}}',
        "@misc{k, title = A}",
        '@misc{k, title = "{A}", note = {an " in braces}}',
        '@string{a = {A}}@string{b = a # ""}@misc{k, title = b}',
        "@misc{k, file = {C:\\x\\}, title = {A}}\n@misc{l,}",
        "@misc{k, title = {A}, note = {\n@ada said, @misc{too}}\n}",
    ],
)
def test_ways_to_write_an_entry(text: str) -> None:
    assert [one.title for one in bib(text)] == ["A"]


def test_several_on_a_line() -> None:
    assert [one.title for one in bib("@a{a, title={A}} @a{b, title={B}}@a{c, title={C}}")] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (
            "@a{a, title={A}}\n\n@a{b,\n title={B\n}\n@a{c, title={C}}",
            MalformedFileError,
            r"Expected the entry of line 3 of a\.bib to close before the next one in line 6\. Close its braces",
        ),
        (
            "@a{a, title={A}}\n@a{b, title={B}",
            TruncatedFileError,
            r"Expected the entry of line 2 of a\.bib to close; the",
        ),
        (
            "\n@a{b, title {B}}",
            MalformedFileError,
            r"fields like title = \{\.\.\.\} in the entry of line 2 of a\.bib, found",
        ),
        (
            '@a{b, title = "B}\n}',
            MalformedFileError,
            r"the entry of line 1 of a\.bib, found '\"B'\. Close its braces and",
        ),
        (
            "@a{b, title={" + "{" * 300 + "}" * 300 + "}}",
            MalformedFileError,
            r"nested at most 200 deep in the entry of line 1",
        ),
    ],
)
def test_an_unreadable_entry_names_its_line_and_refuses_no_other(text: str, error: type[Exception], said: str) -> None:
    told: list[str] = []
    assert bib("@a{g, title={Good}} " + text, said=told)[0].title == "Good"
    assert len(told) == 1
    assert re.search(rf"An entry was left out\. .*{said}", told[0])


def test_a_file_without_any_readable_entry_is_refused() -> None:
    with pytest.raises(MalformedFileError, match=r"fields like title = \{\.\.\.\} in the entry of line 2 of a\.bib"):
        bib("\n@a{b, title {B}}")
    with pytest.raises(TruncatedFileError, match=r"Expected the entry of line 1 of a\.bib to close; the file stops"):
        bib("@a{b, title={B}")


def test_fields_that_a_brace_too_many_puts_outside_are_told() -> None:
    told: list[str] = []
    assert len(bib("@a{a, title={A}},\n  year = {1999},\n}\n@a{b, title={B}}", said=told)) == 2
    assert told == ["Fields outside of entries of a.bib were left out, the first of them in line 2."]


def test_names_that_double_cannot_grow_without_end() -> None:
    doubling = '@string{a0 = "aaaaaaaaaa"}' + "".join(f"@string{{a{n + 1} = a{n} # a{n}}}" for n in range(60))
    with pytest.raises(InputTooLargeError, match=r"values of at most 4,000 characters"):
        bib(doubling)


@pytest.mark.parametrize(
    "piece", ["@", "@a{", "@a{k,", " @a{k}", "{", "}", "\\", '"', "#", "a=", ",", "\n", " and ", "%\n"]
)
@pytest.mark.parametrize(
    "around", ["%s", "@a{k, title={A}, note={%s}}", "@a{k, title={A}, author={%s}}", "@a{k, title=%s}"]
)
def test_hostile_bibtex_costs_no_more_than_its_length(piece: str, around: str) -> None:
    begun = time.process_time()
    try:
        bib(around % (piece * (SIZE // len(piece))))
    except (MalformedFileError, TruncatedFileError, InputTooLargeError):
        pass
    assert time.process_time() - begun < 5
