"""The names that papers and patents give their parts, in the languages that we know: the one table of every reader.

A heading is known by its words alone: a reader finds what stands as a heading, and asks here what it names. The
names are in English, German, French, Spanish, Italian, Portuguese, Russian, Chinese and Japanese. Capitals may lack
their accents, and Chinese and Japanese characters may have spaces between them or brackets around them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.core.patterns import LatePattern

Names = Mapping[str, str]
"""The names of one part by the code of their language, each a pattern of alternatives."""

_ABSTRACT: Names = {
    "en": "abstract(?: of the (?:disclosure|invention))?|summary|a b s t r a c t",
    "de": "zusammenfassung|kurzfassung|kurzdarstellung|kurzzusammenfassung|kurzreferat|abstrakt",
    "fr": "r[ée]sum[ée]|abr[ée]g[ée]",
    "es": "resumen|extracto",
    "it": "riassunto|sommario|sintesi",
    "pt": "resumo",
    "ru": "аннотация|реферат|резюме|краткое содержание",
    "zh": "(?:中文|内容|內容)?摘要|提要|内容提要|內容提要",
    "ja": "要旨|要約|概要|抄録|和文要旨|和文抄録|アブストラクト|あらまし",
}
_LATE = (
    "summary|zusammenfassung|r[ée]sum[ée]|resumen|riassunto|sommario|sintesi|resumo|резюме|краткое содержание|要約|概要"
)
"""Names of an abstract that may also end a paper, or stand within it."""
_KEYWORDS: Names = {
    "en": "(?:author |additional )?key[ -]?words?(?: and (?:key )?phrases)?|index terms|subject terms|k e y w o r d s",
    "de": "schl[üu]sselw[öo]rter|schlagw[öo]rter|schlagworte|stichw[öo]rter|stichworte|schlüsselbegriffe",
    "fr": "mots[- ]?cl[ée]f?s",
    "es": "palabras[- ]claves?|descriptores",
    "it": "parole[- ]chiave",
    "pt": "palavras[- ]chaves?|descritores|unitermos",
    "ru": "ключевые слова(?: и (?:фразы|словосочетания))?",
    "zh": "关键词|关键字|關鍵詞|關鍵字|关键辞|主题词|主題詞",
    "ja": "キーワード|索引語|キーフレーズ",
}
_INTRODUCTION: Names = {
    "en": "introduction",
    "de": "einleitung|einführung",
    "fr": "introduction(?: g[ée]n[ée]rale)?",
    "es": "introducci[óo]n",
    "it": "introduzione",
    "pt": "introdu[çc][ãa]o",
    "ru": "введение",
    "zh": "引言|前言|绪论|緒論|导言|導言|序言|绪言|導論|导论|概述|简介|簡介|引论",
    "ja": "はじめに|序論|緒言|序章|まえがき|序文|諸言|イントロダクション",
}
_REFERENCES: Names = {
    "en": "references(?: and notes| cited)?|bibliography|works cited|literature(?: cited| references)?|reference list",
    "de": "literatur(?:verzeichnis|angaben|hinweise|liste)?|quellen(?:verzeichnis|angaben)?|referenzen|"
    "bibliogra(?:f|ph)ie",
    "fr": "r[ée]f[ée]rences(?: bibliographiques)?|bibliographie|litt[ée]rature cit[ée]e|ouvrages cit[ée]s",
    "es": "(?:lista de )?referencias(?: bibliogr[áa]ficas)?|bibliograf[íi]a|literatura citada|obras citadas",
    "it": "bibliografia|riferimenti(?: bibliografici)?|letteratura citata",
    "pt": "refer[êe]ncias(?: bibliogr[áa]ficas)?|literatura citada",
    "ru": "(?:список )?(?:использованной |цитируемой |использованных )?литературы?|литература|"
    "список (?:использованных )?источников(?: и литературы)?|библиографический список|библиография|"
    "список цитируемой литературы|цитируемая литература|список использованных источников",
    "zh": "(?:主要)?参考文献|(?:主要)?參考文獻|参考资料|參考資料|引用文献|引用文獻|参考书目",
    "ja": "(?:引用・)?参考文献|引用文献|参照文献|文献",
}
_BODY: Names = {
    "en": "background|motivation|preliminaries|overview|related works?|previous works?|prior art|literature review|"
    "(?:materials? and |patients and |subjects and |study )?methods?|methods and materials?|methodology|"
    "materials? and methodology|experiments?|experimental (?:setup|section|results|procedures?|methods?)|experimental|"
    "computational details|evaluation|results?|findings|results and discussions?|(?:general )?discussions?|"
    "discussion and conclusions?|conclusions?|conclusions? and (?:future work|outlook|discussion)|concluding remarks|"
    "limitations|future work|outlook|acknowledge?ments?|funding|appendices|(?:data |code )?availability(?: statement)?|"
    "(?:supplementary|supporting) (?:materials?|information)|author contributions|competing interests|"
    "conflicts? of interests?(?: statement)?|ethics statement|nomenclature|notation|appendix",
    "de": "hintergrund|grundlagen|theoretischer hintergrund|stand der (?:technik|forschung)|verwandte arbeiten|"
    "(?:material(?:ien)? und )?methoden?|methodik|vorgehen|experimente|ergebnisse(?: und diskussion)?|resultate|"
    "auswertung|diskussion(?: der ergebnisse)?|diskussion und ausblick|schlussfolgerung(?:en)?|schluss|"
    "schlussbetrachtung|fazit(?: und ausblick)?|ausblick|zusammenfassung und ausblick|danksagung|anhang",
    "fr": "contexte|[ée]tat de l[’']art|mat[ée]riels?(?: et m[ée]thodes?)?|m[ée]thodes?|m[ée]thodologie|"
    "exp[ée]riences|exp[ée]rimentations|r[ée]sultats?(?: et discussions?)?|discussion(?: et conclusions?)?|"
    "conclusions?(?: g[ée]n[ée]rale| et perspectives)?|perspectives|remerciements|annexes?",
    "es": "antecedentes|marco te[óo]rico|estado del arte|trabajos relacionados|"
    "(?:materiale?s? y )?m[ée]todos?|metodolog[íi]a|experimentos|resultados?(?: y discusi[óo]n)?|discusi[óo]n|"
    "discusi[óo]n y conclusiones|conclusi[óo]n(?:es)?|conclusiones y trabajo futuro|agradecimientos?|anexos?|"
    "ap[ée]ndices?",
    "it": "contesto|stato dell[’']arte|lavori correlati|(?:materiali e )?metodi|metodologia|esperimenti|"
    "risultati(?: e discussione)?|discussione|discussione e conclusioni|conclusion[ei]|ringraziamenti|appendic[ei]",
    "pt": "contexto|fundamenta[çc][ãa]o te[óo]rica|referencial te[óo]rico|revis[ãa]o da literatura|"
    "trabalhos relacionados|(?:materia(?:l|is) e )?m[ée]todos?|metodologia|experimentos|"
    "resultados?(?: e discuss(?:[ãa]o|[õo]es))?|discuss[ãa]o|conclus(?:[ãa]o|[õo]es)|considera[çc][õo]es finais|"
    "agradecimentos?|ap[êe]ndices?",
    "ru": "постановка задачи|обзор литературы|актуальность|(?:материалы? и )?методы?(?: исследования)?|"
    "методика(?: исследования| эксперимента)?|методология|эксперимент(?:ы|альная часть)?|"
    "результаты?(?: исследования)?(?: и (?:их )?обсуждение)?|обсуждение(?: результатов)?|заключение|выводы|"
    "благодарности|финансирование|приложени[ея]",
    "zh": "背景|研究背景|相关工作|相關工作|相关研究|文献综述|方法|研究方法|(?:资料|材料|对象)(?:与|和)方法|"
    "材料與方法|实验(?:方法|结果|部分)?(?:与分析|及分析)?|實驗(?:方法|結果)?|结果(?:与(?:讨论|分析))?|"
    "結果(?:與討論)?|讨论|討論|结论(?:与展望)?|結論|结语|結語|结束语|总结(?:与展望)?|展望|致谢|致謝|附录|附錄",
    "ja": "背景|研究背景|目的|関連研究|先行研究|方法|手法|提案手法|実験(?:方法|結果|条件)?|評価(?:実験)?|"
    "結果(?:(?:と|および|及び)考察)?|考察|議論|結論|おわりに|終わりに|まとめ|むすび|結び|結言|今後の課題|謝辞|付録|附録",
}
_CONTENTS: Names = {
    "en": "(?:table of )?contents|list of (?:figures|tables|abbreviations)",
    "de": "inhalt(?:sverzeichnis|sübersicht)?|(?:abbildungs|tabellen|abkürzungs)verzeichnis",
    "fr": "table des (?:mati[èe]res|figures)|sommaire|liste des (?:figures|tableaux)",
    "es": "[íi]ndice(?: general| de contenidos?| de (?:figuras|tablas))?|tabla de contenidos?|contenidos?",
    "it": "indice(?: generale| delle figure)?",
    "pt": "sum[áa]rio|lista de (?:figuras|tabelas)",
    "ru": "содержание|оглавление",
    "zh": "目录|目錄",
    "ja": "目次|もくじ",
}
_CLAIMS: Names = {
    "en": "claims?|patent claims|the claims",
    "de": "(?:patent|schutz)?anspr(?:üche|uch)",
    "fr": "revendications?",
    "es": "reivindicaci(?:ones|[óo]n)",
    "it": "rivendicazion[ei]",
    "pt": "reivindica[çc](?:[õo]es|[ãa]o)",
    "ru": "формула (?:изобретения|полезной модели)",
    "zh": "权利要求书?|權利要求書?|申請專利範圍",
    "ja": "(?:特許)?請求の範囲|請求項",
}

_IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff]"
_BESIDE = re.compile(rf"({_IDEOGRAPH})(?={_IDEOGRAPH})")
_OPEN, _CLOSE = "[\\[(<\u3008\u3010\u3014\uff08\uff1c\uff3b]", "[\\])>\u3009\u3011\u3015\uff09\uff1e\uff3d]"
_MARK = "[.:\uff0e\uff1a\N{EM DASH}\N{EN DASH}\N{HORIZONTAL BAR}-]"


def _any(*names: Names) -> str:
    """Return the names of some parts as one pattern; ideographs may have spaces between them."""
    joined = "|".join(one for each in names for one in each.values())
    return _BESIDE.sub(r"\1[ \\u3000]{0,4}", joined)


def _heading(names: str) -> LatePattern:
    """Return the pattern of a line that holds one of the names and nothing else but marks and brackets."""
    return LatePattern(rf"^{_OPEN}?\s*+(?:{names})\s*+{_CLOSE}?\s*+{_MARK}*+\s*+$", re.IGNORECASE)


ABSTRACT = _heading(_any(_ABSTRACT))
LATE = _heading(_any({"": _LATE}))
"""A name of an abstract that also names a paper's last part: below an introduction it is a section."""
KEYWORDS = _heading(_any(_KEYWORDS))
OPENING = _heading(_any(_INTRODUCTION))
"""The heading after which no abstract follows: a "Summary" then ends the paper."""
REFERENCES = _heading(_any(_REFERENCES))
CONTENTS = _heading(_any(_CONTENTS))
CLAIM_NAMES = _any(_CLAIMS)
CLAIMS = _heading(CLAIM_NAMES)
BODY = _heading(_any(_INTRODUCTION, _BODY))
"""The usual sections of a paper, from its introduction to its appendix."""
KNOWN = _heading(_any(_ABSTRACT, _KEYWORDS, _INTRODUCTION, _BODY, _REFERENCES))
"""Every usual part of a paper."""

