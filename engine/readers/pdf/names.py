"""Names of headings and captions in papers, in the languages that we know."""

from __future__ import annotations

import re

CAPTION = re.compile(
    r"^(?:(?:supplementary|extended data)\s+)?(?:fig(?:ure|\.)?|table|tab\.|algorithm|scheme|listing|plate|box|exhibit|"
    r"abb(?:ildung|\.)|tabelle|tableau|figura|tabla|tabela)\s*(?P<number>[A-Z]?\.?\d+(?:\.\d+)*[a-z]?)(?P<mark>\s*[.:|–—]|$)?",
    re.IGNORECASE,
)
_NAMES = """abstract|summary|introduction|background|related works?|preliminaries|motivation|methods?|methodology|
materials? and methods?|methods and materials?|patients and methods|subjects and methods|experiments?|
experimental(?: section| setup)?|evaluation|results?|results and discussions?|discussions?|
discussion and conclusions?|conclusions?|concluding remarks|conclusions? and (?:future work|outlook|discussion)|
limitations|future work|outlook|acknowledge?ments?|references(?: and notes)?|bibliography|works cited|
literature(?: cited)?|literature references|appendix|appendices|supplementary (?:materials?|information)|
supporting information|data availability(?: statement)?|code availability|availability|computational details|
funding|conflicts? of interest|competing interests|author contributions|ethics statement|notation|keywords|
nomenclature|zusammenfassung|einleitung|einführung|methoden|ergebnisse|diskussion|schlussfolgerung(?:en)?|fazit|
danksagung|literatur|literaturverzeichnis|résumé|introducción|resumen|métodos|resultados|discusión|conclusiones|
agradecimientos|referencias|bibliografía|méthodes|résultats|références|bibliographie|remerciements|riassunto|
sommario|introduzione|risultati|conclusioni|ringraziamenti|bibliografia|riferimenti bibliografici|resumo|
introdução|conclusões|referências"""
KNOWN = re.compile("^(?:" + _NAMES.replace("\n", "") + r")\s*[.:]?$", re.IGNORECASE)
REFERENCES = re.compile(
    r"^(?:references(?: and notes)?|bibliography|works cited|literature(?: cited| references)?|"
    r"literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|bibliografia|"
    r"riferimenti bibliografici|referências)(?: cited)?\s*[.:]?$",
    re.IGNORECASE,
)
ABSTRACT = re.compile(
    r"^(?:abstract|summary|zusammenfassung|kurzfassung|résumé|resumen|riassunto|sommario|resumo|\u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f|\u6458\s?\u8981|\u8981\u65e8)"
    r"\s*[.:—–-]*$",
    re.IGNORECASE,
)
OPENING = re.compile(r"^(?:introduction|einleitung|introducción|introduzione|introdução)\s*[.:]?$", re.IGNORECASE)
"""The heading after which no abstract follows: a "Summary" then ends the paper."""
CONTENTS = re.compile(
    r"^(?:table of contents|contents|list of (?:figures|tables)|inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|indice|sumário)\s*:?$",
    re.IGNORECASE,
)
APPENDIX = re.compile(r"^(?:appendix|annexe?|anhang|apéndice)\s+(?:\d{1,2}|[A-Z]|[IVX]{1,4})\b(?!\.\d)", re.IGNORECASE)
BACK_MATTER = re.compile(
    r"^(?:author(?:s|\(s\))?['’]?s?\s+)?(?:affiliations?|address(?:es)?|e-?mail address(?:es)?|"
    r"contact(?: information)?|correspondence(?: to)?|corresponding authors?)\s*[.:]?$",
    re.IGNORECASE,
)
"""Headings of addresses after the text: where they stand, the section above ends."""
PATENT_PART = re.compile(
    r"^(?:cross[- ]?references?\b.{0,60}|related applications?|(?:technical )?field of .{1,40}|background (?:of|art)\b.{0,40}|"
    r"(?:description of )?(?:the )?(?:related|prior|background) art|(?:brief )?summary of .{1,40}|technical field|"
    r"(?:disclosure|objects?(?: and summary)?) of (?:the )?invention|brief description of .{1,60}|"
    r"(?:a )?detailed description(?: of .{1,80})?|description of (?:the )?(?:\w+ ){0,2}embodiments?|"
    r"(?:best )?modes? (?:for|of) carrying out .{1,40}|industrial applicability|statement (?:regarding|as to) .{1,100})$",
    re.IGNORECASE,
)
"""Headings that patents have, and no papers; printed in capitals."""
KEYWORDS = re.compile(
    r"^(?:(?:author |additional )?key\s?-?words?(?: and phrases)?|index terms|schlüsselwörter|schlagwörter|"
    r"mots[- ]clés|palabras clave|parole chiave|palavras-chave)\s*[.:—–-]*\s*",
    re.IGNORECASE,
)
