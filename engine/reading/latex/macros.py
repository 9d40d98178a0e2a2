r"""An author's macros in LaTeX source, expanded.

Each macro or environment, with or without arguments, is as it was last defined, by `\def`, `\newcommand`,
`\NewDocumentCommand`, `\newenvironment` or `\let`. A macro's text is expanded once, to at most `_LONGEST` characters,
and arguments before they are put in, all in at most `_DEEPEST` levels and to no more than a bound. A macro that would
grow further, or needs itself, stays, and is then left out like any unknown command. So source that doubles at each step
costs no more than other text of its length.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_NAME = r"(?:\{\s*+\\(?P<braced>[A-Za-z@]++)\s*+\}|\\(?P<bare>[A-Za-z@]++))"
_DEFINITION = re.compile(
    r"\\(?:(?P<provide>providecommand|ProvideDocumentCommand)|(?P<let>let)"
    r"|(?P<xparse>(?:New|Renew|Declare)(?:Expandable)?DocumentCommand)|(?P<def>[egx]?def)"
    rf"|(?:re)?newcommand|DeclareRobustCommand)(?![A-Za-z@])\*?\s*+(?:=\s*+)?{_NAME}"
    r"|\\(?:(?:re)?newenvironment|(?P<xenvironment>(?:New|Renew|Declare|Provide)DocumentEnvironment))"
    r"\*?\s*+\{(?P<environment>[^{}\\\n]{1,60})\}"
)
_USE = re.compile(
    r"\\(?:\\|(?P<edge>begin|end)[ \t]*+\{(?P<environment>[^{}\\\n]{1,60})\}|(?P<used>[A-Za-z@]++)(?P<star>\*?)|.)",
    re.DOTALL,
)
_DEFINES = re.compile(
    r"(?:provide|(?:re)?new)command|DeclareRobustCommand|[egx]?def|let|(?:re)?newenvironment|"
    r"(?:New|Renew|Declare|Provide)(?:Expandable)?Document(?:Command|Environment)"
)
_LET = re.compile(r"[ \t]*+=?[ \t]*+(\\[A-Za-z@]++)")
_COUNT = re.compile(r"\s*+(?:\[([0-9])\]\s*+)?(\[(?:[^\[\]{}]|\{[^{}]*+\}){0,200}\]\s*+)?")
_SIGNS = re.compile(r"[^{}]{0,200}")
_SIGN = re.compile(r"#([1-9])")
_SPEC = re.compile(r"[+!]|m|s|t.|v|(?P<option>[oO])(?P<default>\{[^{}]*\})?|\s+")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"[ \t]*+(?:\n(?![ \t]*\n)[ \t]*+)?")
_OPTION = re.compile(r"[ \t]*+\n?[ \t]*+\[((?:[^\[\]{}]|\{[^{}]*+\}){0,1000})\]")
_TOKEN = re.compile(r"\\(?:[A-Za-z@]++|.)|#[1-9]|[^\s{}]", re.DOTALL)
_CHOICE = re.compile(r"\\If(?P<what>NoValue|Boolean|Value)(?P<branches>TF|T|F)(?![A-Za-z])")
_ABSENT = "-NoValue-"
_XSPACE = re.compile(r"\\xspace(?![A-Za-z@])[ \t]*+(?:\n[ \t]*+)?(?=[\w\\(\[$`])")
_ONE_DOT = re.compile(r"(?<!def)(?<!mand)(?<!mand\{)\\@?onedot(?![A-Za-z@])(?:\{\})?\.?")
_LATIN = {name.replace(".", ""): name for name in "e.g i.e cf etc vs w.r.t i.i.d a.k.a viz E.g I.e Cf Viz".split()}
_LATIN["etal"] = "~et~al"
"""What styles of conferences write in full, each before its full stop."""
_LATIN_USED = re.compile(rf"\\({'|'.join(_LATIN)})(?=[^A-Za-z@{{]|\{{\}})")
_NAME_AT_END = re.compile(r"\\[A-Za-z@]+$")
_LONGEST = 4_000
_LONGEST_ARGUMENT = 50_000
_DEEPEST = 10
_MOST = 10_000
_MOST_ADDED = 1_000_000


@dataclass(frozen=True, slots=True)
class _Parameter:
    """One argument: in braces, in brackets where `default` is given, or up to `until`; `star` is `*` or nothing."""

    default: str | None = None
    until: str = ""
    star: bool = False


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro's arguments and its text, with `#1` where the first argument goes."""

    parameters: tuple[_Parameter, ...]
    body: str
    before: str = ""


