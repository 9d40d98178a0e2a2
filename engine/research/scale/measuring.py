"""What is measured of a large library, each stage in a process of its own, so that its memory is its own, too."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from engine.compare import CoverageSettings, cover
from engine.core import provenance
from engine.documents import Document
from engine.documents.questions import Ranking
from engine.library import Filters
from engine.research.bench import covering
from engine.research.bench.searching import FEW_WORDS, WARM_UP, Times
from engine.research.scale.building import Clock, imported
from engine.search import Question
from engine.workspace import Workspace

Figures = dict[str, Any]
_SHORT, _WHOLE = 40, 10
"""Questions: abstracts, and whole documents."""
_PAGE = 25
_ROUNDS, _COVERED = 20, 5
_LATE = 50_000
_BETWEEN_LOOKS, _most_own = 0.05, 0
_FILTERS = (
    Filters(year_from=2005),
    Filters(kinds=frozenset({"patent"})),
    Filters(categories=frozenset({"cs.CL"})),
    Filters(lines=("model AND NOT neural",)),
)
RANKINGS: Mapping[str, Ranking] = {"words": "keywords", "meaning": "encoder", "both": "default"}


def import_figures(folder: Path, documents: int) -> Figures:
    """Return how fast the first documents came in, the last 50,000 of them, and what they take on disk."""
    blocks = [one for one in imported(folder) if one.last <= documents]
    late = [one for one in blocks if one.last > documents - _LATE]
    first = documents - _LATE if len(late) < len(blocks) else 0
    seconds = sum(one.seconds for one in blocks)
    sizes = {path.name: _bytes_in(path) for path in folder.iterdir()}
    return {
        "import s": seconds,
        **{
            f"import of {part} s": sum(getattr(one, f"{part}_seconds") for one in blocks)
            for part in ("documents", "rows", "passages")
        },
        "documents a second": documents / seconds,
        "documents a second, the last 50,000": (documents - first) / sum(one.seconds for one in late),
        "disk GB": sum(sizes.values()) / 1e9,
        "disk GB of the database": sum(size for name, size in sizes.items() if "sqlite3" in name) / 1e9,
        "disk GB of rows": sizes.get("vectors", 0) / 1e9,
        "disk GB of passages": sizes.get("passages", 0) / 1e9,
    }


def making_ready(folder: Path) -> float:
    """Return the seconds that an import's end takes: rows of folded documents go, and codes of all others are made.

    Then what lacks passages gets them, for which all words are read, and kept in files.
    """
    with Workspace(folder) as opened:
        _ = opened.encoder("default"), opened.passage_encoder()
        return _seconds(lambda: opened.prepare("default")) + _seconds(opened.read_passages)


def opening(folder: Path) -> Figures:
    """Time what the first page needs: the library, its counts, facets, first documents, and how far it is read."""
    steps: dict[str, Callable[[Workspace], object]] = {
        "open": lambda opened: opened.library,
        "counts": lambda opened: opened.library.counts(),
        "facets": lambda opened: opened.library.facets(),
        "imports and collections": lambda opened: (opened.library.import_counts(), opened.library.collections.counts()),
        "first documents": lambda opened: opened.library.listing.page(order="title", count=_PAGE),
        "unread": lambda opened: opened.unread_count("default"),
    }
    found: Figures = {}
    with Workspace(folder) as opened:
        for name, step in steps.items():
            found[f"{name} s"] = _seconds(partial(step, opened))
        found["first page s"] = sum(found.values())
        found["searcher s"] = _seconds(lambda: opened.searcher("default"))
        found["left to read s"] = _seconds(lambda: opened.left_to_read("default"))
        question = Question(Document("asked", "query", abstract="valves that open without help in steam boilers"))
        found["first search s"] = _seconds(lambda: opened.searcher("default").search(question))
        found["first answer s"] = sum(found[name] for name in ("open s", "searcher s", "first search s"))
    return found | memory()


def searching(folder: Path, asking: Sequence[Document]) -> Figures:
    """Time searches by words, by meaning and by both, with filters and without, and of a few whole documents."""
    short = [one for one in asking if len(one.text.split()) <= FEW_WORDS][:_SHORT]
    whole = [one for one in asking if len(one.text.split()) > FEW_WORDS][:_WHOLE]
    found: Figures = {}
    with Workspace(folder) as opened:
        for name, ranking in RANKINGS.items():
            for kind, limits in (("", [Filters()]), (" filtered", _FILTERS), (" newly filtered", _new_filters())):
                turn = itertools.cycle(limits)
                for document in short[:WARM_UP]:
                    _ask(opened, document, ranking, next(turn))
                taken = [1000 * _ask(opened, one, ranking, next(turn)) for one in short]
                found[f"search by {name}{kind} ms"] = asdict(Times.of(taken))
        taken = [1000 * _ask(opened, one, "default", Filters()) for one in whole]
        if taken:
            found["search of a whole document ms"] = asdict(Times.of(taken))
    return found | memory()


def pages(folder: Path) -> Figures:
    """Time the Documents page: its list in each order, its counts, and its facets, under filters and without."""
    found: Figures = {}
    with Workspace(folder) as opened:
        library = opened.library
        steps: dict[str, Callable[[], object]] = {}
        for order in ("added", "title", "year"):
            for place, first in (("first", 0), ("middle", len(library) // 2), ("last", len(library) - _PAGE)):
                list_ = partial(library.listing.page, order=order, first=first, count=_PAGE)
                steps[f"{place} page by {order}"] = list_
        for number, filters in enumerate((Filters(), *_FILTERS)):
            steps[f"count, filter {number}"] = partial(library.count, filters)
            steps[f"facets, filter {number}"] = partial(library.facets, filters)
            steps[f"first page by title, filter {number}"] = partial(
                library.listing.page, filters, order="title", count=_PAGE
            )
        new = _new_filters()
        steps["count, a new filter"] = lambda: library.count(next(new))
        steps["facets, a new filter"] = lambda: library.facets(next(new))
        for name, step in steps.items():
            step()
            found[f"{name} ms"] = asdict(Times.of([1000 * _seconds(step) for _ in range(_ROUNDS)]))
    return found | memory()


def coverage(folder: Path) -> Figures:
    """Time one document of 4,000 words against the library, after once to warm up."""
    with Workspace(folder) as opened:
        shelf = opened.shelf()
        question = covering.made(shelf, 4_000, 0)
        taken = [_seconds(lambda: cover(shelf, question, CoverageSettings())) for _ in range(_COVERED + 1)]
    return {"coverage s": asdict(Times.of(taken[1:]))} | memory()


def while_importing(folder: Path, asking: Sequence[Document], command: Sequence[str]) -> Figures:
    """Time searches while another process runs a command that imports."""
    taken: list[tuple[float, float]] = []
    with Workspace(folder) as opened:
        _ask(opened, asking[0], "default", Filters())
        other = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for document in itertools.cycle(one for one in asking if len(one.text.split()) <= FEW_WORDS):
            if other.poll() is not None:
                break
            started = time.perf_counter()
            worked = _ask(opened, document, "default", Filters())
            taken.append((1000 * (time.perf_counter() - started), 1000 * worked))
    passed, worked_each = zip(*taken, strict=True)
    return {
        "search while importing, all that passed ms": asdict(Times.of(passed)),
        "search while importing ms": asdict(Times.of(worked_each)),
        "searches": len(taken),
    } | memory()


def drawing(folder: Path) -> Figures:
    """Time the map's drawing, with its trust, and its opening."""
    with Workspace(folder) as opened:
        seconds = _seconds(lambda: opened.draw_map("default"))
        opened.forget()
        again = _seconds(lambda: opened.library_map("default"))
        drawn = opened.library_map("default")
    return {
        "map s": seconds,
        "map opened s": again,
        "on the map": len(drawn),
        "placed": drawn.placed_count,
        "neighbours kept": drawn.kept,
        "trustworthiness": drawn.trustworthiness,
    } | memory()


