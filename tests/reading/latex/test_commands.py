"""Accents, symbols, settings, and the front matter of the classes that publishers give to their authors."""

from __future__ import annotations

import pytest

from engine.reading.latex.commands import LEFT_OUT, LINE_BREAKS, POINTS, SYMBOLS
from tests.reading.latex.sources import Expected, body, require

CLASSES: dict[str, tuple[str, Expected]] = {
    "aastex": (
        r"""\documentclass[twocolumn]{aastex631}
\begin{document}
\title{Slow Whistle}
\correspondingauthor{Ada Lind}
\author[0000-0002-0786-7307]{Ada Lind}
\affiliation{Lid Lab}
\nocollaboration{2}
\begin{abstract}We boil.\end{abstract}
\keywords{Lids (739) --- Pots (343)}
\section{Introduction} R.
\software{potpy}
\end{document}
""",
        {"authors": ["Ada Lind"], "keywords": ["Lids (739)", "Pots (343)"], "sections": ["Introduction"]},
    ),
    "codes among key words": (
        r"""\documentclass{elsarticle}
\begin{document}\begin{frontmatter}
\title{Slow Whistle}\author{Ada Lind}
\begin{abstract}We boil.\end{abstract}
\begin{keyword} lids \sep pots \PACS 0000 \sep 1111 \MSC[2010] 00A00 \end{keyword}
\end{frontmatter}
\section{Introduction}R.\end{document}
""",
        {"keywords": ["lids", "pots"], "sections": ["Introduction"]},
    ),
    "siam with codes": (
        r"""\documentclass{siamart220329}
\title{Slow Whistle\thanks{Submitted. \funding{By the bay.}}}
\author{Ada Lind\thanks{Lid Lab (\email{a@b.c}).} \and Kurt Ek\footnotemark[2]}
\begin{document}\maketitle
\begin{abstract}We boil.\end{abstract}
\begin{keywords}lids, pots\end{keywords}
\begin{MSCcodes}68Q25\end{MSCcodes}
\section{Introduction}R.\end{document}
""",
        {"title": "Slow Whistle", "authors": ["Ada Lind", "Kurt Ek"], "sections": ["Introduction"]},
    ),
    "aa-empty": (
        r"""\documentclass[structabstract]{aa}  
\begin{document}
   \title{Hydrodynamics of kettle steam}
   \author{E. Roe \inst{1} \and B. Fox\inst{2}\fnmsep\thanks{Just to show the usage}}
   \institute{East Mill\\ \email{a@b.c} \and West Mill}
   \date{Received September 15, 1996; accepted March 16, 1997}
  \abstract
  % context heading (optional)
  % {} leave it empty if necessary  
   {}
  % aims heading (mandatory)
   {To investigate the nature of ice.}
  % methods heading (mandatory)
   {Balance for kettles.}
  % results heading (mandatory)
   {Steam $x$ grows.}
  % conclusions heading (optional), leave it empty if necessary 
   {It melts.}
   \keywords{ice -- kettles -- kitchens}
   \maketitle
\section{Introduction}
Text.
\end{document}
""",
        {
            "title": "Hydrodynamics of kettle steam",
            "authors": ["E. Roe", "B. Fox"],
            "abstract": "To investigate the nature of ice.\n\nBalance for kettles.\n\nSteam $x$ grows.\n\nIt melts.",
            "keywords": ["ice", "kettles", "kitchens"],
        },
    ),
    "struct-abs-cmd": (
        r"""\documentclass{sn-jnl}\begin{document}\title[Short]{T one}
\author*[1,2]{\fnm{Ada} \sur{Lind}}\email{al@example.org}
\author[2]{\pfx{Dr.} \fnm{Kurt} \spfx{van} \sur{Ek} \sfx{IV}}\equalcont{These authors contributed equally.}
\affil*[1]{\orgdiv{Pots}, \orgname{Lid Institute}, \orgaddress{\city{Town}, \country{Land}}}
\abstract{\textbf{Purpose:} Lids are still.

\textbf{Results:} They whistle.}
\keywords{lids, pots}
\maketitle
\section{Introduction}R.
\bmhead{Acknowledgments} We thank.
\end{document}
""",
        {
            "title": "T one",
            "authors": ["Ada Lind", "Kurt van Ek IV"],
            "abstract_has": ["Lids are still.", "They whistle."],
            "sections": ["Introduction", "Acknowledgments"],
        },
    ),
    "neurips": (
        r"""\documentclass{article}
\usepackage[final]{neurips_2023}
\title{Slow Whistle in\\ Lid Pots}
\author{%
  Ada Lind\thanks{Use footnote.} \\
  Department of Lids\\
  Lid Institute\\
  Town, 15213 \\
  \texttt{al@example.org} \\
  % examples
  \And
  Kurt Ek \\
  North Mill \\
  \AND
  Eva Roe \\ East Mill \\
}
\begin{document}
\maketitle
\begin{abstract}We boil.\end{abstract}
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle in Lid Pots",
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
        },
    ),
    "cvpr": (
        r"""\documentclass[10pt,twocolumn]{article}
\title{Slow Whistle}
\author{Ada Lind$^{1}$ \quad Kurt Ek$^{1,2}$\thanks{x} \quad Eva Roe$^{2}$\\
Ben Fox$^{1*}$ \quad Ian Orr$^{2}$\\
$^1$Lid Institute \quad $^2$North Mill\\
{\tt\small \{mo,pl\}@example.org}}
\begin{document}\maketitle
\begin{abstract}We boil.\end{abstract}
\section{Introduction}R.\end{document}
""",
        {
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe", "Ben Fox", "Ian Orr"],
        },
    ),
    "acl": (
        r"""\documentclass[11pt]{article}\usepackage{acl}
\title{Slow Whistle}
\author{\textbf{Ada Lind\textsuperscript{1}}, \textbf{Kurt Ek\textsuperscript{1,2}},\\
 \textbf{Eva Roe\textsuperscript{2}}\\
 \\
 \textsuperscript{1}Lid Institute, \textsuperscript{2}North Mill\\
 \small{\textbf{Correspondence:} \href{mailto:a@b.c}{a@b.c}}}
\begin{document}\maketitle\begin{abstract}We boil.\end{abstract}\section{Introduction}R.\end{document}
""",
        {
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
        },
    ),
    "aaai": (
        r"""\documentclass[letterpaper]{article}\usepackage{aaai24}
\title{Slow Whistle}
\author {
    % Authors
    Ada Lind,\textsuperscript{\rm 1}
    Kurt Ek,\textsuperscript{\rm 2}
    Eva Roe\textsuperscript{\rm 1,\rm 2}
}
\affiliations {
    \textsuperscript{\rm 1} Affiliation 1\\
    al@example.org
}
\begin{document}\maketitle\begin{abstract}We boil.\end{abstract}\section{Introduction}R.\end{document}
""",
        {
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
        },
    ),
    "ieee-journal": (
        r"""\documentclass[journal]{IEEEtran}
\begin{document}
\title{Slow Whistle\\ in Pots}
\author{Ada~Lind,~\IEEEmembership{Member,~IEEE,}
        Kurt~Ek,~\IEEEmembership{Fellow,~OSA,}
        and~Eva~Roe,~\IEEEmembership{Life~Fellow,~IEEE}% <-this % stops a space
\thanks{A. Lind was with the Department}% 
\thanks{Manuscript received April 19, 2005.}}
\markboth{Journal of \LaTeX\ Class Files,~Vol.~14, No.~8}{Shell \MakeLowercase{\textit{et al.}}: Bare Demo}
\IEEEtitleabstractindextext{\begin{abstract}We boil.\end{abstract}\begin{IEEEkeywords}lids, pots\end{IEEEkeywords}}
\maketitle
\IEEEdisplaynontitleabstractindextext
\IEEEraisesectionheading{\section{Introduction}\label{sec:i}}
\IEEEPARstart{L}{ids} move.
\end{document}
""",
        {
            "title": "Slow Whistle in Pots",
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
            "abstract": "We boil.",
            "keywords": ["lids", "pots"],
            "sections": ["Introduction"],
            "text_has": ["Lids move."],
        },
    ),
    "ieee-refmark": (
        r"""\documentclass[conference]{IEEEtran}\begin{document}\title{Slow Whistle}
\author{\IEEEauthorblockN{Ada Lind\IEEEauthorrefmark{1}, Kurt Ek\IEEEauthorrefmark{2} and Eva Roe\IEEEauthorrefmark{3}}
\IEEEauthorblockA{\IEEEauthorrefmark{1}Lid Institute\\ Email: al@example.org}}
\maketitle\begin{abstract}We boil.\end{abstract}\section{Introduction}R.\end{document}
""",
        {
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
        },
    ),
    "elsarticle": (
        r"""\documentclass[preprint]{elsarticle}
\journal{Lid Notes}
\begin{document}
\begin{frontmatter}
\title{Slow Whistle\tnoteref{t1,t2}}
\tnotetext[t1]{This document is a result.}
\author[rvt]{A.~Lind\corref{cor1}\fnref{fn1}}
\ead{al@example.org}
\author[rvt,focal]{K.~Ek\fnref{fn2}}
\author[els]{Eva Roe\corref{cor2}}
\cortext[cor1]{Corresponding author}
\fntext[fn1]{This is the specimen author footnote.}
\address[rvt]{Lid Institute, Town}
\begin{abstract}We boil.\end{abstract}
\begin{keyword}lids \sep pots \PACS 71.35.-y \MSC[2010] 23-557\end{keyword}
\end{frontmatter}
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["A. Lind", "K. Ek", "Eva Roe"],
            "abstract": "We boil.",
            "sections": ["Introduction"],
        },
    ),
    "jhep": (
        r"""\documentclass[a4paper,11pt]{article}\pdfoutput=1\usepackage{jheppub}
\title{\boldmath Slow $N=4$ whistle}
\author[a,b,1]{A. Lind,\note{Corresponding author.}}
\author[c]{K. Ek,}
\author[a,2]{E. Roe}
\affiliation[a]{One University,\\some-street, Country}
\emailAdd{first@one.univ}
\abstract{We boil.}
\keywords{lids}
\arxivnumber{1234.56789}
\begin{document}
\maketitle
\flushbottom
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow $N=4$ whistle",
            "authors": ["A. Lind", "K. Ek", "E. Roe"],
            "abstract": "We boil.",
        },
    ),
    "acm": (
        r"""\documentclass[sigconf]{acmart}
\begin{document}
\title{Slow Whistle}
\subtitle{A study}\titlenote{Note.}\subtitlenote{Sub note.}
\author{Ada Lind}\authornote{Both.}\email{a@b.c}\orcid{1234}
\affiliation{\institution{Lid Institute}\city{Town}\country{Land}}
\author{Kurt Ek}\authornotemark[1]
\renewcommand{\shortauthors}{Lind and Ek}
\begin{abstract}We boil.\end{abstract}
\begin{CCSXML}<ccs2012/>\end{CCSXML}
\ccsdesc[500]{Pots}
\keywords{lids, pots}
\begin{teaserfigure}\includegraphics{a}\caption{Teaser.}\end{teaserfigure}
\received{20 February 2007}
\maketitle
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle: A study",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
        },
    ),
    "mdpi": (
        r"""\documentclass[pots,article,submit]{Definitions/mdpi}
\firstpage{1}\makeatletter\setcounter{page}{\@firstpage}\makeatother
\pubvolume{1}
\Title{Slow Whistle}
\TitleCitation{Slow}
\Author{Ada Lind $^{1,\dagger,\ddagger}$\orcidA{}, Kurt Ek $^{2,\ddagger}$ and Eva Roe $^{2,}$*}
\AuthorNames{Ada Lind, Kurt Ek}
\address{$^{1}$ \quad Affiliation 1; e-mail@e-mail.com}
\corres{Correspondence: e-mail}
\abstract{We boil.}
\keyword{lids; pots}
\begin{document}
\section{Introduction}R.
\authorcontributions{All.}
\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
            "abstract": "We boil.",
            "keywords": ["lids", "pots"],
        },
    ),
    "copernicus": (
        r"""\documentclass[acp]{copernicus}\begin{document}
\title{Slow Whistle}
\Author[1,2]{Ada}{Lind}
\Author[2]{Kurt}{Ek}
\affil[1]{Lid Institute}
\correspondence{Ada (a@b.c)}
\runningtitle{Slow}\runningauthor{Lind}
\received{}\pubdiscuss{}
\firstpage{1}
\maketitle
\begin{abstract}We boil.\end{abstract}
\introduction
R.
\section{Pots}M.
\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
        },
    ),
    "lipics": (
        r"""\documentclass[a4paper,UKenglish]{lipics-v2021}
\title{Slow Whistle}
\titlerunning{Dummy}
\author{Ada {Lind}}{Dummy University, Country \and \url{http://x}}{a@b.c}{https://orcid.org/0}{Own funding}
\author{Kurt Ek}{North Mill}{}{}{}
\authorrunning{A. Lind}
\Copyright{Ada Lind}
\ccsdesc[100]{General}
\keywords{lids, pots}
\category{}
\EventEditors{John Q. Open}
\begin{document}
\maketitle
\begin{abstract}We boil.\end{abstract}
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
            "sections": ["Introduction"],
        },
    ),
    "informs": (
        r"""\documentclass{informs3}\begin{document}
\RUNAUTHOR{Lind}\RUNTITLE{Slow}
\TITLE{Slow Whistle}
\ARTICLEAUTHORS{%
\AUTHOR{Ada Lind}
\AFF{Lid Institute, \EMAIL{a@b.c}}
\AUTHOR{Kurt Ek, Eva Roe}
\AFF{North Mill}}
\ABSTRACT{We boil.}
\KEYWORDS{lids; pots}
\maketitle
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
            "abstract": "We boil.",
        },
    ),
    "jmlr": (
        r"""\documentclass[twoside,11pt]{article}\usepackage{jmlr2e}
\jmlrheading{1}{2000}{1-48}{4/00}{10/00}{lind00a}{Ada Lind}
\ShortHeadings{Slow}{Lind}
\firstpageno{1}
\begin{document}
\title{Slow Whistle}
\author{\name Ada Lind \email al@example.org \\
       \addr Department of Lids\\
       Lid Institute
       \AND
       \name Kurt Ek \email ke@example.org \\
       \addr North Mill}
\editor{Eva Roe}
\maketitle
\begin{abstract}%   <- trailing '%' for backward compatibility
We boil.
\end{abstract}
\begin{keywords}  lids, pots\end{keywords}
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
            "sections": ["Introduction"],
        },
    ),
    "revtex3": (
        r"""\documentstyle[prl,aps]{revtex}
\begin{document}
\draft
\preprint{HEP/123-qed}
\title{Slow Whistle\\in Pots}
\author{Ada Lind\cite{byline} and Kurt Ek}
\address{Lid Institute, Town}
\author{Eva Roe}
\address{East Mill}
\date{\today}
\maketitle
\begin{abstract}
We boil.
\end{abstract}
\pacs{PACS numbers: 71.35.-y}
\narrowtext
\section{Introduction}
R.
\acknowledgments
We thank.
\begin{references}
\bibitem[*]{byline} Present address.
\end{references}
\end{document}
""",
        {
            "title": "Slow Whistle in Pots",
            "authors": ["Ada Lind", "Kurt Ek", "Eva Roe"],
            "abstract": "We boil.",
        },
    ),
    "koma": (
        r"""\documentclass[ngerman]{scrartcl}
\usepackage[ngerman]{babel}
\titlehead{Lid Institute}
\subject{Bericht}
\title{Langsame Whistle}
\subtitle{Eine Studie}
\author{Ada Lind\thanks{x} \and Kurt Ek}
\publishers{Verlag}
\begin{document}
\maketitle
\addsec{Zusammenfassung}
Wir kartieren.
\section{Einleitung}R.
\addsec{Danksagung}D.
\end{document}
""",
        {
            "title": "Langsame Whistle: Eine Studie",
            "authors": ["Ada Lind", "Kurt Ek"],
            "sections_has": ["Einleitung", "Danksagung"],
        },
    ),
    "icml-variant": (
        r"""\documentclass{article}\usepackage{icml2019}
\begin{document}
\twocolumn[
  \icmltitle{Slow Whistle: $O(n)$ \\ Pots for [Lids]}
% It is OKAY
\icmlsetsymbol{equal}{*}
\begin{icmlauthorlist}
\icmlauthor{Ada Lind}{to,ed}
\icmlauthor{Kurt van der Ek}{equal,to}
\end{icmlauthorlist}
\icmlaffiliation{to}{University of X, Y}
\icmlcorrespondingauthor{Ada Lind}{c.v@x.edu}
\icmlkeywords{Machine Learning, ICML}
\vskip 0.3in]
\printAffiliationsAndNotice{\icmlEqualContribution} % otherwise use the standard text.
\begin{abstract}We boil.\end{abstract}
\section{Introduction}R.
\end{document}
""",
        {
            "authors": ["Ada Lind", "Kurt van der Ek"],
            "abstract": "We boil.",
            "sections": ["Introduction"],
        },
    ),
    "twocolumnfalse": (
        r"""\documentclass[twocolumn]{article}
\title{Slow Whistle}\author{Ada Lind\\Lid Institute \and Kurt Ek}
\begin{document}
\twocolumn[
\begin{@twocolumnfalse}
\maketitle
\begin{abstract}
We boil \cite[p. 3]{a}.
\end{abstract}
\end{@twocolumnfalse}
]
\saythanks
\section{Introduction}R.
\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
            "sections": ["Introduction"],
        },
    ),
    "llncs2": (
        r"""\documentclass{llncs}\begin{document}
\title{Slow Whistle\thanks{Supported.}}
\subtitle{Part one}
\titlerunning{Abbreviated}
\author{Ada Lind\inst{1}\orcidID{0000-1111-2222-3333} \and
Kurt Ek\inst{2,3}\orcidID{1111-2222-3333-4444}(\Letter) \and
Third {van den} Berg\inst{3}}
\authorrunning{F. Author et al.}
\institute{Princeton University, Princeton NJ 08544, USA \and
Springer Heidelberg\\ \email{lncs@springer.com}\\ \url{http://www.springer.com} \and ABC Institute}
\maketitle
\begin{abstract} We boil.
\keywords{First keyword  \and Second keyword \and Another keyword.}
\end{abstract}
\section{First Section}
\subsection{A Subsection Sample}
Please note.
\subsubsection{Sample Heading (Third Level)} Only two levels.
\begin{credits}
\subsubsection{\ackname} A bold.
\end{credits}
\end{document}
""",
        {
            "title": "Slow Whistle: Part one",
            "authors": ["Ada Lind", "Kurt Ek", "Third van den Berg"],
            "abstract": "We boil.",
            "keywords": ["First keyword", "Second keyword", "Another keyword"],
        },
    ),
    "svjour": (
        r"""\documentclass[smallextended]{svjour3}
\begin{document}
\title{Slow whistle\thanks{Grants}}
\author{Ada Lind         \and
        Kurt Ek %etc.
}
\authorrunning{Short form}
\institute{F. Author \at first address \\ Tel.: +123\\ \email{fauthor@example.com} \and S. Author \at second address}
\date{Received: date / Accepted: date}
\maketitle
\begin{abstract}
We boil.
\keywords{First keyword \and Second keyword}
\PACS{PACS code1 \and PACS code2}
\subclass{MSC code1}
\end{abstract}
\section{Introduction}R.
\end{document}
""",
        {
            "title": "Slow whistle",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
            "keywords": ["First keyword", "Second keyword"],
        },
    ),
    "siam": (
        r"""\documentclass[review]{siamart}
\newcommand{\TheTitle}{Slow Whistle}
\newcommand{\TheAuthors}{A. Lind, and K. Ek}
\headers{\TheTitle}{\TheAuthors}
\title{{\TheTitle}\thanks{Submitted.\funding{NSF}}}
\author{
  Ada Lind\thanks{Imagination Corp., (\email{a@b.c}, \url{http://x}).}
  \and
  Kurt T. Ek\thanks{Department}
}
\begin{document}\maketitle
\begin{abstract}We boil.\end{abstract}
\begin{keywords}lids, pots\end{keywords}
\begin{AMS}68Q25, 68R10\end{AMS}
\section{Introduction}R.\end{document}
""",
        {
            "title": "Slow Whistle",
            "authors": ["Ada Lind", "Kurt T. Ek"],
            "abstract": "We boil.",
            "keywords": ["lids", "pots"],
        },
    ),
    "fr": (
        r"""\documentclass{amsart}\usepackage[french]{babel}
\title{Dérive lente}\author{Ada Lind}\address{Town}
\begin{document}
\begin{abstract} Nous cartons. \end{abstract}
\begin{altabstract} We boil. \end{altabstract}
\maketitle
\section*{Résumé long}R.
\section{Introduction}I.
\end{document}
""",
        {
            "title": "Dérive lente",
            "authors": ["Ada Lind"],
            "abstract_has": ["Nous cartons."],
        },
    ),
    "ptbr": (
        r"""\documentclass{abntex2}\titulo{Deriva lenta}\autor{Ada Lind}
\begin{document}\maketitle
\begin{resumo} Mapeamos. \end{resumo}
\chapter{Introdução}I.\chapter{B} x
\end{document}
""",
        {
            "title": "Deriva lenta",
            "authors": ["Ada Lind"],
            "abstract": "Mapeamos.",
        },
    ),
    "amstex-braces": (
        r"""\input amstex
\documentstyle{amsppt}
\topmatter
\title\nofrills Quiet growth of kettle steam \endtitle
\author Eva Roe\footnote"*"{Lid Fund} and Ben Fox\endauthor
\affil East Mill, Quito \\ West Mill, Ek\endaffil
\email ar\@example.org \endemail
\thanks The first author thanks nobody. \endthanks
\keywords Steam, kettles\endkeywords
\subjclass Primary 11A11\endsubjclass
\abstract We show that $x_1\leq 2$ for ice. \endabstract
\endtopmatter
\document
\heading{1. Introduction}\endheading
Kettles are heavy. \cite{1}
\subheading{1.1. History} Nobody looked.
\proclaim{Theorem 1.1} Steam grows. \endproclaim
\demo{Proof} It does. \qed\enddemo
\head \S2. Balance \endhead
It has arms.
\Refs
\ref \key 1 \by E. Roe \paper Slow fish \jour Notes \yr 2001 \endref
\endRefs
\enddocument
""",
        {
            "title": "Quiet growth of kettle steam",
            "authors": ["Eva Roe", "Ben Fox"],
            "abstract": "We show that $x_1\\leq 2$ for ice.",
        },
    ),
    "amstex-no-input": (
        r"""\documentstyle{amsppt}
\magnification=\magstep1
\define\R{\Bbb R}
\topmatter
\title{Slow whistle in lid pots}\endtitle
\author{Ada Lind}\endauthor
\author{Kurt Ek}\endauthor
\address{Lid Institute}\endaddress
\abstract{We boil many lids.}\endabstract
\endtopmatter
\document
\head{Introduction}\endhead
Lids move slowly.
\head{Proof}\endhead
Look.
\enddocument
""",
        {
            "title": "Slow whistle in lid pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil many lids.",
            "sections": ["Introduction", "Proof"],
        },
    ),
    "struct-abs": (
        r"""\documentclass{article}\title{T one}\begin{document}\maketitle
\begin{abstract}
\subsection*{Background} Lids are still.
\subsection*{Methods.} We boil.
\paragraph{Results} They whistle.
\textbf{Conclusion:} Pots age.

\textbf{Keywords:} lids, pots
\end{abstract}
\section{Introduction} R.
\end{document}
""",
        {
            "abstract_has": ["Lids are still.", "We boil.", "They whistle.", "Pots age."],
            "sections": ["Introduction"],
            "keywords": ["lids", "pots"],
        },
    ),
    "two-abs": (
        r"""\documentclass{article}\title{T x}\begin{document}\maketitle
\selectlanguage{english}
\begin{abstract}We boil.\end{abstract}
\begin{otherlanguage}{german}\begin{abstract}Wir kartieren.\end{abstract}\end{otherlanguage}
\section{Introduction}R.\end{document}
""",
        {
            "abstract_has": ["We boil."],
            "sections": ["Introduction"],
        },
    ),
    "ordinals": (
        r"""\documentclass[conference]{IEEEtran}\begin{document}
\title{Slow Pots*\\ {\footnotesize \textsuperscript{*}Note}}
\author{\IEEEauthorblockN{4\textsuperscript{th} Given Name Surname}\IEEEauthorblockA{\textit{dept. name}}
\and\IEEEauthorblockN{5$^{th}$ Ada Lind}\IEEEauthorblockA{x}}
\maketitle\begin{abstract}It boils.\end{abstract}\section{Introduction}A.\end{document}
""",
        {
            "authors": ["Given Name Surname", "Ada Lind"],
        },
    ),
    "numbered-in-abstract": (
        r"""\documentclass{article}\begin{document}\title{T}\maketitle\begin{abstract}\section{1. Aim} We ask.
\subsubsection*{Findings} It boils. \section*{Keywords} lids, pots\end{abstract}
\section{Introduction}A.\end{document}
""",
        {
            "abstract": "Aim: We ask.\n\nFindings: It boils.",
            "sections": ["Introduction"],
            "keywords": ["lids", "pots"],
        },
    ),
    "aa-one-part": (
        r"""\documentclass[traditabstract]{aa}\begin{document}\title{Pots}\author{A. Lind\inst{1}}\institute{X}
\abstract{It boils. We ask.}
\keywords{a -- b}\maketitle\section{Introduction}A.\end{document}
""",
        {
            "abstract": "It boils. We ask.",
            "sections": ["Introduction"],
        },
    ),
    "aa-comments": (
        r"""\documentclass[longauth]{aa}
\begin{document}
\title{Pots}
\author{A.~Lind\inst{\ref{inst1}}, B.~Ek\inst{\ref{inst2}}}
\institute{X\label{inst1}}
\abstract{}% context
{We aim.}% aims
{We boil.}
{Lids rise by $5\%$.}
{Pots hold.}
\keywords{pots}
\maketitle
\section{Introduction}A.\end{document}
""",
        {
            "authors": ["A. Lind", "B. Ek"],
            "abstract": "We aim.\n\nWe boil.\n\nLids rise by $5\\%$.\n\nPots hold.",
        },
    ),
    "amstex-notes": (
        r"""\input amstex
\documentstyle{amsppt}
\NoRunningHeads
\topmatter
\title Slow pots\\
and quiet lids\endtitle
\author
Ada Lind\footnote"*"{Lid fund.}, Bo Ek, and Cy Fox
\endauthor
\date June 1, 1995\enddate
\dedicatory To nobody\enddedicatory
\abstract\nofrills{\smc Abstract.} It boils.\endabstract
\endtopmatter
\document
\heading\S1. Introduction\endheading
Lids move.
\specialhead Appendix\endspecialhead
Pots.
\enddocument
""",
        {
            "title": "Slow pots and quiet lids",
            "authors": ["Ada Lind", "Bo Ek", "Cy Fox"],
            "abstract": "It boils.",
        },
    ),
    "chinese": (
        r"""\documentclass{ctexart}\title{慢锅}\author{王伟\thanks{x} \and 李小明}\begin{document}\maketitle
\begin{abstract}它沸腾。\end{abstract}\section{引言}甲。\section{方法}乙。\end{document}
""",
        {
            "title": "慢锅",
            "authors": ["王伟", "李小明"],
            "abstract": "它沸腾。",
            "sections": ["引言", "方法"],
        },
    ),
    "llncs-marks": (
        r"""\documentclass{llncs}\begin{document}\title{Pots}
\author{Ada Lind\inst{1}\orcidID{0000-0001} \and Bo Ek\inst{2}\textsuperscript{(\Letter)}
\and C. D. Fox\inst{1}\orcidicon{0000}}
\institute{X \and Y}\maketitle\begin{abstract}It boils.\keywords{a \and b}\end{abstract}
\section{Introduction}A.\end{document}
""",
        {
            "authors": ["Ada Lind", "Bo Ek", "C. D. Fox"],
            "keywords": ["a", "b"],
        },
    ),
}


