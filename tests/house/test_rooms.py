"""The house's rules: import-linter's contracts of pyproject.toml, and what they cannot say, read from the syntax trees.

A rule with a ceiling holds what the house still has to mend: its number may only fall.
"""

from __future__ import annotations

import ast
import functools
import graphlib
import itertools
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grimp

PROJECT = Path(__file__).resolve().parents[2]

FUNCTION_LINES = 50
LONG_MODULE, FRONT_DOOR = 500, 40
PARTS = {
    *("encoder", "network", "settings"),  # of an encoder
    *("corpus", "recipe", "task", "trainer"),  # of its training
    *("reader", "view", "command"),  # of a family of formats, a page, a group of commands
}
"""The same part of several folders of one room has one name; any other name is unique within its room."""
REPEATED_NAMES = 10
REPEATED_FOLDERS = 1
HEAVY = {"torch", "transformers", "faiss", "umap", "sklearn", "numba", "gensim", "pyarrow", "pandas", "plotly"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "base_utils"}


@dataclass(frozen=True)
class Module:
    """One file of the project."""

    path: Path
    name: str
    source: str

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @property
    def dotted(self) -> str:
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def docstring(self) -> str:
        found = re.match(r'r?"""(.*?)"""', self.source, re.DOTALL)
        return found[1] if found else ""

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(ast.parse(self.source, filename=str(self.path)))

    @property
    def is_named(self) -> bool:
        return not self.path.stem.startswith("__")


def module_of(path: Path, project: Path = PROJECT) -> Module:
    return Module(path, path.relative_to(project).as_posix(), path.read_text("utf-8"))


@functools.cache
def modules() -> tuple[Module, ...]:
    paths = [path for room in ("engine", "explorer") for path in sorted((PROJECT / room).rglob("*.py"))]
    return tuple(map(module_of, [*paths, *sorted(PROJECT.glob("*.py"))]))


@functools.cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("engine", "explorer", cache_dir=None)


def listed(problems: list[str], rule: str) -> str:
    return f"{rule} ({len(problems)}):\n  " + "\n  ".join(problems)