def with_macros(source: str, known: Collection[str]) -> str:
    """Return source with its macros expanded, except those named like a `known` command or environment."""
    macros = {name: _Macro((), f"{_LATIN[name]}\\onedot") for name in _LATIN_USED.findall(source)}
    pairs = Pairs(source)
    for number, match in enumerate(_DEFINITION.finditer(source)):
        if number == _MOST:
            break
        _learn(macros, source, match, pairs, known)
    macros.pop("onedot", None)
    source = _Expansion(macros, len(source)).of(source, pairs) if macros else source
    return _ONE_DOT.sub(".", _XSPACE.sub(" ", source)) if "\\" in source else source


def _learn(macros: dict[str, _Macro], source: str, match: re.Match[str], pairs: Pairs, known: Collection[str]) -> None:
    """Note what one definition defines."""
    if (environment := match["environment"]) is not None:
        parameters, at = _parameters(source, match.end(), "spec" if match["xenvironment"] else "count", pairs)
        opening = braced(source, at, pairs)
        closing = braced(source, opening[1], pairs) if opening is not None else None
        if environment not in known and opening is not None and closing is not None and parameters is not None:
            macros[f"begin {environment}"] = _Macro(parameters, opening[0])
            macros[f"end {environment}"] = _Macro((), closing[0])
        return
    name = match["braced"] or match["bare"]
    if name in known or (match["provide"] and name in macros):
        return
    macros.pop(name, None)
    if match["let"]:
        if (other := _LET.match(source, match.end())) is not None and other[1] != f"\\{name}":
            macros[name] = _Macro((), other[1])
        return
    how = "signs" if match["def"] else "spec" if match["xparse"] or match[0].startswith("\\Provide") else "count"
    before = ""
    if how == "signs":
        signs = _SIGNS.match(source, match.end())
        before, at = (signs[0].partition("#")[0], signs.end()) if signs is not None else ("", match.end())
        parameters = _parameters_of_signs(signs[0][len(before) :]) if signs is not None else None
        before = before if before.strip() else ""
    else:
        parameters, at = _parameters(source, match.end(), how, pairs)
    body = braced(source, at, pairs)
    if parameters is not None and body is not None and len(body[0]) <= _LONGEST and "##" not in body[0]:
        macros[name] = _Macro(parameters, body[0], before)


def _parameters(source: str, at: int, how: str, pairs: Pairs) -> tuple[tuple[_Parameter, ...] | None, int]:
    """Read the arguments that a definition asks for, and where its text begins; None where their kind is not known."""
    if how == "spec":
        spec = braced(source, at, pairs)
        return (_parameters_of_spec(spec[0]), spec[1]) if spec is not None else (None, at)
    count = _COUNT.match(source, at)
    if count is None or count[1] is None:
        return (), at
    parameters = [_Parameter() for _ in range(int(count[1]))]
    if count[2] is not None and parameters:
        parameters[0] = _Parameter(default=count[2].strip()[1:-1])
    return tuple(parameters), count.end()


