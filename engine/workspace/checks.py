"""What `priorscope doctor` looks at: what is installed, and whether a library is whole. Nothing is changed.

Each finding is a line: what was found, and what to do. Only what is to `mend` is wrong; a `note` is worth knowing.
"""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

from engine import encoders, maps, reading, vectors
from engine.core.config import read_toml
from engine.core.errors import EngineError, InputError, StorageError
from engine.core.files import ABSENT, unreachable
from engine.core.progress import Meter, Report, silent
from engine.core.provenance import version
from engine.documents.text import how_many
from engine.library import DATABASE, Library, inspect_database
from engine.workspace.keeping import KeptFiles, keeping_settings
from engine.workspace.opened_library import OpenedLibrary
from engine.workspace.reading_state import is_worked_on

State = Literal["good", "note", "mend"]
_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
_EXTRAS = {"ocr": "To read scans without Tesseract", "server": "For `priorscope serve` and `priorscope mcp`"}
_FEW_BYTES = 500_000_000
_NAMED = 3
_READ_AGAIN = "The app or `priorscope search` reads it again, which may take minutes; a backup brings it back at once."
_INSTALL_AGAIN = "Install Priorscope again: pip install --force-reinstall --no-deps priorscope"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do, which is empty where nothing is."""

    about: str
    state: State
    found: str
    remedy: str = ""


class FindingJson(TypedDict):
    """A finding: `state` is good, note or mend."""

    about: str
    state: State
    found: str
    remedy: str


class ChecksJson(TypedDict):
    """Every finding, and whether nothing is to be mended."""

    healthy: bool
    findings: list[FindingJson]


def checks_as_json(findings: Iterable[Finding]) -> ChecksJson:
    """Return what was found."""
    told: list[FindingJson] = [
        {"about": one.about, "state": one.state, "found": one.found, "remedy": one.remedy} for one in findings
    ]
    return {"healthy": all(one["state"] != "mend" for one in told), "findings": told}


def check_all(library: Path, report: Report = silent) -> list[Finding]:
    """Look at the installation, and at the library in a folder, which may hold none."""
    return [*_installation(), *_weights(), *_folder(library), *_library(library, report)]


def _whole(about: str, remedy: str, check: Callable[[], object]) -> Iterator[Finding]:
    """Yield what is damaged, if a check tells."""
    try:
        check()
    except (EngineError, OSError) as error:
        yield Finding(about, "mend", " ".join(str(error).split()), remedy)


# What is installed -------------------------------------------------------------------------------


def _installation() -> Iterator[Finding]:
    needed, python = _requirements(), platform.python_version()
    yield Finding("priorscope", "good", f"version {version() or 'unknown, in a checkout'}")
    lowest = needed[""].pop("python")
    is_early = _number(python) < _number(lowest)
    remedy = "Install that, and Priorscope with it." if is_early else ""
    yield Finding("python", "mend" if is_early else "good", f"{python}; {lowest} or later is needed", remedy)
    if wrong := _wrong(needed[""]):
        yield Finding("packages", "mend", "; ".join(wrong), "Run: pip install --upgrade priorscope")
    else:
        yield Finding("packages", "good", f"{how_many(len(needed['']), 'package')}, each of a version that fits")
    for extra, use in _EXTRAS.items():
        if wrong := _wrong(needed.get(extra, {})):
            yield Finding(f"[{extra}]", "note", "; ".join(wrong), f'{use}: pip install "priorscope[{extra}]"')
        else:
            yield Finding(f"[{extra}]", "good", "installed")
    try:
        engine = reading.choose_engine()
    except InputError as error:
        yield Finding("scans", "mend", str(error))
        return
    if engine:
        yield Finding("scans", "good", f"read by {engine}")
    else:
        yield Finding("scans", "note", "pages that are pictures cannot be read", reading.how_to_install())


def _requirements() -> dict[str, dict[str, str]]:
    """Return the lowest version of each package that is needed, by the extra that needs it, "" for all; and python's."""
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
        assert name
        found.setdefault(extra[1] if extra else "", {})[name[0]] = lowest[1] if lowest else "0"
    return found


