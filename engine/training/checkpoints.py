"""Where a run stands, on disk: weights, the optimizer's moments and the counts, as safetensors and JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, StorageError

STATE, MODEL, OPTIMIZER = "state.json", "model.safetensors", "optimizer.safetensors"
CURVE = "curve.json"


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """One row of the loss curve: the mean loss of an epoch, and its scores on the valid queries by benchmark.

    `watched` is what a method wants noted beside them, such as lengths of its weights.
    """

    epoch: int
    loss: float
    scores: dict[str, float]
    seconds: float
    watched: dict[str, float] = field(default_factory=dict)

    @property
    def merit(self) -> float:
        """The value that chooses the best epoch: the mean score, or the smaller loss if nothing is scored."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else -self.loss


@dataclass(slots=True)
class Standing:
    """Where a run stands: epochs done, steps done in the present one, and its sum of losses so far."""

    epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    seconds: float = 0.0
    history: list[EpochRecord] = field(default_factory=list)

    @property
    def best(self) -> int:
        """The number of the best epoch so far, counted from 1; the first of equal ones, 0 before the first epoch."""
        if not self.history:
            return 0
        return max(self.history, key=lambda record: (record.merit, -record.epoch)).epoch

    def end_epoch(
        self, loss: float, scores: dict[str, float], seconds: float, *, watched: dict[str, float] | None = None
    ) -> None:
        """Note an epoch's mean loss, scores and seconds, and move to the start of the next."""
        self.epoch += 1
        self.history.append(EpochRecord(self.epoch, loss, scores, seconds, watched or {}))
        self.step, self.loss_sum, self.seconds = 0, 0.0, 0.0

    def is_over(self, epochs: int, patience: int) -> bool:
        """Tell whether all epochs are done, or `patience` of them in a row brought nothing better (0 = never)."""
        return self.epoch >= epochs or bool(patience and self.best and self.epoch - self.best >= patience)


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A run's folder: `checkpoint` is taken up again, `best` has the best epoch's weights, curve.json every loss."""

    folder: Path

    def save(self, model: nn.Module, optimizer: torch.optim.Optimizer, standing: Standing) -> None:
        """Write the checkpoint aside, then put it in the place of the one before."""
        with files.new_folder(self.folder / "checkpoint") as new:
            digests = {
                MODEL: files.write_arrays(new / MODEL, _arrays(model)),
                OPTIMIZER: files.write_arrays(new / OPTIMIZER, _moments(optimizer)),
            }
            files.write_json(new / STATE, {"sha256": digests, "standing": dataclasses.asdict(standing)})
        files.write_json(self.folder / CURVE, [dataclasses.asdict(record) for record in standing.history])

    def load(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> Standing:
        """Put a checkpoint's weights and moments in place; without a checkpoint yet, the start of a run.

        Raises StorageError if the folder is damaged or another model's.
        """
        folder = self.folder / "checkpoint"
        if not folder.exists():
            return Standing()
        state = files.read_json(folder / STATE)
        try:
            standing = from_mapping(state["standing"], _StoredStanding, origin=STATE).standing
            digests = {name: str(state["sha256"][name]) for name in (MODEL, OPTIMIZER)}
        except (KeyError, TypeError, ConfigError) as error:
            raise StorageError(
                f"Expected a checkpoint in {folder}, found another file: {error}. Train again."
            ) from None
        _put(model, files.read_arrays(folder / MODEL, digests[MODEL]), folder)
        _put_moments(optimizer, files.read_arrays(folder / OPTIMIZER, digests[OPTIMIZER]))
        return standing

    def save_best(self, model: nn.Module) -> None:
        """Keep the present weights as the best."""
        with files.new_folder(self.folder / "best") as new:
            files.write_json(new / STATE, {"sha256": {MODEL: files.write_arrays(new / MODEL, _arrays(model))}})

    def load_best(self, model: nn.Module) -> None:
        """Put the best epoch's weights in place, where one was kept."""
        folder = self.folder / "best"
        if folder.exists():
            digest = files.read_json(folder / STATE)["sha256"][MODEL]
            _put(model, files.read_arrays(folder / MODEL, digest), folder)


@dataclass(frozen=True, slots=True)
class _StoredRecord:
    epoch: int
    loss: float
    scores: dict[str, float]
    seconds: float
    watched: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _StoredStanding:
    """Standing with the types that JSON gives."""

    epoch: int
    step: int
    loss_sum: float
    seconds: float
    history: tuple[_StoredRecord, ...]

    @property
    def standing(self) -> Standing:
        records = [EpochRecord(**dataclasses.asdict(record)) for record in self.history]
        return Standing(self.epoch, self.step, self.loss_sum, self.seconds, records)


def _arrays(model: nn.Module) -> dict[str, NDArray[Any]]:
    return {name: _array(tensor) for name, tensor in model.state_dict().items()}


def _array(tensor: Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.detach().cpu().numpy()
    return array


def _put(model: nn.Module, arrays: Mapping[str, NDArray[Any]], folder: Path) -> None:
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    found = {name: array.shape for name, array in arrays.items()}
    if wanted != found:
        raise StorageError(f"Expected weights of the shapes {wanted} in {folder}, found {found}. Train again.")
    model.load_state_dict({name: torch.from_numpy(np.copy(array)) for name, array in arrays.items()}, strict=True)


def _moments(optimizer: torch.optim.Optimizer) -> dict[str, NDArray[Any]]:
    """Return what the optimizer remembers of each parameter, by the parameter's number and the moment's name."""
    state = optimizer.state_dict()["state"]
    return {f"{number}.{name}": _moment(value) for number, kept in state.items() for name, value in kept.items()}


def _moment(value: Tensor | int) -> NDArray[Any]:
    """Return a tensor as an array, and so the count of steps that an optimizer keeps as a whole number."""
    return np.asarray(value, np.int64) if isinstance(value, int) else _array(value)


def _put_moments(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    state: dict[int, dict[str, Tensor | int]] = {}
    for key, array in arrays.items():
        number, name = key.split(".", 1)
        is_count = array.size == 1 and array.dtype == np.int64
        state.setdefault(int(number), {})[name] = int(array.item()) if is_count else torch.from_numpy(np.copy(array))
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