def _parameters_of_signs(signs: str) -> tuple[_Parameter, ...] | None:
    r"""Return the arguments of `\def\name#1#2.{...}`: the second goes up to the stop."""
    pieces = _SIGN.split(signs)  # "", "1", text after it, "2", text after it ...
    if pieces[1::2] != [str(number + 1) for number in range(len(pieces) // 2)]:
        return None
    return tuple(_Parameter(until=text if text.strip() else "") for text in pieces[2::2])


def _parameters_of_spec(spec: str) -> tuple[_Parameter, ...] | None:
    """Return the arguments of xparse: `m`, `o`, `O{default}` and `s`."""
    found, at = list[_Parameter](), 0
    while at < len(spec):
        match = _SPEC.match(spec, at)
        if match is None:
            return None
        at = match.end()
        if match["option"]:
            found.append(_Parameter(default=match["default"][1:-1] if match["default"] else _ABSENT))
        elif match[0] in ("m", "v"):
            found.append(_Parameter())
        elif match[0] == "s":
            found.append(_Parameter(star=True))
        elif match[0].strip() not in ("", "+", "!"):
            return None
    return tuple(found)


class Pairs:
    """Where each brace of a text closes; found in one pass when first asked."""

    def __init__(self, text: str) -> None:
        """Take a text, whose braces are not looked at yet."""
        self._text = text
        self._opens: array[int] | None = None
        self._closes = array("q")

    def closing(self, start: int) -> int:
        """Return where the brace at `start` closes; -1 where it does not."""
        if self._opens is None:
            self._opens = self._find()
        place = bisect_left(self._opens, start)
        return self._closes[place] if place < len(self._opens) and self._opens[place] == start else -1

    def _find(self) -> array[int]:
        opens, waiting = array("q"), list[int]()
        for match in _BRACE.finditer(self._text):
            if match[0] == "{":
                waiting.append(len(opens))
                opens.append(match.start())
                self._closes.append(-1)
            elif match[0] == "}" and waiting:
                self._closes[waiting.pop()] = match.start()
        return opens


def braced(text: str, at: int, pairs: Pairs) -> tuple[str, int] | None:
    """Return the text in braces that begins at a place, after white space, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    stop = pairs.closing(at) if text[at : at + 1] == "{" else -1
    return (text[at + 1 : stop], stop + 1) if stop >= 0 else None


class _Expansion:
    """Puts the text of macros where they are used."""

    def __init__(self, macros: dict[str, _Macro], size: int) -> None:
        self._macros = macros
        self._texts: dict[str, str | None] = {}
        self._left = _MOST_ADDED + 2 * size
        self._nested = 0

    def of(self, text: str, pairs: Pairs) -> str:
        """Return a text with its macros expanded."""
        if self._nested > _DEEPEST or "\\" not in text:
            return text
        pieces, at, skip = [""], 0, 0
        for match in _USE.finditer(text):
            if match.start() < skip:
                continue
            if match["used"] is not None and _DEFINES.fullmatch(match["used"]):
                skip = _after_definition(text, match.start(), pairs)
                continue
            used = self._used(text, match, pairs) if self._left > 0 else None
            if used is not None:
                _add(pieces, text[at : match.start()], used[0], text[used[1] : used[1] + 1])
                at = skip = used[1]
        return "".join((*pieces, text[at:])) if at else text

    def _used(self, text: str, match: re.Match[str], pairs: Pairs) -> tuple[str, int] | None:
        """Return what stands for the use of a macro, and where that use ends; None where it stays."""
        name = match["used"] or (f"{match['edge']} {match['environment']}" if match["edge"] else "")
        macro = self._macros.get(name)
        body = self._text(name) if macro is not None else None
        if macro is None or body is None:
            return None
        if not macro.parameters and not macro.before:
            self._left -= len(body)
            return body, match.end("used" if match["used"] else "environment") + (not match["used"])
        at = match.end() - (len(match["star"]) if match["used"] else 0)
        if not text.startswith(macro.before, at):
            return None
        arguments, at = list[str](), at + len(macro.before)
        for place, parameter in enumerate(macro.parameters, 1):
            found = _argument(text, at, parameter, pairs)
            used = f"#{place}" in body
            if found is None or (used and len(found[0]) > _LONGEST_ARGUMENT):
                return None
            self._nested += 1
            arguments.append(self.of(found[0], Pairs(found[0])) if used else "")
            self._nested -= 1
            at = found[1]
        put = _choose_branches(_SIGN.sub(lambda sign: _at(arguments, int(sign[1])), body))
        self._left -= len(put)
        return put, at

    def _text(self, name: str) -> str | None:
        """Return the expanded text of a macro; None where it has no end."""
        if name not in self._texts and self._nested <= _DEEPEST:
            self._texts[name] = None  # during expansion, so that it cannot need itself
            self._nested += 1
            body = self._macros[name].body
            found = self.of(body, Pairs(body))
            self._nested -= 1
            self._texts[name] = found if len(found) <= _LONGEST else None
        return self._texts.get(name)


def _after_definition(text: str, start: int, pairs: Pairs) -> int:
    """Return where a definition ends: no macro is expanded in it."""
    match = _DEFINITION.match(text, start)
    if match is None:
        return start
    at = match.end()
    if match["let"]:
        other = _LET.match(text, at)
        return other.end() if other is not None else at
    opening = text.find("{", at, at + 300)
    for _ in range(3):  # arguments, text, and an environment's end
        stop = pairs.closing(opening) if opening >= 0 else -1
        if stop < 0:
            break
        at = stop + 1
        opening = at if text[at : at + 1] == "{" and (match["environment"] or "Document" in match[0]) else -1
    return at


def _argument(text: str, at: int, parameter: _Parameter, pairs: Pairs) -> tuple[str, int] | None:
    """Return the next argument and where it ends."""
    if parameter.until:
        stop = text.find(parameter.until, at, at + _LONGEST)
        return (text[at:stop].strip(), stop + len(parameter.until)) if stop >= 0 else None
    if parameter.star:
        return ("*", at + 1) if text[at : at + 1] == "*" else (_ABSENT, at)
    if parameter.default is not None:
        option = _OPTION.match(text, at)
        return (option[1], option.end()) if option is not None else (parameter.default, at)
    space = _SPACE.match(text, at)
    at = space.end() if space is not None else at
    if text[at : at + 1] == "{":
        stop = pairs.closing(at)
        return (text[at + 1 : stop], stop + 1) if stop >= 0 else None
    token = _TOKEN.match(text, at)
    return (token[0], token.end()) if token is not None else None


def _choose_branches(text: str) -> str:
    """Return a text without xparse's choices: the branch that holds stays."""
    if "\\If" not in text:
        return text
    pairs, pieces, at = Pairs(text), list[str](), 0
    for match in _CHOICE.finditer(text):
        asked = braced(text, match.end(), pairs) if match.start() >= at else None
        if asked is None:
            continue
        holds = (asked[0] == _ABSENT) == (match["what"] == "NoValue")
        branches = list(_branches(text, asked[1], len(match["branches"]), pairs))
        if len(branches) != len(match["branches"]):
            continue
        kept = dict(zip(match["branches"], branches, strict=True)).get("T" if holds else "F")
        pieces.extend((text[at : match.start()], kept[0] if kept is not None else ""))
        at = branches[-1][1]
    return "".join((*pieces, text[at:]))


def _branches(text: str, at: int, count: int, pairs: Pairs) -> Iterator[tuple[str, int]]:
    for _ in range(count):
        found = braced(text, at, pairs)
        if found is None:
            return
        at = found[1]
        yield found


def _at(arguments: list[str], number: int) -> str:
    return arguments[number - 1] if number <= len(arguments) else ""


def _add(pieces: list[str], before: str, text: str, after: str) -> None:
    """Add what stands before a macro, and its text; neither goes on with the name of a command beside it."""
    name_before = text[:1].isalpha() and _NAME_AT_END.search((before or pieces[-1])[-100:])
    name_after = after.isalpha() and _NAME_AT_END.search(text[-100:])
    pieces.extend((before, f" {text}" if name_before else text))
    if name_after:
        pieces.append(" ")
