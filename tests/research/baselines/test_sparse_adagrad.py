"""AdaGrad over few rows of a table: as torch's own, and nothing else is moved."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.research.baselines.sparse_adagrad import SparseAdagrad


@pytest.mark.parametrize(("start", "least"), [(0.0, 1e-10), (1.0, 0.0)])
def test_steps_are_torchs_and_only_touched_rows_move(start: float, least: float) -> None:
    random = np.random.default_rng(1)
    rows = random.standard_normal((6, 5)).astype(np.float32)
    theirs = torch.from_numpy(rows.copy()).requires_grad_()
    before = rows.copy()
    ours = SparseAdagrad(rows, 0.1, start=start, least=least)
    optimizer = torch.optim.Adagrad([theirs], lr=0.1, initial_accumulator_value=start, eps=least)
    for _ in range(4):
        touched = np.array([[4, 1], [1, 1]])
        for place in (1, 4):
            ours.gradients[place] += random.standard_normal(5).astype(np.float32)
        theirs.grad = torch.from_numpy(ours.gradients.copy())
        ours.step(touched[0], touched[1])
        optimizer.step()
        assert not ours.gradients.any()
    torch.testing.assert_close(torch.from_numpy(rows), theirs.detach(), rtol=1e-5, atol=1e-6)
    assert (rows[[0, 2, 3, 5]] == before[[0, 2, 3, 5]]).all() and (rows[[1, 4]] != before[[1, 4]]).all()
