"""What is asked and what is answered; before any encoder is loaded, documents by words or by a person."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from typing_extensions import TypedDict

from engine.core.errors import SearchError
from engine.documents import Chunk, Document, Reference
from engine.documents.people import PersonName
from engine.documents.questions import RANKINGS, Ranking
from engine.documents.text import how_many
from engine.documents.works import fold, same_work
from engine.library import Filters, Library
from engine.search.citations.cited import Citations
from engine.search.citations.entries import references_of
from engine.search.evidence.explain import Evidence
from engine.search.queries import asked_terms, asks_by_stems, leading_words, leave_out, stem_set, token_set
from engine.search.readings import CLOSE, Reading
from engine.search.settings import SHIPPED, RankingSettings
from engine.search.verdicts import Headline, ReadHit, Verdict, headline, spell_count

_LOOKED_FOR, _SHOWN_TERMS = 40, 8
"""How many words of a question are looked for in its first hits, and how many of these are shown."""


@dataclass(frozen=True, slots=True)
class Question:
    """The document to search for, what to leave out, and documents of the library to move towards and away from.

    Near documents with `stressed` words move up; `muted` words do not count among the keywords. `cited` limits the
    answer to what the document cites, or to what it does not cite; None limits nothing.
    """

    all_cited: ClassVar[str] = "Nothing that you do not cite is closely related."
    """What an empty list of the near and not cited says: it may be that nothing is near at all."""

    document: Document
    k: int = 10
    ranking: Ranking = "default"
    filters: Filters = field(default_factory=Filters)
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    cited: bool | None = None

    @property
    def scope(self) -> str:
        """Which documents of the library may answer; empty where all may."""
        which = [] if self.cited is None else ["that you cite" if self.cited else "that you do not cite"]
        which += ["that pass the filters"] if self.filters != Filters() else []
        return f"the documents {' and '.join(which)}" if which else ""

    @property
    def unanswered(self) -> str:
        """What an empty answer says."""
        found = {None: "Nothing was found", True: "Nothing that you cite was found", False: "Nothing else was found"}
        return f"{found[self.cited]}{'.' if self.filters == Filters() else ' that passes the filters.'}"

    def find_word_hits(self, library: Library, settings: RankingSettings = SHIPPED) -> tuple[FirstHit, ...]:
        """Return at most k documents by their words alone, as the keywords of a search rank them, if any.

        The question's own copies are left out, and versions of one work shown once. What only an encoder can do is not
        done: nothing is moved by liked and disliked documents, or by what the question cites.
        """
        query, keywords = self.document, library.keywords
        muted = stem_set(self.muted)
        terms = leave_out(asked_terms(query, settings), muted)
        if not terms or len(library) == 0:
            return ()
        within = None if self.filters == Filters() else library.selection(self.filters)
        copies = library.duplicates_of(query)
        hits = keywords.search(terms, 2 * self.k + len(copies), within=within, stemmed=asks_by_stems(query, settings))
        read = library.get([hit.id for hit in hits if hit.id not in copies])
        found = [one.document for one in fold([one for one in read if not same_work(query, one)])][: self.k]
        return self.as_first_hits(found, library, by_meaning=False)

    def as_first_hits(
        self, found: Sequence[Document], library: Library, *, by_meaning: bool = True
    ) -> tuple[FirstHit, ...]:
        """Return documents, in their order, with the question's words that they hold."""
        keywords, muted = library.keywords, stem_set(self.muted)
        words = [word for word in leading_words(self.document, keywords, _LOOKED_FOR) if not stem_set([word]) & muted]
        holders = keywords.holders(words)
        shared = [tuple(word for word, ids in zip(words, holders, strict=True) if one.id in ids) for one in found]
        return tuple(
            FirstHit(rank, one, held[:_SHOWN_TERMS], by_meaning)
            for rank, (one, held) in enumerate(zip(found, shared, strict=True), start=1)
        )

    def check(self) -> None:
        """Raise SearchError where the question could not be answered from any library."""
        if self.k < 1:
            raise SearchError(f"Expected to be asked for at least 1 result; got k = {self.k}. Ask for more.")
        if self.ranking not in RANKINGS:
            raise SearchError(
                f"Expected a ranking of {', '.join(RANKINGS)}; got '{self.ranking}'. Choose one of these."
            )
        if self.cited is not None and not references_of(self.document):
            raise SearchError(
                "Expected a document with a reference list, to tell what it cites; found none. Give the whole paper or "
                "patent, or search without this filter."
            )
        both = sorted(set(self.liked) & set(self.disliked))
        if both:
            raise SearchError(
                f"Expected a document to be liked or disliked, not both; {both[0]} is both. Keep one of the two."
            )
        words = sorted(token_set(self.stressed) & token_set(self.muted))
        if words:
            raise SearchError(
                f"Expected a word to be stressed or left out, not both; {words[0]!r} is both. Keep one of the two."
            )


