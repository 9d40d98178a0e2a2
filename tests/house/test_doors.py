"""The doors of rooms: what each offers is named once, loads when asked for, and is asked for by somebody."""

from __future__ import annotations

import ast
import functools
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from grimp import ImportGraph

from engine.core import doors
from tests.house.contracts import Doors
from tests.house.test_rooms import PROJECT, modules

ROOMS = sorted(
    module.dotted for module in modules() if module.path.name == "__init__.py" and "door(__name__)" in module.source
)


@functools.cache
def asked_for() -> set[tuple[str, str]]:
    """Each name that product code asks a door for: `from engine.ROOM import name`, or `ROOM.name`."""
    found = set()
    for module in modules():
        if module.name.startswith("engine/research/"):
            continue
        nodes = [*module.nodes()]
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        found |= {(str(node.module), name.name) for node in imports for name in node.names}
        rooms = {
            name.asname or name.name: f"{node.module}.{name.name}"
            for node in imports
            for name in node.names
            if f"{node.module}.{name.name}" in ROOMS
        }
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in rooms:
                found.add((rooms[node.value.id], node.attr))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_offers_what_others_ask_for(room: str) -> None:
    door, offered = importlib.import_module(room), doors._homes(room)
    assert [name for name in offered if (room, name) not in asked_for()] == [], "Nobody asks this door for these"
    assert [name for name in offered if getattr(door, name, None) is None] == []
    asked = {
        name
        for asked_of, name in asked_for()
        if asked_of == room and not (PROJECT / room.replace(".", "/") / name).is_dir()
    }
    modules_of_room = {path.stem for path in (PROJECT / room.replace(".", "/")).glob("*.py")}
    missing = sorted(asked - set(offered) - modules_of_room - {"__getattr__"})
    assert missing == [], "Others ask this door for these, which it lacks; a type checker sees them as Any"


def test_a_name_that_a_room_does_not_offer_is_refused() -> None:
    with pytest.raises(AttributeError, match=r"module 'engine\.maps' has no attribute 'utilities'"):
        importlib.import_module("engine.maps").utilities  # noqa: B018 - the look is what is refused


def test_passing_a_door_loads_nothing_behind_it() -> None:
    code = "import sys\nfrom engine import encoders, maps, reading, search, vectors, workspace\n"
    code += "print(sorted(name for name in sys.modules if name.startswith('engine.') and name.count('.') > 1))"
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert run.stdout == "['engine.core.doors']\n"


def test_who_reaches_past_a_door_is_seen() -> None:
    graph = ImportGraph()
    for importer, imported in [
        ("engine.search.ranking", "engine.vectors.stored"),
        ("engine.search.ranking", "engine.vectors"),
        ("engine.vectors.base", "engine.vectors.stored"),
        ("engine.research.bench", "engine.vectors.stored"),
        ("engine.search.ranking", "engine.core.files"),
    ]:
        graph.add_import(importer=importer, imported=imported)
    options = {"containers": ["engine"], "open": ["engine.core"], "insiders": ["engine.research"]}
    check = Doors(name="doors", session_options={}, contract_options=options).check(graph, verbose=False)
    assert not check.kept
    assert check.metadata["found"] == [
        "engine.search.ranking imports engine.vectors.stored; its door is engine.vectors"
    ]


def test_the_doors_of_the_project_are_found() -> None:
    assert {"engine.reading", "engine.encoders.ctpe", "engine.workspace"} <= set(ROOMS)
    assert all((PROJECT / Path(*room.split(".")) / "__init__.py").is_file() for room in ROOMS)
