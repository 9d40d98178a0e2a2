"""Names of captions, appendices and addresses in papers; those of their other parts are in `heading_names`."""

from __future__ import annotations

import re

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
