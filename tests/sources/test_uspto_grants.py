"""Patents as granted: each file of the Office's XML is one."""

from __future__ import annotations

from engine.sources import uspto_grants

GRANT = """<?xml version="1.0" encoding="UTF-8"?>
<us-patent-grant lang="EN" country="US" file="US09999999-20180619.XML">
<us-bibliographic-data-grant><publication-reference><document-id><country>US</country><doc-number>09999999</doc-number>
<kind>B2</kind><date>20180619</date></document-id></publication-reference>
<invention-title id="d2e43">Kite line reel</invention-title></us-bibliographic-data-grant>
<abstract id="abstract"><p>A reel for a kite.</p></abstract>
<description id="description"><heading>BACKGROUND</heading><p num="0001">Lines tangle.</p></description>
<claims id="claims"><claim id="CLM-1" num="00001"><claim-text>1. A reel comprising a drum.</claim-text></claim></claims>
</us-patent-grant>"""


def test_each_file_is_a_patent() -> None:
    patents = list(uspto_grants.parse([GRANT.encode(), GRANT.replace("09999999", "09999998").encode()]))
    assert [(one.id, one.kind, one.year) for one in patents] == [
        ("US9999999B2", "patent", 2018),
        ("US9999998B2", "patent", 2018),
    ]
    assert patents[0].claims == ("A reel comprising a drum.",)
