"""Out of the library: references, tables, and HTML reports."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.exports.answers.document import DocumentJson, document_as_json
    from engine.exports.answers.search import SearchJson, search_as_json
    from engine.exports.comparison.heatmaps import SalientTexts
    from engine.exports.comparison.report import comparison_html, csv_files
    from engine.exports.comparison.together_report import together_html
    from engine.exports.coverage import coverage_csv, coverage_html, coverage_png
    from engine.exports.maps.interactive import Caption, map_page
    from engine.exports.maps.packing import CANVAS, SCRIPTS, Found, PackedPlace, Query, Settings, row_bits
    from engine.exports.maps.points import PLACE_FORMATS, MapPoints, cluster_records, clusters_csv, places
    from engine.exports.records import (
        NO_REASON,
        RECORD_FORMATS,
        Exportable,
        flow_as_json,
        flow_csv,
        flow_rows,
        own_fields,
    )
    from engine.exports.search_report import search_html


__all__ = [
    "CANVAS",
    "NO_REASON",
    "PLACE_FORMATS",
    "RECORD_FORMATS",
    "SCRIPTS",
    "Caption",
    "DocumentJson",
    "Exportable",
    "Found",
    "MapPoints",
    "PackedPlace",
    "Query",
    "SalientTexts",
    "SearchJson",
    "Settings",
    "cluster_records",
    "clusters_csv",
    "comparison_html",
    "coverage_csv",
    "coverage_html",
    "coverage_png",
    "csv_files",
    "document_as_json",
    "flow_as_json",
    "flow_csv",
    "flow_rows",
    "map_page",
    "own_fields",
    "places",
    "row_bits",
    "search_as_json",
    "search_html",
    "together_html",
]

__getattr__ = door(__name__)
