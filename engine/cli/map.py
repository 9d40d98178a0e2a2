"""`priorscope map`: the map of a library, fitted or reopened; places a document on it and writes it out."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from engine import exports
from engine.cli import options
from engine.cli.read import NAMING, read_named
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import MapError
from engine.documents import Hit
from engine.documents.text import how_many, in_percent
from engine.exports import Caption, MapPoints, map_page
from engine.maps import NEIGHBOURS, LibraryMap, list_clusters, place
from engine.workspace import Workspace

_GROUPS_SHOWN = 20
_SHOWN = Path("-")


def add_map(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("map")
    options.add_library(parser)
    options.add_encoder(parser)
    parser.add_argument("--refit", action="store_true", help="draw the map again even if one exists")
    parser.add_argument(
        "--rename",
        nargs=2,
        metavar=("LABEL", "NAME"),
        action="append",
        default=[],
        help="rename a group; repeatable",
    )
    parser.add_argument("--query", metavar="FILE", help=f"place this document among its true neighbours: {NAMING}")
    parser.add_argument(
        *("--export", "--out"),
        metavar="FILE",
        type=Path,
        help="write every document's place and cluster, as .csv, .json or .parquet",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        type=Path,
        help="write the map as one file to open in a browser: zoom, titles, labels, search",
    )
    parser.add_argument(
        "--clusters",
        nargs="?",
        const=_SHOWN,
        metavar="FILE.csv",
        type=Path,
        help="list the clusters with size, years and central documents, or write them to a file",
    )
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Fit or reopen the map, place the query, write and print."""
    _check_end("--export", arguments.export, exports.PLACE_FORMATS)
    _check_end("--clusters", None if arguments.clusters == _SHOWN else arguments.clusters, (".csv",))
    _check_end("--html", arguments.html, (".html", ".htm"))
    name = arguments.encoder
    with Workspace(options.library_folder(arguments)) as workspace:
        document = read_named(arguments.query, workspace.library).document if arguments.query else None
        encoder, _ = workspace.whole(name, report=bar())
        index = workspace.exact_index(name)
        started = time.monotonic()
        if arguments.refit:
            workspace.draw_map(name, report=bar())
        library_map = workspace.library_map(name, report=bar())
        if arguments.rename:
            library_map = _renamed(library_map, arguments.rename)
            workspace.keep_map(name, library_map)
        facts = as_json(library_map, ready_seconds=time.monotonic() - started)
        summaries = workspace.library.summaries()
    if document is not None:
        hits = index.search(encoder.encode_queries([document]), NEIGHBOURS)[0]
        facts["query"] = _query(
            library_map, hits, document.title, dict(zip(summaries.ids, summaries.titles, strict=True))
        )
    if arguments.clusters:
        clusters = list_clusters(library_map, summaries)
        facts["cluster_list"] = exports.cluster_records(clusters)
        if arguments.clusters != _SHOWN:
            files.write_bytes(arguments.clusters, exports.clusters_csv(clusters))
    if arguments.export:
        table = exports.PLACE_FORMATS[arguments.export.suffix.lower()](exports.places(library_map, summaries))
        files.write_bytes(arguments.export, table)
    if arguments.html:
        caption = Caption(encoder.card.name, library_map.kept, library_map.trustworthiness, date.today())
        files.write_bytes(arguments.html, map_page(MapPoints.of(library_map, summaries), caption).encode())
    options.say(arguments, facts, "\n".join(as_text(facts)))


def _renamed(library_map: LibraryMap, names: Sequence[tuple[str, str]]) -> LibraryMap:
    """Return the map with some groups renamed, each found by its present name. Raises MapError for an unknown name."""
    for old, new in names:
        found = [label for label in library_map.labels if label.name.lower() == old.lower()]
        if not found:
            regions = ", ".join(label.name for label in library_map.labels_at(0)[:_GROUPS_SHOWN])
            raise MapError(f"Expected the name of a group on the map, got {old!r}. Its regions are {regions}.")
        for label in found:
            library_map = library_map.renamed(label.level, label.cluster, new)
    return library_map


