"""What TeX's accents, symbols and commands print, and which commands go with their arguments."""

from __future__ import annotations

import re

ACCENTS = {
    **dict(zip("`'^~\"=.", "\u0300\u0301\u0302\u0303\u0308\u0304\u0307", strict=True)),
    **dict(zip("uvHckrdbh", "\u0306\u030c\u030b\u0327\u0328\u030a\u0323\u0331\u0309", strict=True)),
}
SPACING = {"~": "~", "^": "^", "`": "`", "'": "'", '"': '"'}
"""What an accent over nothing prints."""

_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau"
SYMBOLS = {
    **{name: chr(0x3B1 + place) for place, name in enumerate(f"{_GREEK} upsilon phi chi psi omega".split())},
    **dict(zip("ss o O l L ae AE oe OE aa AA i j dh DH th TH dj DJ".split(), "ßøØłŁæÆœŒåÅıȷðÐþÞđĐ", strict=True)),
    **dict(zip("S P pounds copyright textcopyright textregistered".split(), "§¶£©©®", strict=True)),
    **dict(zip("euro texteuro degree textdegree textmu textbullet".split(), "€€°°μ•", strict=True)),
    **dict(zip("textbackslash textbar textless textgreater textunderscore".split(), "\\|<>_", strict=True)),
    **{"textbraceleft": "{", "textbraceright": "}"},
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
        "glsresetall todo marginpar marginnote sidenote endnote footnoteA footnoteB".split(),
        1,
    ),
    **dict.fromkeys(
        "setlength addtolength setkeys titleformat rule fontencoding resizebox raisebox fontsize markboth "
        "setlist newtheorem theoremstyle settowidth titlespacing pdfbookmark".split(),
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

POINTS = re.compile(
    r"(?=\w*cite)\w++|[Cc]?ref|(?:eq|auto|page|name|sub|Auto|v|V|page|cpage|Eq|Fig|fig|sec|Sec|tab|labelc|z)ref|crefrange"
    r"|\w{0,20}(?:setup|geometry)|(?:pgf|tikz|tcb|lst)\w{0,20}set|set\w{0,10}font"
)
"""Commands whose argument holds no text: what only their target knows, or settings."""

KNOWN = frozenset({*LEFT_OUT, "par", "maketitle"})
"""Commands with their usual meaning, even where the source redefines them."""