def _wrong(needed: dict[str, str]) -> list[str]:
    """Say which packages are missing or too old."""
    told = []
    for name, lowest in needed.items():
        try:
            if _number(found := metadata.version(name)) < _number(lowest):
                told.append(f"{name} {found}, of which {lowest} or later is needed")
        except metadata.PackageNotFoundError:
            told.append(f"{name} is missing")
    return told


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", version)[0]))


def _weights() -> Iterator[Finding]:
    folders = encoders.shipped_folders()
    wrong = [
        one
        for folder in folders
        for one in _whole("weights", _INSTALL_AGAIN, lambda folder=folder: encoders.check_stored(folder))
    ]
    yield from wrong or [Finding("weights", "good", f"{how_many(len(folders), 'model')}, whole")]


# A library ---------------------------------------------------------------------------------------


def _folder(folder: Path) -> Iterator[Finding]:
    """Look at where a library lies."""
    reason, place = unreachable(folder / DATABASE), folder
    moved = [path for path in folder.parent.glob(".*") if path.name.startswith(f".{folder.name}.old-")]
    if reason and moved:
        found = f"none in {folder}; a restore that was stopped left the old one in {moved[0]}"
        yield Finding("library", "mend", found, f"Move {moved[0] / folder.name} to {folder}, or restore again.")
    elif reason == ABSENT:
        yield Finding(
            "library", "note", f"none in {folder}", "Make one: `priorscope samples`, or `priorscope import PATH`."
        )
    elif reason:
        yield Finding("library", "mend", f"{folder} cannot be reached: {reason}", "Give yourself the right to.")
    while not place.is_dir():
        place = place.parent
    if (free := shutil.disk_usage(place).free) < _FEW_BYTES:
        found = f"{free / 1e6:,.0f} MB are free on the disk of {place}"
        yield Finding("disk", "mend", found, f"Make room: {_FEW_BYTES / 1e6:,.0f} MB let an import end.")
    left = [path for path in chain(folder.rglob(".*"), moved, folder.parent.glob(f".*{folder.name}.new-*"))]
    if left:
        yield Finding(
            "library",
            "note",
            f"half-written files of stopped processes: {_some(map(str, left))}",
            "They do no harm. Remove them while nothing else uses the library.",
        )
    if is_worked_on(folder):
        yield Finding("library", "note", "another process imports into it, or reads its documents, now")


def _library(folder: Path, report: Report) -> Iterator[Finding]:
    if unreachable(folder / DATABASE):
        return
    try:
        state = inspect_database(folder / DATABASE)
    except StorageError as error:
        yield Finding("database", "mend", str(error))
        return
    if state.damage:
        yield Finding(
            "database", "mend", f"SQLite finds damage: {state.damage}", "Bring a backup back: `priorscope restore`."
        )
        return
    told = f"{how_many(state.documents, 'document')}, schema {state.schema}, whole"
    if state.is_earlier:
        yield Finding(
            "database", "note", f"{told}; of an earlier Priorscope", "Any other command brings it up to date."
        )
        return
    yield Finding("database", "good", told)
    opened = OpenedLibrary(folder, read_only=True)
    with closing(opened):
        meter = Meter("look at the library", None, report)
        for look in (_imports, _copies, _rows, _maps, _kept):
            yield from look(opened.library, meter)
        yield from _left(opened)
        meter.finish()


def _imports(library: Library, meter: Meter) -> Iterator[Finding]:
    if failed := library.failures():
        found = f"{how_many(len(failed), 'file')} could not be imported: {_some(one.name for one in failed)}"
        yield Finding("imports", "note", found, f"The first: {failed[0].reason} Import it again then.")
    if left := library.count_left_to_index():
        found = f"the words of {how_many(left, 'document')} are indexed as an earlier Priorscope did"
        yield Finding("imports", "note", found, "The app or `priorscope search` does it again.")
    meter.add()


