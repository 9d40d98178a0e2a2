"""The scores of a comparison: of pairs of passages, and of two documents as wholes."""

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

from engine.compare import as_json, pairs
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
from engine.compare.model import Comparison, Exclusions, Passage
from engine.compare.pairs import (
    LEAST_SCORE,
    NEXT_SCORE,
    Bits,
    Candidates,
    CellPairs,
    Cosines,
    Matches,
    SentenceFacts,
    long_enough,
    match,
    passages,
)
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import DocumentTerms, StretchTerms, Words
from engine.core.errors import ConfigError, FingerprintError, UnknownEncoderError
from engine.core.rows import Flags, Positions, largest
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
    assert {name: value for name, value in as_json(found)["document"].items() if not name.startswith("read")} == {
        "score": found.score,
        "percentile": None,
        "parts": [
            {"name": "stand-in", "value": alone.score, "share": 0.6},
            {"name": "shared words", "value": words.value, "share": 0.4},
        ],
    }
    assert found.mixed.sentence({"stand-in": "CoLDE", "shared words": "words"}.__getitem__) == (
        f"Mixed of CoLDE {alone.score:.2f} (60\xa0%), words {words.value:.2f} (40\xa0%)."
    )
    told = Page(comparison_html(found)).text
    assert (
        found.mixed.sentence() in told
        and "The score of the whole texts mixes the encoder's similarity with how many" in told
    )
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
        (0.9725, 97.2, "Closer than 97\xa0% of 1,000 unrelated pairs of papers."),
        (0.995, 99.5, "Closer than 99.5\xa0% of 1,000 unrelated pairs of papers."),
        (0.003, 0.3, "Closer than 0.3\xa0% of 1,000 unrelated pairs of papers."),
        (1.5, 100.0, "Closer than every one of 1,000 unrelated pairs of papers."),
        (1.0, 99.9, "Closer than 99.9\xa0% of 1,000 unrelated pairs of papers."),  # one pair is as close
        (0.99999, 99.9, "Closer than 99.9\xa0% of 1,000 unrelated pairs of papers."),
        (0.00001, 0.1, "Closer than 0.1\xa0% of 1,000 unrelated pairs of papers."),
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


class Whole:
    """A table that is held whole, and which rows of it were asked for."""

    def __init__(self, scores: Cosines) -> None:
        self.scores, self.asked = scores, list[tuple[int, int]]()

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores.shape[0], self.scores.shape[1]

    def rows(self, start: int, stop: int) -> Cosines:
        self.asked.append((start, stop))
        return self.scores[start:stop].copy()


def side(size: int, drawn: np.random.Generator, *, chunks: int = 1) -> SentenceFacts:
    """Sentences of which some are left out, and some lie in no chunk."""
    chunk_of = np.sort(drawn.integers(0, chunks, size))
    chunk_of[drawn.random(size) < 0.1] = -1
    kept, telling, follows = (drawn.random(size) < share for share in (0.9, 0.8, 0.85))
    return SentenceFacts(kept, telling, drawn.integers(0, 12, size), follows, chunk_of, chunks)


def plain_enough(scores: Cosines, counts: list[Positions], follows: list[Flags], least: int) -> Flags:
    """A pair at a time: from it back and forward along its passage."""
    rows, columns = scores.shape
    enough = np.zeros(scores.shape, np.bool_)

    def joined(row: int, column: int) -> bool:
        """Whether a pair goes on from the one before."""
        inside = 0 < row < rows and 0 < column < columns
        return inside and bool(
            follows[0][row] and follows[1][column] and min(scores[row, column], scores[row - 1, column - 1]) >= 0.55
        )

    for row in range(rows):
        for column in range(columns):
            first, last = 0, 0
            while joined(row + first, column + first):
                first -= 1
            while joined(row + last + 1, column + last + 1):
                last += 1
            passage = range(first, last + 1)
            ours, theirs = sum(counts[0][row + n] for n in passage), sum(counts[1][column + n] for n in passage)
            enough[row, column] = min(ours, theirs) >= least
    return enough


def plain(scores: Cosines, a: SentenceFacts, b: SentenceFacts, least: int) -> Matches:
    """All pairs at once."""
    scores = scores * a.kept[:, None] * b.kept
    telling = scores * a.telling[:, None] * b.telling
    counts, follows = [a.counts, b.counts], [a.follows, b.follows]
    left = telling * (plain_enough(scores, counts, follows, least) if least else 1)
    cells = pairs.CellPairs.empty((a.chunks, b.chunks))
    for row in range(a.chunks):
        for column in range(b.chunks):
            places = np.argwhere((a.chunk_of == row)[:, None] & (b.chunk_of == column))
            best = max(places.tolist(), key=lambda place: left[tuple(place)], default=None)
            if best is not None and left[tuple(best)] > 0:
                cells.scores[row, column], cells.pairs[row, column] = left[tuple(best)], best
    flat = np.flatnonzero(left.ravel() >= LEAST_SCORE)
    chosen = np.sort(flat[largest(left.ravel()[flat], pairs.MOST_CANDIDATES)])
    bits = Bits.unset(scores.shape)
    bits.put(0, scores >= NEXT_SCORE)
    gone = [
        int(((telling >= LEAST_SCORE).any(axis) & ~(left >= LEAST_SCORE).any(axis)).sum()) if least else 0
        for axis in (1, 0)
    ]
    return Matches(cells, pairs.Candidates(scores.shape[1], chosen, left.ravel()[chosen]), bits, (gone[0], gone[1]))


