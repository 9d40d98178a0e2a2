"""Two threads that load a model at once: the app warms several encoders while a visitor asks for another."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from engine.encoders.transformer import Transformer, batches
from tests.encoders.tiny_transformer import write_tiny_transformer

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = """
import threading, torch
from engine.encoders.transformer import empty_model

CONFIG = {"model_type": "bert", "vocab_size": 9, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1}
begin, problems = threading.Barrier(4), []

def load():
    begin.wait()
    try:
        assert empty_model(CONFIG).config.hidden_size == 4
    except Exception as error:
        problems.append(repr(error))

threads = [threading.Thread(target=load) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(problems)
"""


def test_threads_that_are_the_first_to_load_a_model_all_get_it() -> None:
    # a process of its own, because the library is imported once; without the lock one run in two or three fails
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]"


def test_threads_that_cut_at_other_lengths_get_their_own(tmp_path: Path) -> None:
    model = Transformer.open(write_tiny_transformer(tmp_path), precision="float32")
    text, wrong, begin = "steam valve " * 40, [], threading.Barrier(2)

    def read(length: int) -> None:
        begin.wait()
        wrong.extend(found for _ in range(400) if (found := len(model.tokens([text], length)[0])) != length)

    threads = [threading.Thread(target=read, args=(length,)) for length in (8, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_batches_are_of_like_lengths_and_of_so_many_tokens() -> None:
    lengths = [3, 256, 17, 256, 90, 1, 200]
    found = list(batches(lengths, 512))
    assert sorted(place for batch in found for place in batch) == list(range(7))
    assert found[0] == [1, 3]
    assert all(len(batch) * max(lengths[place] for place in batch) <= 512 for batch in found)
    assert list(batches([900, 2], 512)) == [[0], [1]], "a text that is too long is read alone"
    assert list(batches([], 512)) == []
