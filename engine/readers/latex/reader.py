"""LaTeX source into a document: title, authors, abstract and sections; never run.

Citations, labels, footnotes, comments, macro definitions, program listings, tables' cells and what is
switched off by `iffalse` are left out, and so are displayed formulas, as from JATS; a figure's or table's
caption is read with its section. Formulas within the text keep their source, as in arXiv's abstracts. Macros without
arguments are expanded. Other files that the source includes are not read; a warning names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.readers.base import Reading
from engine.readers.latex.macros import silent_macros, with_macros
from engine.readers.latex.source import without_silent
from engine.readers.latex.tex import KNOWN, Stripper
from engine.readers.limits import LIMITS, Limits
from engine.readers.text import headings
from engine.readers.text.outline import Stretch, build, choose_abstract
from engine.text import clean, one_line

_CLASS = re.compile(r"^[ \t]*\\document(?:class|style)\b", re.MULTILINE)
_MARKUP = re.compile(r"\\(?:begin|(?:sub)*section|chapter|title)\b\s*[*{\[]")
_BEGIN = "\\begin{document}"

_LEVELS = {name: level for level, name in enumerate(("part", "chapter", "section", "subsection", "subsubsection"))}
_RUN_IN = frozenset({"paragraph", "subparagraph"})
_TITLES = frozenset({"title", "Title", "icmltitle"})
_AUTHORS = frozenset({"author", "Author", "icmlauthor", "IEEEauthorblockN"})
_BETWEEN_AUTHORS = frozenset({"and", "And", "AND", "quad", "qquad", "hspace", "hfill"})
_AFFILIATIONS = frozenset(
    "affil affiliation institute address email ead inst corref fnref cortext date IEEEauthorblockA IEEEmembership "
    "Address Abstract Keywords Plainkeywords Plaintitle Shorttitle Plainauthor Volume Issue keywords ccsdesc "
    "received".split()
)
_KEYWORDS = frozenset({"keywords", "Keywords", "keyword", "IEEEkeywords", "kwd"})
_INCLUDES = frozenset({"input", "include", "subfile", "subfileinclude"})
_SILENT = frozenset(
    "equation align alignat flalign eqnarray gather multline displaymath math split array tabular tabularx longtable "
    "tabulary tikzpicture pgfpicture picture algorithmic filecontents CCSXML thebibliography_head dmath IEEEeqnarray "
    "Schunk Sinput Soutput".split()
)
_WITH_ARGUMENT = {
    **dict.fromkeys(("tabular", "array", "longtable", "minipage", "thebibliography", "subfigure", "multicols"), 1),
    **dict.fromkeys(("tabularx", "wrapfigure"), 2),
}
_OWN = frozenset({"abstract", "Abstract", "caption", "subtitle", "item", "bibitem", "appendix", "begin", "end"})
_KEPT = frozenset(
    {*KNOWN, *_OWN, *_LEVELS, *_RUN_IN, *_TITLES, *_AUTHORS, *_BETWEEN_AUTHORS, *_AFFILIATIONS, *_KEYWORDS}
)
"""Commands whose meaning macros cannot change."""
_BETWEEN = "\x1e"
"""Stands between two authors' entries, where the source has a command that parts them."""

_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,5}")
_BETWEEN_NAMES = re.compile(r",|;|\band\b|&")
_ENTRIES = re.compile(rf"{_BETWEEN}|\n[ \t]*\n[ \t]*\n")
_TRACE = "\x02"  # a control character: `clean` leaves none in the source
_SPACE_BEFORE = re.compile(r"[ \n](?=[.,;:)\]])|[ \n]\([ ;,]*\)")
_ABSTRACT_WORDS = 20  # text above the first section may be a setting that looks like words


def looks_like_latex(text: str, *, sure: bool) -> bool:
    """Whether a text begins with TeX's marks and names a document class; with `sure` any section will do."""
    begun = text.lstrip("\ufeff \t\r\n")
    if begun.startswith(("\\", "%")) and _CLASS.search(text):
        return True
    return sure and _MARKUP.search(text) is not None


def read_latex(text: str, name: str, identifier: str, limits: Limits = LIMITS) -> Reading:
    """One document from LaTeX source; raises MalformedFileError where braces nest too deep."""
    paper = _Paper(name, limits)
    source = without_silent(clean(text))
    paper.silent = silent_macros(source, _KEPT)
    source = with_macros(source, _KEPT)
    preamble, begin, body = source.partition(_BEGIN)
    paper.feed(preamble if begin else "")
    paper.start_body()
    paper.feed(body.partition("\\end{document}")[0] if begin else source)
    stretches = paper.stretches_at_end()
    if len(stretches[0].text.split()) >= _ABSTRACT_WORDS:
        choose_abstract(stretches)
    title = paper.title or paper.headings.title
    document = build(identifier, title, stretches)
    document = replace(document, authors=tuple(dict.fromkeys(paper.authors)))
    return Reading(document, "latex", tuple(_warnings(document.title, document.abstract, paper.included)))


def _warnings(title: str, abstract: str, included: list[str]) -> Iterator[str]:
    if not title:
        yield "No title was found: the source has no \\title."
    if not abstract:
        yield "No abstract was found."
    if included:
        files = list(dict.fromkeys(included))
        shown = ", ".join(files[:5]) + (f" and {len(files) - 5} more" if len(files) > 5 else "")
        yield f"Files that the source takes in were not read: {shown}. Put their text into one file, as latexpand does."


