"""The sample library: real papers and patents from eight source archives of the package index.

| archive | what | licence |
|---|---|---|
| papers-without-code 0.3.0 | 21,821 arXiv records 1991-2022 | archive MIT; arXiv metadata CC0 |
| docembedder 0.1.0 | 4,181 US patents 1877-1898, full text | archive MIT; public domain |
| patent-client 5.0.19 | 31 US patents 1974-2023, full text | archive Apache-2.0; public domain |
| patent-client 3.0.4 | 12 US patents 1995-2020, full text | archive Apache-2.0; public domain |
| patent-parsing-tools 0.9 | 2 US patents 2013-2015, full text | archive MIT; public domain |
| patpubrender 0.2.1 | 1 US patent of 2025, full text | archive Apache-2.0; public domain |
| allofplos 0.12.0 | 117 PLOS articles 2004-2016, full text | archive MIT; each article CC BY or public domain |
| aclsum 0.1.2 | 112 ACL papers 2016-2022, full text | archive MIT; papers CC BY 4.0 |

A collection is read in another process, while this one fetches or writes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.core.progress import Meter, Report, silent
from engine.documents import Document, as_fields, from_fields
from engine.sources import (
    acl_papers,
    archives,
    arxiv_records,
    modern_patents,
    old_patents,
    patent_pages,
    plos_articles,
    uspto_grants,
)
from engine.sources.archives import Archive

_MEBIBYTE = 1 << 20
_RULES = "1"  # changes when a parser gives other documents from the same bytes


@dataclass(frozen=True, slots=True)
class Sample:
    """One collection of documents: the archive, the members read from it, and how they are read.

    A `slow` one is parsed in another process while those before it are taken.
    """

    name: str
    archive: Archive
    members: Mapping[str, int]
    documents: int
    parse: Callable[[Mapping[str, bytes]], Iterator[Document]]
    slow: bool = False

    @property
    def key(self) -> str:
        """What names the collection's content in a library, known before anything is downloaded."""
        return f"{self.archive.sha256}-{_RULES}"


PAPERS = Sample(
    "arXiv records",
    Archive(
        "papers-without-code",
        "0.3.0",
        "2286202843ec0f22ae8fe7d98d6cdd3b84382b2ce6b4a084f08a04b9603e680c",
        20 * _MEBIBYTE,
    ),
    {"papers-without-code-0.3.0/data/data-sample.jsonl": 40 * _MEBIBYTE},
    21_821,
    lambda members: arxiv_records.parse(*members.values()),
)
OLD_PATENTS = Sample(
    "US patents 1877-1898",
    Archive("docembedder", "0.1.0", "088a27fb6c272db894bbd1132759d8ab9fd8d7db60b3243d006d446d9f3990d3", 25 * _MEBIBYTE),
    {
        "docembedder-0.1.0/examples/data/raw_input.txt": 40 * _MEBIBYTE,
        "docembedder-0.1.0/examples/data/GPCPCs.txt": 15 * _MEBIBYTE,
        "docembedder-0.1.0/examples/data/year.csv": 6 * _MEBIBYTE,
    },
    4_181,
    lambda members: old_patents.parse(*members.values()),
    slow=True,
)
MODERN_PATENTS = Sample(
    "US patents 1974-2023",
    Archive(
        "patent-client", "5.0.19", "fa0b70d3d7d41108c3bb27f77f5d92f0c6a148f01bbe1deb6b0e20060f73fb8e", 10 * _MEBIBYTE
    ),
    {"patent_client-5.0.19/patent_client/_sync/uspto/public_search/fixtures/doc.json": 4 * _MEBIBYTE},
    31,
    lambda members: modern_patents.parse(*members.values()),
)
_PAGES = "patent_client-3.0.4/src/patent_client/uspto/fulltext"
_PAGE_NUMBERS = (
    "5439055 5890536 6095611 6460631 7752445 8645300 8832265 9140110 9945180 10000000 RE43633"  # 6103599 is above
)
PATENT_PAGES = Sample(
    "US patents 1995-2020",
    Archive("patent-client", "3.0.4", "c1ecdcb237c03259f5c8e99e7935df4bb1f2a71e3ec1956784dd5284b52595a7", _MEBIBYTE),
    {
        **{f"{_PAGES}/patent/fixtures/patents/pat_{number}.json": _MEBIBYTE for number in _PAGE_NUMBERS.split()},
        f"{_PAGES}/published_application/fixtures/pubs/pub_20200000001.json": _MEBIBYTE,
    },
    12,
    lambda members: patent_pages.parse(members.values()),
)
GRANTS = Sample(
    "US patents 2013-2015",
    Archive(
        "patent-parsing-tools", "0.9", "ad72ac60f7d67a212f0533bfb9d347f22500a3bb038e91a04ae9bb97737e1e0e", _MEBIBYTE
    ),
    {
        "patent-parsing-tools-0.9/patent_parsing_tools/tests/US08613112-20131224.XML": _MEBIBYTE,
        "patent-parsing-tools-0.9/patent_parsing_tools/tests/US08927386-20150106.XML": _MEBIBYTE,
    },
    2,
    lambda members: uspto_grants.parse(members.values()),
)
LATEST_GRANT = Sample(
    "US patent of 2025",
    Archive("patpubrender", "0.2.1", "7dc7c4daae785a2b2fbbcc54bc67e383709123f4b2d8e715ee18eef631cf5b98", _MEBIBYTE),
    {"patpubrender-0.2.1/e2e/fixtures/US12207575-20250128.XML": _MEBIBYTE},
    1,
    lambda members: uspto_grants.parse(members.values()),
)
PLOS = Sample(
    "PLOS articles in full text",
    Archive("allofplos", "0.12.0", "6d978478b4c4849c31ef46d9f05bfdb529e33700aa5ad25af367f8d8a6565f20", 5 * _MEBIBYTE),
    {"allofplos-0.12.0/allofplos/starter_corpus/journal.*.xml": 2 * _MEBIBYTE},
    117,
    lambda members: plos_articles.parse(members.values()),
    slow=True,
)
ACL = Sample(
    "ACL papers in full text",
    Archive("aclsum", "0.1.2", "39fd602a036ab304651a5dd0f1ffdbf58579d2e9c669ae5ebef552f59bd85965", 8 * _MEBIBYTE),
    {"aclsum-0.1.2/src/aclsum/dataset/paper_jsons/*.json": _MEBIBYTE},
    112,
    acl_papers.parse,
    slow=True,
)
SAMPLES = (PAPERS, OLD_PATENTS, MODERN_PATENTS, PATENT_PAGES, GRANTS, LATEST_GRANT, PLOS, ACL)


