"""The house's rules, read from the syntax tree: who imports whom, which library stands where, how long things are."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent

LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "progress", "rows", "arxiv", "config", "files", "markdown", "text", "provenance", "documents"})
    | {"markup", "works", "generic_words", "questions", "threads"},
    frozenset({"readers", "library", "encoders", "index"}),
    frozenset({"sources", "evidence"}),
    frozenset({"search", "compare", "maps", "training"}),
    frozenset({"exports"}),
    frozenset({"ingest"}),
    frozenset({"evaluation"}),
    frozenset({"cli"}),
    frozenset({"research"}),
)
"""A room imports only from the levels before its own, and from itself."""

SHARED_WITHIN_A_LEVEL: set[tuple[str, str]] = {
    ("cli", "research"),
    ("encoders", "research"),
    ("evaluation", "research"),
    ("markup", "readers"),
    ("training", "research"),
}
"""What has yet to move."""

LIBRARY_ROOMS: dict[str, tuple[str, ...]] = {
    "torch": ("engine/encoders/", "engine/training/", "engine/research/"),
    "transformers": ("engine/encoders/", "engine/training/", "engine/research/"),
    "gensim": ("engine/training/", "engine/research/baselines/lda.py", "engine/research/baselines/doc2vec.py"),
    "faiss": ("engine/index/",),
    "pymilvus": ("engine/index/",),
    "ray": ("engine/compute.py",),
    "streamlit": ("explorer/", "streamlit_app.py"),
    "plotly": ("explorer/",),
    "matplotlib": ("engine/exports/", "engine/research/"),
    "sqlite3": ("engine/library/",),
    "pypdfium2": ("engine/readers/",),
    "defusedxml": ("engine/readers/",),
    "pypi_simple": ("engine/sources/",),
    "umap": ("engine/maps/",),
    "pickle": (),
    "hashlib": ("engine/files.py",),
}

MODULE_LINES = 300
FUNCTION_LINES = 50
FRONT_DOOR_LINES = 40


def modules() -> list[Path]:
    found = [path for room in ("engine", "explorer") for path in sorted((PROJECT / room).rglob("*.py"))]
    return [*found, *sorted(PROJECT.glob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if parts[0] == "engine" and len(parts) > 1 else None


def level_of(room: str) -> int | None:
    return next((number for number, rooms in enumerate(LEVELS) if room in rooms), None)


def direction_problems(path: Path) -> list[str]:
    here = path.relative_to(PROJECT / "engine").parts[0].removesuffix(".py")
    if here == "__init__":
        return []
    own = level_of(here)
    if own is None:
        return [f"{name_of(path)}: the room {here!r} has no level; add it to LEVELS"]
    problems = []
    for dotted in imports(tree_of(path)):
        room = room_of(dotted)
        if dotted.split(".")[0] in {"explorer", "streamlit"}:
            problems.append(f"{name_of(path)} imports {dotted}: the engine knows no screen")
        if room is None or room == here or (here, room) in SHARED_WITHIN_A_LEVEL:
            continue
        level = level_of(room)
        if level is not None and (level > own or (level == own and own > 0)):
            problems.append(f"{name_of(path)} imports {dotted}: {room} is not below {here}")
    return problems


@pytest.mark.parametrize("path", sorted((PROJECT / "engine").rglob("*.py")), ids=name_of)
def test_a_room_imports_only_what_lies_below_it(path: Path) -> None:
    assert direction_problems(path) == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_library_is_used_only_in_its_room(path: Path) -> None:
    name = name_of(path)
    used = {dotted.split(".")[0] for dotted in imports(tree_of(path))}
    strangers = [
        library for library, rooms in LIBRARY_ROOMS.items() if library in used and not name.startswith(rooms or ("-",))
    ]
    assert strangers == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= (FRONT_DOOR_LINES if path.name == "streamlit_app.py" else MODULE_LINES)
    docstring = ast.get_docstring(tree_of(path))
    assert docstring, "the first line of a module says what it is for"
    assert source.startswith('"""'), "nothing stands before the docstring"
    assert docstring.splitlines()[0].endswith((".", ":")), "the sign is a sentence"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_functions_are_short(path: Path) -> None:
    functions = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    lengths = {node.name: (node.end_lineno or node.lineno) - node.lineno + 1 for node in functions}
    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES} == {}


def test_there_is_no_utils_module() -> None:
    assert [name_of(path) for path in modules() if path.stem in {"utils", "util", "helpers", "common", "misc"}] == []


def test_the_checks_see_a_breach(tmp_path: Path) -> None:
    breach = tmp_path / "breach.py"
    breach.write_text("import hashlib\nfrom engine.search import Searcher\n")
    assert "hashlib" in set(imports(tree_of(breach)))
    assert room_of("engine.search.Searcher") == "search"
    assert level_of("search") > level_of("library")  # type: ignore[operator]


def modules_after(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after running `code`."""
    script = f"{code}\nimport sys\nsys.stdout.write('|'.join(sorted(name.split('.')[0] for name in sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True)
    return set(run.stdout.rsplit("\n", 1)[-1].split("|"))


HEAVY = {"torch", "transformers", "faiss", "umap", "sklearn", "numba", "gensim", "pyarrow", "pandas", "plotly"}


@pytest.mark.parametrize(
    "code",
    [
        "import engine, engine.documents, engine.text, engine.files, engine.config, engine.errors",
        "import engine.readers, engine.library, engine.encoders.registry, engine.index",
        "import engine.search, engine.ingest, engine.maps, engine.cli.main; engine.cli.main.build_parser()",
    ],
)
def test_importing_the_engine_loads_nothing_heavy(code: str) -> None:
    assert modules_after(code) & HEAVY == set()


def test_the_heavy_libraries_are_seen_when_they_are_loaded() -> None:
    assert "faiss" in modules_after("import faiss")


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_only_one_room_renames_files(path: Path) -> None:
    renames = {"os.rename", "os.replace", "shutil.move"}
    used = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    assert used & renames == set() or name_of(path) == "engine/files.py"
