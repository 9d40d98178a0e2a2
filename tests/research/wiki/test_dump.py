"""Dumps page by page: packed and plain, whole, broken off, damaged and hostile."""

from __future__ import annotations

import bz2
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputError, InputTooLargeError
from engine.reading import LIMITS
from engine.research.wiki import dump
from engine.research.wiki.dump import Article, articles_in
from tests.research.wiki.small_dump import END, HEAD, page, pages, write_dump


def read(path: Path) -> tuple[list[Article], list[str]]:
    told: list[str] = []
    return list(articles_in(path, warn=told.append)), told


@pytest.mark.parametrize("name", ["dump.xml", "dump.xml.bz2"])
def test_articles_come_without_pages_of_other_kinds(name: str, tmp_path: Path) -> None:
    found, told = read(write_dump(tmp_path / name))
    assert len(found) == 33 and told == []
    assert found[-1].title == "Short"
    first = found[0]
    assert (first.id, first.title) == ("wiki:100", "Item 1 0")
    assert [section.title for section in first.sections] == ["Lead", "History", "Use"]
    assert {"World", "Thing 1 1"} <= first.links and "Hidden" not in first.links


def test_a_dump_of_several_packed_streams_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml.bz2"
    path.write_bytes(b"".join(bz2.compress(part.encode()) for part in (HEAD, *pages(), END)))
    assert len(read(path)[0]) == 33


def test_a_broken_off_dump_gives_what_stands_before(tmp_path: Path) -> None:
    plain = write_dump(tmp_path / "plain.xml", pages()[:10], end="")
    plain.write_bytes(plain.read_bytes()[:-40])
    found, told = read(plain)
    assert len(found) == 9
    assert any("stops before the end of its mediawiki" in one for one in told)
    packed = tmp_path / "dump.xml.bz2"
    halves = [bz2.compress("".join(part).encode()) for part in ([HEAD, *pages()[:10]], pages()[10:])]
    packed.write_bytes(halves[0] + halves[1][: len(halves[1]) // 2])
    found, told = read(packed)
    assert len(found) == 10
    assert any(one.startswith("dump.xml.bz2 cannot be unpacked any further") for one in told)


def test_a_damaged_page_is_left_out_and_told(tmp_path: Path) -> None:
    given = pages()[:3]
    given[1] = given[1].replace("<revision>", "<revision><br>")
    found, told = read(write_dump(tmp_path / "dump.xml", given))
    assert [one.id for one in found] == ["wiki:100", "wiki:102"]
    assert len(told) == 1 and told[0].startswith("An entry was left out.")


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    source = page(7, "Bomb", "x").replace(">x<", f">{'&b;' * 3}<")
    path = tmp_path / "dump.xml"
    path.write_text(f"<?xml version='1.0'?>{laughs}{HEAD}{source}{pages()[0]}{END}")
    found, _ = read(path)
    assert not any("ha" in section.text for one in found for section in one.sections if one.title == "Bomb")
    inside = page(7, "Bomb", "x").replace("<revision>", f"{laughs}<revision>")
    found, told = read(write_dump(path, [inside, pages()[0]]))
    assert [one.id for one in found] == ["wiki:100"] and len(told) == 1


def test_a_page_beyond_the_limits_is_left_out_and_a_bomb_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = page(7, "Big", "word " * 500_000)
    few = replace(LIMITS, max_file_bytes=1 << 20)
    told: list[str] = []
    found = list(articles_in(write_dump(tmp_path / "big.xml", [big, pages()[0]]), limits=few, warn=told.append))
    assert [one.id for one in found] == ["wiki:100"]
    assert any("Expected at most 1 MiB" in one for one in told)
    bomb = write_dump(tmp_path / "bomb.xml.bz2", [page(7, "Big", "word " * 100_000)])
    assert len(read(bomb)[0]) == 1
    monkeypatch.setattr(dump, "_FREE_BYTES", 0)
    with pytest.raises(InputTooLargeError, match="to unpack to what a dump does; it is many times larger"):
        read(bomb)


def test_what_is_no_dump_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a MediaWiki dump at .*none\.xml; no such file"):
        read(tmp_path / "none.xml")
    other = tmp_path / "other.xml"
    for text in ("", "plain text", "<html><body>x</body></html>", HEAD + END):
        other.write_text(text)
        with pytest.raises(InputError, match=r"Expected a MediaWiki dump with pages in other\.xml, found none"):
            read(other)