def memory() -> Figures:
    """Return this process's memory in GB: its own, with the files that it maps, and the most so far.

    The system takes pages of mapped files back when it needs them.
    """
    now = psutil.Process().memory_info()
    return {
        "memory GB": _own() / 1e9,
        "memory of its own at most GB": max(_most_own, _own()) / 1e9,
        "memory with mapped files GB": now.rss / 1e9,
        "memory at most GB": (provenance.peak_memory_bytes() or now.rss) / 1e9,
    }


def watch_memory() -> None:
    """Look from now on how much memory the process has of its own, some twenty times a second."""

    def watch() -> None:
        global _most_own
        while True:
            _most_own = max(_most_own, _own())
            time.sleep(_BETWEEN_LOOKS)

    threading.Thread(target=watch, daemon=True).start()


def _own() -> int:
    now = psutil.Process().memory_info()
    return int(now.rss) - int(getattr(now, "shared", 0))


def _ask(opened: Workspace, document: Document, ranking: Ranking, filters: Filters) -> float:
    return _seconds(lambda: opened.searcher("default").search(Question(document, 10, ranking, filters)))


def _new_filters() -> Iterator[Filters]:
    """Give filters that nobody asked for before, of many documents or of few."""
    return (Filters(year_from=first, year_to=last) for last in range(2030, 1900, -1) for first in range(1990, last))


def _seconds(step: Callable[[], object]) -> float:
    clock = Clock()
    step()
    return clock.seconds()


def _bytes_in(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(_bytes_in(one) for one in path.iterdir())
