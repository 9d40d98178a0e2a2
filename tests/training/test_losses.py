"""Each loss against plain Python with loops."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from engine.training.losses import (
    contrastive,
    cosine_regression,
    in_batch_softmax,
    late_interaction,
    margin_loss,
    neighbour_divergence,
    placing_distance,
    posterior_loss,
    supervised_contrastive,
    whole,
)

ROWS, DIM = 6, 5


def halves(count: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(4)
    return [torch.randn(ROWS, DIM, generator=generator, requires_grad=True) for _ in range(count)]


def cos(one: Tensor, other: Tensor) -> float:
    a, b = one.tolist(), other.tolist()
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / math.sqrt(sum(x * x for x in a)) / math.sqrt(sum(y * y for y in b))


def plain_margin(f: Tensor, b: Tensor, nf: Tensor, nb: Tensor, margin: float) -> float:
    losses = []
    for i in range(len(f)):
        losses.append(max(0.0, margin - (cos(f[i], b[i]) - cos(nf[i], nb[i]))))
    return sum(losses) / len(losses)


def plain_softmax(f: Tensor, b: Tensor, temperature: float, related: set[tuple[int, int]]) -> float:
    def score(i: int, j: int) -> float:
        return math.exp(cos(f[i], b[j]) / temperature)

    total = 0.0
    for i in range(len(f)):
        rivals = [j for j in range(len(f)) if j == i or (i, j) not in related]
        total -= math.log(score(i, i) / sum(score(i, j) for j in rivals)) / 2
        rivals = [j for j in range(len(f)) if j == i or (j, i) not in related]
        total -= math.log(score(i, i) / sum(score(j, i) for j in rivals)) / 2
    return total / len(f)


@pytest.mark.parametrize("margin", [0.1, 0.8])
def test_the_margin_loss_is_equation_1(margin: float) -> None:
    f, b, other = halves(3)
    swaps = torch.tensor([True, False, True, True, False, False])[:, None]
    nf, nb = torch.where(swaps, other, f), torch.where(swaps, b, other)
    loss = margin_loss(f, b, nf, nb, margin=margin)
    assert loss.item() == pytest.approx(plain_margin(f, b, nf, nb, margin), abs=1e-6)
    assert loss.item() > 0


def test_a_pair_beyond_the_margin_moves_nothing() -> None:
    f = torch.eye(3, DIM, requires_grad=True)
    b = torch.eye(3, DIM, requires_grad=True)
    loss = margin_loss(f, b, f, -b, margin=0.1)
    loss.backward()
    assert loss.item() == 0
    assert not f.grad.any()  # type: ignore[union-attr]


def test_strangers_from_outside_the_batch_are_negatives_of_every_row() -> None:
    f, b, others = halves(3)
    formers, latters = others[:2], others[2:]
    loss = in_batch_softmax(f, b, temperature=0.2, strangers=(formers, latters))
    total = 0.0
    for i in range(ROWS):
        own = math.exp(cos(f[i], b[i]) / 0.2)
        by_former = sum(math.exp(cos(f[i], one) / 0.2) for one in (*b, *latters))
        by_latter = sum(math.exp(cos(one, b[i]) / 0.2) for one in (*f, *formers))
        total -= (math.log(own / by_former) + math.log(own / by_latter)) / 2
    assert loss.item() == pytest.approx(total / ROWS, abs=1e-5)
    nobody = in_batch_softmax(f, b, temperature=0.2, strangers=(others[:0], others[:0]))
    assert nobody.item() == in_batch_softmax(f, b, temperature=0.2).item()


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_the_softmax_is_the_plain_one(temperature: float) -> None:
    f, b = halves(2)
    loss = in_batch_softmax(f, b, temperature=temperature)
    assert loss.item() == pytest.approx(plain_softmax(f, b, temperature, set()), abs=1e-5)


def test_related_rows_are_no_negatives() -> None:
    f, b = halves(2)
    related = torch.zeros(ROWS, ROWS, dtype=torch.bool)
    pairs = {(0, 2), (4, 1), (3, 3)}
    for i, j in pairs:
        related[i, j] = True
    loss = in_batch_softmax(f, b, temperature=0.1, related=related)
    assert loss.item() == pytest.approx(plain_softmax(f, b, 0.1, pairs), abs=1e-5)
    assert loss.item() < in_batch_softmax(f, b, temperature=0.1).item()


def test_losses_keep_float32_under_autocast() -> None:
    f, b = halves(2)
    with torch.autocast("cpu", torch.bfloat16):
        inside = in_batch_softmax(f, b, temperature=0.05), margin_loss(f, b, f, b.flip(0), margin=0.1)
    outside = in_batch_softmax(f, b, temperature=0.05), margin_loss(f, b, f, b.flip(0), margin=0.1)
    assert [one.item() for one in inside] == [one.item() for one in outside]


@pytest.mark.parametrize("kind", ["margin", "softmax"])
def test_a_half_of_zeros_gives_no_nan(kind: str) -> None:
    f, b = torch.zeros(3, DIM, requires_grad=True), torch.ones(3, DIM, requires_grad=True)
    loss = margin_loss(f, b, f, b, margin=0.1) if kind == "margin" else in_batch_softmax(f, b, temperature=0.05)
    loss.backward()
    assert math.isfinite(loss.item())
    assert torch.isfinite(f.grad).all()  # type: ignore[arg-type]
    assert torch.isfinite(b.grad).all()  # type: ignore[arg-type]


def unit(row: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in row))
    return [x / length for x in row]


def test_a_whole_document_is_the_unit_sum_of_its_unit_halves() -> None:
    f, b = halves(2)
    with torch.autocast("cpu", torch.bfloat16):
        found = whole(f, b)
    for row, former, latter in zip(found.tolist(), f.tolist(), b.tolist(), strict=True):
        plain = unit([x + y for x, y in zip(unit(former), unit(latter), strict=True)])
        assert row == pytest.approx(plain, abs=1e-6)


def plain_contrastive(z: Tensor, labels: list[int], temperature: float) -> float:
    losses = []
    for i in range(len(z)):
        others = [k for k in range(len(z)) if k != i]
        below = sum(math.exp(cos(z[i], z[k]) / temperature) for k in others)
        positives = [j for j in others if labels[j] == labels[i]]
        shares = [math.log(math.exp(cos(z[i], z[j]) / temperature) / below) for j in positives]
        if positives:
            losses.append(-sum(shares) / len(positives))
    return sum(losses) / len(losses)


@pytest.mark.parametrize("labels", [[0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 4]])
@pytest.mark.parametrize("temperature", [0.5, 0.07])
def test_supervised_contrastive_equals_two_loops(labels: list[int], temperature: float) -> None:
    (z,) = halves(1)
    same = torch.tensor([[one == other for other in labels] for one in labels])
    loss = supervised_contrastive(z, same, temperature=temperature)
    assert loss.item() == pytest.approx(plain_contrastive(z, labels, temperature), rel=1e-5)
    loss.backward()
    assert z.grad is not None and torch.isfinite(z.grad).all()


def test_a_batch_without_any_positive_has_no_loss_and_no_gradient() -> None:
    (z,) = halves(1)
    loss = supervised_contrastive(z, torch.eye(ROWS, dtype=torch.bool), temperature=0.5)
    loss.backward()
    assert loss.item() == 0
    assert z.grad is not None and not z.grad.any()


def test_sections_of_one_label_come_nearer_by_gradient() -> None:
    (z,) = halves(1)
    same = torch.tensor([[one // 2 == other // 2 for other in range(ROWS)] for one in range(ROWS)])
    before = cos(z[0], z[1])
    supervised_contrastive(z, same, temperature=0.5).backward()
    assert z.grad is not None
    assert cos(z[0] - z.grad[0], z[1] - z.grad[1]) > before


def test_cosine_regression_equals_a_loop() -> None:
    one, other = halves(2)
    related = torch.tensor([1, 0, 1, 1, 0, 0])
    wanted = sum((cos(one[i], other[i]) - related[i].item()) ** 2 for i in range(ROWS)) / ROWS
    assert cosine_regression(one, other, related).item() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize(("share", "counted"), [(1.0, (1, 4, 2)), (0.5, (1, 2, 1)), (0.6, (1, 3, 2))])
def test_late_interaction_is_the_mean_of_best_matches_both_ways(share: float, counted: tuple[int, ...]) -> None:
    generator = torch.Generator().manual_seed(6)
    documents = [torch.randn(count, DIM, generator=generator, requires_grad=True) for count in (1, 4, 2)]

    def best(one: Tensor, other: Tensor, counts: int) -> float:
        return sum(sorted(max(cos(x, y) for y in other) for x in one)[-counts:]) / counts

    near = late_interaction(documents, share=share)
    both = list(zip(documents, counted, strict=True))
    wanted = [[(best(one, other, m) + best(other, one, n)) / 2 for other, n in both] for one, m in both]
    torch.testing.assert_close(near, torch.tensor(wanted), rtol=1e-5, atol=1e-5)
    contrastive(near, torch.ones(3, 3, dtype=torch.bool), temperature=0.1).backward()
    assert all(one.grad is not None and torch.isfinite(one.grad).all() for one in documents)


def test_the_posterior_loss_is_the_mean_of_its_formula_over_queries() -> None:
    generator = torch.Generator().manual_seed(8)
    queries, documents = torch.randn(3, 4, generator=generator), torch.randn(5, 4, generator=generator)
    answers = [2, 0, 4]
    strangers = [[1, 0, 0, 1, 1], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    total = 0.0
    for query, answer, rivals in zip(queries.tolist(), answers, strangers, strict=True):
        cosines = []
        for document in documents.tolist():
            product = sum(x * y for x, y in zip(query, document, strict=True))
            cosines.append(product / math.sqrt(sum(x * x for x in query) * sum(y * y for y in document)))
        below = sum(math.exp(6 * cosines[n]) for n in range(5) if rivals[n] or n == answer)
        total -= math.log(math.exp(6 * cosines[answer]) / below)
    found = posterior_loss(
        queries, documents, torch.tensor(answers), gamma=6.0, strangers=torch.tensor(strangers, dtype=torch.bool)
    )
    assert found.item() == pytest.approx(total / 3, abs=1e-5)


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_the_divergence_of_neighbours_equals_two_loops(temperature: float) -> None:
    student, teacher = halves(2)[0], torch.randn(ROWS, DIM + 2, generator=torch.Generator().manual_seed(9))
    total = 0.0
    for i in range(ROWS):
        others = [j for j in range(ROWS) if j != i]
        ours, theirs = ([math.exp(cos(rows[i], rows[j]) / temperature) for j in others] for rows in (student, teacher))
        p, q = ([one / sum(side) for one in side] for side in (theirs, ours))
        total += sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)
    found = neighbour_divergence(student, teacher, temperature=temperature)
    assert found.item() == pytest.approx(total / ROWS, rel=1e-4)
    assert neighbour_divergence(teacher, 3 * teacher, temperature=temperature).item() == pytest.approx(0, abs=1e-6)


def test_the_distance_of_places_is_the_mean_over_texts() -> None:
    student, teacher = halves(2)
    plain = sum(1 - cos(student[i], teacher[i]) for i in range(ROWS)) / ROWS
    assert placing_distance(student, teacher).item() == pytest.approx(plain, rel=1e-5)
    assert placing_distance(student, 2 * student).item() == pytest.approx(0, abs=1e-6)
