r"""LaTeX, AMS-TeX and plain TeX source into a document: title, authors, abstract and sections; never run.

Citations, labels, comments, macro definitions, program listings, tables' cells and what is switched off by `iffalse`
are left out, and so are displayed formulas, as from JATS; a figure's or table's caption is read with its section.
Footnotes and notes in the margin are a section at the end; those of a title or a name are left out.
Formulas within the text keep their source, as in arXiv's abstracts. An author's
macros are expanded. Where no command names title, authors, abstract or sections, their fonts and places tell them.
Other files that the source includes are not read; a warning names them.

All of it is one file, since its one class answers every command with the state that the commands before have left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from engine.core.errors import InputTooLargeError
from engine.documents.text import clean, one_line, raised
from engine.reading.base import ReadFile, left_out_about_authors, left_out_of_text, with_notes, worded
from engine.reading.latex import commands, marks, titlepage
from engine.reading.latex.commands import ACCENTS, KNOWN, LEFT_OUT, SHOWN, SYMBOLS
from engine.reading.latex.macros import with_macros
from engine.reading.latex.marks import (
    BEGIN_OF_SMALL,
    END_OF_SMALL,
    HARD,
    HEADING,
    LINE,
    NOTE,
    SOFT,
    TRACE,
    is_mark,
    paragraphs,
    part_keywords,
    parts_of_abstract,
    role_of,
    stretch,
    title_line,
)
from engine.reading.latex.quantities import with_quantities
from engine.reading.latex.source import programs, without_silent
from engine.reading.latex.tex import Stripper, Taker
from engine.reading.latex.titlepage import names_in
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.text import headings
from engine.reading.text.outline import Stretch, build, choose_abstract

_CLASS = re.compile(r"^[ \t]*\\(?:documentclass|documentstyle|input[ \t]+(?:amstex|eplain|harvmac))\b", re.MULTILINE)
_MARKUP = re.compile(
    r"\\(?:begin|(?:sub)*section|chapter|title)\b\s*[*{\[]|\\(?:beginsection|centerline|noindent|bigskip|medskip|bye|"
    r"magnification|topmatter|font|input|def|par)(?![A-Za-z])"
)
_PLAIN = re.compile(r"\\(?:magnification|beginsection|bye|centerline|nopagenumbers|font\\)(?![A-Za-z])")
_BEGIN = re.compile(r"\\begin[ \t]*+\{document\}")
_BEGIN_OF_AMSTEX = re.compile(r"^[ \t]*+\\document(?![A-Za-z])", re.MULTILINE)
_END = re.compile(
    r"\\end[ \t]*+\{document\}|^[^\\\n]*+\\(?:enddocument|bye|endinput)(?![A-Za-z])|\\end[ \t]*+(?=\n|\Z)",
    re.MULTILINE,
)
_HEADED = re.compile(
    r"\\(?:(?:sub)*section|chapter|beginsection|endhead|endheading|endsubhead|add(?:chap|sec))(?![A-Za-z])"
)
_DELIMITED = re.compile(rf"\\end({'|'.join(sorted(commands.DELIMITED))})(?![A-Za-z@])")
_ENDS = re.compile(r"\\end[ \t]*+\{([^{}\n]{1,40})\}")
_OF_ABSTRACT = re.compile(r"(?!graphical|visual|teaser|video)[A-Za-z]{0,20}abstract\*?", re.IGNORECASE)
_KEPT = frozenset(
    {
        *KNOWN, *commands.LEVELS, *commands.RUN_IN, *commands.SUBTITLES, *commands.BETWEEN_AUTHORS, *commands.SILENT,
        *commands.AFFILIATIONS, *commands.KEYWORDS, *commands.ABSTRACTS, *commands.LINES, *commands.INCLUDES, "title",
        "Title", "icmltitle", "author", "Author", "caption", "item", "bibitem", "appendix", "begin", "end", "orcidID",
        "titlepage", "thebibliography", "document", "center", "acks", "acknowledgments", "acknowledgements",
    }
)  # fmt: skip
"""Commands and environments whose meaning macros cannot change."""
_CLASS_OF_LATEX = re.compile(r"\\document(?:class|style)(?![A-Za-z])")
_FIVE_PART = re.compile(r"\\documentclass(?:\s*\[[^\[\]]{0,300}\])?\s*\{aa\w*\}")
_BLANK = re.compile(r"\n[ \t]*\n")
_ABSTRACT_WORDS = 20  # a shorter text above the first section may be a setting
_PDF_TITLE = re.compile(r"pdftitle\s*=\s*\{([^{}]{1,300})\}")


def looks_like_latex(text: str, *, sure: bool) -> bool:
    """Tell whether a text begins with TeX's marks and names a document class; with `sure` any section will do."""
    begun = text.lstrip("\ufeff \t\r\n")
    if begun.startswith(("\\", "%")) and (_CLASS.search(text) or (begun[0] == "\\" and _PLAIN.search(text))):
        return True
    return sure and _MARKUP.search(text) is not None


