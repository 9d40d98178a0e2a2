"""Removes TeX's marks from a text: accents and symbols become characters, commands go, their words stay.

One pass from left to right, without expanding macros or reading anything twice, so hostile source costs no more than
other text of its length. Mathematics keeps its source (`$x_1$`), as arXiv's abstracts do. BibTeX's fields are read by
`plain`; `latex` reads whole papers with more commands of its own.

pylatexenc (MIT) does this too; its walker calls itself for each brace, so 2,000 of them end it with
a RecursionError, and it wants about 7 s for a megabyte where this takes under 1 s.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import MalformedFileError
from engine.readers.limits import LIMITS, Limits

_OPTION = r"(?:[ \t]*\[(?:[^\[\]{}]|\{[^{}\[\]]*+\})*+\]){0,3}+"
_TOKEN = re.compile(
    r"(?P<define>\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*+"
    rf"(?:\{{\s*+\\[A-Za-z@]++\s*+\}}|\\[A-Za-z@]++)\s*+{_OPTION}|\\[egx]?def\s*+\\(?:[A-Za-z@]++|.)[^{{}}\\]{{0,60}}+)"
    rf"|(?P<environment>\\(?:begin|end)\s*+\{{[^{{}}\n]{{0,60}}+\}}{_OPTION})"
    r"|(?P<math>\$\$(?:[^$\\\n]|\\.|\n(?![ \t]*+\n))*+\$\$|\$(?:[^$\\\n]|\\.|\n(?![ \t]*+\n))*+\$"
    r"|\\\((?:[^\\]|\\[^()])*+\\\))"
    r"|(?P<display>\\\[(?:[^\\]|\\[^\[\]])*+\\\])"
    rf"|(?P<word>\\[A-Za-z@]++\*?(?:(?![ \t]*+\[)[ \t]*+(?:\n(?![ \t]*+\n)[ \t]*+)?|{_OPTION}))"
    r"|(?P<symbol>\\(?:\\\*?(?:\[[^\[\]{}\n]{0,30}\])?|.)?)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<text>[^\\{}$]++|\$)",
    re.DOTALL,
)
_WORD = re.compile(r"\\([A-Za-z@]+)")
_ACCENTS = {
    **dict(zip("`'^~\"=.", "\u0300\u0301\u0302\u0303\u0308\u0304\u0307", strict=True)),
    **dict(zip("uvHckrdb", "\u0306\u030c\u030b\u0327\u0328\u030a\u0323\u0331", strict=True)),
}
_SPACING = {"~": "~", "^": "^", "`": "`", "'": "'", '"': '"'}
"""What an accent over nothing prints."""

_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau"
_SYMBOLS = {
    **{name: chr(0x3B1 + place) for place, name in enumerate(f"{_GREEK} upsilon phi chi psi omega".split())},
    **dict(zip("ss o O l L ae AE oe OE aa AA i j dh DH th TH dj DJ".split(), "ßøØłŁæÆœŒåÅıȷðÐþÞđĐ", strict=True)),
    **dict(zip("S P pounds copyright textcopyright textregistered".split(), "§¶£©©®", strict=True)),
    **dict(zip("euro texteuro degree textdegree textmu textbullet".split(), "€€°°μ•", strict=True)),
    **dict(zip("textbackslash textbar textless textgreater textunderscore".split(), "\\|<>_", strict=True)),
    **{"textbraceleft": "{", "textbraceright": "}"},
    **dict(zip("textdollar textpercent textquoteleft textquoteright".split(), "$%‘’", strict=True)),
    **dict(zip("textquotedblleft textquotedblright textasciitilde textasciicircum".split(), "“”~^", strict=True)),
    **dict(zip("guillemotleft guillemotright slash textellipsis ldots dots".split(), "«»/………", strict=True)),
    **{"textendash": "–", "textemdash": "—", "texttrademark": "™", "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX"},
    **{"par": "\n\n", "newline": " ", "linebreak": " ", "quad": " ", "qquad": " ", "space": " ", "maketitle": "\n\n"},
}
_LIGATURES = re.compile(r"---|--|``|''|~")
_PRINTED = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " "}
_LEFT_OUT = {
    **dict.fromkeys(
        "label vspace hspace includegraphics bibliography bibliographystyle usepackage documentclass pagestyle "
        "thispagestyle footnote footnotetext thanks index addtocounter color phantom vphantom hphantom hypersetup "
        "setcounter pagenumbering SweaveOpts Sexpr "
        "input include subfile graphicspath selectlanguage fontsize orcid orcidlink tnoteref tnotetext fntext "
        "nonumnote authornote credit preprint pacs shorttitle shortauthors".split(),
        1,
    ),
    **dict.fromkeys("setlength addtolength setkeys titleformat rule fontencoding resizebox raisebox".split(), 2),
    **dict.fromkeys("href textcolor colorbox foreignlanguage parbox texorpdfstring".split(), 1),
    **dict.fromkeys("newenvironment renewenvironment definecolor".split(), 3),
    **dict.fromkeys("newtheorem theoremstyle".split(), 2),
}
"""How many arguments go with their command."""

_POINTS = re.compile(r"\w*cite\w*|[Cc]?ref|(?:eq|auto|page|name|sub|Auto|v|V|page|cpage)ref|crefrange")

KNOWN = frozenset({*_LEFT_OUT, "par", "maketitle"})
"""Commands with their usual meaning, even where the source redefines them."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """An open brace ("{") or environment: where the text before it goes on, and who gets the text within."""

    name: str
    sink: list[str]
    then: Callable[[str], None] | None


def plain(source: str, place: str, limits: Limits = LIMITS) -> str:
    """The text of a stretch of TeX; lines and blanks stay as they stand."""
    if "\\" not in source and "{" not in source and not _LIGATURES.search(source):
        return source
    stripper = Stripper(place, limits)
    stripper.feed(source)
    return stripper.finish()


class Stripper:
    """Writes the words of TeX source, token by token; `place` names the source in errors.

    `trace` is written where a command stood, so that a line with nothing else does not become blank.
    """

    trace = ""

    def __init__(self, place: str, limits: Limits = LIMITS) -> None:
        """Begin with an empty text."""
        self.sink: list[str] = []
        self._place, self._limits = place, limits
        self._frames: list[_Frame] = []
        self._opaque = 0  # depth within an argument that is left out
        self._drop = 0  # arguments still to be left out
        self._accent = ""
        self._then: Callable[[str], None] | None = None
        self._handlers: dict[str, Callable[[str], None]] = {
            "define": lambda _: self._define(),
            "environment": self._environment,
            "math": self.write,
            "display": lambda _: self.write(f" {self.trace}"),
            "word": self._word,
            "symbol": self._symbol,
            "open": lambda _: self._open(),
            "close": lambda _: self._close(),
            "text": self._text,
        }

    def feed(self, source: str) -> None:
        """Read some whole source."""
        for match in _TOKEN.finditer(source):
            kind = match.lastgroup or "text"
            if self._opaque:
                self._opaque += {"open": 1, "close": -1}.get(kind, 0)
            else:
                self._handlers[kind](match[0])

    def finish(self) -> str:
        """The whole text; what is still open ends here."""
        self.close_all()
        return "".join(self.sink)

    # What a reader of whole papers says of commands and environments --------------------------------

    def command(self, name: str, options: str) -> bool:  # noqa: ARG002  for readers that know more commands
        """Whether the reader has done what a command asks."""
        return False

    def begin(self, name: str) -> None:
        """An environment begins."""
        self.push(name)

    def end(self, name: str) -> None:
        """An environment ends: so does whatever is open within it."""
        if any(frame.name == name for frame in self._frames):
            open_still = True
            while self._frames and open_still:  # a heading that ends here closes everything
                open_still = self._pop().name != name

    def write(self, text: str) -> None:
        """Add text; an accent goes over its first letter."""
        if self._accent and (begun := text.lstrip()):
            text = begun[0] + _ACCENTS[self._accent] + begun[1:]
            self._accent = ""
        self.sink.append(text)

    def leave_out(self, arguments: int) -> None:
        """Leave out the next arguments."""
        self._drop = arguments

    def capture(self, then: Callable[[str], None]) -> None:
        """Give the text of the next argument to `then` instead of writing it."""
        self._then = then

    def push(self, name: str, then: Callable[[str], None] | None = None) -> None:
        """Open a brace or an environment; `then` gets its text."""
        if len(self._frames) >= self._limits.max_tex_depth:
            raise MalformedFileError(
                f"Expected braces nested at most {self._limits.max_tex_depth} deep in {self._place}; they go deeper. "
                "No paper needs that: look for a brace that is not closed."
            )
        self._frames.append(_Frame(name, self.sink, then))
        if then is not None:
            self.sink = []

    def close_all(self) -> None:
        """End whatever is open."""
        while self._frames:
            self._pop()

    # Tokens ------------------------------------------------------------------------------------------

    def _pop(self) -> _Frame:
        frame = self._frames.pop()
        text, self.sink = self.sink, frame.sink
        if frame.then is not None:
            frame.then("".join(text))
        return frame

    def _open(self) -> None:
        if self._drop:
            self._drop -= 1
            self._opaque = 1
            return
        then, self._then = self._then, None
        self.push("{", then)

    def _close(self) -> None:
        if self._accent:
            self.sink.append(_SPACING.get(self._accent, ""))
            self._accent = ""
        self._drop, self._then = 0, None
        self.end("{")

    def _define(self) -> None:
        self.sink.append(self.trace)
        self._then = None
        self.leave_out(1)

    def _environment(self, token: str) -> None:
        name = token.partition("{")[2].partition("}")[0].strip()
        self._drop, self._then = 0, None
        if token.startswith("\\begin"):
            self.begin(name)
        else:
            self.end(name)

    def _text(self, text: str) -> None:
        if (self._drop or self._then is not None) and not text.strip():
            return  # white space before an argument
        self._drop, self._then = 0, None
        self.write(_LIGATURES.sub(lambda match: _PRINTED[match[0]], text))

    def _symbol(self, token: str) -> None:
        mark = token[1:]
        if mark in _ACCENTS:
            self._accent = mark
        elif mark.startswith("\\"):
            self.write("\n")
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
        self._drop, self._then = 0, None
        if self.command(name, token[len(name) + 1 :]):
            return
        if name in _ACCENTS:
            self._accent = name
        elif name in ("i", "j") and self._accent:
            self.write(name)
        elif name in _SYMBOLS:
            self.write(_SYMBOLS[name])
        elif name in _LEFT_OUT:
            self.leave_out(_LEFT_OUT[name])
        elif _POINTS.fullmatch(name):
            self.leave_out(1)
