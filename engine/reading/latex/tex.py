"""Removes TeX's marks from a text: accents and symbols become characters, commands go, their words stay.

One pass from left to right, without expanding macros or reading anything twice, so hostile source costs no more than
other text of its length. Mathematics keeps its source (`$x_1$`), as arXiv's abstracts do. BibTeX's fields are read by
`plain`; `reader` reads whole papers with more commands of its own.

pylatexenc (MIT) does this too; its walker calls itself for each brace, so 2,000 of them end it with
a RecursionError, and it wants about 7 s for a megabyte where this takes under 1 s.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from engine.core.errors import MalformedFileError
from engine.documents.text import lowered, raised
from engine.reading.latex import commands
from engine.reading.latex.commands import ACCENTS, JOINS, LEFT_OUT, LIGATURES, LINE_BREAKS, PRINTED, SPACING, SYMBOLS
from engine.reading.latex.quantities import with_quantities
from engine.reading.limits import LIMITS, Budget, Limits

_BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}"
_OPTION = rf"(?:[ \t]*\[(?:[^\[\]{{}}]|{_BRACED})*+\]){{0,3}}+"
_UNIT = r"(?:true[ \t]*+)?(?:pt|in|cm|mm|ex|em|pc|bp|dd|cc|sp|mu|fil{1,3})(?![A-Za-z])"
_LENGTH = r"\\[A-Za-z@]*(?:skip|width|height|size|indent|sep|depth|jot|unit|amount)(?![A-Za-z@])"
_VALUE = (
    rf"[-+ \t]*+(?:(?:\d++(?:[.,]\d*+)?|[.,]\d++)[ \t]*+(?:{_UNIT}|{_LENGTH})?|\\magstep(?:half|[ \t]*+\d)|{_LENGTH})"
    rf"(?:[ \t]*+(?:plus|minus)[-+ \t]*+(?:\d++(?:[.,]\d*+)?|[.,]\d++)[ \t]*+{_UNIT})*+"
)
_SET = (
    r"(?:[vhm]skip|m?kern|penalty|magnification|[hv]size|[hv]offset|par(?:indent|skip)|(?:base)?lineskip(?:limit)?|"
    r"(?:left|right|top|foot|head)skip|(?:pre)?tolerance|hang(?:indent|after)|raise|lower|moveleft|moveright|pageno|"
    r"looseness|(?:club|widow|hyphen|interline)penalty|overfullrule|[hv]fuzz|[hv]badness|emergencystretch|openup|"
    r"(?:odd|even)sidemargin|topmargin|text(?:width|height)|headheight|headsep|columnsep|unitlength|mathsurround|"
    r"normalbaselineskip|spaceskip|xspaceskip|language|(?:left|right)hyphenmin)"
)
_TOKEN = re.compile(
    r"(?P<define>\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|DeclareSIUnit)\*?\s*+"
    rf"(?:\{{\s*+\\[A-Za-z@]++\s*+\}}|\\[A-Za-z@]++)\s*+{_OPTION}|\\[egx]?def\s*+\\(?:[A-Za-z@]++|.)"
    r"(?:(?:[^{}\\]|\\(?:[A-Za-z@]++|.)){0,60}+(?=\{)|[^{}\\]{0,60}+))"
    r"|(?P<define2>\\(?:New|Renew|Provide|Declare)(?:Expandable)?Document(?:Command|Environment)\s*+"
    r"(?:\{[^{}\n]{0,60}+\}|\\[A-Za-z@]++)"
    rf"|\\(?:re)?newenvironment\*?\s*+\{{[^{{}}\n]{{0,60}}+\}}\s*+{_OPTION})"
    rf"|(?P<environment>\\(?:begin|end)\s*+\{{[^{{}}\n]{{0,60}}+\}}{_OPTION})"
    r"|(?P<math>\$\$(?:[^$\\\n]|\\.|\n(?![ \t]*+\n))*+\$\$|\$(?:[^$\\\n]|\\.|\n(?![ \t]*+\n))*+\$"
    r"|\\\((?:[^\\]|\\[^()])*+\\\))"
    r"|(?P<display>\\\[(?:[^\\]|\\[^\[\]])*+\\\])"
    rf"|(?P<ensured>\\ensuremath[ \t]*+{_BRACED})"
    rf"|(?P<assignment>\\{_SET}(?![A-Za-z@])[ \t]*+=?{_VALUE}|\\(?!font|let)[A-Za-z@]++[ \t]*+=(?:{_VALUE})"
    r"|\\font[ \t]*+\\[A-Za-z@]++[ \t]*+=?[ \t]*+[^\s\\{}]++(?:[ \t]++"
    r"(?:scaled[ \t]*+(?:\\magstep(?:half|[ \t]*+\d)|\d++)|at[ \t]*+[\d.]++[ \t]*+[a-z]{2}))?"
    r"|\\(?:cat|lc|uc|sf|math|del)code[ \t]*+`?\\?.[ \t]*+=?[ \t]*+\\?[\w\"]++"
    rf"|\\[hv]rule(?:[ \t]*+(?:height|width|depth){_VALUE})++|\\(?:[hv]box|vtop)[ \t]*+(?:to|spread){_VALUE})"
    r"|\\input[ \t]++[^\s\\{}%]{1,100}+"
    r"|\\let[ \t]*+\\(?:[A-Za-z@]++|.)[ \t]*+=?[ \t]*+(?:\\(?:[A-Za-z@]++|.))?"
    rf"|(?P<word>\\[A-Za-z@]++\*?(?:(?![ \t]*+\[)[ \t]*+(?:\n(?![ \t]*+\n)[ \t]*+)?|{_OPTION}))"
    r"|(?P<symbol>\\(?:\\\*?(?:\[[^\[\]{}\n]{0,30}\])?|.)?)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<text>[^\\{}$]++|\$)",
    re.DOTALL,
)
_WORD = re.compile(r"\\([A-Za-z@]+)")
_BLANK = re.compile(r"\n[ \t]*\n")
_SCRIPTS = {"textsuperscript": raised, "textsubscript": lowered}
_SHORT_OPTION = re.compile(r"\s*(?:\[[^\[\]]{0,300}\]|\"[^\"\n]{0,20}\"\Z)")
_OPENING = " \n\t([{-/“‘«"
_TOKENS_BETWEEN_CHECKS = 10_000
_MOST_ACCENTS = 3  # Vietnamese has two over a letter

Taker = Callable[[str], None]
"""Gets the text of an argument or an environment."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """An open brace ("{") or environment: where the text before it goes on, and who gets the text within."""

    name: str
    sink: list[str]
    then: Taker | None
    zone: str
    style: int


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument that a command waits for: `then` gets its text; it is left out where `then` is None."""

    then: Taker | None
    zone: str = ""
    style: int | None = None


