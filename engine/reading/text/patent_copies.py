"""Patents copied as text from the pages of Google Patents, the USPTO, Espacenet, Patentscope or the Lens.

Such a text holds the page's own words and the patent's record between title, abstract, claims and description. They
are taken out, and the record's names and number are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.documents.dates import CITED_YEAR, MONTH
from engine.documents.patents import patent_id
from engine.documents.text import one_line
from engine.reading.heading_names import ABSTRACT, CLAIMS
from engine.reading.text.headings import PATENT_HEADING

_HEAD_LINES = 80
_NUMBER = r"(?P<country>[A-Z]{2})[ /]?(?P<digits>\d[\d/,. ]{3,16}\d)[ ]?\(?(?P<kind>[A-Z]\d?)?\)?"
_ALONE = re.compile(
    rf"(?:(?:Pub(?:lication)?\.?|Patent) (?:No\.?|number):?\s*|Bibliographic data:\s*)?{_NUMBER}(?: ?[|·―].*)?"
)
_NUMBERED_TITLE = re.compile(
    rf"(?:\d\. )?{_NUMBER}(?:\s*[-–―—·:]\s*|\s+)(?P<title>[^\W\d_].*?)(?:(?<!\s)\s++- Google Patents)?"
)
_SITE = re.compile(
    r".{0,400}[-–|] ?Google Patents|United States Patent(?: Application)?\b.*|Bibliographic data\b.*|"
    r"USPTO PATENT FULL.*|"
    r".{0,400}\b(?:Espacenet|Patentscope|The Lens|lens\.org)\b.{0,400}",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?P<label>inventors?(?:\(s\)|/applicants)?|(?:current |original )?assignees?|applicants?(?:\(s\)|/assignee)?|"
    r"owners?|appl(?:ication)?\.? ?(?:no\.?|numbers?|events)|filed|filing (?:date|language)|"
    r"(?:international |pct )?(?:application no\.?|filing date|filed)|date of (?:patent|filing)|"
    r"pub(?:lication)?\.? (?:no\.?|number|date|language|info)|publication|published(?: as)?|also published as|"
    r"priority(?: data| dates?| numbers?(?:\(s\))?)?|priorities|prior publication data|prior art (?:keywords|date)|"
    r"family(?: id| members?)?|(?:current |original )?(?:u\.s\.|us|int\.?|international|cpc|ipc) (?:class|cl\.?|"
    r"classes|classifications?)|classifications?|ipc|cpc|- (?:international|cooperative)|"
    r"field of (?:classification )?search|references cited|(?:u\.s\.|foreign) patent documents|other references|"
    r"(?:primary|assistant) examiner|attorney,? agent(?:,? or|/) ?firm|agents?|parent case (?:text|info)|"
    r"designated states|related (?:u\.s\.|patent) (?:patent )?(?:documents|application)|legal status|status|"
    r"foreign application priority data|worldwide applications|(?:anticipated )?expiration|external links|"
    r"document type|jurisdiction|images?|kind code|info|links|other languages|language|page bookmark|title)(?!\w)"
    r"(?:\s*\(\d+\))?(?P<mark>\s*:|\s*$|(?= (?-i:[A-Z0-9])))",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"download pdf.*|find prior art.*|similar|similar documents?|united states|hide dependent.*|machine translat.*|"
    r"translated from .*|translate this text.*|\**please see images.*|\( ?\d+ of \d+ ?\)|expand all.*|view \d+ more.*|"
    r"patent (?:granted|application|pending).*|pct biblio.*|(?:abstract|drawings|description|claims)(?: (?:abstract|"
    r"images?|classifications|drawings|description|claims|documents|biblio\. data))+|.{0,200}\bet al\.?\s.{0,200}\d{4}|"
    rf"[^.]{{0,80}}\b{MONTH} \d{{1,2}}, \d{{4}}|"
    r"original document|\* \* \* \* \*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:patent citations|family[- ]cites.*|family[- ]to[- ]family.*|non-patent citations|cited by|similar documents|"
    r"priority and related applications|legal events|citations|concepts|parent applications.*|child applications.*|"
    r"priority applications.*|applications claiming priority.*|related patent documents|latest bibliographic data.*|"
    r"cited literature.*|data provided by.*|definitions)(?:\s{0,9}\(\d{1,9}\))?",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"(?:detailed )?description(?: of .{1,80})?|beschreibung|descripción|descrição|descrizione|описание|说明书|說明書|"
    r"详细描述|発明の詳細な説明|明細書",
    re.IGNORECASE,
)
_ABSTRACT_OF = re.compile(rf"(?:\(57\) ?)?abstract(?: of {_NUMBER})?\s*:?", re.IGNORECASE)
_COUNT = re.compile(rf"(?:(?<!\s)\s++)?(?:[(（]\d{{1,4}}[)）]|:\s*+{_NUMBER})$")
"""How many claims follow, or the number of their patent."""
_OPENS_CLAIMS = re.compile(
    r"(?:what is|i|we|.{0,40}is) claim(?:ed)?(?: is)?\s*:?|the invention claimed is\s*:?", re.IGNORECASE
)
_LANGUAGE = re.compile(r"\((?P<code>[A-Z]{2})\)\s+")
_CODE = re.compile(r"\((\d\d)\)\s+(?=\S)")
_FEWEST_CODES = 4
_TITLE_CODE = "54"
_STARS = re.compile(r"(?:(?<!\s)\s++)?(?<!\* )(?:\* ){2,}+(?:\*\s*+|(?<=\* \* \* )\s*+)$")
_BRACKETS = re.compile(r"(?:(?<!\s)\s++)?(?:\([^()]*\)|\[[^\[\]]*\])(?:/\[[A-Z]{2}\])?")
_PLACE = re.compile(r",\s?[^,()]{1,60}(?:,\s?[A-Z]{2})?\s?\([A-Z]{2}\)$")
_YEAR = re.compile(rf"\b{CITED_YEAR}\b")


@dataclass(slots=True)
class PatentCopy:
    """A patent's parts as lines of plain text, and what its record says."""

    title: str = ""
    abstract: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    number: str = ""
    inventors: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    year: int | None = None
    left_out: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The title, the abstract under its heading, claims and description, as a text without a record has them."""
        return [self.title, "", "Abstract", "", *self.abstract, "", *self.rest]


def patent_copy(lines: Sequence[str]) -> PatentCopy | None:
    """Return the parts of a patent that was copied from a page; None for any other text."""
    stripped = _without_codes([" ".join(line.split()) for line in lines])
    if not _is_copy(stripped[:_HEAD_LINES]):
        return None
    copy = PatentCopy()
    head, record, at = _divide(stripped, copy)
    copy.rest = _without_page(stripped[at:], copy)
    copy.title = _title(head, record)
    fields = _fields([*head, *record])
    copy.inventors = tuple(_people(fields, "inventor"))
    copy.assignees = tuple(_people(fields, "assignee", "applicant", "owner"))
    copy.number = next((number for line in [*head, *record] if (number := _number(line))), "")
    copy.year = _year(head, fields)
    copy.left_out.extend(line for line in (*head, *record) if line and line != copy.title)
    return copy if copy.title and (copy.abstract or copy.rest) else None


def _without_codes(lines: list[str]) -> list[str]:
    """Return a front page's lines without the codes, such as (54), that offices print before each piece of data."""
    coded = [_CODE.match(line) for line in lines[:_HEAD_LINES]]
    if sum(match is not None for match in coded) < _FEWEST_CODES:
        return lines
    found = list(lines)
    for at, match in enumerate(coded):
        if match is not None:
            found[at] = f"{'Title: ' if match[1] == _TITLE_CODE else ''}{lines[at][match.end() :]}"
    return found