@pytest.mark.parametrize("name", CLASSES)
def test_the_front_matter_of_a_class(name: str) -> None:
    require(*CLASSES[name])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\h{a} \H o \'{\^a} \c{c} \ss", "ả ő ấ ç ß"),
        (r"\og lids\fg", "«lids»"),
        (r"\medskip one\bigskip two \hypersetup{a=b}\newgeometry{left=1cm} three", "one\n\ntwo three"),
        (r"\citep{a}\autoref{b}\sisetup{c} kept", "kept"),
        (r"10\textsuperscript{5} at 3 s\textsuperscript{-1}, 2010\textsuperscript{3}", "10^5 at 3 s^-1, 2010^3"),
        (
            r"1\textsuperscript{st}, \textsuperscript{13}C, Ca\textsuperscript{2+}, CO\textsubscript{2}",
            "1st, 13C, Ca2+, CO2",
        ),
        (r"3\texttimes4, 5\,\textohm, \textonehalf, TGF-\textbeta, 5\arcsec, \upmu m", "3×4, 5 Ω, ½, TGF-β, 5″, μm"),
        (
            r"such as \eg lamps (\ie, pots), \etc. Lind\etal boil, \wrt lids",
            "such as e.g. lamps (i.e., pots), etc. Lind et al. boil, w.r.t. lids",
        ),
        (r"\def\onedot{\futurelet\x\y}\def\eg{\emph{e.g}\onedot}\eg lamps, \eg, pots", "e.g. lamps, e.g., pots"),
        (
            r"\newcommand{\lid}{Lid\xspace}a \lid boils, \lid, {\lid}s and \lid-based",
            "a Lid boils, Lid, Lids and Lid-based",
        ),
        (r"\newcommand{\cf}{compare\xspace}\cf this", "compare this"),
        (
            r"lids\unknown pots,\unknown (\unknown 5\unknown 6), data\allowbreak base, auto\emph {bio}graphy",
            "lids pots, (5 6), database, autobiography",
        ),
    ],
)
def test_what_commands_print(written: str, expected: str) -> None:
    assert body(written) == expected


def test_each_name_means_one_thing() -> None:
    assert not SYMBOLS.keys() & LEFT_OUT.keys()
    assert not LINE_BREAKS & (SYMBOLS.keys() | LEFT_OUT.keys())
    assert POINTS.fullmatch("parencite") and not POINTS.fullmatch("emph")
