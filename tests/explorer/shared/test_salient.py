"""What to read first, on the search page and between two compared texts, with a small encoder."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document, Section
from engine.encoders import registry
from engine.encoders.keyvec import Salience
from explorer.shared.document import full_text
from explorer.shared.salient import card_part, query_reading, reading_panel
from tests.documents.test_markup import HOSTILE
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.explorer.conftest import Start, page_html, page_text, without_keyvec
from tests.explorer.shared.made import EXAMPLE, SAID, said_of


@pytest.fixture
def missing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library, and no encoder of sentences."""
    monkeypatch.setattr(registry, "PRETRAINED", without_keyvec(tmp_path / "none"))
    return folder


@pytest.mark.usefixtures("installed")
def test_the_query_and_the_chosen_hit_say_what_to_read_first(app: Start) -> None:
    test = app(example=EXAMPLE)
    assert 'class="ps-query-reading"' not in page_html(test)  # folded away with the query's text
    test.session_state["read-query"] = True
    test.run()
    assert not test.exception
    panels = [block.body for block in test.html if 'class="ps-query-reading"' in block.body]
    assert len(panels) == 1
    assert "<details><summary>Read this first</summary>" in panels[0]
    assert panels[0].count("<li><span") == 5
    assert "how likely it is to carry what an abstract would say" in panels[0]
    assert 'aria-label="Key words, the likeliest first"' in panels[0]
    parts = [block.body for block in test.html if 'class="ps-salient-part"' in block.body]
    assert len(parts) == 1 and "Read this first" in parts[0]


@pytest.mark.usefixtures("installed")
def test_a_question_of_a_few_words_has_nothing_to_read_first_but_its_hits_do(app: Start) -> None:
    test = app(text="how long does a lazy random walk on a graph need to visit it all")
    assert not test.exception
    html = page_html(test)
    assert 'class="ps-query-reading"' not in html
    assert 'class="ps-salient-part"' in html


def test_key_words_come_in_the_order_given_with_what_their_number_means() -> None:
    words = (("polarized relay", 0.5), ("restricted maximum likelihood (REML)", 0.3), ("armature", 0.1))
    for part in (card_part(replace(SAID, keywords=words)), reading_panel(replace(SAID, keywords=words))):
        assert re.findall(r'title="([^"]*)">([^<]+)</li>', part) == [
            ("50%: the chance that its author would name it", "polarized relay"),
            ("30%: the chance that its author would name it", "restricted maximum likelihood (REML)"),
            ("10%: the chance that its author would name it", "armature"),
        ]
    many = replace(SAID, keywords=tuple((f"word{n}", 0.1) for n in range(15)))
    assert [len(re.findall(r">word\d+<", page)) for page in (card_part(many), query_reading(many))] == [6, 7]


@pytest.mark.usefixtures("missing")
def test_without_the_encoder_nothing_of_it_is_on_the_pages(app: Start) -> None:
    test = app(example=EXAMPLE)
    assert not test.exception
    assert 'class="ps-hit"' in page_html(test)
    assert "Read this first" not in page_text(test)
    assert "ps-notice ps-problem" not in page_html(test)
    test.button(key="correct").click().run()
    assert not [expander for expander in test.expander if "carry" in expander.label]


@pytest.mark.usefixtures("installed")
def test_texts_that_are_read_on_the_page_are_marked(app: Start) -> None:
    test = app(example=EXAMPLE)
    test.session_state["read-query"] = True
    test.run()
    assert not test.exception
    assert 'mark class="ps-salient"' in page_html(test)


@pytest.mark.usefixtures("installed")
def test_a_document_open_for_correction_says_it_on_demand(app: Start) -> None:
    test = app(example=EXAMPLE)
    test.button(key="correct").click().run()
    assert [expander for expander in test.expander if "carry" in expander.label]
    assert 'class="ps-reading"' not in page_html(test)
    test.session_state["draft-read-first"] = True
    test.run()
    assert 'class="ps-reading"' in page_html(test)


def test_the_strongest_sentences_stand_in_reading_order() -> None:
    panel = reading_panel(SAID)
    shown = [row.split("<")[0] for row in panel.split('class="ps-weight"')[1:]]
    assert len(shown) == 3  # of eight, a third
    numbers = [panel.index(f">{p:.2f}<") for p in (0.9, 0.8, 0.7)]
    assert numbers == sorted(numbers)
    assert "0.60" not in panel
    assert "width:100%" in panel  # the strongest sentence has the longest bar
    assert "how likely it is to carry what an abstract would say, from 0 to 1; the average" in panel
    assert "sentence of this text has 0.50." in panel
    assert panel.count("Method") == 2  # sections are named where they differ
    assert card_part(SAID).count('class="ps-weight"') == 2


def test_a_tenth_of_a_long_text_is_marked() -> None:
    long = paper(sentences=80)
    found = said_of(long, list(np.linspace(0.1, 0.9, 80)))
    assert len(found.strongest()) == 8
    assert len(SAID.strongest()) == 3
    assert Salience((), np.empty(0, np.float32), ()).strongest() == ()


def test_hostile_text_stays_text() -> None:
    document = Document(HOSTILE, sections=(Section(HOSTILE, HOSTILE), Section("Other", "A walk.")))
    chunks = (
        Chunk(HOSTILE, 0, HOSTILE, 0, len(HOSTILE), HOSTILE),
        Chunk(HOSTILE, 1, "Other", 0, 7, "A walk."),
    )
    found = Salience(chunks * 2, np.full(4, 0.5, np.float32), ((HOSTILE, 0.5),))
    shown = (
        reading_panel(found) + query_reading(found) + card_part(found) + full_text(document, salient=[(chunks[0], 0.5)])
    )
    assert "<script" not in shown
    assert "<img" not in shown
    assert HOSTILE in html.unescape(shown)


def test_a_very_long_sentence_is_cut() -> None:
    text = "steam " * 400
    found = Salience((Chunk("x", 0, "", 0, len(text), text),), np.full(1, 0.5, np.float32), ())
    assert "steam …" in card_part(found)
    assert len(card_part(found)) < 1_200


def test_nothing_to_say_is_said() -> None:
    nothing = Salience((), np.empty(0, np.float32), ())
    assert "holds a word that the encoder knows" in reading_panel(nothing)
    assert "holds a word that the encoder knows" in query_reading(nothing)
    assert card_part(nothing) == '<div class="ps-salient-part"></div>'
    words_alone = replace(nothing, keywords=(("walk", 0.5),))
    assert "Read this first" not in reading_panel(words_alone)
    assert "<details" not in query_reading(words_alone) and "walk" in query_reading(words_alone)


def test_results_stand_where_the_encoder_is_damaged_and_the_page_says_so_once(
    installed: Path, tmp_path: Path, app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_keyvec().save(without_keyvec(tmp_path / "damaged") / "keyvec")
    (tmp_path / "damaged" / "keyvec" / "weights.safetensors").write_bytes(b"no weights")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "damaged")
    test = app(example=EXAMPLE)
    assert not test.exception
    assert 'class="ps-hit"' in page_html(test)
    assert page_text(test).count("it is damaged") == 1
