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
