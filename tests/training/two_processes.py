"""Trains by a recipe in one of the processes that torchrun started; the test of two processes runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from engine.training import ctpe
from tests.training.small import recipe


def main(data: Path, run: Path, settings: list[str]) -> None:
    """Train on the small corpus into a run folder."""
    torch.set_num_threads(1)
    ctpe.train(recipe(data, *settings), ctpe.Folders(data, run, run / "cache"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