def plain(source: str, place: str, limits: Limits = LIMITS) -> str:
    """Return the text of a stretch of TeX; lines and blanks stay as they stand."""
    if "\\" not in source and "{" not in source and not LIGATURES.search(source):
        return source
    stripper = Stripper(place, limits)
    stripper.feed(with_quantities(source))
    return stripper.finish()


class Stripper:
    """Writes the words of TeX source, token by token; `place` names the source in errors.

    `trace` is written where a command stood, so that a line with nothing else does not become blank. `zone` says whose
    argument is read; `style` is the font in force, for a reader that asks.
    """

    trace = ""
    broken = "\n"
    """Written at a line's end that the source asks for."""

    def __init__(self, place: str, limits: Limits = LIMITS) -> None:
        """Begin with an empty text."""
        self.sink: list[str] = []
        self.zone = ""
        self.style = 0
        self._place, self._limits = place, limits
        self._frames: list[_Frame] = []
        self._opaque = 0  # depth within an argument that is left out
        self._wanted: deque[_Argument] = deque()  # arguments that the last command waits for
        self._pointers: dict[str, bool] = {}
        self._accent = ""  # the accents that wait for their letter, the outer one first
        self._handlers: dict[str, Taker] = {
            "define": lambda _: self._define(1),
            "define2": lambda _: self._define(2),
            "environment": self._environment,
            "math": self.mathematics,
            "display": lambda _: self.write(f" {self.trace}"),
            "ensured": lambda token: self.mathematics(f"${token.partition('{')[2][:-1]}$"),
            "assignment": self.assign,
            "word": self._word,
            "symbol": self._symbol,
            "open": lambda _: self._open(),
            "close": lambda _: self._close(),
            "text": self._text,
        }

    def feed(self, source: str) -> None:
        """Read some whole source."""
        budget = self._limits if isinstance(self._limits, Budget) else None
        for number, match in enumerate(_TOKEN.finditer(source), 1):
            if budget is not None and not number % _TOKENS_BETWEEN_CHECKS:
                budget.check()
            kind = match.lastgroup or "assignment"
            if self._opaque:
                self._opaque += {"open": 1, "close": -1}.get(kind, 0)
            else:
                self._handlers[kind](match[0])

    def finish(self) -> str:
        """Return the whole text; what is still open ends here."""
        self.close_all()
        return "".join(self.sink)

    # What a reader of whole papers says of commands and environments --------------------------------

    def command(self, name: str, options: str) -> bool:  # noqa: ARG002  for readers that know more commands
        """Tell whether the reader has done what a command asks."""
        return False

    def begin(self, name: str) -> None:
        """Begin an environment."""
        self.push(name)

    def end(self, name: str) -> None:
        """End an environment, and whatever is open within it."""
        if any(frame.name == name for frame in self._frames):
            open_still = True
            while self._frames and open_still:  # a heading that ends here closes everything
                open_still = self._pop().name != name

    def write(self, text: str) -> None:
        """Add text; accents go over its first letter, the inner one first."""
        if self._accent and (begun := text.lstrip()):
            over = "".join(ACCENTS[accent] for accent in reversed(self._accent))
            text = unicodedata.normalize("NFC", begun[0] + over) + begun[1:]
            self._accent = ""
        self.sink.append(text)

    def mathematics(self, source: str) -> None:
        """Write a formula within the text."""
        self.write(source)

    def assign(self, token: str) -> None:
        """Take a setting; vertical space ends a paragraph."""
        self.write("\n\n" if token.startswith("\\vskip") else self.trace)

    def restyle(self, style: int) -> None:
        """Another font is in force, up to the end of the group."""
        self.style = style

    def leave_out(self, arguments: int) -> None:
        """Leave out the next arguments."""
        self._wanted.clear()
        self._wanted.extend(_Argument(None) for _ in range(arguments))

    def capture(self, *then: Taker | None, zone: str = "", style: int | None = None) -> None:
        """Give the text of each of the next arguments to its taker instead of writing it; None leaves one out."""
        self._wanted.clear()
        self._wanted.extend(_Argument(one, zone, style) for one in then)

    def push(self, name: str, then: Taker | None = None, zone: str = "") -> None:
        """Open a brace or an environment; `then` gets its text."""
        if len(self._frames) >= self._limits.max_tex_depth:
            raise MalformedFileError(
                f"Expected braces nested at most {self._limits.max_tex_depth} deep in {self._place}; they go deeper. "
                "No paper needs that: look for a brace that is not closed."
            )
        self._frames.append(_Frame(name, self.sink, then, self.zone, self.style))
        self.zone = zone or self.zone
        if then is not None:
            self.sink = []

    def is_open(self, *names: str) -> bool:
        """Tell whether one of some environments, or a brace, is open."""
        return any(frame.name in names for frame in self._frames)

    def close_all(self) -> None:
        """End whatever is open."""
        while self._frames:
            self._pop()

    # Tokens ------------------------------------------------------------------------------------------

    def _pop(self) -> _Frame:
        frame = self._frames.pop()
        text, self.sink = self.sink, frame.sink
        self.zone = frame.zone
        if frame.then is not None:
            frame.then("".join(text))
        if frame.style != self.style:
            self.restyle(frame.style)
        return frame

    def _open(self) -> None:
        if not self._wanted:
            self.push("{")
            return
        wanted = self._wanted.popleft()
        waiting = self._wanted.copy()
        self._wanted.clear()
        if wanted.then is None:
            self._wanted = waiting
            self._opaque = 1
        else:
            self.push("{", self._then(wanted.then, waiting), wanted.zone)
            if wanted.style is not None:
                self.restyle(wanted.style)

    def _then(self, then: Taker, waiting: deque[_Argument]) -> Taker:
        """Take an argument, and wait for those after it unless its taker asked for others."""

        def take(text: str) -> None:
            self._wanted.clear()
            then(text)
            if not self._wanted:
                self._wanted = waiting

        return take

    def _close(self) -> None:
        if self._accent:
            self.sink.append(SPACING.get(self._accent[-1], ""))
            self._accent = ""
        self._wanted.clear()
        self.end("{")

    def _define(self, arguments: int) -> None:
        self.sink.append(self.trace)
        self.leave_out(arguments)

    def _environment(self, token: str) -> None:
        name = token.partition("{")[2].partition("}")[0].strip()
        self._wanted.clear()
        if token.startswith("\\begin"):
            self.begin(name)
        else:
            self.end(name)

    def _text(self, text: str) -> None:
        if self._wanted:
            if (option := _SHORT_OPTION.match(text)) is not None:
                text = text[option.end() :]
            if not text.strip() and not _BLANK.search(text):
                return  # white space before an argument
        self._wanted.clear()
        self.write(LIGATURES.sub(lambda match: PRINTED[match[0]], text))

    def _symbol(self, token: str) -> None:
        mark = token[1:]
        if mark in ACCENTS:
            self._accent = (self._accent + mark)[-_MOST_ACCENTS:]
        elif mark.startswith("\\"):
            self.write(self.broken)
        elif mark.isspace():
            self.write(" ")
        elif mark and mark not in "-/,;:!>()[]@":
            self.write(mark)
        elif mark in (",", ";", ":", ">"):
            self.write(" ")

    def _word(self, token: str) -> None:
        self.sink.append(self.trace)
        match = _WORD.match(token)
        name = match[1] if match is not None else ""
        self._wanted.clear()
        if self.command(name, token[len(name) + 1 :]):
            return
        if name in ACCENTS:
            self._accent = (self._accent + name)[-_MOST_ACCENTS:]
        elif name in ("i", "j") and self._accent:
            self.write(name)
        elif name in SYMBOLS:
            self.write(SYMBOLS[name])
        elif name in LINE_BREAKS:
            self.write(self.broken)
        elif name in LEFT_OUT:
            self.leave_out(LEFT_OUT[name])
        elif name in _SCRIPTS:
            before, write = self._last, _SCRIPTS[name]
            self.capture(lambda text: self.write(write(before, text)))
        elif self._points(name):
            self.leave_out(1)
        elif self.trace and token[-1].isspace() and self._last.strip(_OPENING) and name not in JOINS:
            self.write(" ")  # what it prints stands between two words; in a name of BibTeX it is a letter

    @property
    def _last(self) -> str:
        """The last character of the text so far."""
        return next((text[-1] for text in reversed(self.sink[-4:]) if text.strip(self.trace)), "")

    def _points(self, name: str) -> bool:
        """Tell whether an unknown command prints what only its target knows; each name is looked up once."""
        if name not in self._pointers:
            self._pointers[name] = commands.POINTS.fullmatch(name) is not None
        return self._pointers[name]