@dataclass(frozen=True, slots=True)
class FirstHit:
    """A document that is shown before its evidence, found by words alone or `by_meaning`, too; `rank` counts from 1.

    `terms` are the words that it shares with the question, strongest first. How near it is, is told later (`Result`).
    """

    rank: int
    document: Document
    terms: tuple[str, ...]
    by_meaning: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """One document of the answer.

    Results are in the order of the chosen ranking, and `rank` counts from 1. `reading` says how near the document is,
    in a word that means the same in every library and with every encoder. Of five words it does not set the order,
    which would find no more (engine/research/reports/word-order.md); what is on a bare topic comes first. `scores` has
    the known raw parts: `encoder` (inner product of unit rows) and `keywords` (BM25; absent for a document that only
    the encoder found). `folded` are the ids of other versions of the same work, hidden behind this result. `stressed`
    and `muted` are the words that the question stresses, or leaves out, and that the document holds. `cited` says
    whether the question cites the document, None where it has no reference list; `shared` are the entries of its list
    that the document cites, too. `whole` is the document as it is cited where versions are folded: see `record`.
    """

    rank: int
    document: Document
    reading: Reading
    scores: Mapping[str, float]
    evidence: Evidence
    folded: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    cited: bool | None = None
    shared: tuple[Reference, ...] = ()
    whole: Document | None = None

    @property
    def record(self) -> Document:
        """The document as it is cited: with the numbers of its folded versions, and where it was published."""
        return self.whole or self.document

    @property
    def score(self) -> float:
        """How near the document is, from 0 to 1: the cosine that the reading reads."""
        return min(1.0, max(0.0, self.reading.cosine))

    @property
    def is_closely_related(self) -> bool:
        """Whether the document, or a passage of it, is closely related or nearer."""
        return min(one.rank for one in (self.reading, self.by_passage) if one is not None) <= CLOSE

    @property
    def near_to(self) -> Chunk | None:
        """The stretch of the question that the document is near to: of the best pair of passages, else of sentences."""
        best = next(iter(self.evidence.passages), self.evidence.passage)
        return best.query if best is not None else None

    @property
    def by_passage(self) -> Reading | None:
        """How near its nearest passage is, where that has a reading and stands in the body, not in the abstract."""
        nearest = next(iter(self.evidence.passages), None)
        if nearest is None:
            return None
        is_body = self.document.parts[nearest.document.part].role not in {"title", "abstract"}
        return nearest.reading if is_body else None


