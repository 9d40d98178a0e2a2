"""The names of the parts of papers and patents, in every language that the readers know."""

from __future__ import annotations

import re
import time

import pytest

from engine.reading import heading_names
from engine.reading import heading_names as names


@pytest.mark.parametrize(
    ("pattern", "heading"),
    [
        (names.KNOWN, "Materials and Methods"),
        (names.KNOWN, "CONCLUSIONS AND FUTURE WORK"),
        (names.KNOWN, "Einleitung:"),
        (names.CONTENTS, "List of Figures"),
        (names.CONTENTS, "Inhaltsverzeichnis"),
        (names.CONTENTS, "目 录"),
        (names.CLAIMS, "Patentansprüche"),
        (names.CLAIMS, "Revendications"),
        (names.CLAIMS, "权利要求书"),
        (names.CLAIMS, "【特許請求の範囲】"),
        *((names.ABSTRACT, one) for one in ("Abstract \N{EM DASH}", "Zusammenfassung.", "RÉSUMÉ", "RESUME", "Abrégé")),
        *((names.ABSTRACT, one) for one in ("Resumen", "Riassunto", "Sommario", "Resumo", "Аннотация", "Реферат")),
        *(
            (names.ABSTRACT, one)
            for one in ("摘要", "摘　要", "【摘要】", "中文摘要", "要旨", "概要", "抄録", "[摘要]")
        ),
        *((names.KEYWORDS, one) for one in ("Key words", "Schlüsselwörter", "Schlagworte", "Mots-clés", "Mots clefs")),
        *((names.KEYWORDS, one) for one in ("Palabras clave", "Parole chiave", "Palavras-chave", "Ключевые слова:")),
        *((names.KEYWORDS, one) for one in ("关键词", "關 鍵 詞", "キーワード")),
        *((names.OPENING, one) for one in ("Introducción", "INTRODUCCION", "Introduzione", "Introdução", "Введение")),
        *((names.OPENING, one) for one in ("引言", "引 言", "绪论", "はじめに", "序論", "緒言", "Einführung")),
        *(
            (names.REFERENCES, one)
            for one in ("Literature Cited", "Literaturverzeichnis", "Références bibliographiques")
        ),
        *((names.REFERENCES, one) for one in ("Bibliografía", "Riferimenti bibliografici", "Referências", "文献")),
        *((names.REFERENCES, one) for one in ("Список литературы", "Литература", "参考文献", "参 考 文 献")),
        *(
            (names.BODY, one)
            for one in ("Ergebnisse und Diskussion", "Matériels et méthodes", "Conclusiones", "Metodi")
        ),
        *(
            (names.BODY, one)
            for one in ("Considerações finais", "Заключение", "结论", "おわりに", "結果と考察", "致谢")
        ),
    ],
)
def test_a_heading_is_known_by_its_name(pattern: re.Pattern[str], heading: str) -> None:
    assert pattern.match(heading)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (names.KNOWN, "Methods of tide pools"),
        (names.REFERENCES, "References to pools"),
        (names.ABSTRACT, "Abstract algebra"),
        (names.ABSTRACT, "摘要的写法"),
        (names.CONTENTS, "Contents of a pool"),
        (names.KEYWORDS, "Keywords of the tide"),
    ],
)
def test_a_name_within_a_longer_line_is_none(pattern: re.Pattern[str], text: str) -> None:
    assert not pattern.match(text)


@pytest.mark.parametrize(
    "text",
    [
        "Abstract: We map reefs.",
        "Abstract. We map reefs.",
        "Abstract\N{EM DASH}We map reefs.",
        "Abstract \N{EN DASH} We map reefs.",
        "Résumé. \N{EM DASH} We map reefs.",
        "Zusammenfassung: We map reefs.",
        "摘要\N{FULLWIDTH COLON}We map reefs.",
        "摘 要 We map reefs.",
        "【摘要】We map reefs.",
        "[摘 要] We map reefs.",
        "Аннотация. We map reefs.",
    ],
)
def test_a_text_may_follow_on_the_line_of_its_heading(text: str) -> None:
    found = names.run_in_abstract(text)
    assert found is not None
    assert found.rest == "We map reefs."


@pytest.mark.parametrize("text", ["Abstract", "Abstract:", "Abstract-level maps", "Abstract algebra: a book", "摘要"])
def test_what_is_no_abstract_on_a_line(text: str) -> None:
    assert names.run_in_abstract(text) is None


def test_key_words_on_the_line_of_their_name() -> None:
    found = names.run_in_keywords("Mots-clés : récifs, cartes")
    assert found == ("Mots-clés", "récifs, cartes")
    assert names.KEYWORDS_LABEL.sub("", "关键词 礁石;地图") == "礁石;地图"
    assert names.KEYWORDS_LABEL.sub("", "Keywords reefs, maps") == "reefs, maps"
    assert names.run_in_keywords("Keywording: a task") is None


def test_a_name_that_may_end_a_paper_is_told_from_one_that_cannot() -> None:
    assert all(names.LATE.match(one) for one in ("Summary", "Zusammenfassung", "Résumé", "概要"))
    assert not any(names.LATE.match(one) for one in ("Abstract", "Kurzfassung", "摘要", "Аннотация"))


def test_a_name_tells_its_languages() -> None:
    assert names.languages_of("Einleitung") == {"de"}
    assert names.languages_of("Introduction") == {"en", "fr"}
    assert names.languages_of("参考文献") == {"zh", "ja"}
    assert names.languages_of("Of reefs") == frozenset()


@pytest.mark.parametrize("piece", ["a", " ", "摘 ", "摘要", "[", ":", "-", "key ", "список ", "\u3000"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    begun = time.process_time()
    for start in ("", "Abstract", "摘要", "Keywords"):
        names.run_in_abstract(start + text)
        names.run_in_keywords(start + text)
        names.KEYWORDS_LABEL.match(start + text)
        names.languages_of(start + text)
        names.KNOWN.match(start + text)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Figure 3: Tide pools of the north", "3"),
        ("Fig. 2a | A pool", "2a"),
        ("Extended Data Table 1. Counts", "1"),
        ("Abbildung 4", "4"),
        ("TABLE A.2", "A.2"),
    ],
)
def test_a_caption_names_its_number(text: str, number: str) -> None:
    found = heading_names.CAPTION.match(text)
    assert found is not None
    assert found["number"] == number


def test_a_sentence_that_begins_with_a_figure_bears_no_mark() -> None:
    found = heading_names.CAPTION.match("Figure 3 shows the pools")
    assert found is not None
    assert found["mark"] is None
    assert heading_names.CAPTION.match("Figures of speech") is None


@pytest.mark.parametrize(
    ("pattern", "heading"),
    [
        (heading_names.APPENDIX, "Appendix B Proofs"),
        (heading_names.APPENDIX, "Anhang IV"),
        (heading_names.BACK_MATTER, "Authors' addresses"),
        (heading_names.BACK_MATTER, "Corresponding author:"),
    ],
)
def test_addresses_and_appendices_are_known_by_their_names(pattern: re.Pattern[str], heading: str) -> None:
    assert pattern.match(heading)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (heading_names.APPENDIX, "Appendix A.1.2"),
        (heading_names.BACK_MATTER, "Address of a word"),
    ],
)
def test_a_caption_within_a_longer_line_is_none(pattern: re.Pattern[str], text: str) -> None:
    assert not pattern.match(text)
