r"""LaTeX source before its macros are expanded: without comments, programs and what is switched off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

_VERBATIM = re.compile(
    r"\\begin\{(verbatim\*?|[BLV]?Verbatim|lstlisting|minted|python|tcblisting|S?[Cc]ode(?:Input|Output|Chunk)?|comment)\}"
)
_CHUNK = re.compile(r"<<.*>>=[ \t]*")
_OPTIONS = r"[ \t]*+(?:\[[^\[\]\n]{0,200}\][ \t]*+)?"
_SHOWS = rf"(?:(?:[Vv]erb|lstinline|pyth)\*?{_OPTIONS}|mint(?:inline)?{_OPTIONS}\{{[^{{}}\n]{{0,60}}\}}[ \t]*+)"
_SHOWN = re.compile(
    r"\\(?:(?:re|provide)?newcommand\*?|[gex]?def|let)[ \t]*+\{?\\(?P<name>[A-Za-z]+)\}?[ \t]*+[={]?[ \t]*+"
    rf"\\{_SHOWS}(?:[}}\n]|\Z)"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand[ \t]*+\{?\\(?P<xparse>[A-Za-z]+)\}?[ \t]*+\{[ \t]*+v[ \t]*+\}"
    r"|\\newmintinline(?:\[(?P<minted>[A-Za-z]+)\])?\{(?P<language>[A-Za-z]+)\}"
    r"|\\(?:MakeShortVerb|DefineShortVerb|lstMakeShortInline)\*?(?:\[[^\[\]\n]{0,200}\])?\{?\\?(?P<mark>[^\w\s{}\\])"
)
"""Defines a command, or a character, that shows what follows it as it stands."""
_TWO_COLUMNS = re.compile(r"\\twocolumn\s*+\[")
_BRACKET = re.compile(r"\\(?:[A-Za-z]++\*?|\\\*?|.)(?:[ \t]*+\[[^\[\]{}]{0,100}\])?|[{}\]]", re.DOTALL)
_GERMAN = re.compile(
    r"\\(?:usepackage|documentstyle)[ \t]*+(?:\[[^\[\]]{0,200}\b(?:n?german|n?austrian)\b[^\[\]]{0,200}\]|"
    r"\{n?german\})|\\documentclass\[[^\[\]]{0,200}\bn?german\b|\\input[ \t]+n?german"
)
_SHORTHAND = re.compile("(?<!\\\\)\"([aouAOUsS`'<>=~|-])")
_LETTERS = {
    **dict(zip("aouAOUsS", "äöüÄÖÜßß", strict=True)),
    **{"`": "„", "'": "“", "<": "«", ">": "»", "=": "-", "~": "-", "|": "", "-": ""},
}
_SPECIAL = re.compile(r"[\\{}$~%]|-(?=-)|`(?=`)|'(?=')")
_ESCAPED_IN_URL = re.compile(r"\\([%#&_~])")
_STEP = re.compile(
    r"\\\\|\\let\s*+\\[A-Za-z@]++\s*+=?\s*+\\if[A-Za-z@]*+|\\newif\s*+\\if[A-Za-z@]++|\{\\iffalse\s*+\}"
    r"|\\(?:iff|ifthenelse|if(?:un)?def|ifstr\w*+|ifbool|iftoggle|ifblank|ifcs\w*+|ifnumcomp|ifdim(?:comp|equal))(?![A-Za-z@])"
    r"|(?P<off>\\iffalse(?![A-Za-z@])|\\if ?0(?![\d.\\#]))|(?P<open>\\if[A-Za-z@]*+)"
    r"|(?P<middle>\\else(?![A-Za-z@]))|(?P<close>\\fi(?![A-Za-z@]))"
)
_MOST_SHOWN = 50


def without_silent(text: str) -> str:
    """Return source with only its text and the commands around it left."""
    return _without_shorthands(
        _without_brackets(_without_hidden(_without_comments(_without_listings(_without_chunks(text)))))
    )


def programs(text: str) -> int:
    """Return how many program listings a source holds, which are left out."""
    return sum(match[1] != "comment" for match in _VERBATIM.finditer(text))


def _without_shorthands(source: str) -> str:
    """Return source with the letters that German spells with a quotation mark, where it says that it is German."""
    return _SHORTHAND.sub(lambda match: _LETTERS[match[1]], source) if _GERMAN.search(source) else source


def _without_brackets(source: str) -> str:
    r"""Return source with the title block that `\twocolumn[...]` sets, its bracket aside: no option, but text."""
    pieces, at = list[str](), 0
    for match in _TWO_COLUMNS.finditer(source):
        depth = 0
        for mark in _BRACKET.finditer(source, match.end()) if match.start() >= at else ():
            depth += {"{": 1, "}": -1}.get(mark[0], 0)
            if mark[0] == "]" and depth <= 0:
                pieces.extend((source[at : match.start()], "\n", source[match.end() : mark.start()], "\n"))
                at = mark.end()
                break
        else:
            if match.start() >= at:
                break  # it has no end
    return "".join((*pieces, source[at:]))


def _without_listings(text: str) -> str:
    """Return text without programs and comment environments, in one pass."""
    pieces, at, endless = [], 0, set[str]()
    while match := _VERBATIM.search(text, at):
        end = f"\\end{{{match[1]}}}"
        stop = text.find(end, match.end()) if end not in endless else -1
        if stop < 0:
            endless.add(end)
            stop = match.end() - len(end)
        pieces.append(text[at : match.start()])
        at = stop + len(end)
    return "".join((*pieces, text[at:]))


def _without_chunks(text: str) -> str:
    """Return text without Sweave's programs, each from `<<...>>=` to the next line that starts with `@`."""
    if "\n<<" not in text:
        return text
    kept, chunk = list[str](), list[str]()
    for line in text.split("\n"):
        if chunk and line.startswith("@"):
            chunk = []
        elif chunk or _CHUNK.fullmatch(line):
            chunk.append(line)
        else:
            kept.append(line)
    return "\n".join((*kept, *chunk))  # without an end it is not a program


