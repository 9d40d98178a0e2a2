"""What a question is: short, a passage that cites other work, or as long as a document; and how it may be ranked."""

from __future__ import annotations

import re
from typing import Literal, get_args

from engine.documents.dates import RECENT_YEAR
from engine.documents.document import Document, Kind
from engine.documents.text import first_tokens, sentences

SHORT_BELOW_TOKENS = 40
"""A text of fewer tokens is a question of a sentence or two: it has no halves, and its words match in all forms."""

_TOPIC_BELOW_TOKENS = 12

Ranking = Literal["default", "encoder", "keywords"]
"""`encoder`: the nearest rows; `keywords`: BM25; `default`: both, fused by their relative scores.

The default asks the encoder twice, the second time with the question and the first documents found, and in a library of
papers and patents it ranks each kind by itself and joins the lists (`engine.search`).
"""

RANKINGS: tuple[Ranking, ...] = get_args(Ranking)

_NUMBER = r"[1-9]\d{0,2}"
_BY_NUMBER = re.compile(rf"\[{_NUMBER}(?:\s?[,;\u2013-]\s?{_NUMBER})*\]")
"""[3], [12, 13], [4-6]; not the interval [0, 1]."""

_YEAR = rf"{RECENT_YEAR}[a-z]?"
_NAME = r"[A-ZÀ-ÖØ-Þ]"
_BY_YEAR = re.compile(
    rf"[(\[](?:e\.g\., |cf\. |see )?{_NAME}[^()\[\]]{{1,200}}?,? {_YEAR}[^()\[\]]*[)\]]|"
    rf"\b{_NAME}[\w’'-]+ \({_YEAR}\)|\bet al\.,? \(?{_YEAR}"
)
"""(Smith and Jones, 2010; Brown 2011), Smith (2010), Smith et al. 2010."""


def is_short(document: Document, *, below_tokens: int = SHORT_BELOW_TOKENS) -> bool:
    """Tell whether a document has fewer tokens than the limit; never true for a limit of 0."""
    return below_tokens > 0 and len(first_tokens(document.text, below_tokens)) < below_tokens


_WORKS = "(?:papers?|patents?|works?|studies|documents?|articles?|literature|research|publications?)"
_ASKS = re.compile(
    r"\bi(?:['’]m| am|['’]d| would)? (?:also )?"
    r"(?:look(?:ing)? for|search(?:ing)? for|seek(?:ing)?|need|want|wish|like)\b"
    rf"|\b(?:looking|search(?:ing)?|look) for (?:\w+ ){{0,3}}{_WORKS}\b|\bplease\b"
    rf"|\b(?:is|are) there (?:any|{_WORKS})\b"
    rf"|(?:^|[.?!] )(?:find|show|give|list|name|tell) (?:me|us|all|any|{_WORKS})\b"
    r"|\b(?:ich|wir) suchen?\b|\bje cherche\b|\b(?-i:[Bb]usco|[Cc]erco|[Pp]rocuro)\b|\bищу\b|寻找|查找|探して",  # noqa: RUF001
    re.IGNORECASE,
)
_IDEOGRAPHS = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_FEWEST_IDEOGRAPHS = 80
_SHARE = 3


def reads_as_question(text: str) -> bool:
    """Tell whether a paragraph asks: it is short, or says what is looked for, or a third of it asks or cites.

    A longer one that only tells is an abstract, which may ask or cite in passing.
    """
    if is_short(Document("", "query", text)) and len(_IDEOGRAPHS.findall(text)) < _FEWEST_IDEOGRAPHS:
        return True
    parts = [text[span.start : span.stop] for span in sentences(text)]
    asking = sum(one.endswith(("?", "？")) or has_citation(one) for one in parts)
    return _SHARE * asking >= len(parts) or _ASKS.search(text) is not None


def kind_asked(document: Document) -> Kind:
    """Return the kind whose wording a question has; of a paragraph alone, which may be of a paper or a patent, none."""
    return "query" if [part.role for part in document.parts] == ["abstract"] else document.kind


def is_bare_topic(document: Document) -> bool:
    """Tell whether a document only names or asks for a subject, so that no other can say the same: a few words.

    So does a short text that ends by a question mark, such as "Which genes make rice plants tolerate salt?".
    """
    if document.kind != "query":
        return False
    return is_short(document, below_tokens=_TOPIC_BELOW_TOKENS) or (
        document.text.rstrip().endswith("?") and is_short(document)
    )


def is_citing_passage(document: Document) -> bool:
    """Tell whether a question is a passage of a paper that cites works, by number in brackets or by name and year.

    Such a passage asks for the works that it cites, and it describes them in their own words.
    """
    if document.kind != "query":
        return False
    return has_citation(document.text)


def citing_sentences(document: Document) -> list[str]:
    """Return the sentences of a citing passage that hold a citation mark; an empty list for any other document."""
    if not is_citing_passage(document):
        return []
    spans = sentences(document.text)
    return [one for span in spans if has_citation(one := document.text[span.start : span.stop])]


def has_citation(text: str) -> bool:
    """Tell whether a text holds a citation mark: a number in brackets, or a name with a year."""
    return bool(_BY_NUMBER.search(text) or _BY_YEAR.search(text))
