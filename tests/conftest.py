"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch

if TYPE_CHECKING:
    from engine.encoders import Encoder

PROJECT = Path(__file__).resolve().parent.parent
NOBODY = "postgresql://nobody@127.0.0.1:9/none"
"""The address of a database where nobody answers."""
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: the browser's tests wait for pages much of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection() -> None:
    """While files are imported, everything that is made is kept: no dead objects are looked for."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was imported is left out of every later look for dead objects.

    Loggers hand on what they log: to each of Streamlit's hundred that do not, pytest would give its own handlers and
    take them back six times a test.
    """
    gc.freeze()
    gc.enable()
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Streamlit puts a page's script in the place of `__main__`, which processes that a later test starts would run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session", autouse=True)
def nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The library and models at home belong to whoever runs the tests: where no others are named, they are these."""
    folder = tmp_path_factory.mktemp("nobody")
    with pytest.MonkeyPatch.context() as patch:
        _at_home(folder / "shared", patch)
        yield folder


@pytest.fixture(autouse=True)
def nobodys_library(nobody: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds there what an earlier one left."""
    _at_home(nobody / hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16], monkeypatch)


def _at_home(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("PRIORSCOPE_LIBRARY", str(folder / "library"))
    patch.setenv("PRIORSCOPE_MODELS", str(folder / "models"))


@pytest.fixture(autouse=True)
def seed() -> None:
    """Networks start from drawn numbers: a test draws the same ones whichever tests ran before it.

    `torch.manual_seed` would also note each time, with the whole stack, what to do once there are other devices.
    """
    torch.default_generator.manual_seed(0)


@pytest.fixture(scope="session")
def _loaded() -> dict[tuple[str, Path], Encoder]:
    return {}


@pytest.fixture(autouse=True)
def loaded_once(_loaded: dict[tuple[str, Path], Encoder], monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped encoders, which nothing changes, are loaded once for all tests of a process and not in each."""
    from engine.encoders import registry

    load = registry.load

    def kept(name: str, *, folder: Path | None = None) -> Encoder:
        if folder is not None or name not in registry.ENTRIES:  # a person's own model of the same name may be another
            return load(name, folder=folder)
        key = (name, registry.PRETRAINED)
        return _loaded.get(key) or _loaded.setdefault(key, load(name))

    monkeypatch.setattr(registry, "load", kept)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real papers and patents beside the project; it is not part of the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder shared/ with real documents does not lie beside the project")
    return folder