def read_latex(text: str, name: str, identifier: str, limits: Limits = LIMITS) -> ReadFile:
    """Read one document from LaTeX source.

    Raises MalformedFileError where braces nest too deep, InputTooLargeError where marks or sections are too many.
    """
    _require_marks(text, name, limits)
    source = without_silent(clean(text))
    source = with_macros(source, _KEPT if _DELIMITED.search(source) else _KEPT - commands.ONLY_WITH_END)
    source = with_quantities(source)
    paper = _Paper(name, limits, source)
    begin = _BEGIN.search(source) or _BEGIN_OF_AMSTEX.search(source)
    paper.feed(source[: begin.start()] if begin is not None else "")
    paper.start_body()
    start = begin.end() if begin is not None else 0
    end = _END.search(source, start)
    paper.feed(source[start : end.start() if end is not None else len(source)])
    stretches = paper.stretches_at_end()
    if len(paper.opening.text.split()) >= _ABSTRACT_WORDS:
        choose_abstract(stretches)
    title = paper.title or paper.headings.title or _title_of_pdf(source)
    document = build(identifier, title, stretches)
    document = replace(
        document, authors=tuple(dict.fromkeys(paper.authors)), year=titlepage.year_of(source[: end and end.start()])
    )
    document = with_notes(document, list(worded(map(paragraphs, paper.notes))))
    paper.dropped["program"] += programs(text)
    return ReadFile(document, "latex", tuple(_warnings(document.title, document.abstract, paper)))


def _require_marks(text: str, name: str, limits: Limits) -> None:
    marks = sum(map(text.count, "\\{}$"))
    if marks > limits.max_tex_marks:
        raise InputTooLargeError(
            f"Expected at most {limits.max_tex_marks:,} commands, braces and dollars in {name}, found {marks:,}. "
            "Split it, or paste a part."
        )


def _title_of_pdf(source: str) -> str:
    """Return the title that hyperref writes into the PDF, where the source names no other."""
    match = _PDF_TITLE.search(source)
    return one_line(match[1]) if match is not None and "\\" not in match[1] else ""


def _warnings(title: str, abstract: str, paper: _Paper) -> Iterator[str]:
    if not title:
        yield "No title was found: the source has no \\title."
    if not abstract:
        yield "No abstract was found."
    if paper.left_out:
        yield left_out_about_authors(paper.left_out)
    yield from left_out_of_text(dict(sorted(paper.dropped.items())))
    if paper.included:
        files = list(dict.fromkeys(paper.included))
        shown = ", ".join(files[:5]) + (f" and {len(files) - 5} more" if len(files) > 5 else "")
        yield f"Files that the source takes in were not read: {shown}. Put their text into one file, as latexpand does."