def _copies(library: Library, meter: Meter) -> Iterator[Finding]:
    names = {file.key: file.name for file in library.files()}
    wrong = []
    for key in library.copies.keys():
        path = library.copies.folder / f"{key}.pdf"
        remedy = f"Remove {path}, and import {names.get(key, 'its file')} again: its pages are shown from there."
        wrong += _whole("copies", remedy, lambda key=key: library.copies.read(key))
        meter.add()
    yield from wrong or [Finding("copies", "good", f"{how_many(library.copies.total().files, 'copy')} of PDFs, whole")]


def _rows(library: Library, meter: Meter) -> Iterator[Finding]:
    """Look at what encoders made of the library: vectors, passages, chunks, and the encoders that learnt from it."""
    for card in sorted(library.folder.glob(f"encoders/*/{encoders.CARD}")):
        yield from _whole("encoders", _READ_AGAIN, lambda card=card: encoders.check_stored(card.parent))
        meter.add()
    of_kinds = {"vectors": "vectors/*/*/", "passages": "passages/*/", "chunks": "chunks/*/"}
    for about, pattern in of_kinds.items():
        for folder in sorted(path for path in library.folder.glob(pattern) if not path.name.startswith(".")):
            held: list[str] = []
            wrong = list(
                _whole(about, _READ_AGAIN, lambda folder=folder, held=held: held.extend(vectors.check_rows(folder)))
            )
            meter.add()
            name = folder.relative_to(library.folder / about)
            yield from wrong or [Finding(about, "good", f"{name}: {how_many(len(held), 'document')}, whole")]
    for folder in sorted(library.folder.glob("vectors/*/")):
        if folder.name not in encoders.encoder_names():
            found = f"rows of {folder.name}, an encoder that is not here"
            yield Finding("vectors", "note", found, f"Bring it with `priorscope encoders`, or remove {folder}.")


def _left(opened: OpenedLibrary) -> Iterator[Finding]:
    """Say what an import that was stopped, or never read what it brought, has left to do."""
    library, names = opened.library, encoders.encoder_names()
    for name in sorted(path.name for path in library.folder.glob("vectors/*/")):
        with suppress(EngineError):  # damage was told
            if name in names and opened.has_vectors(name) and (left := opened.unread_count(name)):
                found = f"{how_many(left, 'document')} of {len(library):,} not read by {name} yet"
                yield Finding("vectors", "note", found, "The app or `priorscope search` reads what is left.")
    with suppress(EngineError):
        if opened.has_passages_left():
            yield Finding("passages", "note", "not all are read yet", "The app or the next import reads what is left.")


def _maps(library: Library, meter: Meter) -> Iterator[Finding]:
    for folder in sorted(path for path in library.folder.glob("maps/*/") if not path.name.startswith(".")):
        drawn: list[maps.LibraryMap] = []
        wrong = list(_whole("maps", "", lambda folder=folder, drawn=drawn: drawn.append(maps.LibraryMap.load(folder))))
        left = len(drawn[0].missing(library.ids())) if drawn else 0
        later = f", {how_many(left, 'document')} to be placed when it is next opened" if left else ""
        yield from wrong or [Finding("maps", "good", f"{folder.name}: whole{later}")]
        meter.add()


def _kept(library: Library, meter: Meter) -> Iterator[Finding]:
    """Look at what a person's work left: settings, documents of their own, recent searches."""
    yield from _whole("kept", "", lambda: keeping_settings(library.folder))
    for kind in ("documents", "recent"):
        kept = KeptFiles(library.folder, kind)
        for file in kept.files():
            remedy = f"Or remove {kept.folder / file.key}*, if you need it no more."
            yield from _whole("kept", remedy, lambda kept=kept, file=file: kept.read(file.key))
    meter.add()


def _some(names: Iterable[object]) -> str:
    told = list(map(str, names))
    more = f" and {len(told) - _NAMED:,} more" if len(told) > _NAMED else ""
    return ", ".join(told[:_NAMED]) + more
