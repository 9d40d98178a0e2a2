"""A map as one file: what it holds, and that no title can become markup or script."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest

from engine.exports.maps.interactive import Caption, map_page
from engine.exports.maps.packing import Settings
from engine.exports.maps.points import MapPoints
from engine.library import Summaries
from tests.explorer.map.maps import DOCUMENTS, small_map

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def shown() -> MapPoints:
    titles = [HOSTILE, *(f"Title {number}" for number in range(1, DOCUMENTS))]
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    hostile = [HOSTILE] * DOCUMENTS
    summaries = Summaries(ids, titles, [2001] * DOCUMENTS, ["paper"] * DOCUMENTS, hostile, hostile)
    return MapPoints.of(small_map(ids, "f").renamed(0, 0, HOSTILE[:60]), summaries)


@pytest.fixture(scope="module")
def page(shown: MapPoints) -> str:
    return map_page(shown, Caption(HOSTILE, 0.41, 0.93), settings=Settings("cluster", description=HOSTILE))


def part(page: str, id_: str) -> str:
    found = re.search(rf'id="{id_}">(.*?)</script>', page, re.DOTALL)
    assert found
    return found[1]


def test_no_text_of_a_document_leaves_its_place(page: str) -> None:
    assert "<img" not in page
    assert page.count("<script") == page.count("</script>") == 3
    assert "alert(1)&lt;/script&gt;" in page  # the encoder's name, as text
    assert json.loads(part(page, "settings"))["description"] == HOSTILE


def test_the_points_are_in_it_whole(page: str, shown: MapPoints) -> None:
    assert gzip.decompress(base64.b64decode(part(page, "points"))) == shown.packed.data
    assert json.loads(part(page, "settings"))["points"] == shown.packed.key


def test_its_policy_lets_in_one_script_and_no_request(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src &#39;none&#39;" in policy[1]
    assert policy[1].count("script-src") == 1
    assert "unsafe" not in policy[1] and "http" not in policy[1]


def test_the_same_map_gives_the_same_file(page: str, shown: MapPoints) -> None:
    again = map_page(shown, Caption(HOSTILE, 0.41, 0.93), settings=Settings("cluster", description=HOSTILE))
    assert again == page
