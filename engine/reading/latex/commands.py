"""What commands and environments mean: TeX's accents and symbols, LaTeX's own, and those of publishers' classes."""
# ruff: noqa: RUF001  the tables hold signs that look like letters

from __future__ import annotations

import re

ACCENTS = {
    **dict(zip("`'^~\"=.", "\u0300\u0301\u0302\u0303\u0308\u0304\u0307", strict=True)),
    **dict(zip("uvHckrdbh", "\u0306\u030c\u030b\u0327\u0328\u030a\u0323\u0331\u0309", strict=True)),
}
SPACING = {"~": "~", "^": "^", "`": "`", "'": "'", '"': '"'}
"""What an accent over nothing prints."""

GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau "
        "upsilon phi chi psi omega".split(),
        map(chr, range(0x3B1, 0x3CA)),
        strict=True,
    )
)
CAPITALS = dict(zip("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(), "ΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
OF_ASTRONOMERS = dict(zip("sun earth arcsec arcmin fdg farcs farcm degr micron".split(), "☉⊕″′°″′°μ", strict=True))
SIGNS = {
    **dict(zip("leq le geq ge neq ne ll gg approx sim simeq cong equiv propto".split(), "≤≤≥≥≠≠≪≫≈∼≃≅≡∝", strict=True)),
    **dict(zip("lesssim lessapprox la gtrsim gtrapprox ga lt gt prec succ".split(), "≲⪅≲≳⪆≳<>≺≻", strict=True)),
    **dict(zip("times div pm mp cdot ast star circ bullet odot oplus otimes".split(), "×÷±∓·∗⋆∘•⊙⊕⊗", strict=True)),
    **dict(zip("infty partial nabla hbar hslash ell Re Im aleph emptyset".split(), "∞∂∇ħħℓℜℑℵ∅", strict=True)),
    **dict(zip("in notin ni subset subseteq supset supseteq cup cap setminus".split(), "∈∉∋⊂⊆⊃⊇∪∩∖", strict=True)),
    **dict(zip("forall exists neg lnot land lor wedge vee vdash models perp".split(), "∀∃¬¬∧∨∧∨⊢⊨⊥", strict=True)),
    **dict(zip("to rightarrow leftarrow leftrightarrow mapsto longrightarrow".split(), "→→←↔↦→", strict=True)),
    **dict(zip("Rightarrow Leftarrow Leftrightarrow uparrow downarrow".split(), "⇒⇐⇔↑↓", strict=True)),
    **dict(zip("sum prod int oint surd angle triangle mid parallel langle rangle".split(), "∑∏∫∮√∠△|∥⟨⟩", strict=True)),
    **dict(zip("lfloor rfloor lceil rceil prime dagger ddagger dag ddag deg".split(), "⌊⌋⌈⌉′†‡†‡°", strict=True)),
    **dict(zip("cdots ldots dots vdots lbrace rbrace vert Vert backslash".split(), "⋯………{}|‖\\", strict=True)),
}
"""Signs of formulas."""
_OF_TEXT = (
    "ohm Ω celsius °C micro μ times × div ÷ pm ± minus − perthousand ‰ pertenthousand ‱ onehalf ½ onequarter ¼ "
    "threequarters ¾ onesuperior ¹ twosuperior ² threesuperior ³ rightarrow → leftarrow ← uparrow ↑ downarrow ↓ "
    "dagger † daggerdbl ‡ section § paragraph ¶ periodcentered · asteriskcentered * sterling £ yen ¥ cent ¢ "
    "numero № ordfeminine ª ordmasculine º exclamdown ¡ questiondown ¿ surd √ lnot ¬ langle ⟨ rangle ⟩ "
    "quotesingle ' asciigrave ` bardbl ‖ openbullet ◦ visiblespace ␣ hyphen -"
).split()
SYMBOLS = {
    **GREEK,
    **{f"{kind}{name}": sign for kind in ("text", "up") for name, sign in {**GREEK, **CAPITALS}.items()},
    **{f"text{name}": sign for name, sign in zip(_OF_TEXT[::2], _OF_TEXT[1::2], strict=True)},
    **OF_ASTRONOMERS,
    **dict(zip("guilsinglleft guilsinglright quotesinglbase quotedblbase".split(), "‹›‚„", strict=True)),
    **dict(zip("ss o O l L ae AE oe OE aa AA i j dh DH th TH dj DJ".split(), "ßøØłŁæÆœŒåÅıȷðÐþÞđĐ", strict=True)),
    **dict(zip("S P pounds copyright textcopyright textregistered".split(), "§¶£©©®", strict=True)),
    **dict(zip("euro texteuro degree textdegree textmu textbullet".split(), "€€°°μ•", strict=True)),
    **dict.fromkeys("EURdig EURhv EURcr EURtm geneuro geneuronarrow geneurowide officialeuro".split(), "€"),
    **dict(
        zip("yen permil degres ier iere ieme iers ieres iemes".split(), "¥ ‰ ° er re e ers res es".split(), strict=True)
    ),
    **dict(zip("textbackslash textbar textless textgreater textunderscore".split(), "\\|<>_", strict=True)),
    **{"textbraceleft": "{", "textbraceright": "}"},
    **dict(zip("half dollar pound cent".split(), "½$£¢", strict=True)),
    **dict(zip("textdollar textpercent textquoteleft textquoteright".split(), "$%‘’", strict=True)),
    **dict(zip("textquotedblleft textquotedblright textasciitilde textasciicircum".split(), "“”~^", strict=True)),
    **dict(zip("guillemotleft guillemotright slash textellipsis ldots dots".split(), "«»/………", strict=True)),
    **dict(zip("og fg enquoteopen flqq frqq glqq grqq".split(), "«»“«»„“", strict=True)),
    **{"textendash": "–", "textemdash": "—", "texttrademark": "™", "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX"},
    **{"LaTeXe": "LaTeX2e", "AmS": "AMS", "AmSTeX": "AMS-TeX", "cprime": "'"},
    **{"quad": " ", "qquad": " ", "space": " ", "enspace": " ", "thinspace": " ", "nobreakspace": " "},
    **{"par": "\n\n", "maketitle": "\n\n", "endgraf": "\n\n"},
    **dict.fromkeys("smallskip medskip bigskip smallbreak medbreak bigbreak goodbreak".split(), "\n\n"),
    **dict.fromkeys("eject newpage clearpage cleardoublepage pagebreak supereject hrule".split(), "\n\n"),
}
LINE_BREAKS = frozenset({"newline", "linebreak", "break", "cr", "crcr", "titlebreak", "tabularnewline"})

LIGATURES = re.compile(r"---|--|``|''|~")
PRINTED = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " "}
LEFT_OUT = {
    **dict.fromkeys(
        "label vspace hspace includegraphics bibliography bibliographystyle usepackage documentclass documentstyle "
        "pagestyle thispagestyle footnote footnotetext thanks index addtocounter color phantom vphantom hphantom "
        "hypersetup setcounter pagenumbering SweaveOpts Sexpr graphicspath selectlanguage orcid orcidlink orcidID "
        "tnoteref tnotetext fntext nonumnote authornote authornotemark credit preprint pacs shorttitle shortauthors "
        "RequirePackage PassOptionsToPackage enlargethispage hyphenation cline cmidrule linespread footnotemark "
        "stepcounter refstepcounter newcounter newlength newsavebox usetikzlibrary lstset tikzset "
        "titlerunning authorrunning runningtitle runningauthor runningauthors runninghead rightheadtext leftheadtext "
        "lhead chead rhead lfoot cfoot rfoot markright halign valign special write immediate noalign headline "
        "footline nocite addbibresource PACS subclass subjclass MSC numberwithin allowdisplaybreaks "
        "MakeShortVerb DefineShortVerb lstMakeShortInline "
        "glsresetall todo marginpar marginnote sidenote endnote footnoteA footnoteB".split(),
        1,
    ),
    **dict.fromkeys(
        "setlength addtolength setkeys titleformat rule fontencoding resizebox raisebox fontsize markboth "
        "setlist newmintinline newtheorem theoremstyle settowidth titlespacing pdfbookmark".split(),
        2,
    ),
    **dict.fromkeys("href textcolor colorbox foreignlanguage parbox texorpdfstring scalebox rotatebox".split(), 1),
    **dict.fromkeys("multirow multicolumn makebox framebox".split(), 0),
    **dict.fromkeys("definecolor addcontentsline".split(), 3),
}
"""How many arguments go with their command."""
LEFT_OUT.update({"multicolumn": 2, "multirow": 2})

SHOWN = frozenset(
    "bf it rm sl sc tt sf em bfseries itshape scshape upshape mdseries normalfont emph underline uppercase lowercase "
    "MakeUppercase MakeLowercase mbox hbox vbox fbox framebox makebox parbox raisebox begin end centerline leftline "
    "rightline centering noindent indent newline linebreak tiny scriptsize footnotesize small normalsize large Large "
    "LARGE huge Huge twocolumn onecolumn par href textcolor colorbox ensuremath ref vbox hfill vfill url path".split()
)
"""Commands whose argument, if they have one, is printed."""

JOINS = SHOWN | frozenset("allowbreak nobreak relax protect null leavevmode discretionary unskip ignorespaces".split())
"""Commands that may stand within a word."""
POINTS = re.compile(
    r"(?=\w*cite)\w++|[Cc]?ref|(?:eq|auto|page|name|sub|Auto|v|V|page|cpage|Eq|Fig|fig|sec|Sec|tab|labelc|z)ref|crefrange"
    r"|\w{0,20}(?:setup|geometry)|(?:pgf|tikz|tcb|lst)\w{0,20}set|set\w{0,10}font"
    r"|np(?:round|decimal|thousand|product|unit|lpad|replace|add)\w{1,20}"
)
"""Commands whose argument holds no text: what only their target knows, or settings."""

KNOWN = frozenset({*LEFT_OUT, "par", "maketitle"})
"""Commands with their usual meaning, even where the source redefines them."""


PARTS = ("part", "chapter", "section", "subsection", "subsubsection")
LEVELS = {
    **{part: level for level, part in enumerate(PARTS)},
    **{"addpart": 0, "addchap": 1, "addsec": 2, "prefacesection": 1, "specialhead": 1},
    **{"head": 2, "heading": 2, "subhead": 3, "subheading": 3, "subsubhead": 4, "beginsection": 2, "bmhead": 3},
}
"""How deep the headings are that each command begins; AMS-TeX's and KOMA's, too."""
OWN_HEADING = re.compile(r"(?!the|bib|ref|c@|l@|current|end|list)[A-Za-z]{0,20}?((?:sub)*)(section|chapter)")
"""A class's own command for a heading, by its name."""
ONLY_WITH_END = frozenset({"head", "heading", "subhead", "subsubhead", "specialhead"})
"""Headings of AMS-TeX, which other sources do not mean by these names: only where the end of one stands."""
RUN_IN = frozenset({"paragraph", "subparagraph", "minisec"})
TITLES = frozenset(
    "title Title TITLE icmltitle papertitle PaperTitle articletitle ArticleTitle thesistitle ThesisTitle titel "
    "titre titulo ttitle ztitle maintitle".split()
)
SUBTITLES = frozenset({"subtitle", "Subtitle", "articlesubtitle"})
AUTHORS = frozenset(
    "author Author AUTHOR AUTHORS SetAuthorBlock authors Authors icmlauthor IEEEauthorblockN SetAuthors "
    "authorsnames contrib auteur autor autore autores zauthor thesisauthor ThesisAuthor documentauthor".split()
)
BETWEEN_AUTHORS = frozenset({"and", "And", "AND", "alsoby"})
BESIDE_AUTHORS = frozenset({"quad", "qquad", "hspace", "hfill", "hskip", "newauthor", "enspace", "sep", "hfil", "hss"})
NOTES_OF_AUTHORS = frozenset(
    "textsuperscript inst orcidID orcidA orcidB orcidC orcidD orcid orcidlink IEEEauthorrefmark sup altaffilmark "
    "authormark authorrefmark nametag affil affils affmark aff footnotemark IEEEmembership fnmsep thanksref "
    "corref fnref corauth cormark fnmark thanksibid note JointFirstAuthor CorrespondingAuthor comma samethanks at "
    "IEEEcompsocitemizethanks thanks footnote tnoteref email ead mail url authorcr".split()
)
"""Commands that print a mark beside a name, with one argument where braces follow."""
ENDS_OF_NAMES = frozenset(
    "email Email addr address institute institution affiliation affiliations AFF EMAIL IEEEauthorblockA "
    "Affiliation Address dept department city country".split()
)
"""Commands that begin what follows a name in its entry."""
SPELT_NAMES = frozenset({"fnm", "sur", "spfx", "sfx", "surname", "givenname", "firstname", "lastname", "Name", "name"})
AFFILIATIONS = frozenset(
    "affil affiliation affiliations institute address email ead inst corref fnref cortext date IEEEauthorblockA "
    "IEEEmembership Address Plaintitle Shorttitle Plainauthor Volume Issue ccsdesc AMSSUBJ SUBMITTED ACCEPTED "
    "received revised accepted published communicated dedicatory dedication curraddr urladdr altaffiliation "
    "collaboration noaffiliation equalcont corres presentaddress authormark copyrightinfo commby translator "
    "correspondence Correspondence firstnote secondnote AuthorNames AuthorCitation pubvolume issuenum "
    "articlenumber externaleditor datereceived daterevised dateaccepted datepublished hreflink TITLERUNNING "
    "runtitle runauthor RUNTITLE RUNAUTHOR AFF offprints headnote titlehead subject publishers extratitle "
    "lowertitleback uppertitleback journalname authorsaffiliations leftheader affiliationlist SetAffiliation "
    "copyrightyear acmYear acmDOI acmISBN acmConference acmBooktitle acmPrice acmSubmissionID setcopyright "
    "acmJournal acmVolume acmNumber acmArticle acmMonth acmCodeLink authorsaddresses keywordname pubyear "
    "pagerange volume journal jnum issue doi slugcomment shorttitle jmlrheading firstpageno ShortHeadings editor "
    "headers DOI journalinfo archive PaperNumber AIAApapernumber AIAAconference AIAAcopyright titlenote "
    "subtitlenote supervisor advisor degree university department printAffiliationsAndNotice cormark fnmark "
    "tnotemark surname givenname formatdate versionfootnote icmlsetsymbol icmlaffiliation icmlcorrespondingauthor "
    "icmltitlerunning authorcontributions conflictsofinterest fulladdress affilnum acknow leadauthor "
    "significancestatement correspondingauthor nocollaboration allauthors software facility facilities reftitle "
    "funding institutionalreview informedconsent sampleavailability isPreprints reportnum submitjournal".split()
)
"""Commands of the front matter that leave no text, with all their arguments."""
NOTES = frozenset(
    "footnote footnotetext endnote endnotetext sidenote sidenotetext marginnote marginpar footnoteA footnoteB".split()
)
TABLES = frozenset("tabular tabularx longtable tabulary supertabular xltabular tblr deluxetable".split())
PROGRAMS = frozenset("algorithmic tabbing Schunk Sinput Soutput".split())
"""Environments that are left out, which a warning counts."""
CODES_IN_KEYWORDS = frozenset({"MSC", "PACS", "JEL", "UDC"})
"""Commands after which a list of key words goes on with codes of a scheme."""
KEYWORDS = frozenset(
    "keywords Keywords keyword IEEEkeywords kwd kword KeyWords icmlkeywords KEYWORDS indexterms keywordsname "
    "IndexTerms KEYWORD".split()
)
ABSTRACTS = frozenset({"abstract", "Abstract", "ABSTRACT", "abstracts", "abst", "onecolabstract", "theabstract"})
ACKNOWLEDGEMENTS = re.compile(r"acks?|acknowledge?ments?|Acknowledge?ments?|acknow", re.ASCII)
INCLUDES = frozenset({"input", "include", "subfile", "subfileinclude", "import", "subimport"})
SILENT = frozenset(
    "equation align alignat flalign eqnarray gather multline displaymath math split array tabular tabularx "
    "longtable tabulary tikzpicture pgfpicture picture algorithmic filecontents CCSXML thebibliography_head dmath "
    "IEEEeqnarray Schunk Sinput Soutput tabbing supertabular xltabular tblr deluxetable psmatrix pspicture asy "
    "prooftree highlights graphicalabstract AMS AMSMOS MSCcodes forest".split()
)
WITH_ARGUMENT = {
    **dict.fromkeys(
        "tabular array longtable minipage thebibliography subfigure multicols otherlanguage spacing supertabular "
        "adjustbox textblock SCfigure floatingfigure subtable deluxetable wraptable tblr turn".split(),
        1,
    ),
    **dict.fromkeys(("tabularx", "wrapfigure", "CJK", "adjustwidth", "tabulary", "xltabular", "list"), 2),
}
"""Environments and how many arguments they take; `tabular*` takes another one."""
CENTRES = frozenset({"center", "centering", "Center", "centered"})
PAGES = frozenset({"titlepage", "titlingpage", "title-page", "frontpage", "coverpage"})
WORDS_OF_CLASSES = {
    "abstractname": "Abstract",
    "refname": "References",
    "bibname": "Bibliography",
    "ackname": "Acknowledgements",
    "acknowledgementname": "Acknowledgements",
    "acknowledgementsname": "Acknowledgements",
    "acknowledgmentname": "Acknowledgements",
    "discintname": "Disclosure of Interests",
    "keywordname": "Keywords",
    "keywordsname": "Keywords",
    "appendixname": "Appendix",
    "chaptername": "Chapter",
    "figurename": "Figure",
    "tablename": "Table",
    "proofname": "Proof",
    "contentsname": "Contents",
    "indexname": "Index",
}
"""Words that a class puts in the paper's language."""
LINES = frozenset({"centerline", "ctrline", "leftline", "rightline", "line"})
"""Commands that set their argument on a line of its own."""
DELIMITED = frozenset(
    "title author authors affil address curraddr email urladdr thanks abstract keywords subjclass date dedicatory "
    "translator head heading subhead subheading subsubhead specialhead".split()
)
r"""Names that AMS-TeX ends by a command of their own: `\title ... \endtitle`."""
NO_TEXT = frozenset("affil address curraddr email urladdr thanks subjclass date dedicatory translator".split())
STATEMENTS = frozenset({"proclaim", "demo", "definition", "remark", "example"})
"""AMS-TeX's theorems, which give their name as an argument."""
PACKAGES = re.compile(
    r"(?:amstex|amsppt\w*|amssym\w*|eplain|epsf\w*|psfig|pictex|xypic|xy\w*|harvmac|lanlmac|mssymb|color|graphic\w*|"
    r"miniltx|tikz|pgf\w*|plain|vanilla|jnl|cyracc|mathchars|diagrams|glyphtounicode|ifpdf|ushyphex)(?:\.\w+)?"
)
"""Files of macros that come with TeX: they hold no text of a paper."""
