"""What `priorscope doctor` looks at: what is installed, and whether a library is whole. Nothing is changed.

Each finding is a line: what was found, and what to do. Only what is to `mend` is wrong; a `note` is worth knowing.
"""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeVar

from engine import encoders, maps, reading, vectors
from engine.core.config import read_toml
from engine.core.errors import EngineError, InputError, StorageError
from engine.core.files import ABSENT, unreachable
from engine.core.progress import Meter, Report, silent
from engine.core.provenance import version
from engine.core.stores import stores_of
from engine.documents.text import how_many
from engine.library import DATABASE, Library
from engine.workspace.keeping import KeptFiles, keeping_settings
from engine.workspace.opened_library import OpenedLibrary
from engine.workspace.reading_state import is_worked_on

T = TypeVar("T")
State = Literal["good", "note", "mend"]
Readers = Mapping[str, Callable[[Path], object]]
_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
_EXTRAS = {
    "milvus": "To keep vectors in Milvus",
    "ocr": "To read scans without Tesseract",
    "postgres": "To keep a library in PostgreSQL",
    "ray": "To read and encode on several machines",
    "server": "For `priorscope serve` and `priorscope mcp`",
    "train": "To train word vectors",
}
_FEW_BYTES = 500_000_000
_NAMED = 3
_READ_AGAIN = "The app or `priorscope search` reads it again, which may take minutes; a backup brings it back at once."
_INSTALL_AGAIN = "Install Priorscope again, from the wheel or the checkout that it came from."


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do, which is empty where nothing is."""

    about: str
    state: State
    found: str
    remedy: str = ""


def check_all(library: Path, report: Report = silent, *, beside: Readers = MappingProxyType({})) -> list[Finding]:
    """Look at the installation, and at the library in a folder, which may hold none.

    `beside` reads what other rooms keep with a library, each by its name, and raises where it is damaged.
    """
    stores = [*_damage("library", "", stores_of, library)]
    found = stores or [*_folder(library), *_library(library, report, beside)]
    return [*_installation(), *_weights(), *found]


def _damage(about: str, remedy: str, check: Callable[[T], object], what: T) -> Iterator[Finding]:
    """Yield what a check says of something that is damaged, if it is."""
    try:
        check(what)
    except (EngineError, OSError) as error:
        told = " ".join(str(error).split()).removesuffix("Build the folder again.")
        yield Finding(about, "mend", told.strip(" ."), remedy)


# What is installed -------------------------------------------------------------------------------


def _installation() -> Iterator[Finding]:
    needed, python = _requirements(), platform.python_version()
    yield Finding("priorscope", "good", f"version {version()}")
    lowest = needed[""].pop("python")
    is_early = _number(python) < _number(lowest)
    remedy = "Install that, and Priorscope with it." if is_early else ""
    yield Finding("python", "mend" if is_early else "good", f"{python}; {lowest} or later is needed", remedy)
    if wrong := _wrong(needed[""]):
        yield Finding("packages", "mend", ", ".join(wrong), _INSTALL_AGAIN)
    else:
        yield Finding("packages", "good", f"{how_many(len(needed['']), 'package')}, each of a version that fits")
    for extra, use in _EXTRAS.items():
        if wrong := _wrong(needed.get(extra, {})):
            yield Finding(f"[{extra}]", "note", ", ".join(wrong), f'{use}: pip install "priorscope[{extra}]"')
        else:
            yield Finding(f"[{extra}]", "good", "installed")
    try:
        engine = reading.choose_engine()
    except InputError as error:
        yield Finding("scans", "mend", str(error).strip("."))
        return
    if engine:
        yield Finding("scans", "good", f"read by {engine}")
    else:
        yield Finding("scans", "note", "pages that are pictures cannot be read", reading.how_to_install())


def _requirements() -> dict[str, dict[str, str]]:
    """Return the lowest version of each package, and of Python, by the extra that needs it; "" for all."""
    try:
        lines, python = metadata.requires("priorscope") or [], metadata.metadata("priorscope")["Requires-Python"]
    except metadata.PackageNotFoundError:
        project = read_toml(_PROJECT)["project"]
        lines, python = [*project["dependencies"]], project["requires-python"]
        for extra, some in project["optional-dependencies"].items():
            lines += [f"{line}; extra == '{extra}'" for line in some]
    found: dict[str, dict[str, str]] = {"": {"python": python.removeprefix(">=")}}
    for line in lines:
        name, lowest, extra = (re.search(one, line) for one in (r"^[\w.-]+", r">=\s*([\d.]+)", r"extra == .([\w-]+)"))
        if name and (extra or ";" not in line):  # what is for some systems alone is not looked at
            found.setdefault(extra[1] if extra else "", {})[name[0]] = lowest[1] if lowest else "0"
    return found


def _wrong(needed: dict[str, str]) -> list[str]:
    """Say which packages are missing or too old."""
    told = []
    for name, lowest in needed.items():
        try:
            if _number(found := metadata.version(name)) < _number(lowest):
                told.append(f"{name} {found} ({lowest} or later is needed)")
        except metadata.PackageNotFoundError:
            told.append(f"{name} is missing")
    return told


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"(?:\.0)*(?:[^\d.]|$)", version)[0]))


def _weights() -> Iterator[Finding]:
    folders = encoders.shipped_folders()
    wrong = [one for folder in folders for one in _damage("weights", _INSTALL_AGAIN, encoders.check_stored, folder)]
    yield from wrong or [Finding("weights", "good", f"{how_many(len(folders), 'model')}, whole")]


# A library ---------------------------------------------------------------------------------------


def _folder(folder: Path) -> Iterator[Finding]:
    """Look at where a library lies."""
    reason, place = "" if stores_of(folder).documents else unreachable(folder / DATABASE), folder
    begun = (f".{folder.name}.new-", f".{folder.name}.old-")
    beside = [path for path in folder.parent.glob(".*") if path.name.startswith(begun)]
    moved = [path for path in beside if (path / folder.name / DATABASE).is_file()]
    if reason and moved:
        found = f"none in {folder}; a restore that was stopped left the old one in {moved[0]}"
        yield Finding("library", "mend", found, f"Move {moved[0] / folder.name} to {folder}, or restore again.")
    elif reason == ABSENT:
        remedy = "Make one: `priorscope samples`, or `priorscope import PATH`."
        yield Finding("library", "note", f"none in {folder}", remedy)
    elif reason:
        yield Finding("library", "mend", f"{folder} cannot be reached: {reason}", "Give yourself the right to.")
    while not place.is_dir():
        place = place.parent
    if (free := shutil.disk_usage(place).free) < _FEW_BYTES:
        found = f"{free / 1e6:,.0f} MB are free on the disk of {place}"
        yield Finding("disk", "mend", found, f"Make room: {_FEW_BYTES / 1e6:,.0f} MB let an import end.")
    if is_worked_on(folder):
        yield Finding("library", "note", "another process imports into it, or reads its documents, now")
    elif left := [*beside, *(path for path in folder.rglob(".*") if path.name != ".DS_Store")]:
        found = f"half-written files of stopped processes: {_some(left)}"
        yield Finding("library", "note", found, "They do no harm. Remove them while nothing else uses the library.")


def _library(folder: Path, report: Report, beside: Readers) -> Iterator[Finding]:
    is_on_server = bool(stores_of(folder).documents)
    if unreachable(folder / DATABASE) and not is_on_server:
        return
    try:
        state = Library.inspect(folder)
    except EngineError as error:
        yield Finding("database", "mend", str(error).strip("."))
        return
    if state.damage:
        remedy = "Bring a backup back: `priorscope restore FOLDER --replace`."
        found = "found damage" if is_on_server else "SQLite finds damage"
        yield Finding("database", "mend", f"{found}: {state.damage}", "" if is_on_server else remedy)
        return
    told = f"{how_many(state.documents, 'document')}, schema {state.schema}, whole"
    if state.is_earlier:
        found = f"{told}; of an earlier Priorscope"
        yield Finding("database", "note", found, "Any other command brings it up to date.")
        return
    yield Finding("database", "good", told)
    opened = OpenedLibrary(folder, read_only=True)
    with closing(opened):
        meter = Meter("look at the library", None, report)
        try:
            for look in (_imports, _copies, _rows, _maps, _kept):
                yield from look(opened.library, meter)
            yield from _left(opened)
            for about, read in beside.items():
                yield from _damage(about, "", read, folder)
        except StorageError as error:  # of the database itself
            yield Finding("database", "mend", str(error).strip("."))
        meter.finish()


def _imports(library: Library, meter: Meter) -> Iterator[Finding]:
    if failed := library.failures():
        found = f"{how_many(len(failed), 'file')} could not be imported: {_some(one.name for one in failed)}"
        yield Finding("imports", "note", found, f"The first: {failed[0].reason}")
    if left := library.count_left_to_index():
        found = f"the words of {how_many(left, 'document')} are indexed as an earlier Priorscope did"
        yield Finding("imports", "note", found, "The app or `priorscope search` does it again.")
    meter.add()


def _copies(library: Library, meter: Meter) -> Iterator[Finding]:
    names = {file.key: file.name for file in library.files()}
    wrong = [*_damage("copies", "", lambda copies: copies.setting(), library.copies)]
    for key in library.copies.keys():
        path = library.copies.folder / f"{key}.pdf"
        remedy = f"Remove {path}, and import {names.get(key, 'its file')} again: its pages are shown from there."
        wrong += _damage("copies", remedy, library.copies.read, key)
        meter.add()
    yield from wrong or [Finding("copies", "good", f"{how_many(library.copies.total().files, 'copy')} of PDFs, whole")]


def _rows(library: Library, meter: Meter) -> Iterator[Finding]:
    """Look at what encoders made of the library: vectors, passages, chunks, and the encoders that learnt from it."""

    def look(folder: Path) -> None:
        name, held = folder.relative_to(library.folder), len(vectors.check_rows(folder))
        whole.append(Finding(name.parts[0], "good", f"{'/'.join(name.parts[1:])}: {how_many(held, 'document')}, whole"))

    whole: list[Finding] = []
    for card in sorted(library.folder.glob(f"encoders/*/{encoders.CARD}")):
        yield from _damage("encoders", _READ_AGAIN, encoders.check_stored, card.parent)
        meter.add()
    for about, pattern in {"vectors": "vectors/*/*/", "passages": "passages/*/", "chunks": "chunks/*/"}.items():
        for folder in _shown(library, pattern):
            yield from _damage(about, _READ_AGAIN, look, folder)
            meter.add()
    yield from whole
    for folder in _shown(library, "vectors/*/"):
        if folder.name not in encoders.encoder_names():
            found = f"rows of {folder.name}, an encoder that is not here"
            yield Finding("vectors", "note", found, f"Bring it with `priorscope encoders`, or remove {folder}.")


def _left(opened: OpenedLibrary) -> Iterator[Finding]:
    """Say what an import that was stopped, or never read what it brought, has left to do."""
    library, names = opened.library, encoders.encoder_names()
    for name in (path.name for path in _shown(library, "vectors/*/")):
        with suppress(EngineError):  # damage was told
            if name in names and opened.has_vectors(name) and (left := opened.unread_count(name)):
                found = f"{how_many(left, 'document')} of {len(library):,} not read by {name} yet"
                yield Finding("vectors", "note", found, "The app or `priorscope search` reads what is left.")
    with suppress(EngineError):
        if opened.has_passages_left():
            yield Finding("passages", "note", "not all are read yet", "The app or the next import reads what is left.")


def _maps(library: Library, meter: Meter) -> Iterator[Finding]:
    def look(folder: Path) -> None:
        left = len(maps.LibraryMap.load(folder).missing(library.ids()))
        later = f", {how_many(left, 'document')} to be placed when it is next opened" if left else ""
        whole.append(Finding("maps", "good", f"{folder.name}: whole{later}"))

    whole: list[Finding] = []
    for folder in _shown(library, "maps/*/"):
        yield from _damage("maps", "", look, folder)
        meter.add()
    yield from whole


def _kept(library: Library, meter: Meter) -> Iterator[Finding]:
    """Look at what a person's work left: settings, documents of their own, recent searches."""
    yield from _damage("kept", "", keeping_settings, library.folder)
    for kind in ("documents", "recent"):
        kept = KeptFiles(library.folder, kind)
        for file in kept.files():
            remedy = f"Or remove {kept.folder / file.key}*, if you need it no more."
            yield from _damage("kept", remedy, kept.read, file.key)
    meter.add()


def _shown(library: Library, pattern: str) -> list[Path]:
    """Return the folders of a library that a pattern fits, but what a stopped process left."""
    return sorted(path for path in library.folder.glob(pattern) if path.is_dir() and not path.name.startswith("."))


def _some(names: Iterable[object]) -> str:
    told = list(map(str, names))
    more = f" and {len(told) - _NAMED:,} more" if len(told) > _NAMED else ""
    return ", ".join(told[:_NAMED]) + more
