"""XML files cut into records: one after another, and the members of a set."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable

import pytest

from engine.reading.limits import LIMITS, Limits
from engine.reading.omissions import Omissions
from engine.reading.xml.cuts import Record, xml_records

SETS = {"set": ("member",)}


def cut(text: str, limits: Limits = LIMITS, warn: Callable[[str], None] = pytest.fail) -> list[Record]:
    return list(xml_records(io.BytesIO(text.encode()), "a.xml", limits, SETS, Omissions(warn)))


def members(text: str, warn: Callable[[str], None] = pytest.fail) -> list[str]:
    """The members of a set, without the root that each is wrapped in."""
    return [one.data.decode().partition("<set>")[2].removesuffix("</set>") for one in cut(text, warn=warn)]


@pytest.fixture(params=[7, 64, 1 << 20], autouse=True)
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.xml.cuts._BLOCK_BYTES", request.param)
    monkeypatch.setattr("engine.reading.xml.cuts._PROLOG_BYTES", 60 if request.param < 100 else 1 << 20)


def test_documents_one_after_another() -> None:
    declared, typed, bare = '<?xml version="1.0"?>\n<a>1</a>\n', "<!DOCTYPE a>\n<a>2</a>\n", "<a>3</a>\n<a>4</a>"
    found = cut(f"\n{declared}{typed}{bare}")
    assert [(one.number, one.line) for one in found] == [(1, 2), (2, 4), (3, 6), (4, 7)]
    assert [one.data.decode().strip()[-8:] for one in found] == [f"<a>{one}</a>" for one in range(1, 5)]


def test_members_of_a_set() -> None:
    text = '<?xml version="1.0"?>\n<set>\n<member>1</member> between\n<members/><member a="b">2</member></set>\n'
    assert members(text) == ["<member>1</member>", '<member a="b">2</member>']
    assert [(one.number, one.line) for one in cut(text)] == [(1, 3), (2, 4)]


def test_members_keep_their_prefixes_and_their_declaration() -> None:
    text = (
        '\ufeff<?xml version="1.0" encoding="UTF-8"?><o:set xmlns:o="urn:o" xmlns:xml="x"><b xmlns:f="urn:f">'
        "<f:member><f:a/></f:member></b></o:set>"
    )
    assert [one.data.decode() for one in cut(text)] == [
        '<?xml version="1.0" encoding="UTF-8"?><set xmlns:o="o" xmlns:f="f"><f:member><f:a/></f:member></set>'
    ]


@pytest.mark.parametrize("quoted", ["<!-- <member>0</member> -->", "<![CDATA[<member></set><?xml ]]>"])
def test_what_a_set_quotes_cuts_nothing(quoted: str) -> None:
    assert members(f"<set>{quoted}<member>{quoted}</member></set>") == [f"<member>{quoted}</member>"]


def test_a_member_that_is_not_closed_ends_where_the_next_begins() -> None:
    assert members("<set><member>1<b><member>2</member></set>") == ["<member>1<b>", "<member>2</member>"]


def test_two_sets_in_one_file() -> None:
    one = '<?xml version="1.0"?><set><member/></member></set>'
    assert len(cut(one + "\n" + one + '<?xml version="1.0"?><a/>')) == 3


@pytest.mark.parametrize("cut_short", ["<set>\n<member>1</member>", "<set>\n<member>1</member>\n<member>2<![CDATA[ <"])
def test_a_set_that_stops_is_told(cut_short: str) -> None:
    warnings: list[str] = []
    assert members(cut_short, warnings.append)[0] == "<member>1</member>"
    assert len(warnings) == 1
    assert warnings[0].startswith("a.xml stops before the end of its set, at line ")


def test_a_member_beyond_the_limit() -> None:
    told: list[str] = []
    large = f"<member>{'a' * (3 << 18)}<!--\n{'b' * (3 << 18)}--></member>"
    text = f"<set><member>1</member>\n\n{large}\n{large}<member>2</member></set>"
    found = cut(text, Limits(max_file_bytes=1 << 20), told.append)
    assert [(one.number, one.line, one.data[-21:-6]) for one in found] == [
        (1, 1, b"<member>1</member>"[-15:]),
        (4, 6, b"<member>2</member>"[-15:]),
    ]
    assert [one.partition(" a.xml;")[0] for one in told] == [
        "An entry was left out. Expected at most 1 MiB in the record of line 3 of",
        "An entry was left out. Expected at most 1 MiB in the record of line 5 of",
    ]


def test_a_document_beyond_the_limit_among_others() -> None:
    told: list[str] = []
    documents = [f'<?xml version="1.0"?>\n<a>{text}</a>\n' for text in ("1", "b" * (2 << 20), "3")]
    found = cut("".join(documents), Limits(max_file_bytes=1 << 20), told.append)
    assert [one.line for one in found] == [1, 5]
    assert "at most 1 MiB in the record of line 3 of a.xml; it is larger" in told[0]


def test_a_large_set_takes_the_memory_of_a_member(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.xml.cuts._BLOCK_BYTES", 1 << 16)
    monkeypatch.setattr("engine.reading.xml.cuts._PROLOG_BYTES", 1 << 16)
    file = io.BytesIO(b"<set>" + b"<member>%b</member>" % (b"b" * 1_000) * 10_000 + b"</set>")
    tracemalloc.start()
    assert sum(1 for _ in xml_records(file, "a.xml", LIMITS, SETS, Omissions(pytest.fail))) == 10_000
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()
