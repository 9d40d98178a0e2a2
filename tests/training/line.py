"""A line that learns its slope: the smallest task there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from engine.core.progress import Report, silent
from engine.training.checkpoints import Checkpoints
from engine.training.loop import Surroundings
from engine.training.settings import ScheduleSettings

STEPS = 3


class Line:
    """A task: find the line that points lie on, from batches drawn again each epoch."""

    def __init__(self, *, breaks_at: int | None = None, rate: float = 0.05) -> None:
        torch.manual_seed(3)
        self._line, self._rate, self._left = nn.Linear(2, 1), rate, breaks_at

    @property
    def model(self) -> nn.Module:
        return self._line

    def groups(self) -> list[dict[str, Any]]:
        return [{"params": list(self._line.parameters()), "lr": self._rate}]

    def steps(self) -> int:
        return STEPS

    def batches(self, epoch: int) -> Sequence[Tensor]:
        generator = torch.Generator().manual_seed(epoch)
        return [torch.randn(4, 2, generator=generator) for _ in range(STEPS)]

    def loss(self, batch: Tensor) -> Tensor:
        if self._left is not None:
            if not self._left:
                raise KeyboardInterrupt
            self._left -= 1
        wanted = batch @ torch.tensor([[2.0], [-1.0]]) + 0.5
        return ((self._line(batch).float() - wanted) ** 2).mean()


def around(folder: Path, *, report: Report = silent) -> Surroundings:
    return Surroundings(Checkpoints(folder), torch.device("cpu"), report=report)


EPOCHS = ScheduleSettings(epochs=3, decay="linear", warmup=2, checkpoint_minutes=0)
