"""The columns of a table: every name that tools and services give them, and what a cell holds in any of their forms.

A header's names become ours, also those of JSON; a new one goes into `_ALIASES`. A cell, or a value of JSON, becomes
texts, names, lists and years.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from engine.documents.dates import year_in
from engine.documents.people import HOMONYM, split_names
from engine.reading.placeholders import says_nothing

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
    "issued|date|produced date y|patent date|grant date|issue date|filing date|published print|published online|"
    "update date|earliest date|jahr|annee|ano|anno|created|year of publication|yr|dp|pub time|pubdate|"
    "公开 公告 日|公开日|公开公告日|公知日|公開日|发表时间|出版年|发表年份|年|год|"
    "연도|발행연도|발행년도|출판연도|출원일|공개일",
    "categories": "subjects|subject areas|fields of study|s2fieldsofstudy|s2 fields of study|research areas|"
    "wos categories|web of science categories|"
    "wc|cpc classifications|cpc codes|cpc current|cpc at issue|cpc|ipcr classifications|ipc|ipc分类号|分类号|fi|terms|"
    "concepts|subject|"
    "category|primary category|primary topic subfield display name|topics display name",
    "keywords": "author keywords|authors keywords|de|keyword|index terms|ieee terms|mesh terms|manual tags|"
    "tags|descriptors|keyword list|keywords display name|indexed keywords|subject terms|subject headings|kw|ky|"
    "关键词|キーワード|ключевые слова|키워드|주제어",
    "venue": "source title|fulljournalname|publication title|journal|journal title|journal name|journal book|"
    "container title|journals|source title anthology title|publication name|publication venue|conference name|"
    "proceedings title|book title|booktitle|primary location source display name|journal info|publication info|"
    "publication|pub|jt|jn|so|source|刊名|来源|文献来源|期刊|журнал|"
    "zeitschrift|revue|revista|rivista|assignee|assignees|current assignee|current assignees|"
    "assignee applicant|assignee harmonized|applicants|applicant|applicant name|assignee s|owners|"
    "申请人|申请 专利权 人|出願人|出願人 権利者|학술지|학술지명|저널|출원인",
    "authors": "author full names|author names|author s|authors names|author list|authors list|author|"
    "authorships author display name|authorships raw author name|author string|authors full|auth full name|"
    "inventors|inventor|inventor author|inventor s|inventor name|inventor names|inventor harmonized|creators|creator|"
    "contributors|af|au|autor|autoren|auteur|auteurs|autores|autore|autori|发明人|发明 设计 人|発明者|作者|著者|авторы|"
    "저자|발명자|"
    "автор|first author|editor|editors",
    "url": "link|result link|article url|source url|landing page url|full text url|lens url|"
    "dimensions url|pdf link|pdf url|external url|source urls|abs url|entry id|web link",
    "claims": "claims text|claim text|claims localized|权利要求|請求の範囲",
    "doi": "item doi|doi link|doi url|di|do|dois|digital object identifier",
    "document type": "publication type|item type|content type|patent type|doc type|record type|reference type|type|pt",
    "patent number": "publication number|pn|patent no|document patent number|display key|patent id|publication no|"
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
_OF_SOLR = re.compile(r"(?<=[a-zA-Z])_(?:display|ss?|txt|t|i|dt|(?:fl_)?str(?:_mv)?)$")
"""What Solr's fields end with: "title_display", "authFullName_s"."""
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_WEB_OF_SCIENCE = frozenset({"pt", "ti", "so"})


def as_ours(header: Sequence[str]) -> list[str]:
    """Return the header with our name for each column that is ours: as written, in other letters, or by an alias.

    Each of our names is used once, and unknown columns stay as they are.
    """
    return list(_as_ours(tuple(header)))


def is_of_patents(header: Iterable[str]) -> bool:
    """Return whether a table's columns tell of patents."""
    return _is_of_patents(tuple(header))


def plain_name(name: str) -> str:
    """Return a column's name in lower case, without accents and marks, its words apart: "PubYear" is "pub year"."""
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
    plain = [plain_name(_OF_SOLR.sub("", name)) for name in header]
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


