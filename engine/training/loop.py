"""The training loop, for any model that gives the loss of a batch, in one process or in several.

The frame of every training by a recipe: a run folder is opened, the loop runs, and an encoder comes out.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, distributed, nn

from engine.core.errors import TrainingError
from engine.core.progress import Meter, Report, silent
from engine.encoders import fastest_precision
from engine.training.checkpoints import Checkpoints, Standing
from engine.training.run_folder import Folders, open_run
from engine.training.settings import Recipe, ScheduleSettings

B = TypeVar("B")
E = TypeVar("E")
Score = Callable[[], Mapping[str, float]]
"""Scores of the present weights on valid queries, by benchmark; larger is better."""
EncoderScore = Callable[[E], Mapping[str, float]]
"""Scores of an encoder on valid queries, by benchmark; larger is better."""


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
        """Return the rows of every process's share in the batch's order: (rows, dim) from (rows / count, dim).

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
        """Return the first process's value, in every process; the others wait for it."""
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
    """Return the processes that torchrun started, and this one's device; one process alone outside of torchrun.

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


class Task(Protocol[B]):
    """What is trained: a model, what each epoch feeds it, and what it should make small."""

    @property
    def model(self) -> nn.Module:
        """Everything that is learnt."""

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates, as optimizers take them."""

    def steps(self) -> int:
        """Return the number of batches in an epoch."""

    def batches(self, epoch: int) -> Sequence[B]:
        """Return the batches of an epoch, the same whenever they are asked for."""

    def loss(self, batch: B) -> Tensor:
        """Return the mean loss of the whole batch, which may be spread over processes."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a run has around it: its folder, its fellow processes, and where progress goes."""

    checkpoints: Checkpoints
    device: torch.device
    processes: Processes = ALONE
    report: Report = silent

    def facts(self, standing: Standing) -> dict[str, Any]:
        """Return what an encoder keeps of its run when that is over."""
        return {
            "device": str(self.device),
            "processes": self.processes.count,
            "best_epoch": standing.best,
            "curve": [asdict(record) for record in standing.history],
        }


@contextmanager
def surroundings(device: str, run: Path, report: Report, *, alone: str = "") -> Iterator[Surroundings]:
    """Give what a run in the folder `run` has around it, once its processes have found each other; the first reports.

    `device` is "auto" (a GPU if the machine has one), "cpu" or "cuda". Raises TrainingError if a method that is to be
    trained `alone`, by its name, is started in several processes.
    """
    with joined(device) as (processes, found):
        if alone and processes.count > 1:
            raise TrainingError(f"Expected one process, got {processes.count}: {alone} is small. Train it in one.")
        yield Surroundings(Checkpoints(run), found, processes, report if processes.is_first else silent)


def autocast(device: torch.device) -> torch.autocast:
    """Multiply matrices in bfloat16 where the device does that fast; weights and losses stay in float32."""
    fast = torch.cuda.is_bf16_supported() if device.type == "cuda" else fastest_precision() == "bfloat16"
    return torch.autocast(device.type, torch.bfloat16, enabled=fast)


def adam(groups: list[dict[str, Any]]) -> torch.optim.Optimizer:
    """Return Adam over groups of parameters, each with its learning rate and, if it has one, its weight decay.

    The decay is decoupled from the gradient (Loshchilov and Hutter, ICLR 2019), as transformers are trained. Within the
    gradient, Adam would scale it up to whole steps for weights that no text moves, such as the vectors of unread words.
    """
    return torch.optim.AdamW(groups, weight_decay=0.0, fused=True)  # fused: a pass over the weights, not ten