class _Paper(Stripper):
    """Cuts a paper at its headings while its marks are stripped."""

    trace = TRACE
    broken = LINE

    def __init__(self, name: str, limits: Limits, source: str) -> None:
        super().__init__(name, limits)
        self._budget = Budget.within(limits, name)
        self._title = self._subtitle = self._given = ""
        self.authors: list[str] = []
        self.included: list[str] = []
        self.left_out: list[str] = []
        self.notes: list[str] = []
        self.dropped: Counter[str] = Counter()
        self.headings = headings.MarkedHeadings()
        self.opening = stretch("")
        self._raw_opening = ""
        self._opened = False  # by the first heading
        self._stretches = [self.opening]
        self._headed = _HEADED.search(source) is not None
        self._fonts = marks.fonts_of(source)
        self._font_size = ""
        self._delimited = frozenset(_DELIMITED.findall(source))
        self._ends = Counter(_ENDS.findall(source))
        self._is_plain = not self._ends and not _CLASS_OF_LATEX.search(source)
        self._setting = "\\maketitle" in source or "\\end{frontmatter}" in source
        self._five_part = _FIVE_PART.search(source) is not None
        self.style = marks.NORMAL
        self._takers = self._known_takers()
        self._unknown: set[str] = set()
        """Names that mean nothing here, so that each is looked up once."""

    def _known_takers(self) -> dict[str, Callable[[], None]]:
        """Return what to do at the commands that take arguments."""

        def taking(names: Collection[str], *then: Taker | None, zone: str = "") -> dict[str, Callable[[], None]]:
            return dict.fromkeys(names, lambda: self.capture(*then, zone=zone))

        return {
            **dict.fromkeys(commands.AFFILIATIONS, lambda: self.leave_out(9)),
            **taking(commands.INCLUDES, self._included),
            **taking(commands.KEYWORDS, self._keywords, zone="keywords"),
            **taking(commands.AUTHORS, self._author, *[None] * 5, zone="authors"),
            **taking(["Author"], self._author, self._surname, zone="authors"),
            **taking(commands.TITLES, self._titled, zone="title"),
            **taking(commands.SUBTITLES, self._subtitled, zone="title"),
            **taking(commands.ABSTRACTS, *[self._abstract] * (5 if self._five_part else 1), zone="abstract"),
            **taking(["caption"], lambda text: self.write(f"\n\n{text.strip()}\n\n")),
            **taking(commands.LINES, self._line),
            **taking(
                [*commands.RUN_IN, *commands.STATEMENTS], lambda text: self.write(f"\n\n{text.strip().rstrip('.')}. ")
            ),
            **taking(["fontsize"], self._sized, None),
            "selectfont": lambda: self.restyle(marks.resize(self.style, self._font_size)),
            "bibitem": lambda: self._new_paragraph(1),
            "appendix": lambda: self._new_paragraph(0),
            "endref": lambda: self._new_paragraph(0),
            **dict.fromkeys(("and", "sep"), lambda: self.write("; ")),  # as publishers' styles part keywords
            "Refs": lambda: self._heading("References", commands.LEVELS["section"]),
            "maketitle": self._set_title,
        }

    @property
    def title(self) -> str:
        """The title as the source gives it, its subtitle after a colon."""
        both = self._title and self._subtitle
        return f"{self._title.rstrip(': ')}: {self._subtitle}" if both else self._title

    def start_body(self) -> None:
        """End the preamble: drop what it printed."""
        self.close_all()
        self.leave_out(0)
        self.sink = []

    def stretches_at_end(self) -> list[Stretch]:
        """Return the abstract, keywords, sections and reference lists, in their order."""
        self.close_all()
        self._flush()
        lines = list(marks.lines_of(self._raw_opening))
        front = titlepage.read_front(lines, titled=bool(self._title), signed=bool(self.authors))
        self._title = self._title or title_line(front.title)
        self.authors.extend(front.authors)
        self.left_out.extend(front.left_out)
        place = self._stretches.index(self.opening) + 1
        for part in titlepage.parts_of(front.rest, headed=self._headed):
            added = list(self._of_part(part))
            self._stretches[place:place] = added
            place += len(added)
        return self._stretches

    # Commands and environments -----------------------------------------------------------------------

    def command(self, name: str, options: str) -> bool:
        """Read headings, front matter, items of lists and captions."""
        if self.zone == "authors" and self._of_authors(name):
            return True
        if name not in self._unknown:
            if self._of_amstex(name) or self._of_style(name) or self._of_heading(name) or self._of_text(name, options):
                return True
            if marks.style_after(self.style, name, self._fonts) is None:
                self._unknown.add(name)
        return self._setting and self._of_setting(name)

    def begin(self, name: str) -> None:
        """Begin an environment: it is read, left out, or a part of its own."""
        plain = name.rstrip("*")
        if plain in commands.SILENT and not self._shows_table(plain):
            self._count(plain)
            self.push(name, lambda _: self.write(f" {TRACE}"))
        elif plain in commands.KEYWORDS:
            self.push(name, self._keywords, "keywords")
        elif plain in commands.ABSTRACTS or _OF_ABSTRACT.fullmatch(plain) or role_of(plain) == "abstract":
            self.push(name, self._abstract, "abstract" if self._ends[name] else "")
        elif plain in ("thebibliography", "references"):
            self.push(name, lambda text: self._aside("References", "references", text))
        elif commands.ACKNOWLEDGEMENTS.fullmatch(plain):
            self._heading("Acknowledgements", commands.LEVELS["section"])
        else:
            self.write("\n\n")
            self.push(name)
            if plain in commands.PAGES or plain in commands.CENTRES:
                self.restyle(self.style | (marks.PAGE if plain in commands.PAGES else marks.CENTRED))
        if plain in commands.WITH_ARGUMENT:
            self.leave_out(commands.WITH_ARGUMENT[plain] + (name == "tabular*"))

    def _count(self, name: str) -> None:
        """Count a table or a program that is left out; one within another counts once."""
        if name in commands.PROGRAMS or (name in commands.TABLES and not self.is_open(*commands.TABLES)):
            self.dropped["table" if name in commands.TABLES else "program"] += 1

    def end(self, name: str) -> None:
        """End an environment and its paragraph."""
        super().end(name)
        if name != "{":
            self._ends[name] -= 1
            self._setting = self._setting and name != "frontmatter"
            if name.rstrip("*") not in commands.SILENT:
                self.write("\n\n")  # also where it began nowhere

    def mathematics(self, source: str) -> None:
        """Write a formula as it stands; beside a name or a title it may be a note's mark."""
        if self.zone == "authors":
            self.write(NOTE)
        elif self.zone != "title" or not is_mark(source):
            self.write(source)

    def restyle(self, style: int) -> None:
        """Mark where the opening changes its font; small print in a title is a note."""
        was, self.style = marks.is_small(self.style), style
        if self.zone == "title" and was != marks.is_small(style):
            self.write(END_OF_SMALL if was else BEGIN_OF_SMALL)
        elif self._is_opening:
            self.sink.append(marks.mark(style))

    def write(self, text: str) -> None:
        """Add text; a heading of plain TeX ends with its paragraph."""
        if self.zone == "authors":
            text = _BLANK.sub(LINE, text).replace("\n", " ").replace("&", SOFT)
        elif self.zone == "heading" and self.is_open("beginsection") and (blank := _BLANK.search(text)) is not None:
            super().write(text[: blank.start()])
            self.end("beginsection")
            text = text[blank.start() :]
        super().write(text)

    def assign(self, token: str) -> None:
        """Take a setting, or a file that plain TeX takes in."""
        if token.startswith("\\input"):
            self._included(token[6:])
        super().assign(token)

    @property
    def _is_opening(self) -> bool:
        """Whether a text is read whose fonts tell what it is."""
        return not self._opened and not self.zone

    def _shows_table(self, name: str) -> bool:
        """Tell whether a table only sets names or a title."""
        placed = self._is_opening and bool(self.style & (marks.PAGE | marks.CENTRED))
        return name in ("tabular", "tabularx", "array") and (self.zone == "authors" or placed)

    def _of_authors(self, name: str) -> bool:
        """Read a command in an author's entry."""
        if name in commands.BETWEEN_AUTHORS:
            self.write(HARD)
        elif name in commands.BESIDE_AUTHORS:
            self.write(SOFT)
            self.leave_out(name == "hspace")
        elif name in commands.ENDS_OF_NAMES:
            self.write(LINE)
            self.leave_out(2)
        elif name in commands.NOTES_OF_AUTHORS:
            self.write(NOTE)
            self.leave_out(2)
        elif name in commands.SPELT_NAMES:
            self.write(" ")
        else:
            return False
        return True

    def _of_amstex(self, name: str) -> bool:
        """Read a part that AMS-TeX ends by a command of its own."""
        if name.startswith("end") and name[3:] in self._delimited:
            self.end(name[3:])
            return True
        if name not in self._delimited:
            return False
        if name in commands.LEVELS:
            level = commands.LEVELS[name]
            self.push(name, lambda text: self._heading(text, level), "heading")
        elif name in commands.NO_TEXT:
            self.push(name, lambda _: None)
        else:
            takers = {"title": self._titled, "author": self._author, "abstract": self._abstract}
            zone = {"author": "authors"}.get(name, name)
            self.push(name, takers.get(name, self._keywords), zone)
        return True

    def _of_style(self, name: str) -> bool:
        """Read a change of font, which matters in the opening and in a title."""
        if not self._is_opening and self.zone != "title":
            return False
        style = marks.style_after(self.style, name, self._fonts)
        if style is None or (name == "textsuperscript" and self.zone):
            return False
        if name not in marks.WITH_ARGUMENT:
            self.restyle(style)
        elif name in commands.LINES:
            self.capture(self._line, style=style)
        else:
            self.capture(self.write, style=style)
        return True

    def _of_heading(self, name: str) -> bool:
        """Read a heading, also by a class's own command."""
        own = commands.OWN_HEADING.fullmatch(name)
        if name == "beginsection":
            self.push(name, lambda text: self._heading(text, commands.LEVELS["section"]), "heading")
        elif name in commands.LEVELS and name not in commands.ONLY_WITH_END:
            self.capture(lambda text: self._heading(text, commands.LEVELS[name]), zone="heading")
        elif own is not None:
            level = commands.LEVELS[own[2]] + own[1].count("sub")
            self.capture(lambda text: self._heading(text, level), zone="heading")
        elif commands.ACKNOWLEDGEMENTS.fullmatch(name):
            self._heading("Acknowledgements", commands.LEVELS["section"])
        else:
            return False
        return True

    def _of_text(self, name: str, options: str) -> bool:
        """Read an item, a note, a part's name, or a command that takes arguments."""
        if name in ("item", "itemitem") and self._is_plain:
            self.capture(lambda text: self.write(f"\n- {text.strip()} "))
        elif name == "item":
            self.write(f"\n- {options.strip(' []')} ")
        elif name in commands.NOTES:
            mark = [None] * (self._is_plain and name == "footnote")
            self.capture(*mark, self.notes.append if self._takes_notes else None, zone="note")
        elif name == "todo":
            self.dropped["to-do note"] += 1
            self.leave_out(1)
        elif name in ("support", "thanksref", "tnote") and self.zone == "title":
            self.leave_out(1)
        elif name == "textsuperscript" and self.zone == "title":
            before = self._last
            self.capture(lambda text: self.write("" if is_mark(text) else raised(before, text)))
        elif name in commands.CODES_IN_KEYWORDS and self.zone == "keywords":
            self.write(HEADING)
        elif name in commands.WORDS_OF_CLASSES:
            self.write(commands.WORDS_OF_CLASSES[name])
        elif name in self._takers:
            self._takers[name]()
        else:
            return False
        return True

    @property
    def _takes_notes(self) -> bool:
        """Whether a note belongs to the text, not to a title or a name."""
        begun = self._opened or bool(self._title and not self._setting and not self._is_plain)
        return self.zone == "abstract" or (begun and not self.zone)

    def _of_setting(self, name: str) -> bool:
        """Leave out an unknown command above the title: it is the class's, and so are its arguments."""
        text = name in SHOWN or name in SYMBOLS or name in ACCENTS or name in LEFT_OUT or name.startswith("text")
        if self.zone or self._opened or text:
            return False
        self.capture(*[lambda _: None] * 9, zone="setting")
        return True

    # What arguments and environments hold ------------------------------------------------------------

    def _set_title(self) -> None:
        r"""Leave out what stands above `\maketitle`, as it is the class's; a long text is not."""
        above = marks.without_marks("".join(self.sink))
        if self._is_opening and len(above.split()) < _ABSTRACT_WORDS and not self.style & marks.PAGE:
            if re.search(r"[^\W\d_]{3}", above):
                self.left_out.append(title_line(above))
            self.sink[:] = [marks.mark(self.style)]
        self._setting = False
        self.write("\n\n")

    def _heading(self, text: str, level: int) -> None:
        title = title_line(text)
        if self.zone == "abstract":
            self.write(f"\n\n{HEADING}{title}\n\n")
            return
        self._budget.spend("sections")
        heading = self.headings.add(title, level)
        self.close_all()
        self._flush()
        self._stretches.append(stretch(heading.title, heading.role))

    def _of_part(self, part: titlepage.OpeningPart) -> Iterator[Stretch]:
        """Yield the stretches of a part whose heading its fonts told."""
        if part.role == "abstract":
            yield from parts_of_abstract(part.text)
        elif part.role == "keywords":
            yield stretch("Keywords", "keywords", part_keywords(part.text))
        elif part.title:
            heading = self.headings.add(part.title, commands.LEVELS["section"])
            yield stretch(heading.title, heading.role, part.text)
        elif part.text.strip():
            self.opening.lines.append(f"\n\n{paragraphs(part.text)}")

    def _abstract(self, text: str) -> None:
        self._stretches[-1:-1] = list(parts_of_abstract(text))

    def _keywords(self, text: str) -> None:
        words, _, _ = text.partition(HEADING)
        self._aside("Keywords", "keywords", part_keywords(words))

    def _aside(self, title: str, role: headings.Role, text: str) -> None:
        """Add a separate part: the section around it continues after it."""
        if text.strip():
            self._stretches.insert(-1, stretch(title, role, text))

    def _flush(self) -> None:
        text = "".join(self.sink)
        if self._opened:
            self._stretches[-1].lines.append(paragraphs(text))
        else:
            self._raw_opening = text
        self._opened, self._setting = True, False
        self.sink = []

    def _new_paragraph(self, left_out: int) -> None:
        self.write("\n\n")
        self.leave_out(left_out)

    def _line(self, text: str) -> None:
        """Write a line of its own; one that names the reference list begins it."""
        title = title_line(text)
        if self._opened and not self.zone and titlepage.is_references(title):
            self._heading(title, commands.LEVELS["section"])
        else:
            self.write(f"\n\n{text.strip()}\n\n")

    def _titled(self, text: str) -> None:
        self._title = self._title or title_line(text)

    def _subtitled(self, text: str) -> None:
        self._subtitle = self._subtitle or title_line(text)

    def _author(self, text: str) -> None:
        """Take the names of an author's entry."""
        names = list(names_in(text, self._budget.check))
        self._given = "" if names else text
        self.authors.extend(names)

    def _surname(self, text: str) -> None:
        """Take a surname in braces of its own."""
        self.authors.extend(names_in(f"{self._given} {text}", self._budget.check) if self._given else ())

    def _included(self, text: str) -> None:
        if not commands.PACKAGES.fullmatch(text.strip()):
            self.included.append(one_line(text)[:80])

    def _sized(self, text: str) -> None:
        self._font_size = text
