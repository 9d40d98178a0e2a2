"""CoLDE's network by hand, and the long documents that it reads: chunks, places, sections, sentences."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import Tensor
from torch.nn.functional import normalize

from engine.core.errors import EncoderError
from engine.core.rows import batches, unit_length
from engine.documents import Document, Section
from engine.encoders.colde import network
from engine.encoders.colde.long_documents import CLAIMS, CutDocument, Cutter, Levels
from engine.encoders.colde.network import (
    Backbone,
    ChunkAttention,
    ColdeHead,
    Numbered,
    _following,
    as_tensors,
    numbered,
    padded,
    read_chunks,
    stretch_of,
)
from engine.encoders.colde.settings import ColdeSettings
from tests.encoders.colde import tiny


def chunks(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def product(rows: list[list[float]], weights: Tensor, bias: Tensor) -> list[list[float]]:
    """rows @ weights.T + bias in plain Python."""
    return [
        [
            sum(x * w for x, w in zip(row, line, strict=True)) + b
            for line, b in zip(weights.tolist(), bias.tolist(), strict=True)
        ]
        for row in rows
    ]


def plain_attention(attention: ChunkAttention, ours: list[list[float]], theirs: list[list[float]]) -> tuple[list, list]:
    """Scaled dot-product attention, a loop a head, a query and a key (CoLDE, section 3.2)."""
    queries, keys, values = (
        product(rows, part.weight, part.bias)
        for rows, part in ((ours, attention.queries), (theirs, attention.keys), (theirs, attention.values))
    )
    size = len(ours[0]) // attention.heads
    taken, shares = [[] for _ in ours], []
    for first in range(0, len(ours[0]), size):
        part = slice(first, first + size)
        of_head = []
        for place, query in enumerate(queries):
            raised = [
                math.exp(sum(q * k for q, k in zip(query[part], key[part], strict=True)) / math.sqrt(size))
                for key in keys
            ]
            share = [one / sum(raised) for one in raised]
            of_head.append(share)
            taken[place] += [
                sum(one * value[part][column] for one, value in zip(share, values, strict=True))
                for column in range(size)
            ]
        shares.append(of_head)
    return taken, shares


def test_attention_is_the_scaled_dot_product_of_each_head() -> None:
    attention = tiny.head(8, heads=4).attention
    assert attention is not None
    ours, theirs = chunks(1, 3, 8), chunks(1, 4, 8, seed=5)
    taken, weights = attention(ours, theirs, torch.ones(1, 4, dtype=torch.bool))
    expected, shares = plain_attention(attention, ours[0].tolist(), theirs[0].tolist())
    np.testing.assert_allclose(taken[0], expected, atol=1e-6)
    np.testing.assert_allclose(weights[0], shares, atol=1e-6)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)


def test_a_padded_chunk_gets_no_attention() -> None:
    attention = tiny.head(8).attention
    assert attention is not None
    ours, theirs = chunks(1, 3, 8), chunks(1, 4, 8, seed=5)
    inside = torch.tensor([[True, True, False, False]])
    taken, weights = attention(ours, theirs, inside)
    assert (weights[..., 2:] == 0).all()
    np.testing.assert_allclose(taken, attention(ours, theirs[:, :2], inside[:, :2])[0], atol=1e-6)
    nothing, none = attention(ours, theirs, torch.zeros(1, 4, dtype=torch.bool))
    assert not nothing.any() and not none.any()


@pytest.mark.parametrize("changed", [{}, {"skip": False}, {"aggregation": "mean"}, {"space_dim": 20}])
@pytest.mark.parametrize("sections", [1, 2, 3, 5])
def test_padding_and_other_documents_change_nothing(changed: dict[str, object], sections: int) -> None:
    head = tiny.head(**changed)
    counts = torch.tensor([[3, 1, 4, 2, 2], [1, 1, 1, 1, 1]])[:, :sections]
    inside = torch.arange(4) < counts[..., None]  # (2, s, 4)
    rows = chunks(2, sections, 4, 32) * inside[..., None]
    alone = head(rows[:1], inside[:1])
    assert alone.shape == (1, sections, 24)
    np.testing.assert_allclose(alone.norm(dim=-1), 1, atol=1e-6)
    np.testing.assert_allclose(head(rows, inside)[:1], alone, atol=1e-4)
    padding = chunks(2, sections, 9, 32, seed=6) * 100
    padded = torch.cat([rows + padding[:, :, :4] * ~inside[..., None], padding], 2)
    wider = torch.cat([inside, torch.zeros(2, sections, 9, dtype=torch.bool)], 2)
    np.testing.assert_allclose(head(padded, wider)[:1], alone, atol=1e-4)


@pytest.mark.parametrize("changed", [{}, {"skip": False}, {"aggregation": "mean"}, {"space_dim": 20}])
def test_a_section_without_chunks_gives_zeros_and_no_nan(changed: dict[str, object]) -> None:
    head = tiny.head(**changed).requires_grad_(True)
    inside = torch.tensor([[[True, True], [False, False], [True, False]], [[False] * 2] * 3])  # (2, 3, 2)
    z = head(chunks(2, 3, 2, 32), inside)
    assert z.isfinite().all()
    assert not z[0, 1].any() and not z[1].any()
    np.testing.assert_allclose(z[0, [0, 2]].norm(dim=-1).detach(), 1, atol=1e-6)
    z.sum().backward()
    assert all(part.grad is None or part.grad.isfinite().all() for part in head.parameters())


def test_a_section_attends_to_the_next_and_the_last_to_the_first() -> None:
    head, rows, inside = tiny.head(skip=False), chunks(1, 3, 2, 32), torch.ones(1, 3, 2, dtype=torch.bool)
    before = head(rows, inside)[0]
    for changed, feels in ((0, {0, 2}), (1, {1, 0}), (2, {2, 1})):
        other = rows.clone()
        other[0, changed] += 1
        moved = (head(other, inside)[0] - before).abs().amax(-1)
        assert {section for section in range(3) if moved[section] > 1e-6} == feels


def test_sections_without_chunks_are_passed_over_as_if_they_were_not_there() -> None:
    head, rows = tiny.head(skip=False), chunks(1, 5, 2, 32)
    inside = torch.tensor([[[True, True], [False, False], [True, False], [False, False], [False, False]]])
    filled = [0, 2]
    np.testing.assert_allclose(head(rows, inside)[0, filled], head(rows[:, filled], inside[:, filled])[0], atol=1e-6)
    assert _following(torch.tensor([[True, False, True, False], [False, False, True, False]])).tolist() == [
        [2, 2, 0, 0],
        [2, 2, 2, 2],
    ]


def test_one_section_alone_attends_to_itself() -> None:
    head, rows, inside = tiny.head(), chunks(1, 1, 5, 32), torch.ones(1, 1, 5, dtype=torch.bool)
    one = rows[:, 0], inside[:, 0]
    np.testing.assert_allclose(head(rows, inside)[:, 0], head.vectors(one, one), atol=1e-6)


def test_the_order_of_chunks_counts_only_to_the_bilstm() -> None:
    rows, inside = chunks(1, 1, 5, 32), torch.ones(1, 1, 5, dtype=torch.bool)
    for changed, differs in (({}, True), ({"space_dim": 16}, True), ({"aggregation": "mean"}, False)):
        head = tiny.head(**changed)
        assert (not torch.allclose(head(rows, inside), head(rows.flip(2), inside), atol=1e-5)) == differs


def test_what_the_head_holds_is_what_its_form_needs() -> None:
    assert ColdeHead(32).skip is None
    assert ColdeHead(32).projection.weight.shape == (256, 512)
    ablation = ColdeHead(32, ColdeSettings(aggregation="mean", skip=True))
    assert (ablation.attention, ablation.lstm, ablation.skip) == (None, None, None)


def test_with_a_skip_training_starts_from_the_mean_of_the_chunks() -> None:
    head, rows = ColdeHead(32, ColdeSettings(dim=32, skip=True)), chunks(1, 1, 5, 32)
    z = head(rows, torch.ones(1, 1, 5, dtype=torch.bool))[0, 0]
    np.testing.assert_allclose(z.detach(), normalize(rows[0, 0].mean(0), dim=0), atol=1e-6)


def test_a_map_begins_centred_along_the_principal_axes() -> None:
    vectors = chunks(1, 40, 32)[0] * torch.linspace(3, 0.1, 32) + 5
    head = ColdeHead(32, ColdeSettings(space_dim=32))
    head.whiten(vectors, power=0)
    turned = head.spaced(vectors).detach()
    np.testing.assert_allclose(turned.mean(0), 0, atol=1e-4)
    centred = vectors - vectors.mean(0)
    np.testing.assert_allclose(turned @ turned.T, centred @ centred.T, atol=1e-3)
    head.whiten(vectors, power=1)
    spreads = head.spaced(vectors).detach().std(0)
    np.testing.assert_allclose(spreads, spreads[0], rtol=1e-2)


def test_a_map_of_few_vectors_has_few_axes() -> None:
    head = ColdeHead(32, ColdeSettings(space_dim=16))
    head.whiten(chunks(1, 3, 32)[0], power=0.25)
    assert head.spaced(chunks(1, 4, 32)[0]).isfinite().all()
    before = ColdeHead(32)
    before.whiten(chunks(1, 3, 32)[0], power=0.25)  # no map, nothing to begin
    assert before.spaced(chunks(1, 3, 32)) is not None


def test_shares_of_attention_are_the_mean_of_the_heads_in_the_space_of_the_map() -> None:
    head, ours, theirs = tiny.head(space_dim=16), chunks(1, 3, 32)[0], chunks(1, 4, 32, seed=5)[0]
    assert head.attention is not None
    weights = head.attention(head.spaced(ours)[None], head.spaced(theirs)[None], torch.ones(1, 4, dtype=torch.bool))[1]
    shares = head.attends(ours, theirs)
    assert shares is not None
    np.testing.assert_allclose(shares, weights[0].mean(0), atol=1e-6)
    assert tiny.head(aggregation="mean").attends(ours, theirs) is None


def drawn(*lengths: int, seed: int = 0) -> tuple[tuple[int, ...], ...]:
    """Token ids of chunks of these lengths."""
    generator = np.random.default_rng(seed)
    return tuple(tuple(generator.integers(5, 40, length).tolist()) for length in lengths)


def of(tokens: tuple[tuple[int, ...], ...], section: int = 0, first: int = 0) -> Numbered:
    """Chunks of one section, numbered from `first` on."""
    return Numbered(tokens, np.full(len(tokens), section), np.arange(len(tokens)) + first)


def test_other_documents_in_the_batch_change_nothing(backbone: Backbone) -> None:
    ours, others = of(drawn(9, 2, 5)), of(drawn(60, 1, 30, seed=1), section=1)
    alone = read_chunks(backbone, [ours])[0]
    together = read_chunks(backbone, [others, ours, others])
    assert [len(one) for one in together] == [3, 3, 3]
    np.testing.assert_allclose(together[1], alone, atol=1e-4)


@pytest.mark.parametrize(
    ("sections", "expected", "chunks"),
    [
        (1, [0] * 7, [0, 1, 2, 3, 4, 5, 6]),
        (2, [0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2]),
        (5, [0, 0, 1, 2, 2, 3, 4], [0, 1, 0, 0, 1, 0, 0]),
    ],
)
def test_a_document_is_numbered_in_equal_stretches(sections: int, expected: list[int], chunks: list[int]) -> None:
    found = numbered(CutDocument(("all",), (), (), drawn(*range(1, 8))), sections=sections)
    assert (found.sections.tolist(), found.chunks.tolist()) == (expected, chunks)


def test_few_chunks_fill_the_first_stretches() -> None:
    assert stretch_of(1, 5).tolist() == [0]
    assert stretch_of(0, 5).tolist() == []
    assert numbered(CutDocument((), (), (), ()), sections=3).chunks.tolist() == []


def test_documents_without_chunks_have_no_rows(backbone: Backbone) -> None:
    assert read_chunks(backbone, []) == []
    nothing = of(())
    assert [one.shape for one in read_chunks(backbone, [nothing, of(drawn(3)), nothing])] == [(0, 32), (1, 32), (0, 32)]


def test_a_long_document_is_read_in_many_batches(backbone: Backbone, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_chunks(backbone, [of(drawn(*[5, 9] * 20))])[0]
    monkeypatch.setattr(network, "batches", lambda lengths, most: batches(lengths, 30))
    done: list[int] = []
    np.testing.assert_allclose(read_chunks(backbone, [of(drawn(*[5, 9] * 20))], done=done.append)[0], whole, atol=1e-5)
    assert sum(done) == 40
    assert max(done) == 6


def test_chunks_are_read_in_halves_where_a_gpu_has_no_memory_for_all(backbone: Backbone) -> None:
    long = of(drawn(40, 3, 17, 5, 9))
    (whole,) = read_chunks(backbone, [long])

    def refuse(_: object, given: tuple[torch.Tensor, ...]) -> None:
        if len(given[0]) > 1:
            raise torch.OutOfMemoryError

    hook = backbone.register_forward_pre_hook(refuse)
    try:
        (halved,) = read_chunks(backbone, [long])
    finally:
        hook.remove()
    np.testing.assert_allclose(halved, whole, atol=1e-5)


def test_chunk_vectors_are_padded_with_their_mask() -> None:
    rows, inside = padded([np.ones((2, 3), np.float32), np.full((1, 3), 2, np.float32)])
    assert rows.tolist() == [[[1] * 3, [1] * 3], [[2] * 3, [0] * 3]]
    assert inside.tolist() == [[True, True], [True, False]]


def test_weights_that_no_vector_reads_are_not_kept(folder: Path) -> None:
    assert not [name for name in tiny.backbone(folder).state_dict() if "pooler" in name]


def test_an_untrained_backbone_reads_as_its_transformer_does(folder: Path) -> None:
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder).eval()
    tokens = drawn(7, 3)
    means = read_chunks(tiny.backbone(folder), [of(tokens, section=3, first=2)])[0]
    firsts = read_chunks(tiny.backbone(folder, pooling="first"), [of(tokens)])[0]
    for ids, mean, first in zip(tokens, means, firsts, strict=True):
        with torch.inference_mode():
            states = model(torch.tensor([ids])).last_hidden_state[0]
        np.testing.assert_allclose(mean, states.mean(0), atol=1e-5)
        np.testing.assert_allclose(first, states[0], atol=1e-5)


def test_more_padding_changes_nothing(backbone: Backbone) -> None:
    tokens, lengths = as_tensors(drawn(7, 3))
    numbers = torch.tensor([0, 1]), torch.tensor([1, 0])
    before = backbone(tokens, lengths, *numbers)
    for filling in (0, 9):
        wider = torch.nn.functional.pad(tokens, (0, 11), value=filling)
        np.testing.assert_allclose(backbone(wider, lengths, *numbers), before, atol=1e-4)


def test_the_numbers_of_section_and_chunk_are_added_before_the_transformer(backbone: Backbone) -> None:
    tokens = drawn(7)
    rows = {(s, c): read_chunks(backbone, [of(tokens, s, c)])[0][0] for s in range(5) for c in range(4)}
    assert len({row.tobytes() for row in rows.values()}) == 20
    shifts = {place: row - rows[0, 0] for place, row in rows.items()}
    added = backbone.sections.weight[1] - backbone.sections.weight[0]
    assert not np.allclose(shifts[1, 0], added, atol=1e-2), "the transformer made something else of it"
    by_hand = backbone.model.get_input_embeddings()(torch.tensor([tokens[0]]))
    by_hand = by_hand + backbone.sections.weight[2] + backbone.chunks.weight[3]
    with torch.inference_mode():
        states = backbone.model(inputs_embeds=by_hand).last_hidden_state[0]
    np.testing.assert_allclose(rows[2, 3], states.mean(0), atol=1e-5)


def test_numbers_beyond_the_tables_read_as_the_last(backbone: Backbone) -> None:
    tokens = drawn(7)
    last = read_chunks(backbone, [of(tokens, 4, 3)])[0]
    np.testing.assert_array_equal(read_chunks(backbone, [of(tokens, 70, 1_000)])[0], last)


def test_the_mean_is_of_the_tokens_within_a_chunk_and_the_first_is_the_first(folder: Path) -> None:
    tokens, lengths = torch.tensor([[7, 8, 9], [7, 8, 0]]), torch.tensor([3, 2])
    zeros = torch.zeros(2, dtype=torch.long)
    whole, cut = tiny.backbone(folder)(tokens, lengths, zeros, zeros)
    shorter = tiny.backbone(folder)(tokens[:1, :2], lengths[1:], zeros[:1], zeros[:1])[0]
    np.testing.assert_allclose(cut, shorter, atol=1e-5)
    assert not np.allclose(cut, whole, atol=1e-2)
    first = tiny.backbone(folder, pooling="first")(tokens, lengths, zeros, zeros)
    assert first.shape == (2, 32) and not np.allclose(first[1], cut, atol=1e-2)


def test_training_moves_the_embeddings_from_zero(folder: Path) -> None:
    backbone = tiny.backbone(folder).requires_grad_(True)
    assert not backbone.sections.weight.any() and not backbone.chunks.weight.any()
    tokens = torch.tensor([[7, 8]])
    backbone(tokens, torch.tensor([2]), torch.tensor([1]), torch.tensor([99]))[0, 0].backward()
    for table, used in ((backbone.sections, 1), (backbone.chunks, 3)):
        assert table.weight.grad is not None
        assert table.weight.grad.any(dim=1).nonzero().flatten().tolist() == [used]


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;!?-()"


def wordpiece() -> Tokenizer:
    """A tokenizer like BERT's whose pieces are letters; other scripts are unknown words."""
    pieces = ["[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    made = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def bytewise() -> Tokenizer:
    """A tokenizer that reads a text byte by byte, as those of many models do, without marks around it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return made


def cut(*texts: str, most: int = 12, whole_sentences: bool = True, tokenizer: Tokenizer | None = None) -> CutDocument:
    """The chunks of a document with one section a text, their places checked."""
    document = Document("d", sections=tuple(Section(f"S{number}", text) for number, text in enumerate(texts)))
    return checked(document, Cutter(tokenizer or wordpiece(), most, whole_sentences=whole_sentences), most)


def checked(document: Document, cutter: Cutter, most: int) -> CutDocument:
    """Cut a document and hold what is promised of every chunk."""
    found = cutter.cut(document)
    assert len(found.chunks) == len(found.tokens) == len(found.section_of)
    assert sorted(set(found.section_of)) == list(range(len(found.sections)))
    assert list(found.section_of) == sorted(found.section_of)
    end: dict[int, int] = {}
    for chunk, tokens in zip(found.chunks, found.tokens, strict=True):
        part = document.parts[chunk.part]
        assert chunk.text == part.text[chunk.start : chunk.stop] != ""
        assert (chunk.section, chunk.document_id) == (part.title, document.id)
        assert chunk.start >= end.get(chunk.part, 0), "chunks do not overlap"
        assert 1 <= len(tokens) <= most
        end[chunk.part] = chunk.stop
    assert [chunk.part for chunk in found.chunks] == sorted(chunk.part for chunk in found.chunks)
    return found


def said(found: CutDocument) -> list[str]:
    return [chunk.text for chunk in found.chunks]


def test_a_chunk_ends_with_the_last_sentence_that_fits() -> None:
    assert said(cut("Ab cd. Ef gh. Ij kl mn.", most=14)) == ["Ab cd. Ef gh.", "Ij kl mn."]


def test_the_paper_cuts_after_every_so_many_tokens() -> None:
    assert said(cut("Ab cd. Ef gh. Ij kl mn.", most=14, whole_sentences=False)) == ["Ab cd. Ef gh. Ij", "kl mn."]


def test_a_sentence_that_is_too_long_ends_with_a_word_and_a_word_that_is_too_long_anywhere() -> None:
    assert said(cut("abc defgh ijklm nop", most=12)) == ["abc defgh", "ijklm nop"]
    assert said(cut("abcdefghijklmnopqrstuvwxyz", most=12)) == ["abcdefghij", "klmnopqrst", "uvwxyz"]


def test_a_sentence_that_would_leave_half_a_chunk_empty_is_cut() -> None:
    assert said(cut("Ab. Cdefg hij kl mn op.", most=12)) == ["Ab. Cdefg", "hij kl mn op."]


def test_tokens_are_the_text_s_own_between_the_tokenizer_s_marks() -> None:
    text = "Ab cd. Ef gh. Ij kl mn."
    tokens = cut(text, most=14).tokens
    assert {(one[0], one[-1]) for one in tokens} == {(1, 2)}
    inner = [number for one in tokens for number in one[1:-1]]
    assert inner == wordpiece().encode(text, add_special_tokens=False).ids


def test_chunks_never_cross_sections() -> None:
    found = cut("Ab.", "", "Cd.", "  ", "Ef gh ij kl mn op.")
    assert said(found) == ["Ab.", "Cd.", "Ef gh ij kl mn", "op."]
    assert (found.sections, found.section_of) == (("S0", "S2", "S4"), (0, 1, 2, 2))


def test_the_reference_list_is_not_read_and_the_title_only_where_there_is_nothing_else() -> None:
    cutter = Cutter(wordpiece(), 12)
    references = Section("References", "Ab cd.", "references")
    with_text = Document("d", title="Xy", abstract="Ef.", sections=(Section("One", "Gh."), references))
    assert said(cutter.cut(with_text)) == ["Ef.", "Gh."]
    assert cutter.cut(with_text).sections == ("Abstract", "One")
    alone = checked(Document("d", title="Xy", sections=(references, Section("One", " ... "))), cutter, 12)
    assert (said(alone), alone.sections) == (["Xy"], ("Title",))


def test_all_claims_are_one_section_with_a_chunk_each() -> None:
    patent = Document("p", "patent", abstract="Ef.", claims=("A cup.", "The cup of claim 1.", "A lid."))
    found = checked(patent, Cutter(wordpiece(), 30), 30)
    assert found.sections == ("Abstract", CLAIMS)
    assert found.section_of == (0, 1, 1, 1)
    assert [chunk.section for chunk in found.chunks] == ["Abstract", "Claim 1", "Claim 2", "Claim 3"]


def test_sections_of_one_title_stay_apart() -> None:
    document = Document("d", sections=(Section("", "Ab."), Section("", "Cd.")))
    found = checked(document, Cutter(wordpiece(), 12), 12)
    assert (found.sections, found.section_of) == (("", ""), (0, 1))


@pytest.mark.parametrize("text", ["", " \n ", "...", "—", "\x00\x01", "\u200b", "\ufeff", "\u0301"])
def test_a_text_without_a_word_has_no_chunks(text: str) -> None:
    assert cut(text) == CutDocument((), (), (), ())
    assert Cutter(wordpiece(), 12).cut(Document("d", title=text)).chunks == ()


@pytest.mark.parametrize("tokenizer", [wordpiece(), bytewise()], ids=["pieces", "bytes"])
@pytest.mark.parametrize("most", [6, 9, 256])
@pytest.mark.parametrize("whole_sentences", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "word",
        "日本語の文章です。次の文。もう一つの長い文章がここにあります。",
        "مرحبا بالعالم هذا نص طويل جدا",
        "e\u0301te\u0301 nai\u0308ve cafe\u0301s Ünïcode",
        "😀😀😀 \U0001f469\u200d\U0001f469\u200d\U0001f467 text",
        "\uff46\uff55\uff4c\uff4c ﬁgure Ⅳ İstanbul ß",
        "abc\x00def\x1fghi\x7fj\u2028kl\x85mn",
        "tab\tand\r\nlines\n\n\nand\x0bmore",
        "\ud83d lone \udc00 halves \ud800",
        "<script>alert(1)</script> &amp; $x_1^2$ \\frac{a}{b}",
        "x. " * 40,
        "1 2 3 4.5 6,7",
    ],
)
def test_every_script_keeps_its_places(text: str, whole_sentences: bool, most: int, tokenizer: Tokenizer) -> None:
    found = cut(text, most=most, whole_sentences=whole_sentences, tokenizer=tokenizer)
    assert found.chunks
    kept = "".join(said(found))
    assert [one for one in text if one.isalnum() and one not in kept] == []


def test_a_long_document_is_cut_whole() -> None:
    text = "The boiler holds steam, as fig. 3 shows. " * 6_250
    found = cut(text, most=256)
    assert "".join(said(found)).count("boiler") == 6_250
    assert all(chunk.text.endswith("shows.") for chunk in found.chunks)
    assert len(found.chunks) > 500


def test_a_tokenizer_that_cuts_and_fills_texts_is_told_not_to() -> None:
    tokenizer = wordpiece()
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=50)
    assert said(cut("ab cd ef gh ij kl.", most=12, tokenizer=tokenizer)) == ["ab cd ef gh ij", "kl."]
    assert json.loads(tokenizer.to_str())["truncation"] is None


def test_a_chunk_without_room_for_text_is_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected chunks of more than 2 tokens, .*; got 2\."):
        Cutter(wordpiece(), 2)
    assert said(cut("abc", most=3)) == ["a", "b", "c"]


def test_the_same_document_is_cut_the_same(colde_cutter: Cutter) -> None:
    document = tiny.long_document()
    assert colde_cutter.cut(document) == colde_cutter.cut(document)
    assert colde_cutter.cut(document).sections == ("Abstract", "Part 1", "Part 2", "Part 3")


@pytest.fixture
def colde_cutter() -> Cutter:
    return Cutter(wordpiece(), 40)


def levels(chunks: int, seed: int) -> Levels:
    drawn = np.random.default_rng(seed).normal(size=(chunks + 1, 6)).astype(np.float32)
    rows = unit_length(drawn)
    return Levels(rows[0], np.zeros((0, 6), np.float32), rows[1:])


def plain_late(a: Levels, b: Levels) -> float:
    ours = [max(float(x @ y) for y in b.chunks) for x in a.chunks]
    theirs = [max(float(x @ y) for x in a.chunks) for y in b.chunks]
    return (sum(ours) / len(ours) + sum(theirs) / len(theirs)) / 2


def test_late_interaction_is_the_mean_of_best_matches_both_ways() -> None:
    a, b = levels(4, 1), levels(3, 2)
    assert a.late(b) == pytest.approx(plain_late(a, b), abs=1e-6)
    assert a.late(b) == pytest.approx(b.late(a), abs=1e-6)
    assert a.late(a) == pytest.approx(1, abs=1e-6)


def test_the_share_mixes_both() -> None:
    a, b = levels(4, 1), levels(3, 2)
    cosine = float(a.document @ b.document)
    assert a.similarity(b, late_share=0) == pytest.approx(cosine)
    assert a.similarity(b, late_share=0.25) == pytest.approx(0.75 * cosine + 0.25 * a.late(b))


def test_of_each_document_the_chunks_that_match_best_may_count_alone() -> None:
    a, b = levels(4, 1), levels(3, 2)
    ours = sorted(max(float(x @ y) for y in b.chunks) for x in a.chunks)[2:]
    theirs = sorted(max(float(x @ y) for x in a.chunks) for y in b.chunks)[1:]
    assert a.late(b, best=0.5) == pytest.approx((sum(ours) / 2 + sum(theirs) / 2) / 2, abs=1e-6)
    assert a.similarity(b, late_share=1, late_best=0.5) == pytest.approx(a.late(b, best=0.5), abs=1e-6)
    assert a.late(b, best=1) == a.late(b)


def test_chunks_that_were_left_out_match_nothing() -> None:
    a, b = levels(4, 1), levels(3, 2)
    left = Levels(a.document, a.sections, a.chunks * np.array([[1], [0], [1], [1]], np.float32))
    kept = Levels(a.document, a.sections, a.chunks[[0, 2, 3]])
    assert left.late(b) == pytest.approx(kept.late(b), abs=1e-6)
    nothing = Levels(np.zeros(6, np.float32), a.sections, np.zeros((2, 6), np.float32))
    assert nothing.late(b) == b.late(nothing) == 0
    assert nothing.similarity(b, late_share=0.5) == 0
