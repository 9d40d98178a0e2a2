"""The numbers of a review's flow as JSON and as CSV, named as PRISMA 2020's flow diagram names them."""

from __future__ import annotations

import csv
import io

from engine.exports.records import csv_cell
from engine.library import Flow

NO_REASON = "No reason given"


def flow_rows(flow: Flow) -> list[tuple[str, int]]:
    """What is counted, in the order of the diagram, with its number; a row for each reason to exclude."""
    return [
        ("Records identified", flow.identified),
        ("Duplicates removed", flow.duplicates),
        ("Records to screen", flow.documents),
        ("Records screened", flow.screened),
        ("Records excluded", flow.excluded),
        *((f"Excluded: {reason or NO_REASON}", number) for reason, number in flow.reasons.items()),
        ("Records included", flow.included),
        ("Undecided", flow.undecided),
    ]


def flow_as_json(flow: Flow) -> dict[str, object]:
    """The review and the numbers by name; reasons as a list, the one given most first, null where none was given."""
    return {
        "review": flow.review,
        "records_identified": flow.identified,
        "duplicates_removed": flow.duplicates,
        "records_to_screen": flow.documents,
        "records_screened": flow.screened,
        "records_excluded": flow.excluded,
        "reasons": [{"reason": reason or None, "documents": number} for reason, number in flow.reasons.items()],
        "records_included": flow.included,
        "undecided": flow.undecided,
    }


def flow_csv(flow: Flow) -> str:
    """Three columns, the review's name, what is counted, and its number. Lines end in CR LF (RFC 4180)."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(("review", "counted", "documents"))
    writer.writerows((csv_cell(flow.review), csv_cell(name), number) for name, number in flow_rows(flow))
    return stream.getvalue()