_WHOLE = re.compile(r"(\d{1,9})(?:\.0*)?")  # pandas writes a whole column as 2020.0 where one value is missing
_NUMBER = re.compile(r"[-+]?\d+\.\d+")
_SHORT_DATE = re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-](\d{2})")
_CENTURY = 69  # POSIX reads 69 to 99 as years of the last century
_NO_YEAR = frozenset({"", "0", "nd", "in press"})
_YEARS = range(1000, 2101)
_DAYS, _MONTHS = range(1_000_0101, 2100_1232), range(1000_01, 2100_13)
_SECONDS_A_YEAR = 31_556_952
_MILLISECONDS = 10**11
_DEEPEST = 4

_TEXTS = (
    "text", "value", "content", "title", "display name", "name", "en", "raw", "literal", "abstract", "source",
    "description", "journal title", "journal", "url",
)  # fmt: skip
_LABELS = (
    "display name", "name", "term", "mesh heading", "tag", "keyword", "category", "label", "subject", "code",
    "cpc subgroup id", "text", "value", "title",
)  # fmt: skip
_DATES = ("date parts", "year", "raw", "literal", "date time", "date", "value", "text")
_NAMES = (
    "name", "display name", "full name", "fullname", "literal", "author name", "raw author name", "preferred name",
    "collective name", "creator name", "extracted name", "text", "value", "author", "person", "creator",
)  # fmt: skip
_GIVEN = (
    "given",
    "first",
    "first name",
    "firstname",
    "forename",
    "fore name",
    "given name",
    "given names",
    "name first",
    "initials",
)
_FAMILY = ("family", "last", "last name", "lastname", "surname", "family name", "name last")
_OF_ROLE = re.compile(r"(?:inventor|author|creator|applicant|assignee) (?=(?:name )?(?:first|last)\b)")
"""What stands before a part of a name: "inventor_name_first"."""
_MEMBERS = frozenset("author authors creator creators inventor inventors keyword keywords value".split())
"""The one key of an object that only wraps a list."""
_PARTICLES = ("dropping particle", "non dropping particle", "prefix", "particle")
_ROLES = ("creator type", "role", "type")
_OTHER_ROLES = frozenset({"editor", "translator", "contributor", "serieseditor", "reviewedauthor", "attorneyagent"})
_QUOTED = r"""(?:'((?:[^'\\]|\\.){0,200}+)'|"((?:[^"\\]|\\.){0,200}+)")"""
_PYTHON_ITEM = re.compile(_QUOTED, re.DOTALL)
_PYTHON_LIST = re.compile(rf"\[\s*+(?:(?:{_QUOTED}|None)\s*+,?\s*+)*+\]", re.DOTALL)
_PYTHON_NAME = re.compile(rf"['\"](?:name|display_name|full_name)['\"]\s*+:\s*+{_QUOTED}")


def is_nothing(value: object) -> bool:
    """Return whether a value says nothing: null, an empty text or list, or NaN, which is how tables write nothing."""
    return value is None or value == "" or value != value or (isinstance(value, list | dict) and not value)


def text_of(value: object, gap: str, depth: int = 0) -> str | None:
    """Return a value's text, a list's items joined by `gap`; an empty `gap` takes the first. None for anything else."""
    if is_nothing(value):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if depth >= _DEEPEST:
        return None
    if isinstance(value, list):
        texts = [text_of(one, gap, depth + 1) for one in value]
        if any(text is None for text in texts):
            return None
        return gap.join(filter(None, texts)) if gap else next(filter(None, texts), "")
    if isinstance(value, Mapping):
        keys = {plain_name(str(key)): key for key in value}
        chosen = [keys[name] for name in _TEXTS if name in keys] or list(value)[:1]
        return next((text for key in chosen if (text := text_of(value[key], gap, depth + 1)) is not None), None)
    return None


def year_of(value: object) -> int | None:
    """Return the year in a number, a date of any form, or a list or an object of them; None where it says none.

    Raises ValueError for anything else.
    """
    if is_nothing(value) or value == 0:
        return None
    if isinstance(value, str) and ((plain := value.strip().lower()) in _NO_YEAR or says_nothing(plain)):
        return None
    if isinstance(value, date):  # a datetime is one, too
        value = value.year
    if isinstance(value, list):
        return year_of(value[0])
    if isinstance(value, Mapping):
        keys = {plain_name(str(key)): key for key in value}
        years = (year_of(value[keys[name]]) for name in _DATES if name in keys)
        return next((year for year in years if year is not None), None)
    if isinstance(value, str):
        value = _year_in(value.strip())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _year_of_number(value)
    raise ValueError("no year")


