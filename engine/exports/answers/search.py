"""The answer of a search: the hits with their evidence, and what the whole list says."""

from __future__ import annotations

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.documents import Kind, PassageJson, PlaceJson, WorkJson
from engine.reading import ReadFile
from engine.search import Answer, PassagePair, ReadingJson, Result, VerdictJson


class QueryJson(TypedDict):
    """What asked."""

    title: str
    kind: Kind
    sections: int


class BestPairJson(TypedDict):
    """The texts of the best pair of sentences or passages, empty where none is near, and their places."""

    query: str
    document: str
    score: float
    query_at: PlaceJson | None
    document_at: PlaceJson | None


class PassagePairJson(TypedDict):
    """A passage of the query and one of the document, how near they are from 0 to 1, and in a word."""

    score: float
    reading: ReadingJson | None
    query: PassageJson
    document: PassageJson


class QuotedJson(TypedDict):
    """How many of the query's telling words the document has in one place, of how many."""

    words: int
    of: int


class CouplingJson(TypedDict):
    """Which part of the query met which part of the document."""

    query: str
    document: str
    similarity: float


class HitJson(TypedDict):
    """A document of the answer, with why it was found."""

    rank: int
    id: str
    score: float
    reading: ReadingJson
    title: str
    year: int | None
    kind: Kind
    terms: list[str]
    passage: BestPairJson
    passages: list[PassagePairJson]
    quoted: QuotedJson | None
    couplings: list[CouplingJson]
    cited: bool | None
    near_to: PassageJson | None
    shared_references: list[WorkJson]
    scores: dict[str, float]
    folded: list[str]
    stressed: list[str]
    muted: list[str]
    url: str


class CitationsJson(TypedDict):
    """How many works the query cites, how many of them the library holds, and how many of these are not among hits."""

    references: int
    held: int
    not_among_hits: int


class SearchJson(TypedDict):
    """The hits in their order, the verdict on the list, and what the query is and cites."""

    query: QueryJson
    encoder: str
    seconds: dict[str, float]
    hits: list[HitJson]
    verdict: VerdictJson
    unread: int
    holders: dict[str, int]
    lines: dict[str, int]
    query_duplicates: list[str]
    citations: CitationsJson
    warnings: list[str]


def search_as_json(reading: ReadFile, answer: Answer, read_seconds: float) -> SearchJson:
    """Return the answer to what was read; `read_seconds` is how long the reading took."""
    query = reading.document
    return {
        "query": {"title": query.title, "kind": query.kind, "sections": len(query.sections)},
        "encoder": answer.encoder,
        "seconds": {name: round(value, 4) for name, value in {"read": read_seconds, **answer.seconds}.items()},
        "hits": [_hit(result) for result in answer.results],
        "verdict": answer.verdict_as_json(),
        "unread": answer.verdict.unread,
        "holders": dict(answer.holders),
        "lines": dict(answer.lines),
        "query_duplicates": list(answer.query_duplicates),
        "citations": {
            "references": len(answer.citations.references),
            "held": answer.citations.works_held,
            "not_among_hits": answer.cited_elsewhere,
        },
        "warnings": list(reading.warnings),
    }


def _hit(result: Result) -> HitJson:
    document, quoted, near_to = result.document, result.evidence.quoted, result.near_to
    return filled(
        HitJson,
        result,
        document,
        score=round(result.score, 4),
        reading=result.reading.as_json(),
        terms=[term.term for term in result.evidence.terms],
        passage=_best(result.evidence.passage),
        passages=[_pair(pair) for pair in result.evidence.passages],
        quoted={"words": quoted.held, "of": quoted.telling} if quoted else None,
        couplings=[
            {"query": met.query_part, "document": met.document_part, "similarity": round(met.similarity, 4)}
            for met in result.evidence.couplings
        ],
        near_to=near_to.as_json() if near_to else None,
        shared_references=[one.as_json() for one in result.shared],
        scores={name: round(score, 4) for name, score in result.scores.items()},
    )


def _best(passage: PassagePair | None) -> BestPairJson:
    return {
        "query": passage.query.text if passage else "",
        "document": passage.document.text if passage else "",
        "score": round(passage.score, 4) if passage else 0.0,
        "query_at": passage.query.place_as_json if passage else None,
        "document_at": passage.document.place_as_json if passage else None,
    }


def _pair(pair: PassagePair) -> PassagePairJson:
    return {
        "score": round(pair.score, 4),
        "reading": pair.reading.as_json() if pair.reading else None,
        "query": pair.query.as_json(),
        "document": pair.document.as_json(),
    }
