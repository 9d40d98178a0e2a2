"""The two texts of a report: whole, tinted where they match, underlined where they are salient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compare import Comparison, Passage
from engine.documents import Chunk, Document
from engine.encoders.keyvec import Salience
from engine.exports.comparison.outline import SalientTexts
from tests.exports.comparison.reports import CARD, page, weighed
from tests.read_page import Page


def test_a_cell_opens_both_its_chunks_with_the_sentences_that_carry_it(made: Comparison, shown: Page) -> None:
    assert shown.id("at-c-3-5").name == "td"
    pair = shown.id("c-3-5")
    assert {"a3", "b5"} <= pair.classes
    assert "a3" in shown.id("a-3").classes
    assert shown.id("b-5").text.endswith(made.chunks_b[5].text)
    sheet = shown.all("style")[0].text
    ours, theirs = made.carriers.pairs[3, 5]
    for name in ("a3", "b5", f"au{ours}", f"bu{theirs}"):
        assert name in pair.classes
        assert f".pairs:has(>.{name}:target)~.texts" in sheet
    assert next(one for one in shown.found if f"au{ours}" in one.classes and one.name != "p").text


def test_the_way_back_leads_to_the_cell_and_to_the_list(shown: Page) -> None:
    back = [one.attributes["href"] for one in shown.all("a", within="t-1")]
    assert "#p-1" in back
    assert any(link.startswith("#at-c-") for link in back)
    assert {"#t-0", "#t-2"} <= set(back)
    assert [one.attributes["href"] for one in shown.all("a", within="s-1-1")] == ["#at-s-1-1"]
    assert "#t-1" in [one.attributes["href"] for one in shown.all("a", within="p-1")]


def test_texts_are_whole_and_passages_tinted_where_they_stand(made: Comparison, shown: Page) -> None:
    words = [one.text for one in shown.all("p", "words")]
    assert words == [chunk.text for chunk in (*made.chunks_a, *made.chunks_b)]
    for place, passage in enumerate(made.passages):
        tinted = [one.text for one in shown.all("a", f"p{place}")]
        assert tinted == [passage.a.text, passage.b.text]
    tints = [next(iter(one.classes & {f"t{n}" for n in range(4)})) for one in shown.all("a", "p0")]
    assert tints == ["t3", "t3"]
    assert "t0" in shown.all("a", f"p{len(made.passages) - 1}")[0].classes


def test_passages_that_overlap_or_run_over_a_chunk_are_cut(made: Comparison) -> None:
    first, second = made.chunks_a[:2]
    over = stretch(made.a, first.part, first.stop - 9, second.start + 9)
    inside = stretch(made.a, first.part, first.stop - 20, first.stop - 4)
    b = made.passages[0].b
    shown = page(replace(made, passages=(Passage(0.9, over, b), Passage(0.8, inside, b))))
    words = [one.text for one in shown.all("p", "words")]
    assert words == [chunk.text for chunk in (*made.chunks_a, *made.chunks_b)]
    assert {"a0", "a1"} <= shown.id("t-0").classes
    tinted = [(one.text, one.attributes["href"]) for one in shown.all("a", within="a-0")]
    assert "".join(text for text, _ in tinted) == made.a.parts[first.part].text[inside.start : first.stop]
    assert [place for _, place in tinted] == ["#t-1", "#t-0", "#t-0"]
    assert shown.all("a", "p0", within="a-1")[0].text == second.text[:9]


def test_links_say_what_they_lead_to_and_white_space_is_none(made: Comparison) -> None:
    first, text = made.chunks_a[0], made.chunks_a[0].text
    gap = first.start + text.index(" ")
    whole, space = (stretch(made.a, first.part, *ends) for ends in ((first.start, first.stop), (gap, gap + 1)))
    b = made.passages[0].b
    shown = page(replace(made, passages=(Passage(0.9, space, b), Passage(0.8, whole, b))))
    assert [one.text for one in shown.all("span", "p0", within="a-0")] == [" "]
    assert all(one.text.strip() or one.attributes.get("aria-label") for one in shown.all("a"))
    labels = [one.attributes["aria-label"] for one in shown.all("a", within="passages")]
    assert len(labels) == len(set(labels)) and labels[0] == "Passage 1 in both texts"


def stretch(one: Document, part: int, start: int, stop: int) -> Chunk:
    return Chunk(one.id, part, one.parts[part].title, start, stop, one.parts[part].text[start:stop])


def test_the_strongest_sentences_are_underlined_in_both_texts_with_their_p(made: Comparison, shown: Page) -> None:
    salient = weighed(made)
    marked = page(made, salient=salient)
    for said in (salient.a, salient.b):
        assert len(said.strongest()) == 5
    names = {"a": salient.a, "b": salient.b}
    for letter, said in names.items():
        pieces: dict[str, str] = {}
        for one in marked.found:
            inside = any((around.attributes.get("id") or "").startswith(f"{letter}-") for around in one.around)
            if "salient" in one.classes and inside:
                title = one.attributes["title"]
                pieces[title] = pieces.get(title, "") + one.text
        expected: dict[str, str] = {}
        for chunk, p in said.strongest():
            title = f"Salient sentence, p {p:.2f}: how likely it is to carry what an abstract would say, from 0 to 1"
            expected[title] = expected.get(title, "") + chunk.text
        assert pieces == expected
    assert [one.text for one in marked.all("p", "words")] == [one.text for one in shown.all("p", "words")]
    assert "Underlined: the strongest sentences of each text." in marked.id("texts").text
    assert "5 of 18 sentences of A and 5 of 24 sentences of B" in marked.id("making").text
    assert "by keyvec, fedcba9876543210." in marked.id("making").text
    assert "salient" not in {name for one in shown.found for name in one.classes}
    assert "Underlined" not in shown.text


def test_a_salient_sentence_in_a_passage_keeps_its_link_and_its_tint(made: Comparison) -> None:
    passage = made.passages[0]
    place = made.carriers.a.index(passage.a)
    p = [0.0] * len(made.carriers.a)
    p[place] = 0.5
    marked = page(made, salient=weighed(made, p=p))
    (link,) = [one for one in marked.all("a", "salient", within=f"a-{place // 3}") if "p0" in one.classes]
    assert (link.text, link.attributes["href"]) == (passage.a.text, "#t-0")
    assert {"t3", "p0", "salient"} <= link.classes
    assert link.attributes["title"].startswith("Salient sentence, p 0.50: ")


def test_a_salient_sentence_over_two_chunks_is_underlined_in_both(made: Comparison) -> None:
    first, second = made.chunks_a[:2]
    over = stretch(made.a, first.part, first.stop - 9, second.start + 9)
    nothing = Salience((), np.empty(0, np.float32), ())
    salient = SalientTexts(Salience((over,), np.ones(1, np.float32), ()), nothing, CARD)
    marked = page(made, salient=salient)
    for name, text in (("a-0", first.text[-9:]), ("a-1", second.text[:9])):
        pieces = [one.text for one in marked.found if "salient" in one.classes and marked.id(name) in one.around]
        assert "".join(pieces) == text