def fit(
    task: Task[B],
    schedule: ScheduleSettings,
    around: Surroundings,
    *,
    score: Score = dict,
    watch: Score = dict,
    optimizes: Callable[[list[dict[str, Any]]], torch.optim.Optimizer] = adam,
) -> Standing:
    """Train until the epochs are done or nothing gets better, from the folder's checkpoint if it has one.

    The model ends with the best epoch's weights. What `watch` finds after an epoch is noted beside its scores. A run
    that was interrupted and resumed gives the same weights as one that was not, bit for bit on a CPU. Raises
    TrainingError when the loss stops being a number.
    """
    optimizer = optimizes(task.groups())
    rates = [group["lr"] for group in optimizer.param_groups]
    standing = around.checkpoints.load(task.model, optimizer)
    steps, all_steps = task.steps(), task.steps() * schedule.epochs
    meter = Meter("train, steps", all_steps - steps * standing.epoch - standing.step, around.report)
    saved = time.monotonic()

    while not standing.is_over(schedule.epochs, schedule.patience):
        began = time.monotonic() - standing.seconds
        total = torch.tensor(standing.loss_sum, dtype=torch.float64, device=around.device)
        for batch in task.batches(standing.epoch)[standing.step :]:
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * schedule.rate_at(steps * standing.epoch + standing.step, all_steps)
            with autocast(around.device):
                loss = task.loss(batch)
            _step(optimizer, loss, around.processes)
            total += loss.detach()
            standing.step += 1
            meter.add()
            if standing.step < steps and time.monotonic() - saved >= 60 * schedule.checkpoint_minutes:
                standing.loss_sum, standing.seconds = total.item(), time.monotonic() - began
                _save(task, optimizer, standing, around)
                saved = time.monotonic()

        scores = around.processes.agreed(dict(score()) if around.processes.is_first else None)
        standing.end_epoch(total.item() / steps, scores, time.monotonic() - began, watched=dict(watch()))
        _save(task, optimizer, standing, around)
        saved = time.monotonic()

    meter.finish()
    with around.processes.first_before_others():  # the others read what the first has written
        around.checkpoints.load_best(task.model)
    return standing


def _step(optimizer: torch.optim.Optimizer, loss: Tensor, processes: Processes) -> None:
    """Move the weights by the gradients of all processes."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    processes.add_gradients([parameter for group in optimizer.param_groups for parameter in group["params"]])
    optimizer.step()


def _save(task: Task[Any], optimizer: torch.optim.Optimizer, standing: Standing, around: Surroundings) -> None:
    """Write where the run stands, from one process; the best epoch's weights first."""
    loss = standing.loss_sum if standing.step else standing.history[-1].loss
    if not math.isfinite(loss):
        raise TrainingError(
            f"Expected a loss that is a number, got {loss} in epoch {len(standing.history) + bool(standing.step)}. "
            "Train with a smaller learning rate."
        )
    if around.processes.is_first:
        if standing.step == 0 and standing.best == standing.epoch:
            around.checkpoints.save_best(task.model)
        around.checkpoints.save(task.model, optimizer, standing)


@dataclass(frozen=True)
class Start(Generic[E]):
    """What a training begins with: the task of the loop, and what makes an encoder of the present weights with facts.

    `about` are facts of the documents that are learnt from. `scored` makes the encoder that benchmarks score, where
    that is faster; `scores` are the task's own.
    """

    task: Task[Any]
    encoder: Callable[[Mapping[str, Any]], E]
    about: Mapping[str, Any] = field(default_factory=dict)
    scored: Callable[[], E] | None = None
    scores: Score = dict
    watch: Score = dict
    optimizes: Callable[[list[dict[str, Any]]], torch.optim.Optimizer] = adam


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A training as it is asked for: by which recipe, where, from its start or from where it was broken off."""

    recipe: Recipe
    folders: Folders
    resume: bool = False
    report: Report = silent


def train_encoder(
    run: TrainingRun,
    digests: Mapping[str, str],
    begin: Callable[[Surroundings], Start[E]],
    *,
    score: EncoderScore[E] | None = None,
    alone: str = "",
    may_change: frozenset[str] = frozenset(),
) -> E | None:
    """Train from what `begin` makes of a recipe; gives the best epoch's encoder.

    `digests` name the content of the files that are learnt from. `score` scores each epoch's encoder, beside the task's
    own scores. Gives None in all but the first of several processes. Raises TrainingError if the run folder holds
    another run, or as `surroundings` does; `may_change` is as in `open_run`.
    """
    recipe, folder = run.recipe, run.folders.run
    with surroundings(recipe.device, folder, run.report, alone=alone) as around:
        first = around.processes.is_first
        with around.processes.first_before_others():
            facts = open_run(folder, recipe, digests, resume=run.resume, writes=first, may_change=may_change)
            start = begin(around)

        def scores() -> Mapping[str, float]:
            if score is None:
                return start.scores()
            return {**start.scores(), **score(start.scored() if start.scored else start.encoder({}))}

        standing = fit(start.task, recipe.schedule, around, score=scores, watch=start.watch, optimizes=start.optimizes)
        return start.encoder({**facts, **start.about, **around.facts(standing)}) if first else None