_SEPARATOR = (
    "(?:\\s*+[.:\uff0e\uff1a](?:\\s*+[\N{EM DASH}\N{EN DASH}\N{HORIZONTAL BAR}-](?=\\s))?+"
    "|\\s*+[\N{EM DASH}\N{HORIZONTAL BAR}]|\\s++[\N{EN DASH}-]|[\N{EN DASH}-](?=[A-Z]\\S*+(?:\\s++\\S++){7}))"
)
_IDEOGRAPHIC = rf"(?<={_IDEOGRAPH})[ \u3000]++"


def _run_in(names: str) -> LatePattern:
    """Return the pattern of a line that opens with one of the names and a mark, its text in the group `rest`."""
    return LatePattern(
        rf"(?P<name>(?:{names}))(?:{_SEPARATOR}|{_IDEOGRAPHIC})\s*+(?P<rest>\S.*)"
        rf"|{_OPEN}\s*+(?P<bracketed>(?:{names}))\s*+{_CLOSE}\s*+{_MARK}*+\s*+(?P<after>\S.*)",
        re.IGNORECASE | re.DOTALL,
    )


class RunIn(NamedTuple):
    """A heading that its text follows on the line: "Abstract: We study"."""

    name: str
    rest: str


LONE_ABSTRACT = LatePattern(rf"^(?:{_any(_ABSTRACT)})\s+(?=[A-ZÀ-ÞА-Я“\"])", re.IGNORECASE)
"""A name of an abstract that the text follows without a mark: it counts where the name is set unlike the text."""
CAPITAL_ABSTRACT = re.compile(r"^(?:ABSTRACT|SUMMARY)\s++(?=[\w,'’-]{0,30}[a-z])")
"""The same in capitals, and the text is not."""
KEYWORDS_LABEL = LatePattern(
    rf"^{_OPEN}?\s*+(?:{_any(_KEYWORDS)})(?:(?<={_IDEOGRAPH})|\b)\s*+{_CLOSE}?\s*+{_MARK}*+\s*+", re.IGNORECASE
)
"""What a list of key words begins with."""
_RUN_IN_ABSTRACT = _run_in(_any(_ABSTRACT))
_RUN_IN_KEYWORDS = _run_in(_any(_KEYWORDS))
_PARTS = (_ABSTRACT, _KEYWORDS, _INTRODUCTION, _BODY, _REFERENCES, _CLAIMS)
_LANGUAGES = tuple((code, _heading(_any({code: "|".join(part[code] for part in _PARTS)}))) for code in _ABSTRACT)


