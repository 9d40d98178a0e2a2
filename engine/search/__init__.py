"""A question in, ranked documents with their evidence out: rankings, passages, citations, readings, verdicts."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.search.answers import Answer, AuthorWorks, FirstHit, Question, Result, VerdictJson
    from engine.search.boilerplate import is_boilerplate
    from engine.search.citations.cited import Citations, find_citations, shared_references
    from engine.search.citations.entries import references_of
    from engine.search.evidence.explain import Term
    from engine.search.evidence.key_words import KeyWordReader
    from engine.search.evidence.sentences import WORD_SHARE, PassagePair, says_enough, short_sentences
    from engine.search.passages import (
        AskedPassages,
        PassageEncoder,
        PassageJudge,
        PassageMatcher,
        PassageReader,
        QuestionRows,
        RowsKept,
        cut_paragraphs,
        cut_passages,
        cut_text,
        passage_text,
        with_neighbours,
    )
    from engine.search.queries import leading_words
    from engine.search.ranking import Corpus, rank_by_keywords, ranking_fingerprint
    from engine.search.readings import (
        Pair,
        PairReader,
        Reading,
        ReadingJson,
        TellingWords,
        fitted_on,
        is_much_shorter,
        read_part,
        read_passages,
        read_two,
    )
    from engine.search.searcher import Searcher
    from engine.search.verdicts import Among
    from engine.search.vocabulary import NO_LABELS, Vocabulary, in_pieces, sentence_words, shared_words

__getattr__ = door(__name__)
