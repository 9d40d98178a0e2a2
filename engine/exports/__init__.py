"""Out of the library: references, tables, and HTML reports."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.exports.answers.document import DocumentJson, document_as_json
    from engine.exports.answers.encoders import EncodersJson, encoders_as_json
    from engine.exports.answers.listing import (
        CollectionChangeJson,
        CollectionJson,
        CollectionsJson,
        DocumentsChangeJson,
        DocumentsJson,
        LibraryJson,
        NextJson,
        RemovedJson,
        RenamedTagJson,
        ReviewsJson,
        TagsJson,
        collection_as_json,
        collections_as_json,
        documents_as_json,
        library_as_json,
        next_as_json,
        removed_as_json,
        reviews_as_json,
        tags_as_json,
    )
    from engine.exports.answers.maps import MapJson, PlacementJson, map_as_json, placement_as_json
    from engine.exports.answers.search import SearchJson, search_as_json
    from engine.exports.comparison.heatmaps import SalientTexts
    from engine.exports.comparison.report import comparison_html, csv_files
    from engine.exports.comparison.together_report import together_html
    from engine.exports.coverage import coverage_csv, coverage_html, coverage_png
    from engine.exports.maps.interactive import Caption, map_page
    from engine.exports.maps.packing import CANVAS, SCRIPTS, Found, PackedPlace, Query, Settings, row_bits
    from engine.exports.maps.points import PLACE_FORMATS, ClusterJson, MapPlaceJson, MapPoints, clusters_csv, places
    from engine.exports.records import (
        NO_REASON,
        RECORD_FORMATS,
        Exportable,
        FlowJson,
        flow_as_json,
        flow_csv,
        flow_rows,
    )
    from engine.exports.search_report import search_html

__getattr__ = door(__name__)
