"""How a question asks by its words: which of them count how often, and whether in all their forms."""

from __future__ import annotations

from collections import Counter

from engine.documents import Document
from engine.library import keyword_fingerprint, question_terms
from engine.questions import SHORT_BELOW_TOKENS, citing_sentences, is_citing_passage, is_short
from engine.text import tokens

CITING_TIMES = 4
"""How often a word counts in a sentence that cites, where the question is a passage of a paper.

Such a sentence says what the cited work is about; those around it may say what the citing paper is. Of the valid
queries of acm-citation (49), with the citing paper's title and without it, the default ranking's mean nDCG@10 is .306,
.323, .325 and .316 at 1, 2, 4 and 6 times, its R@100 .685, .706, .722 and .704 (`python -m engine.research
citing_passages`, engine/research/reports/citing-passages.json).
"""


def asks_by_stems(question: Document) -> bool:
    """Whether a question's words match in all their forms: a short one, and a passage that cites.

    A longer text is matched by its words as they are written. On the valid queries of six sets the default ranking has
    a mean nDCG@10 of .408 as written, .423 by stems and .428 so; npl gains most (.493, .552), and papers that ask lose
    by stems (.225, .216; `python -m engine.research word_forms`, engine/research/reports/word-forms.json).
    """
    return is_citing_passage(question) or is_short(question)


def asked_terms(question: Document, *, citing_times: int = CITING_TIMES) -> Counter[str]:
    """The terms of a question with their counts; those of a passage's sentences that cite `citing_times` over."""
    counts = question_terms(question)
    for sentence in citing_sentences(question):
        for term in tokens(sentence):
            counts[term] += citing_times - 1
    return counts


def words_fingerprint() -> str:
    """Names every choice that the ranking by keywords is made by."""
    passages = f"passages count {CITING_TIMES} times where they cite"
    forms = f"{keyword_fingerprint(stemmed=True)} below {SHORT_BELOW_TOKENS} and in passages"
    return f"{keyword_fingerprint()} or {forms}, {passages}"
