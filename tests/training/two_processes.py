"""Trains by recipes in one of the processes that torchrun started; the test of two processes runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from unittest.mock import patch

import torch

from engine.training import loop
from engine.training.ctpe import trainer
from tests.training.small import BEYOND_THE_PAPER, recipe

RUNS = {
    "softmax": ["objective.kind=softmax", "reduction.kind=learnt", "reduction.dim=5"],
    "margin": ["objective.margin=1", "objective.word_dropout=0.2", "network.train_words=true"],
    "related": BEYOND_THE_PAPER,
}
"""Settings by the name of the run's folder; with an odd batch the processes' shares differ in length."""


def main(data: Path, runs: Path, *settings: str) -> None:
    """Train every run on the small corpus, one after the other, each with a port of its own where processes meet.

    In float32: of two windows whose products bfloat16 rounds to one number either may win, as others stand beside them.
    """
    torch.set_num_threads(1)
    ports = os.environ.get("PORTS", ",".join("0" * len(RUNS))).split(",")
    for (name, changed), port in zip(RUNS.items(), ports, strict=True):
        os.environ["MASTER_PORT"] = port
        made = recipe(data, "optimizer.batch=7", *changed, *settings)
        with patch.object(loop, "fastest_precision", lambda: "float32"):
            trainer.train(made, trainer.Folders(data, runs / name, runs / name / "cache"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