def read_sample(sample: Sample, folder: Path, *, report: Report = silent) -> Iterator[Document]:
    """Yield every document of a sample; its archive is kept in `folder` and fetched only if missing.

    The archive is fetched and read at once, before the first document is asked for: a library that takes the
    documents holds its writers' lock meanwhile, which a download must not do.

    Raises SourceError (DownloadError, ChecksumError) or MalformedFileError.
    """
    return documents_in(sample, archives.fetch_archive(sample.archive, folder, report=report))


def documents_in(sample: Sample, path: Path) -> Iterator[Document]:
    """Yield the documents of a sample whose archive lies verified at `path`, parsed as they are asked for."""
    return sample.parse(archives.read_members(path, sample.members))


def read_all(
    wanted: Sequence[Sample], folder: Path, *, report: Report = silent
) -> Generator[tuple[Sample, Iterator[Document]], None, None]:
    """Yield each sample with its documents, in order; all archives are fetched before the first.

    Close it to end the reading ahead. Raises what `read` raises.
    """
    paths = [archives.fetch_archive(sample.archive, folder, report=report) for sample in wanted]
    with ExitStack() as stack:
        ahead = {
            number: stack.enter_context(ReadAhead(sample.archive.project, paths[number]))
            for number, sample in enumerate(wanted)
            if sample.slow and number > 0
        }
        for number, sample in enumerate(wanted):
            documents = None
            if number in ahead:
                meter = Meter(f"read {sample.name}", sample.documents, report)
                documents = ahead[number].documents(meter)
            yield sample, documents_in(sample, paths[number]) if documents is None else documents


def serve(project: str, path: str) -> None:
    """Write every document of a collection to standard output, one line of JSON each: what `ReadAhead` starts."""
    sample = next(sample for sample in SAMPLES if sample.archive.project == project)
    for document in documents_in(sample, Path(path)):
        sys.stdout.write(json.dumps(as_fields(document)) + "\n")


_START = "import sys; sys.path.insert(0, sys.argv[1]); from engine.sources.samples import serve; serve(*sys.argv[2:])"
_LOOK_SECONDS = 0.2


class ReadAhead:
    """The documents of one collection, which another process starts parsing at once.

    The collection's archive must lie verified at `path`. As a context manager it ends the process.
    """

    def __init__(self, project: str, path: Path) -> None:
        """Start on a collection from this project's archive."""
        root = str(Path(__file__).resolve().parents[2])
        self._lines: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, root, project, str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # the system refuses to start a process
            return
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """Return the reading itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process, wherever it is."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._thread.join()
            assert self._process.stdout
            self._process.stdout.close()

    def documents(self, meter: Meter) -> Iterator[Document] | None:
        """Yield every document, once all have arrived; `meter` counts them.

        None where the process could not read them.
        """
        if self._process is None:
            return None
        counted = 0
        while self._thread.is_alive():
            self._thread.join(_LOOK_SECONDS)
            arrived = len(self._lines)
            meter.add(arrived - counted)
            counted = arrived
        if self._process.wait() != 0:
            return None
        meter.finish()
        return (from_fields(json.loads(line)) for line in self._lines)

    def _receive(self) -> None:
        """Keep what the process writes as it comes, so that it never waits for a reader."""
        assert self._process is not None and self._process.stdout
        for line in self._process.stdout:
            self._lines.append(line)
