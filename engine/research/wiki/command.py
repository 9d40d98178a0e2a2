"""Labelled pairs from a dump of Wikipedia: `python -m engine.research wiki --dump FILE --out DIR`.

As CoLDE's WIKI set is made (section 4.1.1): articles are similar if the Jaccard index of their outgoing links is above
.5, and only articles with two or more similar ones are taken. What the paper leaves open is told in
`engine.research.wiki.labels`. FILE is a dump of articles that you bring, enwiki-latest-pages-articles.xml.bz2 or a part
of it. It is read twice, a page at a time, and never unpacked to disk; memory holds the links of the first
--most-articles articles with sections and links.

DIR gets corpus.parquet and pairs.tsv, as `train` and `match` read them, and about.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from engine.cli.terminal import Parser, bar
from engine.core import files, provenance
from engine.core.errors import ConfigError, InputError
from engine.core.progress import Report
from engine.research.wiki.dump import Article, articles_in
from engine.research.wiki.labels import LabelledPlaces, LabelSettings, label
from engine.training.corpora import CORPUS
from engine.training.long_corpus import PAIRS, LabelledPair, write_labelled_pairs

_ABOUT = "about.json"
_FEWEST_SECTIONS = 2
_ROWS_AT_ONCE = 1_000


def main(given: Sequence[str] | None = None) -> None:
    """Label pairs, write the folder, and print how many of each there are."""
    arguments = _parser().parse_args(given)
    if arguments.most_articles < 1:
        raise ConfigError(f"Expected --most-articles of 1 or more, got {arguments.most_articles}.")
    try:
        settings = LabelSettings(arguments.above, arguments.fewest_links, arguments.most_pairs, arguments.seed)
    except ValueError as error:
        raise ConfigError(f"{error}. Give another value.") from None
    about = build(arguments.dump, arguments.out, settings, most=arguments.most_articles, report=bar())
    print(json.dumps(about, indent=2))


def build(dump: Path, out: Path, settings: LabelSettings, *, most: int, report: Report) -> dict[str, Any]:
    """Write the corpus and the pairs of a dump's first `most` articles that can be used; gives what about.json says.

    Raises InputError if the dump cannot be read, or has no similar articles of several groups.
    """
    ids, links = _links(dump, settings, most, report)
    labelled = label(links, settings, report=report)
    if not any(one.split == "train" for one in labelled):
        raise InputError(
            f"Expected groups of similar articles in {dump.name}, found none to train on among {len(ids):,} articles. "
            "Give a larger part of the dump."
        )
    wanted = {ids[place] for one in labelled for place in (one.a, one.b)}
    about = {
        "dump": dump.name,
        "bytes": dump.stat().st_size,
        "settings": {**asdict(settings), "most_articles": most},
        "articles read": len(ids),
        "documents": len(wanted),
        "pairs": _counts(labelled),
        "commit": provenance.commit(),
    }
    with files.new_folder(out) as folder:
        _write_corpus(folder / CORPUS, _chosen(dump, wanted, report))
        pairs = [LabelledPair(ids[one.a], ids[one.b], one.related, one.split) for one in labelled]
        write_labelled_pairs(folder / PAIRS, pairs)
        files.write_json(folder / _ABOUT, about)
    return about


def _links(dump: Path, settings: LabelSettings, most: int, report: Report) -> tuple[list[str], list[frozenset[int]]]:
    """The ids of the articles that can be used, and the links of each by number."""
    number_of: dict[str, int] = {}
    found: dict[str, frozenset[int]] = {}
    fit = (
        one
        for one in articles_in(dump, report=report)
        if len(one.sections) >= _FEWEST_SECTIONS and len(one.links) >= settings.fewest_links
    )
    for article in islice(fit, most):
        found.setdefault(article.id, frozenset(number_of.setdefault(one, len(number_of)) for one in article.links))
    return list(found), list(found.values())


def _chosen(dump: Path, wanted: set[str], report: Report) -> Iterator[Article]:
    """The articles of some ids, each once; reads no further than the last one."""
    left = set(wanted)
    for article in articles_in(dump, report=report):
        if article.id in left:
            left.remove(article.id)
            yield article
            if not left:
                return


def _write_corpus(path: Path, articles: Iterator[Article]) -> None:
    """Write articles as a corpus, some at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sections = pa.list_(pa.struct([("title", pa.string()), ("text", pa.string())]))
    texts = [(name, pa.string()) for name in ("id", "kind", "title")]
    schema = pa.schema([*texts, ("sections", sections)])
    with pq.ParquetWriter(path, schema) as writer:
        while rows := [_row(article) for article in islice(articles, _ROWS_AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(rows, schema))


def _row(article: Article) -> dict[str, Any]:
    sections = [{"title": one.title, "text": one.text} for one in article.sections]
    return {"id": article.id, "kind": "paper", "title": article.title, "sections": sections}


def _counts(labelled: Sequence[LabelledPlaces]) -> Mapping[str, Mapping[str, int]]:
    """Related and unrelated pairs of each split."""
    found: dict[str, Counter[str]] = {}
    for one in labelled:
        found.setdefault(one.split, Counter())["related" if one.related else "unrelated"] += 1
    return {split: dict(counts) for split, counts in found.items()}


def _parser() -> argparse.ArgumentParser:
    own = LabelSettings()
    parser = Parser(prog="python -m engine.research wiki", description=__doc__)
    parser.add_argument("--dump", type=Path, required=True, metavar="FILE", help="a dump, .xml.bz2 or .xml")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where corpus and pairs go")
    parser.add_argument(
        "--most-articles", type=int, default=100_000, metavar="N", help="how many are compared (default: 100000)"
    )
    parser.add_argument(
        "--above", type=float, default=own.above, metavar="J", help=f"the least Jaccard index (default: {own.above})"
    )
    parser.add_argument(
        "--fewest-links",
        type=int,
        default=own.fewest_links,
        metavar="N",
        help=f"articles with fewer are left out (default: {own.fewest_links})",
    )
    parser.add_argument(
        "--most-pairs",
        type=int,
        default=own.most_pairs,
        metavar="N",
        help=f"related pairs of one article, 0 for all (default: {own.most_pairs})",
    )
    parser.add_argument("--seed", type=int, default=own.seed, help=f"what is drawn follows it (default: {own.seed})")
    return parser