def test_the_contracts_of_import_linter_hold() -> None:
    command = (Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo")  # alone: it silences loggers
    found = os.environ | {"PYTHONPATH": str(PROJECT)}
    checked = subprocess.run(command, cwd=PROJECT, env=found, capture_output=True, text=True, check=False)
    assert not checked.returncode, checked.stdout


def circle(imports: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, each importing the next; an empty list without one."""
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    imports = {name: graph().find_modules_directly_imported_by(name) for name in graph().modules}
    found = circle(imports)
    assert not found, "A circle of imports: " + " -> ".join(found)


def test_a_circle_is_seen() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    assert circle({"a": {"b"}, "b": {"c"}}) == []


def sign_problems(module: Module) -> Iterator[str]:
    """What is wrong with the first line of a module, which says what the module is for."""
    first = module.docstring.partition("\n")[0]
    if not first:
        yield f"{module.name} does not begin with a docstring"
    elif not first.endswith((".", ":")):
        yield f"{module.name}: its first line is not a sentence: {first!r}"


def test_a_module_says_what_it_is_for() -> None:
    problems = [problem for module in modules() for problem in sign_problems(module)]
    assert not problems, listed(problems, "The first line of a module is a sentence that says what it is for")


def may_be_long(source: str) -> bool:
    """Whether any function can be long, told from where the next begins: most files need not be parsed."""
    starts, in_class = [], False
    for number, line in enumerate([*source.split("\n"), "@"]):
        if line.startswith(("def ", "async def ", "class ", "@")):
            in_class = line.startswith("class ")
            starts.append(number)
        elif in_class and line.startswith(("    def ", "    async def ", "    @")):
            starts.append(number)
    return any(after - before > FUNCTION_LINES for before, after in itertools.pairwise(starts))


def long_functions(module: Module) -> Iterator[str]:
    for node in module.nodes() if may_be_long(module.source) else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{module.name}:{node.lineno} {node.name} has {length} lines"


def test_functions_are_short() -> None:
    problems = [problem for module in modules() for problem in long_functions(module)]
    assert not problems, listed(problems, f"A function has at most {FUNCTION_LINES} lines")


def length_problem(module: Module) -> str:
    if module.name == "streamlit_app.py" and module.lines > FRONT_DOOR:
        return f"{module.name} has {module.lines} lines, the front door at most {FRONT_DOOR}"
    if module.lines > LONG_MODULE and not re.search(r"\b(long|one file|one place|together)\b", module.docstring):
        return f"{module.name} has {module.lines} lines; its docstring does not say why it is long, or one file"
    return ""


def test_a_long_module_says_why() -> None:
    problems = [problem for problem in map(length_problem, modules()) if problem]
    assert not problems, listed(problems, f"A module of more than {LONG_MODULE} lines says why in its docstring")


def test_a_name_is_unique_within_its_room() -> None:
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in modules():
        if module.is_named and module.path.stem not in PARTS and "/" in module.name:
            homes["/".join(module.name.split("/")[:2]), module.path.stem].append(module.name)
    problems = [", ".join(names) for names in homes.values() if len(names) > 1]
    rule = f"A name stands once in a room, at most {REPEATED_NAMES} are repeated"
    assert len(problems) <= REPEATED_NAMES, listed(problems, rule)


def test_a_module_does_not_repeat_its_folder() -> None:
    problems = [module.name for module in modules() if module.path.parent.name in module.path.stem.split("_")]
    assert len(problems) <= REPEATED_FOLDERS, listed(problems, "A module's name does not repeat its folder's")


def type_names(module: Module) -> Iterator[str]:
    """The public types that a module defines: classes, and names such as `Rows = NDArray[...]`."""
    for node in ast.parse(module.source).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for one in targets if isinstance(one, ast.Name) and re.match(r"[A-Z]\w*[a-z]", one.id))


def test_a_type_has_one_definition() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        if not module.name.startswith("engine/research/"):
            for name in type_names(module):
                if not name.startswith("_"):
                    homes[name].append(module.name)
    problems = [f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1]
    assert not problems, listed(problems, "A type's name stands once")


def test_a_name_says_a_subject() -> None:
    problems = [module.name for module in modules() if module.path.stem in VAGUE]
    assert not problems, listed(problems, "A module is named after its subject")


def renames(module: Module) -> bool:
    """Whether a module renames files itself."""
    if not re.search(r"\b(os\.re(name|place)|shutil\.move)\b", module.source):
        return False
    used = {ast.unparse(node) for node in module.nodes() if isinstance(node, ast.Attribute)}
    return not used.isdisjoint({"os.rename", "os.replace", "shutil.move"})


def test_only_one_module_renames_files() -> None:
    problems = [module.name for module in modules() if renames(module) and module.name != "engine/core/files.py"]
    assert not problems, listed(problems, "Files are renamed by engine/core/files.py, which keeps them whole")


def test_a_breach_is_seen(tmp_path: Path) -> None:
    """The checks see what they are to see."""
    path = tmp_path / "breach.py"
    path.write_text("import os\n\ndef long():\n" + "    os.replace('a', 'b')\n" * 60 + "\n" * 500)
    breach = module_of(path, tmp_path)
    assert renames(breach)
    assert [*sign_problems(breach)] == ["breach.py does not begin with a docstring"]
    assert [*long_functions(breach)] == ["breach.py:3 long has 61 lines"]
    assert length_problem(breach).startswith("breach.py has 563 lines")


_LIGHT = """
import sys
def heavy(*names):
    for name in names:
        __import__(name)
    return sorted({name.split('.')[0] for name in sys.modules} & set(sys.argv[1].split()))
print(heavy('engine', 'engine.documents', 'engine.core.files', 'engine.core.config', 'engine.core.errors'))
print(heavy('engine.reading', 'engine.library', 'engine.encoders', 'engine.vectors'))
print(heavy('engine.search', 'engine.maps', 'engine.workspace', 'engine.cli.main'))
for name in sys.modules['engine.cli.main'].COMMANDS:
    sys.modules['engine.cli.main'].build_parser(name)
print(heavy())
print(heavy('faiss'))
"""


def test_importing_the_engine_loads_nothing_heavy() -> None:
    command = [sys.executable, "-c", _LIGHT, " ".join(sorted(HEAVY))]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    *light, seen = run.stdout.splitlines()
    assert light == ["[]"] * 4
    assert seen == "['faiss']", "a heavy library is seen when it is loaded"


GUIDE = PROJECT / "CONTRIBUTING.md"
MARKS = ("<!-- rooms: python -m tests.house.test_rooms writes this table -->\n", "<!-- end of rooms -->\n")


def contracts() -> dict[str, dict[str, list[str]]]:
    """The contracts of import-linter by their id."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return {contract["id"]: contract for contract in settings["contracts"]}


def present(names: str) -> Iterator[Path]:
    """The files that say what the rooms of one row are for; a room in brackets may have yet to come."""
    for name in re.findall(r"\w+", names):
        files = (PROJECT / f"engine/{name}.py", PROJECT / f"engine/{name}/__init__.py")
        yield from (path for path in files if path.is_file())


def room_table() -> str:
    """The rooms from the lowest row up: what each is for, and the libraries that only it may import."""
    own: dict[str, list[str]] = defaultdict(list)
    for contract in contracts().values():
        for room in contract.get("allowed_importers", ()):
            own[".".join(room.split(".")[:2])].extend(contract["protected_modules"])
    lines = ["| Row | Room | What it is for | Libraries of its own |", "| --: | --- | --- | --- |"]
    rows = [[*present(names)] for names in reversed(contracts()["levels"]["layers"])]
    rows[-2] += sorted((PROJECT / "explorer").glob("*/__init__.py"))  # beside the command line, below research
    for number, row in enumerate(filter(None, rows), 1):
        for module in map(module_of, row):
            room = (
                module.dotted.replace(".", "/") if module.name.startswith("explorer") else module.dotted.split(".")[1]
            )
            libraries = own["explorer" if room.startswith("explorer") else module.dotted]
            said = " ".join(module.docstring.partition("\n\n")[0].split()).removesuffix(".")
            lines.append(f"| {number} | `{room}` | {said} | {', '.join(libraries)} |")
    return "\n".join(lines) + "\n"


def guide() -> tuple[str, str, str]:
    """CONTRIBUTING.md before its table, the table, and what follows."""
    before, mark, rest = GUIDE.read_text("utf-8").partition(MARKS[0])
    table, end, after = rest.partition(MARKS[1])
    assert mark and end, f"Expected the marks of the table of rooms in {GUIDE.name}"
    return before + mark, table, end + after


def test_the_guide_lists_the_rooms() -> None:
    assert guide()[1] == room_table(), "Write the table: python -m tests.house.test_rooms"
    assert GUIDE.read_text("utf-8").count("\n") < 180


if __name__ == "__main__":
    first, _, last = guide()
    GUIDE.write_text(first + room_table() + last, "utf-8")
