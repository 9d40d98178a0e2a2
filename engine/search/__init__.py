"""A question in, ranked documents with their evidence out: rankings, passages, citations, readings, verdicts."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.search.answers import ALL_CITED, Answer, Question, Result
    from engine.search.boilerplate import is_boilerplate
    from engine.search.chunks import chunks_fingerprint, has_chunk_encoder, kept_rows, shipped_fingerprint
    from engine.search.citations.cited import shared_references
    from engine.search.citations.entries import references_of
    from engine.search.evidence.explain import Term, owned
    from engine.search.evidence.key_words import PREDICTED, KeyWordReader
    from engine.search.evidence.salience import reread
    from engine.search.evidence.sentences import MIN_TERMS, MIN_WORDS, WORD_SHARE, readable, word_rows
    from engine.search.fusion import by_kind
    from engine.search.lookups import AuthorWorks, WordHit, find_author_works, find_word_hits
    from engine.search.nearness import (
        BY_WORDS,
        QUOTED_FROM,
        PairReader,
        TellingWords,
        document_pair,
        pair_of,
        sentence_encoder,
        sentence_words,
        shipped_vocabulary,
        warm_nearness,
    )
    from engine.search.passages import (
        PASSAGE_ENCODER,
        AskedPassages,
        PassageEncoder,
        PassageMatcher,
        PassageReader,
        cut_paragraphs,
        cut_passages,
        has_passage_encoder,
        passage_text,
        passages_fingerprint,
        stretches,
    )
    from engine.search.queries import leading_words, words_fingerprint
    from engine.search.ranking import (
        Corpus,
        keyword_weight,
        meaning_fingerprint,
        rank_all,
        rank_by_keywords,
        ranking_fingerprint,
    )
    from engine.search.readings import (
        MEANINGS,
        OTHER,
        SENTENCES,
        Level,
        Pair,
        Reading,
        fitted_on,
        read_pair,
        said,
        scales,
    )
    from engine.search.searcher import Searcher
    from engine.search.vocabulary import GENRE_WORDS, NO_LABEL_HALVES, NO_LABELS, Vocabulary

__all__ = [
    "ALL_CITED",
    "BY_WORDS",
    "GENRE_WORDS",
    "MEANINGS",
    "MIN_TERMS",
    "MIN_WORDS",
    "NO_LABELS",
    "NO_LABEL_HALVES",
    "OTHER",
    "PASSAGE_ENCODER",
    "PREDICTED",
    "QUOTED_FROM",
    "SENTENCES",
    "WORD_SHARE",
    "Answer",
    "AskedPassages",
    "AuthorWorks",
    "Corpus",
    "KeyWordReader",
    "Level",
    "Pair",
    "PairReader",
    "PassageEncoder",
    "PassageMatcher",
    "PassageReader",
    "Question",
    "Reading",
    "Result",
    "Searcher",
    "TellingWords",
    "Term",
    "Vocabulary",
    "WordHit",
    "by_kind",
    "chunks_fingerprint",
    "cut_paragraphs",
    "cut_passages",
    "document_pair",
    "find_author_works",
    "find_word_hits",
    "fitted_on",
    "has_chunk_encoder",
    "has_passage_encoder",
    "is_boilerplate",
    "kept_rows",
    "keyword_weight",
    "leading_words",
    "meaning_fingerprint",
    "owned",
    "pair_of",
    "passage_text",
    "passages_fingerprint",
    "rank_all",
    "rank_by_keywords",
    "ranking_fingerprint",
    "read_pair",
    "readable",
    "references_of",
    "reread",
    "said",
    "scales",
    "sentence_encoder",
    "sentence_words",
    "shared_references",
    "shipped_fingerprint",
    "shipped_vocabulary",
    "stretches",
    "warm_nearness",
    "word_rows",
    "words_fingerprint",
]

__getattr__ = door(__name__)
