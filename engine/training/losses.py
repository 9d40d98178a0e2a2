"""Losses over coupled pairs: functions of tensors, each the mean over a batch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, kl_div, normalize


def margin_loss(f: Tensor, b: Tensor, nf: Tensor, nb: Tensor, *, margin: float) -> Tensor:
    """Return the mean of max(0, M - (cos(f, b) - cos(nf, nb))) (CTPE, section 3.2, equation 1), a scalar.

    All four are (b, dim): row i's pair (f, b), and its uncoupled pair (nf, nb). One half of the uncoupled pair is the
    row's own.
    """
    with torch.autocast(f.device.type, enabled=False):
        f, b, nf, nb = (normalize(half.float(), dim=1) for half in (f, b, nf, nb))  # (b, dim) each
        coupled, uncoupled = (f * b).sum(1), (nf * nb).sum(1)  # (b,)
        return torch.relu(margin - (coupled - uncoupled)).mean()


def in_batch_softmax(
    f: Tensor,
    b: Tensor,
    *,
    temperature: float,
    related: Tensor | None = None,
    strangers: tuple[Tensor, Tensor] | None = None,
) -> Tensor:
    """Return the mean over rows of -log softmax(s / temperature) at the row's own pair, from both sides; a scalar.

    f and b are (b, dim); s[i, j] = cos(f_i, b_j) is (b, b), and every other row of the batch is a negative, read from
    the former half to the latter and back (the symmetric InfoNCE of CLIP, Radford et al. 2021, figure 3). Beyond
    that, `related` (b, b) marks pairs that do not count as negatives, because their documents belong together;
    `strangers` are former (k, dim) and latter halves (l, dim) from outside the batch that are negatives of every row.
    """
    with torch.autocast(f.device.type, enabled=False):
        f, b = normalize(f.float(), dim=1), normalize(b.float(), dim=1)  # (b, dim)
        similarity = f @ b.T  # (b, b)
        own = torch.eye(len(f), dtype=torch.bool, device=f.device)
        if related is not None:
            similarity = similarity.masked_fill(related & ~own, -torch.inf)
        by_former, by_latter = similarity, similarity.T
        if strangers is not None:
            formers, latters = (normalize(halves.float(), dim=1) for halves in strangers)
            by_former = torch.cat([by_former, f @ latters.T], dim=1)  # (b, b + l)
            by_latter = torch.cat([by_latter, b @ formers.T], dim=1)  # (b, b + k)
        answers = torch.arange(len(f), device=f.device)
        sides = (by_former / temperature, by_latter / temperature)
        return (cross_entropy(sides[0], answers) + cross_entropy(sides[1], answers)) / 2


def posterior_loss(queries: Tensor, documents: Tensor, answers: Tensor, *, gamma: float, strangers: Tensor) -> Tensor:
    """Return the mean of -log P(D+ | Q), a scalar (after C-DSSM's tweaks, section I.A).

    P(D+ | Q) = exp(gamma R(Q, D+)) / sum over D+ and all D- of exp(gamma R(Q, D)), R the cosine. The paper sums over
    the D- alone, so that its P can exceed 1; DSSM's own sum holds D+, too. Queries are (q, dim), documents (n, dim),
    answers (q,) the place of each query's D+; `strangers` (q, n) marks its D-.
    """
    with torch.autocast(queries.device.type, enabled=False):
        cosines = normalize(queries.float(), dim=1) @ normalize(documents.float(), dim=1).T  # (q, n)
        counted = strangers.scatter(1, answers[:, None], True)  # (q, n)
        return cross_entropy((gamma * cosines).masked_fill(~counted, -torch.inf), answers)


def whole(f: Tensor, b: Tensor) -> Tensor:
    """Return documents as one vector each, unit(unit(f) + unit(b)): (b, dim) from their halves (b, dim)."""
    with torch.autocast(f.device.type, enabled=False):
        return normalize(normalize(f.float(), dim=1) + normalize(b.float(), dim=1), dim=1)


def supervised_contrastive(z: Tensor, same: Tensor, *, temperature: float) -> Tensor:
    """Return `contrastive` of sections by their cosines: z is (m, dim) (CoLDE, section 3.3)."""
    with torch.autocast(z.device.type, enabled=False):
        z = normalize(z.float(), dim=1)  # (m, dim)
        return contrastive(z @ z.T, same, temperature=temperature)


def contrastive(similarity: Tensor, same: Tensor, *, temperature: float) -> Tensor:
    """Return the mean over i of -1 / |P(i)| sum over j in P(i) of log softmax(similarity_ij / temperature), a scalar.

    `similarity` is (m, m); the softmax is over all but i. `same` (m, m) marks pairs with one label. P(i) holds the
    other rows with i's label; a row without any is left out. The paper takes the sum over sections; this takes the
    mean, so that the batch size leaves the learning rate alone.
    """
    own = torch.eye(len(similarity), dtype=torch.bool, device=similarity.device)
    logits = (similarity.float() / temperature).masked_fill(own, -torch.inf)  # (m, m)
    shares = logits - logits.logsumexp(1, keepdim=True)  # (m, m) log softmax
    positive = same & ~own
    counts = positive.sum(1)  # (m,)
    total = shares.masked_fill(~positive, 0).sum(1)  # (m,)
    return -(total / counts.clamp(min=1)).sum() / (counts > 0).sum().clamp(min=1)


def late_interaction(documents: Sequence[Tensor], *, share: float = 1.0) -> Tensor:
    """Return how near documents are by their chunks, (n, n): the mean over chunks of the best cosine, both ways.

    Each is chunk vectors (c_i, e), c_i >= 1. ColBERT's late interaction (Khattab and Zaharia, SIGIR 2020) with chunks
    instead of tokens and a mean instead of a sum, so that long documents are not nearer to all. Of each document only
    a share of its chunks counts, rounded up: those that match best.
    """
    with torch.autocast(documents[0].device.type, enabled=False):
        rows = normalize(torch.cat([one.float() for one in documents]), dim=1)  # (c, e)
        counts = torch.tensor([len(one) for one in documents], device=rows.device)  # (n,)
        cosines = rows @ rows.T  # (c, c)
        best = torch.stack([part.amax(1) for part in torch.split(cosines, counts.tolist(), dim=1)], 1)  # (c, n)
        own = torch.split(best, counts.tolist())  # of each document (c_i, n)
        mean = torch.stack([part.topk(math.ceil(share * len(part)), dim=0).values.mean(0) for part in own])  # (n, n)
        return (mean + mean.T) / 2


def cosine_regression(one: Tensor, other: Tensor, related: Tensor) -> Tensor:
    """Return the mean of (cos(one, other) - related)^2 over pairs, a scalar (CoLDE, section 4.5.3: -CL).

    Both are (m, dim), `related` (m,) is 1 for documents that belong together and 0 for others. The paper only says
    that cosine similarity takes the contrastive loss's place.
    """
    with torch.autocast(one.device.type, enabled=False):
        cosines = (normalize(one.float(), dim=1) * normalize(other.float(), dim=1)).sum(1)  # (m,)
        return ((cosines - related.float()) ** 2).mean()


def neighbour_divergence(student: Tensor, teacher: Tensor, *, temperature: float) -> Tensor:
    """The mean over rows i of KL(softmax(teacher_i / temperature) || softmax(student_i / temperature)), a scalar.

    Both softmaxes are over the cosines of row i with every other row: student is (n, dim), teacher (n, e), n >= 2.
    Hinton, Vinyals and Dean (2015), section 2, with the similarities of a batch for classes and no second loss.
    """
    with torch.autocast(student.device.type, enabled=False):
        own = torch.eye(len(student), dtype=torch.bool, device=student.device)
        placed = [normalize(rows.float(), dim=1) for rows in (student, teacher)]
        ours, theirs = ((rows @ rows.T / temperature)[~own].view(len(rows), -1) for rows in placed)  # (n, n - 1)
        return kl_div(ours.log_softmax(1), theirs.log_softmax(1), reduction="batchmean", log_target=True)


def placing_distance(student: Tensor, teacher: Tensor) -> Tensor:
    """Return the mean of 1 - cos(student_i, teacher_i): how far each of n texts is from its place, (n, dim) both."""
    with torch.autocast(student.device.type, enabled=False):
        return 1 - (normalize(student.float(), dim=1) * normalize(teacher.float(), dim=1)).sum(1).mean()