def _is_copy(head: Sequence[str]) -> bool:
    """Return whether lines name a patent's page, or hold a patent's number and two fields of its record or more."""
    if not any(ABSTRACT.match(line) or _ABSTRACT_OF.fullmatch(line) or _opens(line) for line in head):
        return False
    labels = {match["label"].lower() for line in head if (match := _label(line))}
    sited = any(_SITE.fullmatch(line) for line in head[:6])
    return bool(labels) and (sited or (len(labels) > 1 and any(_numbered(line) for line in head)))


def _divide(lines: Sequence[str], copy: PatentCopy) -> tuple[list[str], list[str], int]:
    """Return the lines above the abstract, those of the record below it, and where claims or description begin."""
    head: list[str] = []
    record: list[str] = []
    into = head
    end = next((at for at, line in enumerate(lines) if _opens(line) and at), len(lines))
    for line in lines[:end]:
        if into is head and (_ABSTRACT_OF.fullmatch(line) or ABSTRACT.match(line)):
            into = copy.abstract
        elif into is copy.abstract and _is_of_page(line):
            if any(copy.abstract) or not _PAGE.fullmatch(line):  # "Translate this text" stands above the abstract
                into = record
                into.append(line)
        else:
            into.append(line)
    spoken = [at for at, line in enumerate(copy.abstract) if _LANGUAGE.match(line)]
    if spoken:
        chosen = next((at for at in spoken if copy.abstract[at].startswith("(EN)")), spoken[0])
        after = next((at for at in spoken if at > chosen), len(copy.abstract))
        copy.left_out.extend(copy.abstract[at] for at in spoken if at != chosen)
        copy.abstract = [_LANGUAGE.sub("", copy.abstract[chosen], 1), *copy.abstract[chosen + 1 : after]]
    return head, record, end


def _is_of_page(line: str) -> bool:
    """Return whether a line is the page's own, or of the patent's record."""
    return bool(line) and bool(_label(line) or _PAGE.fullmatch(line) or _TAIL.fullmatch(line) or _numbered(line))