def _without_comments(text: str) -> str:
    r"""Return text without comments; what `\verb` and its like show, and addresses, become text with its `%`."""
    if "%" not in text and "\\" not in text:
        return text
    names, marks = set[str](), set[str]()
    for found in islice(_SHOWN.finditer(text), _MOST_SHOWN):
        language = f"{found['language']}inline" if found["language"] else ""
        names.add(found["name"] or found["xparse"] or found["minted"] or language)
        marks.add(found["mark"] or "")
    return _stretches_of(tuple(sorted(names - {""})), "".join(sorted(marks))).sub(_as_written, text)


@lru_cache(maxsize=64)
def _stretches_of(names: tuple[str, ...], marks: str) -> re.Pattern[str]:
    r"""Return what finds comments and what is shown as it stands: behind `names` as behind `\verb`, between `marks`."""
    shows = "|".join((_SHOWS, *(rf"{name}(?![A-Za-z]){_OPTIONS}" for name in names)))
    return re.compile(
        r"\\(?:(?:re|provide)?newcommand\*?|[gex]?def|let|\w+DocumentCommand)[ \t]*+\{?\\[A-Za-z@]+"
        rf"|\\(?:{shows})(?:(?P<mark>[^\w\s*{{}}\[\\])(?P<verb>[^\n]{{0,200}}?)(?P=mark)"
        r"|\{(?P<braced>(?:[^{}\n]|\{[^{}\n]*+\})*+)\})"
        r"|\\(?:url|path|nolinkurl)[ \t]*+(?:\{(?P<url>[^{}\n]*+)\}|(?P<edge>[|!+/])(?P<path>[^\n]{0,200}?)(?P=edge))"
        r"|\\href[ \t]*+\{[^{}\n]*+\}"
        r"|\\."
        r"|(?P<comment>%[^\n]*+(?:\n[ \t]*+(?=\S))?)"
        rf"|(?P<edges>{f'[{re.escape(marks)}]' if marks else '(?!)'})(?P<short>[^\n]{{0,200}}?)(?P=edges)",
        re.DOTALL,
    )


def _as_written(match: re.Match[str]) -> str:
    kinds = ("verb", "braced", "path", "short", "url")
    literal = next((match[kind] for kind in kinds if match[kind] is not None), None)
    if literal is None:
        return "" if match["comment"] is not None else match[0]
    literal = _ESCAPED_IN_URL.sub(r"\1", literal) if match["url"] is not None else literal
    return _SPECIAL.sub(_escaped, literal)


def _escaped(match: re.Match[str]) -> str:
    after = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "-": "-{}", "`": "`{}", "'": "'{}"}
    return after.get(match[0], f"\\{match[0]}")


def _without_hidden(source: str) -> str:
    r"""Return source without its switched-off parts; what stands after their `\else` stays."""
    if not re.search(r"\\iffalse|\\if ?0", source):
        return source
    pieces, at = list[str](), 0
    for start, stop in _hidden_stretches(source):
        pieces.append(source[at:start])
        at = stop
    return "".join((*pieces, source[at:]))


def _hidden_stretches(source: str) -> Iterator[tuple[int, int]]:
    r"""Yield the switched-off stretches, from left to right.

    One whose conditions do not balance ends at its first `\fi`, and so do those after it: an unknown command whose name
    begins with "if" must not hide the rest of a paper.
    """
    start = first = -1
    depth = 0
    for match in _STEP.finditer(source):
        if start < 0:
            start, first, depth = (match.start(), -1, 1) if match["off"] else (-1, -1, 0)
            continue
        if match["close"]:
            first = match.end() if first < 0 else first
            depth -= 1
        elif match["off"] or match["open"]:
            depth += 1
        if not depth or (depth == 1 and match["middle"]):
            yield start, match.end()
            start = -1
    if start >= 0 and first >= 0:
        yield start, first
        yield from _to_the_first_end(source, first)


def _to_the_first_end(source: str, begin: int) -> Iterator[tuple[int, int]]:
    start = -1
    for match in _STEP.finditer(source, begin):
        if match["off"] and start < 0:
            start = match.start()
        elif start >= 0 and (match["close"] or match["middle"]):
            yield start, match.end()
            start = -1