def _year_in(text: str) -> int | None:
    """Return the year, or the number that a text says."""
    if whole := _WHOLE.fullmatch(text):
        return int(whole[1])
    if short := _SHORT_DATE.fullmatch(text):
        return int(short[1]) + (1900 if int(short[1]) >= _CENTURY else 2000)
    return None if _NUMBER.fullmatch(text) else year_in(text)


def _year_of_number(value: int) -> int:
    """Return the year of a number: 2021, 202103, 20210302, or the seconds or milliseconds of a computer's clock."""
    if value in _DAYS:
        value //= 10_000
    elif value in _MONTHS:
        value //= 100
    elif value >= 10**9:
        value = 1970 + (value // 1000 if value >= _MILLISECONDS else value) // _SECONDS_A_YEAR
    if value not in _YEARS:
        raise ValueError("no year")
    return value


def names_of(value: object) -> list[str] | None:
    """Return the names in a text, or in a list of texts, of objects or of a name's parts; None where one has none."""
    if is_nothing(value):
        return []
    if isinstance(value, str):
        return _items(_PYTHON_NAME, value) if _PYTHON_NAME.search(value) else split_names(value)
    value = unwrapped(value)
    if isinstance(value, str):
        return names_of(value)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        return None
    given = [one for one in value if not is_nothing(one)]
    authors = [one for one in given if not _has_other_role(one)]
    names = [_name(one) for one in authors or given]
    return None if None in names else [HOMONYM.sub("", name) for name in names if name]


def unwrapped(value: object) -> object:
    """Return the list in an object that holds nothing else, as XML becomes JSON: {"author": [...]}."""
    if isinstance(value, Mapping) and len(value) == 1:
        [(key, inner)] = value.items()
        if plain_name(str(key)) in _MEMBERS and isinstance(inner, list | Mapping):
            return inner
    return value


def _has_other_role(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    roles = (text for key in value if plain_name(str(key)) in _ROLES and isinstance(text := value[key], str))
    return any(plain_name(role).replace(" ", "") in _OTHER_ROLES for role in roles)


def _name(value: object, depth: int = 0) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str | None) for one in value):
        family, *given = (one or "" for one in value)  # arXiv: [family, given, suffix]
        return " ".join(filter(None, (*given[:1], family, *given[1:])))
    if not isinstance(value, Mapping) or depth >= _DEEPEST:
        return None
    pairs = ((_OF_ROLE.sub("", plain_name(str(key))), one) for key, one in value.items() if not is_nothing(one))
    parts = {key: one for key, one in pairs if key in _FAMILY or not (isinstance(one, str) and says_nothing(one))}

    def of(names: tuple[str, ...]) -> str:
        return next((text for name in names if (text := text_of(parts.get(name), " "))), "")

    if family := of(_FAMILY):
        particles = (text_of(parts.get(name), " ") or "" for name in _PARTICLES)
        return " ".join(filter(None, (of(_GIVEN), of(("middle", "middle name")), *particles, family, of(("suffix",)))))
    named = (_name(parts[name], depth + 1) for name in _NAMES if name in parts)
    return next(filter(None, named), of(_GIVEN) or ("" if not parts else None))


def labels_of(value: list[Any]) -> list[str] | None:
    """Return the texts of a list of texts, numbers, or objects with a name; None where one of them has none."""
    found: list[str] = []
    for one in value:
        if isinstance(one, Mapping):
            keys = {plain_name(str(key)): key for key in one}
            one = next((one[keys[name]] for name in _LABELS if name in keys), None)
            one = text_of(one, " ")
        if not isinstance(one, str):
            return None
        found.append(one)
    return found


def python_list(text: str) -> list[str] | None:
    """Return the texts of a list that Python printed, as many data sets hold: "['a', 'b']"; None for anything else."""
    return _items(_PYTHON_ITEM, text) if _PYTHON_LIST.fullmatch(text.strip()) else None


def _items(pattern: re.Pattern[str], text: str) -> list[str]:
    found = (match[1] if match[1] is not None else match[2] for match in pattern.finditer(text))
    return [re.sub(r"\\(.)", r"\1", one) for one in found]