def _opens(line: str) -> bool:
    """Return whether a line is the heading of claims or description, or of the description's first part."""
    bare = _COUNT.sub("", line)
    return len(line) < 120 and bool(
        CLAIMS.match(bare)
        or _DESCRIPTION.fullmatch(bare)
        or PATENT_HEADING.fullmatch(line)
        or _OPENS_CLAIMS.fullmatch(line)
    )


def _without_page(lines: Sequence[str], copy: PatentCopy) -> list[str]:
    """Return claims and description without the page's words, and without the lists of citations below them."""
    kept: list[str] = []
    tail = False
    for line in lines:
        bare = _COUNT.sub("", line)
        if _TAIL.fullmatch(line):
            tail = True
        elif CLAIMS.match(bare) or _DESCRIPTION.fullmatch(bare):
            tail = False
        if tail or line.lower().startswith(("hide dependent", "translated from")):
            copy.left_out.append(line)
        else:
            kept.append(bare if _DESCRIPTION.fullmatch(bare) or CLAIMS.match(bare) else _STARS.sub("", line))
    return kept


def _label(line: str) -> re.Match[str] | None:
    return _LABEL.match(line) if len(line) < 2_000 else None


def _numbered(line: str) -> re.Match[str] | None:
    """Return a line that is a publication's number, or begins with one before a title."""
    return _ALONE.fullmatch(line) or _NUMBERED_TITLE.fullmatch(line) if len(line) < 500 else None


def _number(line: str) -> str:
    """Return the number of a publication that a line holds; empty without its kind."""
    match = _numbered(line)
    if match is None or not match["kind"]:
        return ""
    return patent_id(match["country"], re.sub(r"\D", "", match["digits"]), match["kind"])


def _year(head: Sequence[str], fields: dict[str, list[str]]) -> int | None:
    """Return the year of publication: under its label, else in the page's line with the number and the day."""
    labelled = [value for label, values in fields.items() if label.startswith("pub") for value in values]
    printed = [line for line in head if _PAGE.fullmatch(line) or _SITE.fullmatch(line)]
    years = (year for text in (*labelled, *printed) for year in _YEAR.findall(text)[-1:])
    return next((int(year) for year in years), None)


def _title(head: Sequence[str], record: Sequence[str]) -> str:
    """Return the title beside the number, or under its label, or the first lines that are neither page nor record."""
    for line in head[:10]:
        match = _NUMBERED_TITLE.fullmatch(line) if len(line) < 500 and not _ALONE.fullmatch(line) else None
        if match is not None and not _PAGE.fullmatch(line) and not _label(match["title"]):
            return one_line(match["title"])
    named = _fields([*head, *record]).get("title")
    if named:
        english = next((one for one in named if one.startswith("(EN)")), named[0])
        return one_line(_LANGUAGE.sub("", english, 1))
    found: list[str] = []
    labelled = False
    for line in head:
        match = _label(line)
        labelled = bool(match and not match["mark"].strip(": ")) or (labelled and bool(line))
        if (
            not labelled
            and match is None
            and line
            and not (_SITE.fullmatch(line) or _PAGE.fullmatch(line) or _numbered(line))
        ):
            found.append(line)
        elif found:
            break
    return one_line(" ".join(found[:4]))


def _fields(lines: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each label: what follows on its line, else the lines below it up to a blank one."""
    fields: dict[str, list[str]] = {}
    values: list[str] | None = None
    for line in lines:
        match = _label(line)
        if match is not None:
            rest = line[match.end() :].strip(" :\t")
            values = fields.setdefault(match["label"].lower(), [])
            if rest:
                values.append(rest)
                values = None
        elif not line:
            values = None
        elif values is not None:
            values.append(line)
    return fields


def _without_place(name: str) -> str:
    """Return a name without the place behind it: "Ada Lind, Oakland, CA (US)", as offices print it."""
    bare = _PLACE.sub("", name.strip())
    return bare if len(bare.split()) > 1 else name.strip()


def _people(fields: dict[str, list[str]], *labels: str) -> Iterator[str]:
    """Yield the names under the first of some labels; those that nothing parts are left alone."""
    key = next((one for label in labels for one in fields if label in one), "")
    found: list[str] = []
    for value in fields.get(key, []):
        if value.startswith("Name City"):  # the head of a table
            continue
        value = "; ".join(map(_without_place, value.split(";")))
        bare = _BRACKETS.sub("", value)
        pairs = re.findall(r"(?<![^;,]) *+([^;, ][^;,]*+); ([^;,]++)(?:[;,]|$)", bare) if "(" in value else []
        found.extend(f"{first.strip()} {last.strip()}" for last, first in pairs)
        if not pairs:
            found.extend(one.strip() for one in bare.split(";"))
    yield from dict.fromkeys(
        name for name in found if name and (len(found) > 1 or "inventor" not in key or len(name.split()) < 4)
    )