def run_in_abstract(text: str) -> RunIn | None:
    """Return the name of an abstract and the text that follows on its line; None where a line does not begin so."""
    return _found(_RUN_IN_ABSTRACT.fullmatch(text))


BOX = re.compile(
    r"^(?:(?:statement of )?significance(?: statement)?|"
    r"(?:simple|plain[- ]language|lay|one[- ]sentence|author|"
    r"editor['’]s|non-?technical) summary|lay abstract|in brief|(?:research )?highlights|teaser|at a glance|"
    r"(?:key|practice|learning) (?:points|messages|findings)|impact statement|graphical abstract|"
    r"(?:elife )?(?:assessment|digest)|editor['’]s evaluation|(?:panel\s*:\s*)?research in context|"
    r"what (?:is|was) (?:already )?known(?: (?:on|about) this (?:topic|subject))?|"
    r"what (?:is|are the) new(?: findings)?|"
    r"what this (?:study|paper) adds|strengths and limitations of this study|new (?:and|&) noteworthy|"
    r"(?:clinical|translational) perspectives?)\s*(?:[:?]|$)",
    re.IGNORECASE,
)
"""What a first page's boxes are called, which say what a paper is worth: no abstract, no section."""


_ENDS = "conclusions?(?: and relevance| and implications)?|interpretation|significance|implications|discussion"
_ABSTRACT_PARTS = (
    "importance|background|context|(?:study )?objectives?|aims?(?: and scope)?|purpose|motivation|rationale|hypothesis|"
    "introduction|(?:study |trial )?design(?:,? (?:and )?settings?)?(?:,? and participants)?|settings?|"
    "participants|patients|exposures?|interventions?|main outcomes?(?: and| or)?(?: measures?)?|"
    "(?:materials? and |patients and )?methods?(?: and (?:results|findings))?|(?:key |main )?(?:results?|findings)|"
    f"limitations?|{_ENDS}"
)
_NAMED = r"(?:\s*+[:.|\N{EM DASH}\N{EN DASH}]\s*+(?=\S)|\s++(?=[A-Z(\d\"])|\s*+[:.]?$)"
ABSTRACT_PART = re.compile(rf"^(?i:{_ABSTRACT_PARTS}){_NAMED}")
"""What a part of an abstract begins with: its name, alone or before its text."""
ABSTRACT_END = re.compile(rf"^(?i:{_ENDS}){_NAMED}")
"""What the last part of an abstract begins with."""
_PART_WITHIN = re.compile(rf"(?:^|[.?!)\n]\s)(?i:{_ABSTRACT_PARTS}){_NAMED}", re.MULTILINE)
_FEWEST_PARTS = 3