def as_json(library_map: LibraryMap, *, ready_seconds: float) -> dict[str, Any]:
    """Return a map's facts."""
    return {
        "encoder": library_map.encoder,
        "fingerprint": library_map.fingerprint,
        "points": len(library_map),
        "placed_later": library_map.later_count,
        "trustworthiness": round(library_map.trustworthiness, 4),
        "kept": round(library_map.kept, 4),
        "counted": library_map.counted,
        "clusters": [len(library_map.labels_at(level)) for level in range(len(library_map.levels))],
        "labels": [
            {"level": label.level, "cluster": label.cluster, "text": label.name, "size": label.size}
            | {"x": round(label.x, 4), "y": round(label.y, 4)}
            for label in library_map.labels
        ],
        "seconds": {"fit": library_map.seconds, "ready": round(ready_seconds, 3)},
        "notes": list(library_map.notes),
    }


def as_text(facts: dict[str, Any]) -> list[str]:
    """Return the lines that a person reads."""
    coarse = [label["text"] for label in facts["labels"] if label["level"] == 0]
    lines = [
        f"{facts['points']:,} documents on the map of {facts['encoder']}"
        + (f", {facts['placed_later']:,} of them placed after the fit" if facts["placed_later"] else ""),
        f"true neighbours kept in the picture: {in_percent(facts['kept'], 1)} of {facts['counted']}; "
        f"trustworthiness {facts['trustworthiness']:.3f}",
        f"fitted in {facts['seconds']['fit']:.1f} s, ready in {facts['seconds']['ready']:.1f} s",
        f"groups from coarse to fine: {', '.join(str(count) for count in facts['clusters'])}",
        *(f"  {text}" for text in coarse[:_GROUPS_SHOWN]),
        *(f"Note: {note}" for note in facts["notes"]),
    ]
    lines += _cluster_lines(facts.get("cluster_list", []))
    return [*lines, *_query_lines(facts["query"])] if "query" in facts else lines


def _cluster_lines(clusters: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for one in clusters:
        first, last = one["year_first"], one["year_last"]
        years = "years unknown" if first is None else str(first) if first == last else f"{first} to {last}"
        lines += ["", f"{'  ' * one['level']}{one['label']} ({how_many(one['size'], 'document')}, {years})"]
        lines += [f"{'  ' * one['level']}  {title or '(no title)'}" for title in one["central_titles"]]
    return lines


def _query_lines(query: dict[str, Any]) -> list[str]:
    return [
        "",
        query["title"] or "(no title)",
        f"stands at x {query['x']:.3f}, y {query['y']:.3f}, placed in {query['seconds'] * 1000:.1f} ms; "
        f"{in_percent(query['kept'])} of its true neighbours are near it in the picture:",
        *(f"  {neighbour['id']}  {neighbour['title']}" for neighbour in query["neighbours"]),
    ]


def _query(library_map: LibraryMap, hits: Sequence[Hit], title: str, titles: Mapping[str, str]) -> dict[str, object]:
    """Return where the query stands, its true neighbours, and how many of them the picture keeps near it."""
    started = time.perf_counter()
    placement = place(library_map, hits)
    seconds = time.perf_counter() - started
    return {
        "title": title,
        "x": round(placement.x, 4),
        "y": round(placement.y, 4),
        "kept": round(placement.kept, 4),
        "seconds": round(seconds, 5),
        "neighbours": [{"id": id_, "title": titles.get(id_, "")} for id_ in placement.neighbours],
    }


def _check_end(option: str, path: Path | None, ends: Collection[str]) -> None:
    """Refuse, before anything is fitted, a file that could not be written."""
    if path is not None and path.suffix.lower() not in ends:
        raise MapError(f"Expected {option} to end in {' or '.join(ends)}, got {path.name}. Name such a file.")
