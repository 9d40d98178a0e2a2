"""Several processes that train one model together: each takes its share of every batch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, distributed


@dataclass(frozen=True, slots=True)
class Processes:
    """Which of `count` processes this is, counted from 0; the first writes and reports."""

    rank: int = 0
    count: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process writes and reports."""
        return self.rank == 0

    def gathered(self, share: Tensor, rows: int) -> Tensor:
        """The rows of every process's share in the batch's order: (rows, dim) from (rows / count, dim).

        The share of a process is every count-th row from its rank on. Each process computes the same loss from all
        rows and passes back only the gradient of its own, so the gradients of the processes add up to the whole.
        """
        if self.count == 1:
            return share
        gathered: Tensor = _Gathered.apply(share, rows, self.rank, self.count)  # type: ignore[no-untyped-call]
        return gathered

    def add_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replace each gradient with the sum over processes."""
        if self.count > 1:
            for parameter in parameters:
                if parameter.grad is None:
                    parameter.grad = torch.zeros_like(parameter)
                distributed.all_reduce(parameter.grad)

    def agreed(self, value: Any) -> Any:  # noqa: ANN401  any value of JSON
        """The first process's value, in every process; the others wait for it."""
        if self.count == 1:
            return value
        box = [value]
        distributed.broadcast_object_list(box, src=0)
        return box[0]

    @contextmanager
    def first_before_others(self) -> Iterator[None]:
        """Let the first process through the block before the others, which then find what it left on disk."""
        if self.count > 1 and not self.is_first:
            distributed.barrier()
        yield
        if self.count > 1 and self.is_first:
            distributed.barrier()


ALONE = Processes()


class _Gathered(torch.autograd.Function):
    """Shares put together by adding up tables that are zero elsewhere, so shares may differ in length."""

    @staticmethod
    def forward(ctx: Any, share: Tensor, rows: int, rank: int, count: int) -> Tensor:  # noqa: ANN401
        whole = share.new_zeros(rows, *share.shape[1:])
        whole[rank::count] = share
        distributed.all_reduce(whole)
        ctx.rank, ctx.count = rank, count
        return whole

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:  # noqa: ANN401
        return gradient[ctx.rank :: ctx.count], None, None, None


@contextmanager
def joined(device: str) -> Iterator[tuple[Processes, torch.device]]:
    """The processes that torchrun started, and this one's device; one process alone outside of torchrun.

    `device` is "auto" (a GPU if the machine has one), "cpu" or "cuda".
    """
    rank, count = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    kind = device if device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    place = torch.device(kind, int(os.environ.get("LOCAL_RANK", "0"))) if kind == "cuda" else torch.device(kind)
    if count == 1:
        yield Processes(), place
        return
    if kind == "cuda":
        torch.cuda.set_device(place)
    distributed.init_process_group("nccl" if kind == "cuda" else "gloo")
    try:
        yield Processes(rank, count), place
    finally:
        distributed.destroy_process_group()
