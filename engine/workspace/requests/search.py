"""Requests for a search: which documents are looked at, and what is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from typing_extensions import Doc

from engine.core.errors import SearchError, VectorServerError
from engine.core.progress import Progress, Report, silent
from engine.documents import Document
from engine.documents.questions import Ranking
from engine.documents.text import clean
from engine.library import Filters, Library
from engine.reading import ReadFile
from engine.search import Answer, Question
from engine.vectors import BINARY_ABOVE, FEWEST, IndexChoice
from engine.workspace.reading_state import WAITING
from engine.workspace.workspace import Workspace

NOTHING_READ = ReadFile(Document("seeds", "query"), "none")
"""What asks where only documents of the library do."""

INDEX = (
    f"compare all vectors (embedded), or from {FEWEST:,} documents on look near ones up by binary codes (binary); auto "
    f"takes codes above {BINARY_ABOVE:,} documents"
)
_SHOWN, _LOOKED_THROUGH = 10, 50
"""How many results are listed, and among how many the near ones that the document does not cite are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRequest:
    """Which documents are looked at; an empty field limits nothing."""

    kind: Annotated[tuple[Literal["paper", "patent"], ...], Doc("only this kind")] = ()
    year_from: Annotated[int | None, Doc("not before this year")] = None
    year_to: Annotated[int | None, Doc("not after this year")] = None
    category: Annotated[tuple[str, ...], Doc("only this category")] = ()
    venue: Annotated[tuple[str, ...], Doc("only this venue")] = ()
    collection: Annotated[tuple[str, ...], Doc("only documents of this collection")] = ()
    from_file: Annotated[tuple[str, ...], Doc("only what an import of this name brought")] = ()
    line: Annotated[
        tuple[str, ...],
        Doc('only what this line finds, such as "heat exchanger" fin* NOT tube year:2015- cpc:F28F'),
    ] = ()

    def filters(self, library: Library) -> Filters:
        """Return the limits. Raises LibraryError for an unknown collection or imported file."""
        for name in self.collection:
            library.collections.ids(name)  # refuses an unknown one
        return Filters(
            kinds=frozenset(self.kind),
            year_from=self.year_from,
            year_to=self.year_to,
            categories=frozenset(map(clean, self.category)),
            venues=frozenset(map(clean, self.venue)),
            collections=frozenset(self.collection),
            files=frozenset(file.name for name in self.from_file for file in library.files_named(name)),
            lines=self.line,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest(FilterRequest):
    """What lies near a document, or near documents of the library."""

    encoder: Annotated[str, Doc("an encoder's name")] = "default"
    index: Annotated[IndexChoice, Doc(INDEX)] = "auto"
    k: Annotated[
        int | None, Doc(f"how many results (default: {_SHOWN}; {_LOOKED_THROUGH} for what is near and not cited)")
    ] = None
    ranking: Annotated[
        Ranking | None,
        Doc("both rankings fused, or one (default: both with the default encoder, else the encoder's alone)"),
    ] = None
    cited: Annotated[Literal["yes", "no"] | None, Doc("only what the document cites, or what it does not cite")] = None
    not_cited: Annotated[bool, Doc("list what is near and not cited, and the section that it is near to")] = False
    like: Annotated[tuple[str, ...], Doc("move towards this document")] = ()
    like_collection: Annotated[tuple[str, ...], Doc("move towards the documents of this collection")] = ()
    unlike: Annotated[tuple[str, ...], Doc("move away from this document")] = ()
    stress: Annotated[tuple[str, ...], Doc("move near documents that say this word up")] = ()
    mute: Annotated[tuple[str, ...], Doc("leave this word out of the keywords")] = ()
    so_far: Annotated[bool, Doc("answer at once; what is not read yet ranks by its words alone")] = False

    def check(self, *, has_document: bool) -> None:
        """Raise SearchError where nothing asks, or what is cited and what is not are asked for at once."""
        if not (has_document or self.like or self.like_collection):
            raise SearchError("Expected a document to ask with, or liked documents; got neither. Name one.")
        if self.not_cited and self.cited == "yes":
            raise SearchError("Expected to list what is cited or what is not, got both. Keep one of the two.")

    def question(self, document: Document, library: Library) -> Question:
        """Return the question that a document asks; without a text, the liked ones ask.

        Raises UnknownDocumentError for a name that no document of the library fits, or several do; LibraryError as
        `filters` does.
        """
        liked = [library.find_one(name).id for name in self.like]
        disliked = [library.find_one(name).id for name in self.unlike]
        for name in self.like_collection:
            liked += library.collections.ids(name)
        return Question(
            document,
            k=(_LOOKED_THROUGH if self.not_cited else _SHOWN) if self.k is None else self.k,
            ranking=self.ranking or ("default" if self.encoder == "default" else "encoder"),
            filters=self.filters(library),
            liked=tuple(dict.fromkeys(liked)),
            disliked=tuple(disliked),
            stressed=self.stress,
            muted=self.mute,
            cited=False if self.not_cited else {"yes": True, "no": False, None: None}[self.cited],
        )

    def run(self, workspace: Workspace, question: Question, *, report: Report = silent) -> Answer:
        """Answer once all is read, by this process if no other does; else, or `so_far`, from what is read, at once."""
        answer = (
            None if self.so_far or not workspace.may_be_read() else self._after_reading(workspace, question, report)
        )
        if answer is None:
            with workspace.asking():
                answer = workspace.searcher(self.encoder).search(question)
        return answer.near_and_not_cited() if self.not_cited else answer

    def _after_reading(self, workspace: Workspace, question: Question, report: Report) -> Answer | None:
        """Read what is not read yet, then answer.

        None where another process has begun to read the library, or the server of its vectors is out of reach.
        """
        try:
            encoder, index = workspace.whole(self.encoder, choice=self.index, report=_giving_up(report))
        except (_OtherReadsError, VectorServerError):
            return None
        return workspace.searcher_of(encoder, index).search(question)


class _OtherReadsError(Exception):
    """Another process has begun to read the library."""


def _giving_up(report: Report) -> Report:
    """Return a report that does not wait for another process: it raises _OtherReadsError."""

    def heard(progress: Progress) -> None:
        if progress.stage == WAITING:
            raise _OtherReadsError
        report(progress)

    return heard
