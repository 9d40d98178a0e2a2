"""`priorscope map`: the map of a library, fitted or reopened; places a document on it and writes it out."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path

from engine import exports
from engine.cli import options
from engine.cli.read import NAMING, read_named
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import MapError
from engine.documents.text import how_many, in_percent
from engine.exports import Caption, ClusterJson, MapJson, MapPoints, PlacementJson, map_as_json, map_page
from engine.maps import list_clusters
from engine.workspace import MapRequest, Workspace

_GROUPS_SHOWN = 20
_SHOWN = Path("-")


def add_map(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_request(parser, MapRequest, without={"rename"})
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
    options.add_shared(parser)


def run_map(arguments: argparse.Namespace) -> None:
    """Fit or reopen the map, place the query, write and print."""
    _check_end("--export", arguments.export, exports.PLACE_FORMATS)
    _check_end("--clusters", None if arguments.clusters == _SHOWN else arguments.clusters, (".csv",))
    _check_end("--html", arguments.html, (".html", ".htm"))
    asked, clusters = options.request_of(arguments, MapRequest), None
    with Workspace(options.library_folder(arguments)) as workspace:
        document = read_named(arguments.query, workspace.library).document if arguments.query else None
        encoder, _ = workspace.whole(asked.encoder, report=bar())
        workspace.exact_index(asked.encoder)
        started = time.monotonic()
        library_map = asked.run(workspace, report=bar())
        seconds = time.monotonic() - started
        summaries = workspace.library.summaries()
        query = None if document is None else asked.placement(workspace, library_map, document)
    if arguments.clusters:
        clusters = list_clusters(library_map, summaries)
        if arguments.clusters != _SHOWN:
            files.write_bytes(arguments.clusters, exports.clusters_csv(clusters))
    facts = map_as_json(library_map, ready_seconds=seconds, query=query, clusters=clusters)
    if arguments.export:
        table = exports.PLACE_FORMATS[arguments.export.suffix.lower()](exports.places(library_map, summaries))
        files.write_bytes(arguments.export, table)
    if arguments.html:
        caption = Caption(encoder.card.name, library_map.kept, library_map.trustworthiness, date.today())
        files.write_bytes(arguments.html, map_page(MapPoints.of(library_map, summaries), caption).encode())
    options.say(arguments, facts, "\n".join(as_text(facts)))


def as_text(facts: MapJson) -> list[str]:
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


def _cluster_lines(clusters: Sequence[ClusterJson]) -> list[str]:
    lines = []
    for one in clusters:
        first, last = one["year_first"], one["year_last"]
        years = "years unknown" if first is None else str(first) if first == last else f"{first} to {last}"
        lines += ["", f"{'  ' * one['level']}{one['label']} ({how_many(one['size'], 'document')}, {years})"]
        lines += [f"{'  ' * one['level']}  {title or '(no title)'}" for title in one["central_titles"]]
    return lines


def _query_lines(query: PlacementJson) -> list[str]:
    return [
        "",
        query["title"] or "(no title)",
        f"stands at x {query['x']:.3f}, y {query['y']:.3f}, placed in {query['seconds'] * 1000:.1f} ms; "
        f"{in_percent(query['kept'])} of its true neighbours are near it in the picture:",
        *(f"  {neighbour['id']}  {neighbour['title']}" for neighbour in query["neighbours"]),
    ]


def _check_end(option: str, path: Path | None, ends: Collection[str]) -> None:
    """Refuse, before anything is fitted, a file that could not be written."""
    if path is not None and path.suffix.lower() not in ends:
        raise MapError(f"Expected {option} to end in {' or '.join(ends)}, got {path.name}. Name such a file.")