class _Paper(Stripper):
    """Cuts a paper at its headings while its marks are stripped."""

    trace = _TRACE

    def __init__(self, name: str, limits: Limits) -> None:
        super().__init__(name, limits)
        self._title = self._subtitle = ""
        self.authors: list[str] = []
        self.included: list[str] = []
        self.silent: dict[str, int] = {}
        self.headings = headings.Marked()
        self._in_authors = False
        self._stretches = [_stretch("")]
        self._captures: dict[str, Callable[[str], None]] = {
            **dict.fromkeys(_INCLUDES, lambda text: self.included.append(one_line(text)[:80])),
            **dict.fromkeys(_KEYWORDS, lambda text: self._aside("Keywords", "keywords", text)),
            **dict.fromkeys(_AUTHORS, self._author),
            **dict.fromkeys(_TITLES, self._titled),
            "subtitle": self._subtitled,
            **dict.fromkeys(("abstract", "Abstract"), lambda text: self._aside("Abstract", "abstract", text)),
            "caption": lambda text: self.write(f"\n\n{text.strip()}\n\n"),
            **dict.fromkeys(_RUN_IN, lambda text: self.write(f"\n\n{text.strip().rstrip('.')}. ")),
        }

    @property
    def title(self) -> str:
        """The title as the source gives it, its subtitle after a colon."""
        both = self._title and self._subtitle
        return f"{self._title.rstrip(': ')}: {self._subtitle}" if both else self._title

    def start_body(self) -> None:
        """The preamble is over: drop what it printed."""
        self.close_all()
        self.sink = []

    def stretches_at_end(self) -> list[Stretch]:
        """The abstract, keywords, sections and reference lists, in their order."""
        self.close_all()
        self._flush()
        return self._stretches

    def command(self, name: str, options: str) -> bool:
        """Headings, front matter, items of lists and captions."""
        self._in_authors = self._in_authors or name in _AUTHORS
        if name in _LEVELS:
            self.capture(lambda text: self._heading(text, _LEVELS[name]))
        elif name in self._captures:
            self.capture(self._captures[name])
        elif name in _AFFILIATIONS:
            self.leave_out(1)
        elif name in _BETWEEN_AUTHORS and self._in_authors:
            self.write(_BETWEEN)
            self.leave_out(name == "hspace")
        elif name in ("sep", "and"):  # as publishers' styles part keywords
            self.write("; ")
        elif name in self.silent:
            self.leave_out(self.silent[name])
        elif name == "item":
            self.write(f"\n- {options.strip(' []')} ")
        elif name == "bibitem":
            self.write("\n\n")
            self.leave_out(1)
        elif name == "appendix":
            self.write("\n\n")
        else:
            return False
        return True

    def begin(self, name: str) -> None:
        """An environment: read, left out, or a part of its own."""
        plain = name.rstrip("*")
        if plain in _SILENT:
            self.push(name, lambda _: self.write(f" {_TRACE}"))
        elif plain in ("abstract", *_KEYWORDS):
            self.push(name, self._captures[plain])
        elif plain == "thebibliography":
            self.push(name, lambda text: self._aside("References", "references", text))
        elif plain in ("acks", "acknowledgments", "acknowledgements"):
            self._heading("Acknowledgements", _LEVELS["section"])
        else:
            self.write("\n\n")
            self.push(name)
        if plain in _WITH_ARGUMENT:
            self.leave_out(_WITH_ARGUMENT[plain])

    def end(self, name: str) -> None:
        """The environment ends; so does its paragraph."""
        super().end(name)
        if name != "{" and name.rstrip("*") not in _SILENT:
            self.write("\n\n")  # also where it began nowhere

    def _heading(self, text: str, level: int) -> None:
        heading = self.headings.add(_spaced(one_line(text)), level)
        self.close_all()
        self._flush()
        self._stretches.append(_stretch(heading.title, heading.role))

    def _aside(self, title: str, role: headings.Role, text: str) -> None:
        """A separate part: the section around it continues after it."""
        if text.strip():
            self._stretches.insert(-1, _stretch(title, role, text))

    def _flush(self) -> None:
        self._stretches[-1].lines.append(_paragraphs("".join(self.sink)))
        self.sink = []

    def _titled(self, text: str) -> None:
        self._title = self._title or _spaced(one_line(text))

    def _subtitled(self, text: str) -> None:
        self._subtitle = self._subtitle or _spaced(one_line(text))

    def _author(self, text: str) -> None:
        """The names of an author's entry."""
        self._in_authors = False
        self.authors.extend(_names_in(text))


def _names_in(text: str) -> Iterator[str]:
    """The names of each entry: its first line, and the next where that ends in a comma.

    A line of an entry ends in the source as on paper: one blank line is within an entry, two part them.
    """
    for entry in _ENTRIES.split(text):
        line = re.sub(r"(,|\band)[ \t]*\n\s*", r"\1 ", entry.strip()).partition("\n")[0]
        for part in _BETWEEN_NAMES.split(re.sub(r"\$[^$]*\$|[\d*†‡]", " ", one_line(line))):
            name = _NAME.fullmatch(" ".join(part.split()))
            if name is not None:
                yield name[0]
            elif part.strip():
                break


def _stretch(title: str, role: headings.Role = "body", text: str = "") -> Stretch:
    return Stretch(title, role, [_paragraphs(text)], wrapped=False)


def _paragraphs(text: str) -> str:
    """The paragraphs of some text, each in one line, but for items of lists, which have lines of their own."""
    pieces: list[str] = []
    for written in text.split("\n"):
        line = " ".join(written.replace(_TRACE, "").split())
        if not line and _TRACE in written:
            continue
        if not line:
            pieces.append("\n\n")
        elif line.startswith("- ") or not pieces or pieces[-1][-1] == "\n":
            pieces.extend(["\n", line])
        else:
            pieces.extend([" ", line])
    return _spaced("".join(pieces))


def _spaced(text: str) -> str:
    """Text without the blanks and brackets that citations leave."""
    return _SPACE_BEFORE.sub("", text)
