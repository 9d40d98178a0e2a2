"""Which of our columns a table's header means, as other tools name them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

COLUMNS = (
    "id",
    "kind",
    "title",
    "abstract",
    "text",
    "sections",
    "year",
    "categories",
    "keywords",
    "venue",
    "authors",
    "family",
    "url",
    "claims",
    "doi",
    "document type",
    "patent number",
    "arxiv id",
    "pmid",
)
"""The columns that are read; others are ignored. The last ones serve for a kind, an id and a link where it has none."""

_ALIASES: dict[str, str] = {
    "title": "article title|document title|item title|paper title|patent title|invention title|"
    "title of invention|title english|title en|title dwpi|title localized|work title|display name|original title|"
    "titles|ti|titel|titre|titulo|titolo|发明名称|发明的名称|発明の名称|题名|题目|标题|篇名|名称|название|заглавие|"
    "제목|논문명|논문 제목|발명의 명칭",
    "abstract": "abstract note|abstract text|patent abstract|paper abstract|abstract english|abstract en|"
    "abstract dwpi|abstract localized|abstracts|descriptions|summary|summaries|ab|zusammenfassung|resume|resumen|"
    "resumo|riassunto|摘要|要約|аннотация|реферат|초록|요약",
    "text": "full text|fulltext|full description|description text|description localized|content|body|description",
    "sections": "body text",
    "year": "publication year|pub year|year published|published year|py|publication date|date published|"
    "published date|date of publication|published|pub date|publish time|publish date|cover date|"
    "issued|date|patent date|grant date|issue date|filing date|published print|published online|"
    "update date|earliest date|jahr|annee|ano|anno|created|"
    "公开 公告 日|公开日|公开公告日|公知日|公開日|发表时间|出版年|发表年份|年|год|"
    "연도|발행연도|발행년도|출판연도|출원일|공개일",
    "categories": "subjects|subject areas|fields of study|s2fieldsofstudy|s2 fields of study|research areas|"
    "wos categories|web of science categories|"
    "wc|cpc classifications|cpc codes|cpc current|cpc at issue|cpc|ipcr classifications|ipc|ipc分类号|分类号|fi|terms|"
    "concepts|subject|"
    "category|primary category|primary topic subfield display name|topics display name",
    "keywords": "author keywords|authors keywords|de|keyword|index terms|ieee terms|mesh terms|manual tags|"
    "tags|keyword list|keywords display name|indexed keywords|关键词|キーワード|ключевые слова|키워드|주제어",
    "venue": "source title|publication title|journal|journal title|journal name|journal book|"
    "container title|journals|source title anthology title|publication name|publication venue|conference name|"
    "proceedings title|book title|booktitle|primary location source display name|journal info|publication info|"
    "publication|pub|so|source|刊名|来源|文献来源|期刊|журнал|"
    "zeitschrift|revue|revista|rivista|assignee|assignees|current assignee|current assignees|"
    "assignee applicant|assignee harmonized|applicants|applicant|applicant name|assignee s|owners|"
    "申请人|申请 专利权 人|出願人|出願人 権利者|학술지|학술지명|저널|출원인",
    "authors": "author full names|author names|author s|authors names|author list|authors list|author|"
    "authorships author display name|authorships raw author name|author string|authors full|"
    "inventors|inventor|inventor author|inventor s|inventor name|inventor names|inventor harmonized|creators|creator|"
    "contributors|af|au|autor|autoren|auteur|auteurs|autores|autore|autori|发明人|发明 设计 人|発明者|作者|著者|авторы|"
    "저자|발명자|"
    "автор|first author|editor|editors",
    "url": "link|result link|article url|source url|landing page url|full text url|lens url|"
    "dimensions url|pdf link|pdf url|external url|source urls|abs url|entry id|web link",
    "claims": "claims text|claim text|claims localized|权利要求|請求の範囲",
    "doi": "item doi|doi link|doi url|di|dois|digital object identifier",
    "document type": "publication type|item type|content type|patent type|doc type|record type|type",
    "patent number": "publication number|patent no|document patent number|display key|patent id|publication no|"
    "document id|document number|publication numbers|公开 公告 号|公开号|公开公告号|文献番号|公開番号",
    "arxiv id": "arxiv|arxiv number|arxivid|arxiv eprints",
    "pmid": "pubmed id|pubmedid",
    "family": "family id|simple family id|family number|docdb family id",
}
"""Other names of our columns, the most telling first; of those that a table has the first is read."""

_OF_PATENTS = frozenset(
    "inventor|inventors|inventor author|inventor s|inventor name|inventor names|patent id|patent number|patent title|"
    "patent abstract|patent no|document patent number|publication number|applicants original|cpc classifications|"
    "ipcr classifications|inventor harmonized|发明名称|发明人|発明の名称|発明者|발명의 명칭|발명자".split("|")
)
_OF_OWNERS = frozenset("assignee|assignees|applicant|applicants|current assignee|current assignees".split("|"))
_OF_AUTHORS = frozenset({"author", "authors", "author s", "author full names"})
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_WEB_OF_SCIENCE = frozenset({"pt", "ti", "so"})


def as_ours(header: Sequence[str]) -> list[str]:
    """The header with our names where a column is one of ours: as it is written, in other letters, or by an alias.

    Each of our names is used once, and unknown columns stay as they are.
    """
    return list(_as_ours(tuple(header)))


def is_of_patents(header: Iterable[str]) -> bool:
    """Whether a table's columns tell of patents."""
    return _is_of_patents(tuple(header))


def plain_name(name: str) -> str:
    """A column's name in lower case, without accents and marks, its words apart: "PubYear" is "pub year"."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    if spaced.isascii():
        return _BETWEEN_WORDS.sub(" ", spaced.lower()).strip()
    folded = _ACCENTS.sub("", unicodedata.normalize("NFKD", spaced))
    return _BETWEEN_WORDS.sub(" ", unicodedata.normalize("NFKC", folded).lower()).strip()


@lru_cache(maxsize=64)  # rows of JSON have theirs each
def _is_of_patents(header: tuple[str, ...]) -> bool:
    plain = set(map(plain_name, header))
    return bool(plain & _OF_PATENTS or (plain & _OF_OWNERS and not plain & _OF_AUTHORS))


@lru_cache(maxsize=64)
def _as_ours(header: tuple[str, ...]) -> tuple[str, ...]:
    plain = [plain_name(name) for name in header]
    if _WEB_OF_SCIENCE <= set(plain):
        plain = ["keywords plus" if name == "id" else name for name in plain]
    found = list(header)
    taken = {name for name in header if name in COLUMNS}
    for ours in COLUMNS:
        for name in (ours, *_ALIASES.get(ours, "").split("|")):
            if ours not in taken and name and name in plain and found[plain.index(name)] not in taken:
                found[plain.index(name)] = ours
                taken.add(ours)
    return tuple(found)
