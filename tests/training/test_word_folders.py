"""Word vectors by the name that a recipe gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import InputError
from engine.training.word_folders import open_words
from tests.training.small import word_vectors


def test_words_are_found_among_the_shipped_ones_and_at_a_path(tmp_path: Path) -> None:
    assert open_words("word2vec").vectors.shape[1] == 100
    word_vectors().save(tmp_path / "mine")
    assert open_words(str(tmp_path / "mine")).card == word_vectors().card


def test_a_folder_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"Expected word vectors in nowhere, a folder of pretrained/ or a path"):
        open_words("nowhere")