def opens_parts(texts: Sequence[str]) -> bool:
    """Tell whether paragraphs are an abstract in three named parts or more, which the first one opens."""
    parts = len(_PART_WITHIN.findall("\n".join(texts)))
    return ABSTRACT_PART.match(texts[0]) is not None and parts >= _FEWEST_PARTS


def opens_abstract(text: str) -> bool:
    """Tell whether a line is an abstract's name, or an abstract that opens with it."""
    return bool(ABSTRACT.match(text) or CAPITAL_ABSTRACT.match(text)) or run_in_abstract(text) is not None


def run_in_keywords(text: str) -> RunIn | None:
    """Return the same for key words."""
    return _found(_RUN_IN_KEYWORDS.fullmatch(text))


def languages_of(heading: str) -> frozenset[str]:
    """Return the languages that know a heading by this name, as codes; several share "Introduction"."""
    return frozenset(code for code, pattern in _LANGUAGES if pattern.match(heading))


def _found(match: re.Match[str] | None) -> RunIn | None:
    if match is None:
        return None
    return RunIn(match["name"] or match["bracketed"], match["rest"] or match["after"])


CAPTION = re.compile(
    r"^(?:(?:supplementary|extended data)\s+)?(?:fig(?:ure|\.)?|table|tab\.|algorithm|scheme|listing|plate|box|exhibit|"
    r"abb(?:ildung|\.)|tabelle|tableau|figura|tabla|tabela)\s*(?P<number>[A-Z]?\.?\d+(?:\.\d+)*[a-z]?)(?P<mark>\s*[.:|–—]|$)?",
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
    r"^(?:cross[- ]?references?\b.{0,60}|related applications?|(?:technical )?field of .{1,40}|"
    r"background (?:of|art)\b.{0,40}|(?:description of )?(?:the )?(?:related|prior|background) art|"
    r"(?:brief )?summary of .{1,40}|technical field|"
    r"(?:disclosure|objects?(?: and summary)?) of (?:the )?invention|brief description of .{1,60}|"
    r"(?:a )?detailed description(?: of .{1,80})?|description of (?:the )?(?:\w+ ){0,2}embodiments?|"
    r"(?:best )?modes? (?:for|of) carrying out .{1,40}|industrial applicability|"
    r"statement (?:regarding|as to) .{1,100})$",
    re.IGNORECASE,
)
"""Headings that patents have, and no papers; printed in capitals."""
