"""A document score: its parts, the words that two documents share, and how it is read beside unrelated pairs."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.compare import as_json
from engine.compare.comparing import compare
from engine.compare.document_score import (
    CALIBRATION_FACT,
    KINDS,
    MIX_FACT,
    WORDS,
    Calibration,
    Mix,
    PinnedEncoder,
    Shares,
    Unrelated,
    cut_out,
    kinds_of,
    word_overlap,
)
from engine.compare.model import Comparison, Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import DocumentTerms, StretchTerms, Words
from engine.core.errors import ConfigError, FingerprintError, UnknownEncoderError
from engine.documents import Chunk, Document, PageStart, Section
from engine.documents.text import tokens
from engine.encoders import registry, storage
from engine.exports import comparison_html
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn
from tests.read_page import Page


def test_what_is_gone_is_cut_out_of_every_part() -> None:
    document = Document(
        "US2",
        "patent",
        title="A winch",
        sections=(Section("Field", "One. Two. Three.", pages=(PageStart(0, 1),)), Section("Rest", "Four. Five.")),
        claims=("A winch. It turns.", "A rope."),
    )
    chunks = [
        part.chunk("US2", number, start, start + len(text))
        for number, part in enumerate(document.parts)
        for text in ("One.", "Three.", "Four. ", "It turns.")
        if (start := part.text.find(text)) >= 0
    ]
    left = cut_out(document, reversed(chunks))
    assert [part.text for part in left.parts] == ["A winch", " Two. ", "Five.", "A winch. ", "A rope."]
    assert [part.role for part in left.parts] == [part.role for part in document.parts]
    assert left.id == "US2" and left.sections[0].pages == ()
    assert cut_out(document, []) is document


def test_a_part_that_is_gone_whole_leaves_the_others_in_their_places() -> None:
    title = Chunk("kites", 0, "Title", 0, len(KITES.title), KITES.title)
    left = cut_out(KITES, [title])
    assert left.title == "" and left.abstract == KITES.abstract
    assert [section.title for section in left.sections] == [section.title for section in KITES.sections]


MIX = Mix.alike(0.4, 120.0, {"winch": 0.2, "energy": 1.0})
SIF = "word2vec-sif"
EVERYTHING = Exclusions(references=False, recurring=False)


def shared(comparison: Comparison) -> float:
    """How many words a comparison says that two documents share."""
    assert comparison.mixed is not None
    return next(part.value for part in comparison.mixed.parts if part.name == WORDS)


def test_a_word_common_in_long_documents_weighs_less() -> None:
    assert MIX.weight("winch") == -math.log(0.2)
    assert MIX.weight("energy") == 0.0
    assert MIX.weight("qqxyzzy") > MIX.weight("tether") > MIX.weight("winch")
    assert Mix.alike(0.4, 120.0, {"network": 1e-6}).weight("network") == Mix.alike(0.4, 120.0).weight("network")


def test_facts_keep_a_mix() -> None:
    assert Mix.from_facts({MIX_FACT: MIX.as_facts()}) == MIX
    second = Mix(
        {**MIX.shares, "patent, patent": Shares(0.1, 0.5)}, 9.0, second=PinnedEncoder("ctpe", "0123456789abcdef")
    )
    assert Mix.from_facts({MIX_FACT: json.loads(json.dumps(second.as_facts()))}) == second
    assert second.second_for("patent, patent") == second.second and second.second_for("paper, patent") is None
    assert Mix.from_facts({"calibration": {}}) is None


def shares(words: float, second: float) -> dict[str, dict[str, float]]:
    return {kinds: {"words": words, "second": second} for kinds in KINDS}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"shares": shares(1.2, 0)}, r"mix: shares: words must be a share from 0 to 1, got 1\.2\."),
        ({"shares": shares(0.7, 0.4)}, r"mix: shares: all must be a share from 0 to 1, got 1\.1\."),
        ({"shares": shares(0.5, 0.2)}, r"mix: second must name an encoder where it has a share, got none\."),
        (
            {"shares": {"paper, paper": {"words": 0.4}}},
            r"mix: shares must be given for paper, paper; .*, got none for paper, patent; patent, patent\.",
        ),
        ({"mean_length": 0}, r"mix: mean_length must be above 0, got 0\.0\."),
        ({"common": {"kite": 0.0}}, r"mix: common must hold shares above 0 and up to 1, got 0\.0, 0\.0\."),
        ({"common": 3}, r"mix: shares, mean_length, common and second must be kept together, got .* Fit the mix again"),
        ({"mean_length": "long"}, r"must be kept together"),
        ({"shares": {"paper, paper": 3}}, r"must be kept together"),
    ],
)
def test_what_is_no_mix_is_refused(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Mix.from_facts({MIX_FACT: {**MIX.as_facts(), **changed}})


@pytest.fixture(scope="module")
def sides(words: Words) -> dict[str, ReadDocument]:
    encoder = StandIn(facts={MIX_FACT: MIX.as_facts()})
    return {document.id: ReadDocument.read(document, encoder, words) for document in (KITES, GLIDERS, PATENT)}


def test_the_score_is_mixed_and_its_parts_are_told(
    sides: dict[str, ReadDocument], kites: ReadDocument, gliders: ReadDocument
) -> None:
    found, alone = compare(sides["kites"], sides["gliders"]), compare(kites, gliders)
    assert found.mixed is not None and alone.mixed is None
    ours, words = found.mixed.parts
    assert (ours.name, ours.value, words.name) == ("stand-in", alone.score, "shared words")
    assert 0 < words.value < 1
    assert found.score == found.mixed.score == round(0.6 * alone.score + 0.4 * words.value, 4)
    assert {name: value for name, value in as_json(found)["document"].items() if name != "reading"} == {
        "score": found.score,
        "percentile": None,
        "parts": [
            {"name": "stand-in", "value": alone.score, "share": 0.6},
            {"name": "shared words", "value": words.value, "share": 0.4},
        ],
    }
    assert found.mixed.sentence({"stand-in": "CoLDE", "shared words": "words"}.__getitem__) == (
        f"Mixed of CoLDE {alone.score:.2f} (60 %), words {words.value:.2f} (40 %)."
    )
    told = Page(comparison_html(found)).text
    assert found.mixed.sentence() in told and "The score mixes the encoder's similarity with how many" in told
    assert "Mixed of" not in Page(comparison_html(alone)).text


def test_a_mixed_score_is_the_same_both_ways_and_highest_for_the_document_itself(
    sides: dict[str, ReadDocument],
) -> None:
    for a in sides.values():
        for exclusions in (EVERYTHING, Exclusions()):
            itself = compare(a, a, exclusions=exclusions)
            assert itself.score == 1.0 and shared(itself) == 1.0
        for b in sides.values():
            found, other = compare(a, b), compare(b, a)
            assert (found.score, found.mixed) == (other.score, other.mixed)
            assert a is b or found.score < 1.0


def test_words_that_are_left_out_are_not_shared(words: Words) -> None:
    encoder = StandIn(facts={MIX_FACT: MIX.as_facts()})
    stock = Section("Note", "All rights reserved. The copyright of this xylograph is ours.")
    a, b = (
        ReadDocument.read(replace(document, sections=(*document.sections, stock)), encoder, words)
        for document in (KITES, GLIDERS)
    )
    usual, all_ = compare(a, b), compare(a, b, exclusions=EVERYTHING)
    assert usual.left_out["recurring"][0] > 0 and shared(usual) < shared(all_)
    cited = Section("References", "J. Smith. 2003. Xylographs. In Proceedings of Xylographs, pages 3-9.", "references")
    c, d = (
        ReadDocument.read(replace(document, sections=(*document.sections, cited)), encoder, words)
        for document in (KITES, GLIDERS)
    )
    plain = compare(
        *(ReadDocument.read(document, encoder, words) for document in (KITES, GLIDERS)), exclusions=EVERYTHING
    )
    assert compare(c, d, exclusions=EVERYTHING).mixed == plain.mixed  # the encoder does not read them either


@pytest.mark.parametrize("text", ["1 2 3 4 5. 6 7 8 9 10. = + - %", "风筝在高空飞行。绞盘收回缆绳发电机给电池充电。"])
def test_texts_without_words_are_scored_too(text: str, words: Words, sides: dict[str, ReadDocument]) -> None:
    encoder = sides["kites"].encoder
    odd = ReadDocument.read(Document("odd", sections=(Section("Text", text),)), encoder, words)
    alone = encoder.similarity(*[encoder.levels(odd.long)] * 2)
    assert compare(odd, odd, exclusions=EVERYTHING).score == round(alone, 4)
    other = compare(odd, sides["kites"])
    assert (other.mixed is None) is text.startswith("1")
    assert 0 <= other.score < 0.5


def test_a_script_without_spaces_shares_pairs_of_letters(words: Words, sides: dict[str, ReadDocument]) -> None:
    encoder = sides["kites"].encoder
    a, b = (
        ReadDocument.read(Document(text, sections=(Section("Text", text),)), encoder, words)
        for text in ("风筝在高空飞行。绞盘收回缆绳", "企鹅在冰上行走。绞盘收回缆绳")
    )
    found = compare(a, b)
    assert 0.2 < shared(found) < 1


@pytest.fixture(scope="module")
def with_second(words: Words) -> dict[str, ReadDocument]:
    """Two patents, a paper, and a patent that the second encoder cannot read; it counts for two patents alone."""
    shares = {**dict.fromkeys(KINDS, Shares(0.4)), "patent, patent": Shares(0.1, 0.3)}
    encoder = StandIn(facts={MIX_FACT: Mix(shares, 120.0, second=PinnedEncoder.shipped("word2vec-sif")).as_facts()})
    stock = Section("Note", "All rights reserved. The copyright of this xylograph is ours.")
    documents = [
        PATENT,
        replace(GLIDERS, id="US2", kind="patent", sections=(*GLIDERS.sections, stock)),
        KITES,
        Document("CN1", "patent", sections=(Section("Text", "风筝在高空飞行。绞盘收回缆绳发电机给电池充电。"),)),
    ]
    return {document.id: ReadDocument.read(document, encoder, words) for document in documents}


def parts(comparison: Comparison) -> dict[str, float]:
    assert comparison.mixed is not None
    assert comparison.score == round(sum(part.share * part.value for part in comparison.mixed.parts), 4)
    return {part.name: round(part.share, 4) for part in comparison.mixed.parts}


def test_two_patents_have_their_own_mix(with_second: dict[str, ReadDocument]) -> None:
    patents = {"stand-in": 0.6, "shared words": 0.1, "word2vec-sif": 0.3}
    assert parts(compare(with_second["US1"], with_second["US2"])) == patents
    assert parts(compare(with_second["US1"], with_second["kites"])) == {"stand-in": 0.6, "shared words": 0.4}
    assert parts(compare(with_second["kites"], with_second["kites"])) == {"stand-in": 0.6, "shared words": 0.4}


def test_a_part_that_says_nothing_leaves_its_share_to_the_others(with_second: dict[str, ReadDocument]) -> None:
    unread = with_second["CN1"]
    shares = {"stand-in": round(0.6 / 0.7, 4), "shared words": round(0.1 / 0.7, 4)}
    for other in with_second.values():
        if other.document.kind == "patent":
            assert parts(compare(unread, other)) == shares
    assert compare(unread, unread).score == 1.0


def test_a_second_encoder_that_has_changed_is_refused_where_it_counts(words: Words) -> None:
    shares = {**dict.fromkeys(KINDS, Shares(0.4)), "patent, patent": Shares(0.0, 0.3)}
    mix = Mix(shares, 120.0, second=PinnedEncoder("word2vec-sif", "0123456789abcdef"))
    encoder = StandIn(facts={MIX_FACT: mix.as_facts()})
    paper, patent = (ReadDocument.read(document, encoder, words) for document in (KITES, PATENT))
    assert compare(paper, patent).mixed is not None
    with pytest.raises(FingerprintError, match="Expected word2vec-sif as it was when the mix"):
        compare(patent, patent)


def test_the_second_encoder_reads_what_is_left(with_second: dict[str, ReadDocument]) -> None:
    found = [compare(with_second["US1"], with_second["US2"], exclusions=one) for one in (Exclusions(), EVERYTHING)]
    values = [dict(zip(parts(one), one.mixed.parts, strict=True))["word2vec-sif"].value for one in found if one.mixed]
    assert values[0] != values[1]  # a note on copyright is left out of the first
    for exclusions in (Exclusions(), EVERYTHING):
        assert compare(with_second["US2"], with_second["US2"], exclusions=exclusions).score == 1.0
    usual = compare(with_second["US2"], with_second["US1"])
    assert (usual.score, usual.mixed) == (found[0].score, found[0].mixed)


def test_a_row_is_the_shipped_encoders_own() -> None:
    second = PinnedEncoder.shipped(SIF)
    row = second.row(PATENT)
    assert row is not None and row.ndim == 1
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)
    np.testing.assert_array_equal(row, second.row(PATENT))
    assert second.row(Document("none", sections=(Section("Text", "1 2 3."),))) is None


def test_an_encoder_that_has_changed_is_refused() -> None:
    shipped = PinnedEncoder.shipped(SIF)
    sentence = (
        "Expected word2vec-sif as it was when the mix of the document score was fitted, 0123456789abcdef; "
        f"found {shipped.fingerprint}. Fit the mix again."
    )
    with pytest.raises(FingerprintError, match=re.escape(sentence)):
        PinnedEncoder(SIF, "0123456789abcdef").row(PATENT)
    with pytest.raises(UnknownEncoderError, match="got 'sif'"):
        PinnedEncoder.shipped("sif")


def test_the_shipped_mix_was_fitted_with_the_second_encoder_that_ships() -> None:
    card, facts = storage.read_head(registry.PRETRAINED / "colde")
    mix = Mix.from_facts(facts["facts"])
    assert card.name == "colde" and mix is not None and mix.second is not None
    assert mix.second.open().card.name == mix.second.name == "ctpe"
    assert mix.second_for("patent, patent") == mix.second


def weigh(term: str) -> float:
    return {"kite": 3.0, "silk": 5.0, "the": 0.01}.get(term, 2.0)


def share(question: str, answer: str, mean_length: float) -> float:
    """BM25 as it is written, a term at a time."""
    asked, held = Counter(tokens(question)), Counter(tokens(answer))

    def part(term: str, counts: Mapping[str, int], length: int) -> float:
        count = counts.get(term, 0)
        return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean_length))

    weights = {term: weigh(term) * count * 9 / (count + 8) for term, count in asked.items()}
    found = sum(weight * part(term, held, held.total()) for term, weight in weights.items())
    return min(1.0, found / sum(weight * part(term, asked, asked.total()) for term, weight in weights.items()))


def said(text: str) -> DocumentTerms:
    return StretchTerms.of([tokens(text)], lambda token: [token]).said(np.array([True]))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the kite of silk, the silk kite", "a kite of paper"),
        ("kite", "kite kite kite and a long text about the silk of other things " * 3),
        ("one two", "three four"),
    ],
)
def test_shared_words_are_bm25_both_ways(a: str, b: str) -> None:
    found = word_overlap(said(a), said(b), weigh, mean_length=9)
    assert found == pytest.approx((share(a, b, 9) + share(b, a, 9)) / 2)
    assert found == word_overlap(said(b), said(a), weigh, mean_length=9)


def test_no_other_text_shares_more_than_the_text_itself() -> None:
    ours = said("kite silk kite")
    assert word_overlap(ours, ours, weigh, mean_length=3) == 1.0
    assert share("kite silk kite", "kite silk " * 9, 90) == 1.0  # it holds them more often, and counts as the same
    assert (found := word_overlap(ours, said("kite silk " * 9), weigh, mean_length=90)) is not None and found < 1.0


def test_only_the_most_telling_terms_are_asked() -> None:
    letters = [f"{one}{two}" for one in "abcdefghijkl" for two in "abcdefghij"]  # 120
    first, rest = (said(" ".join(some)) for some in (letters[:96], letters[96:]))  # of equal weights, those said first
    shares = [word_overlap(said(" ".join(letters)), one, lambda _: 1.0, mean_length=100) for one in (first, rest)]
    assert shares[0] is not None and shares[0] > 0.9
    assert shares[1] is not None and shares[1] < 0.5


def test_nothing_said_shares_nothing() -> None:
    assert word_overlap(said("kite"), said("1 2 3"), weigh, mean_length=3) is None
    assert word_overlap(said("kite"), said("kite"), lambda _: 0.0, mean_length=3) == 1.0


def measured(count: int = 1_000) -> Calibration:
    return Calibration.measured({"paper, paper": np.linspace(0, 1, count).tolist(), "paper, patent": [0.5] * 99})


@pytest.mark.parametrize(
    ("score", "percentile", "sentence"),
    [
        (0.9725, 97.2, "Closer than 97 % of 1,000 unrelated pairs of papers."),
        (0.995, 99.5, "Closer than 99.5 % of 1,000 unrelated pairs of papers."),
        (0.003, 0.3, "Closer than 0.3 % of 1,000 unrelated pairs of papers."),
        (1.5, 100.0, "Closer than every one of 1,000 unrelated pairs of papers."),
        (1.0, 99.9, "Closer than 99.9 % of 1,000 unrelated pairs of papers."),  # one pair is as close
        (0.99999, 99.9, "Closer than 99.9 % of 1,000 unrelated pairs of papers."),
        (0.00001, 0.1, "Closer than 0.1 % of 1,000 unrelated pairs of papers."),
        (0.0, 0.0, "No closer than any of 1,000 unrelated pairs of papers."),
        (-0.5, 0.0, "No closer than any of 1,000 unrelated pairs of papers."),
    ],
)
def test_a_score_is_read_by_the_share_of_unrelated_pairs_below_it(
    score: float, percentile: float, sentence: str
) -> None:
    found = measured().read(score, ("paper", "query"))
    assert (found.percentile, found.sentence) == (pytest.approx(percentile, abs=0.11), sentence)


def test_unknown_kinds_are_said_to_be_unknown() -> None:
    found = measured().read(0.5, ("patent", "paper"))  # ninety-nine pairs are too few
    assert found.percentile is None
    assert found.sentence == "No unrelated pairs of a paper and a patent were measured, so the score stands alone."
    assert Calibration().read(0.5, ("patent", "patent")).sentence.startswith("No unrelated pairs of patents were")


def test_a_calibration_is_kept_as_json() -> None:
    facts = json.loads(json.dumps({CALIBRATION_FACT: measured(250).as_facts()}))
    assert Calibration.from_facts(facts).read(0.4, ("paper", "paper")) == measured(250).read(0.4, ("paper", "paper"))
    assert len(facts[CALIBRATION_FACT]["paper, paper"]["quantiles"]) == 250
    assert Calibration.from_facts({}) == Calibration()


def test_kinds_have_one_name_in_either_order() -> None:
    assert kinds_of("patent", "paper") == kinds_of("paper", "patent") == kinds_of("query", "patent") == "paper, patent"


def test_equal_scores_share_a_place() -> None:
    same = Unrelated(200, (0.2,) * 200)
    assert (same.share_below(0.2), same.share_below(0.3), same.share_below(0.1)) == (0.0, 1.0, 0.0)
