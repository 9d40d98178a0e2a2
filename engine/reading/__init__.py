"""Files and texts into documents: formats.py has an entry a format, detected by content; a folder a family."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.reading.arxiv import arxiv_columns
    from engine.reading.base import ReadFile
    from engine.reading.dispatch import iter_documents, read_bytes, read_file, read_text
    from engine.reading.encoding import text_lines
    from engine.reading.formats import spoken
    from engine.reading.formulas import formula_html
    from engine.reading.languages import FUNCTION_WORDS, LANGUAGE_NAMES, small_words, sure_language
    from engine.reading.limits import LIMITS
    from engine.reading.pdf.drawing import PagePicture
    from engine.reading.pdf.recognition import choose_engine, how_to_install
    from engine.reading.pdf.worker import draw_page
    from engine.reading.signatures import is_pdf
    from engine.reading.tables.columns import COLUMNS
    from engine.reading.tables.records import load_json, read_row

__getattr__ = door(__name__)