@pytest.mark.parametrize("least", [0, 15])
@pytest.mark.parametrize("block", [1, 40, 100, 10**6])
def test_some_rows_at_a_time_keep_what_all_at_once_show(
    block: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "WHOLE_PAIRS", 1)
    monkeypatch.setattr(pairs, "BLOCK_PAIRS", block)
    monkeypatch.setattr(pairs, "MOST_CANDIDATES", 25)
    drawn = np.random.default_rng(block)
    for rows, columns in ((23, 17), (9, 30), (1, 1), (12, 12)):
        scores = drawn.choice(np.linspace(0, 1, 12), (rows, columns)).astype(np.float32)
        a, b = side(rows, drawn, chunks=5), side(columns, drawn, chunks=4)
        table, done = Whole(scores), list[int]()
        found, wanted = match(table, a, b, least, done.append), plain(scores, a, b, least)
        assert np.allclose(found.cells.scores, wanted.cells.scores, atol=1e-5)
        assert np.array_equal(found.cells.pairs, wanted.cells.pairs)
        assert list(found.candidates.pairs()) == list(wanted.candidates.pairs())
        assert np.array_equal(found.follows.packed, wanted.follows.packed)
        assert found.short == wanted.short
        assert sum(done) == rows * (2 if least else 1)
        assert max(stop - start for start, stop in table.asked) <= max(1, block // columns)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (13, 17), (20, 20), (0, 4)])
def test_passages_count_the_words_of_all_their_pairs_on_either_side(share: float, shape: tuple[int, int]) -> None:
    drawn = np.random.default_rng(7)
    scores = np.where(drawn.random(shape) < share, 0.8, 0.5).astype(np.float32)
    a, b = (side(size, drawn) for size in shape)
    follows = Bits.unset(shape)
    follows.put(0, scores >= NEXT_SCORE)
    for least in (1, 6, 15, 40):
        found = long_enough(follows, a, b, least).rows(0, shape[0])
        assert np.array_equal(found, plain_enough(scores, [a.counts, b.counts], [a.follows, b.follows], least))


def test_a_sentence_went_as_too_short_where_no_match_of_it_is_left() -> None:
    scores = np.array([[0.9, 0.0, 0.5], [0.0, 0.6, 0.3], [0.2, 0.1, 0.0]], np.float32)
    every, none = np.ones(3, np.bool_), np.zeros(3, np.bool_)
    ours, theirs = (
        SentenceFacts(every, every, np.array(counts), none, np.zeros(3, np.int64), 1) for counts in ([9, 3, 9],) * 2
    )
    assert match(Whole(scores), ours, theirs, 9, lambda _: None).short == (1, 1)
    assert match(Whole(scores), ours, theirs, 0, lambda _: None).short == (0, 0)


def test_flags_are_held_eight_to_a_byte() -> None:
    flags = np.random.default_rng(2).random((5, 21)) < 0.5
    bits = Bits.unset((5, 21))
    bits.put(0, flags)
    assert (bits.shape, bits.packed.shape) == ((5, 21), (5, 3))
    assert np.array_equal(bits.rows(1, 4), flags[1:4])
    assert [[bits.holds(row, column) for column in range(21)] for row in range(5)] == flags.tolist()


def test_no_pair_without_sentences() -> None:
    drawn = np.random.default_rng(1)
    found = match(Whole(np.zeros((0, 4), np.float32)), side(0, drawn), side(4, drawn), 6, lambda _: None)
    assert not found.cells.scores.any() and list(found.candidates.pairs()) == []


def test_no_pair_of_sentences_stands_in_two_passages() -> None:
    drawn = np.random.default_rng(5)
    documents = [Document(name, sections=(Section("", " ".join(f"{name}{n}." for n in range(12))),)) for name in "ab"]
    sentences = [_words(one) for one in documents]
    for _ in range(20):
        scores = drawn.choice([0.45, 0.5, 0.6, 0.8], (12, 12)).astype(np.float32)
        found = passages(_matches(scores), (documents[0], sentences[0]), (documents[1], sentences[1]))
        pairs = [pair for one in found for pair in _pairs(one, sentences)]
        assert len(pairs) == len(set(pairs)) > 12


def _matches(scores: Cosines) -> Matches:
    candidates, follows = Candidates.none(scores.shape[1]), Bits.unset((scores.shape[0], scores.shape[1]))
    candidates.add(0, scores)
    follows.put(0, scores >= NEXT_SCORE)
    return Matches(CellPairs.empty((1, 1)), candidates, follows, (0, 0))


def _words(document: Document) -> list[Chunk]:
    text = document.parts[0].text
    return [Chunk(document.id, 0, "", one.start(), one.end(), one.group()) for one in re.finditer(r"\S+", text)]


def _pairs(passage: Passage, sentences: list[list[Chunk]]) -> list[tuple[int, int]]:
    """The pairs of sentences of a passage, which run in step on both sides."""
    places = [
        [n for n, one in enumerate(held) if side.start <= one.start and one.stop <= side.stop]
        for side, held in zip((passage.a, passage.b), sentences, strict=True)
    ]
    return list(zip(*places, strict=True))