class VerdictJson(TypedDict):
    """What a whole list says: whether anything is near, in a sentence, and the words that the library lacks."""

    near: bool
    sentence: str
    unknown_terms: list[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """The results, and what a person should know about them.

    `seconds` has one entry a stage: encode, search, evidence. `query_duplicates` are documents of the
    library that are the query itself or the same work; they are left out of the results. `goes_by_words` is true where
    keywords counted more than usual, because the question is a passage that cites. `kinds_apart` is true where papers
    and patents were ranked separately and then joined. `holders` says of each stressed word, and each left out, how
    many documents of the library hold it in any form. `lines` says of each line of the filters how many
    documents it lets through by itself. `citations` is what the question cites, and what of it the library holds.
    """

    results: tuple[Result, ...]
    encoder: str
    seconds: Mapping[str, float]
    verdict: Verdict
    query_duplicates: tuple[str, ...] = ()
    goes_by_words: bool = False
    kinds_apart: bool = False
    holders: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    citations: Citations = field(default_factory=Citations)

    def near_and_not_cited(self) -> Answer:
        """Return the answer with only those results that are closely related or nearer and not cited."""
        found = [result for result in self.results if result.cited is False and result.is_closely_related]
        return replace(self, results=tuple(replace(result, rank=rank) for rank, result in enumerate(found, start=1)))

    @property
    def is_near(self) -> bool:
        """Whether anything is near, as the sentence says."""
        return self.headline.near

    @property
    def headline(self) -> Headline:
        """What the list says, from the words of the results and the verdict's numbers."""
        rows = [
            ReadHit(
                one.document.kind,
                one.reading,
                has_near_passage=one.by_passage is not None and one.by_passage.is_near,
                is_quoted=one.evidence.quoted is not None,
            )
            for one in self.results
        ]
        return headline(self.verdict, rows)

    @property
    def sentence(self) -> str:
        """The headline, how much is read, and what words the library lacks; with filters, of what passes them."""
        told = (self.headline.sentence, self.verdict.read, self.verdict.lacks)
        return " ".join(part for part in told if part)

    def explain_empty(self, question: Question, *, not_cited: bool = False) -> str:
        """Return what an empty list says: while documents are unread, only how many; `not_cited` as in `all_cited`."""
        return self.verdict.read or (question.all_cited if not_cited else question.unanswered)

    def verdict_as_json(self) -> VerdictJson:
        """Return whether anything is near, the sentence on these results, and the words that the library lacks."""
        terms = list(self.verdict.unknown_terms)
        return {"near": self.is_near, "sentence": self.sentence, "unknown_terms": terms}

    def moves_since(self, before: Answer, gone: Collection[str] = ()) -> dict[str, int | None]:
        """Return how many places each result moved up since another answer, by id: below 0 moved down; None is new.

        Documents that are `gone` do not count in the ranking before: what stood below them has not moved.
        """
        held = [result.document.id for result in before.results if result.document.id not in gone]
        places = {id_: place for place, id_ in enumerate(held)}
        now = [result.document.id for result in self.results]
        return {id_: places[id_] - place if id_ in places else None for place, id_ in enumerate(now)}

    @property
    def cites(self) -> str:
        """What the question cites, in a sentence; empty where it has no reference list."""
        listed, held = len(self.citations.references), self.citations.works_held
        if not listed:
            return ""
        if not held:
            return f"You cite {how_many(listed, 'work')}. The library holds none of them."
        beyond = f", {self.cited_elsewhere:,} not among these results" if self.cited_elsewhere else ""
        return f"You cite {how_many(listed, 'work')}. The library holds {held:,} of them{beyond}."

    @property
    def cited_elsewhere(self) -> int:
        """How many cited works the library holds that are not among the results."""
        shown = {id_ for result in self.results for id_ in (result.document.id, *result.folded)}
        found = {id(entry) for id_, entry in self.citations.held.items() if id_ in shown}
        return self.citations.works_held - len(found)


# A person's works -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuthorWorks:
    """The name as it was asked, and the ids of the documents by this person, the latest first: at least one.

    `is_limited` says that filters left out what does not pass them.
    """

    asked: str
    name: PersonName
    ids: tuple[str, ...]
    is_limited: bool

    @classmethod
    def find(cls, question: Document, library: Library, filters: Filters | None = None) -> Self | None:
        """Return the works of the person whose name is the whole question; None for others and unknown people.

        A surname alone may be a common word, too: it is one where more texts of the library hold it than that person
        wrote.
        """
        asked = question.text.strip()
        if question.kind != "query" or (name := PersonName.read(asked)) is None:
            return None
        filters = filters or Filters()
        ids = library.by_author(name, filters)
        if not ids or (not name.given and _is_common(name, library)):
            return None
        return cls(asked, name, tuple(ids), filters != Filters())

    @property
    def sentence(self) -> str:
        """How many there are, in words."""
        count = len(self.ids)
        noun = how_many(count, "document").split()[-1]
        verb, passes = ("is", "passes") if count == 1 else ("are", "pass")
        which = f" that {passes} the filters" if self.is_limited else ""
        said = f"{spell_count(count)} {noun} of your library{which} {verb} by “{self.asked}”."
        return f"{said[0].upper()}{said[1:]}"

    def byline(self, document: Document) -> tuple[str, str]:
        """Return the name as a document has it, and the others who made it: ("Bo Pang", "Lillian Lee, Ada King")."""
        people = tuple(dict.fromkeys((*document.authors, *document.inventors)))
        own = next((one for one in people if self.name.fits(one)), self.asked)
        return own, ", ".join(one for one in people if one != own)


def _is_common(surname: PersonName, library: Library) -> bool:
    """Tell whether a surname is a common word of the library, or not written as a name."""
    texts = Filters(lines=(f'"{" ".join(surname.surname)}"',))
    return not surname.is_written or library.count(texts) > len(library.by_author(surname))
