"""KeyVec trained on small data."""

from __future__ import annotations

from pathlib import Path

from engine.encoders.keyvec import KeyvecEncoder
from engine.training.keyvec import trainer
from engine.training.run_folder import Folders
from tests.training.keyvec.small import recipe

AUC, RECALL = "salient sentences, ROC-AUC", "key words, recall"


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> KeyvecEncoder:
    return trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), resume=resume)
