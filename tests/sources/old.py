"""A patent as a machine read it from its sheets."""

from __future__ import annotations

from engine.documents import Document
from engine.sources import old_patents

SHEET = """(No Model.)
No. 123,456.
A. GALE.
REEL FOR KITE LINES.
Patented Jan. 5, 1886.
| %
zz 2
WITNESSES
N. PETERS, Photo-Lithographer, Washington, D. C.
"""


PAGE = """UNITED STATES PATENT OFFICE.
ADA GALE, OF WINDSOR, VERMONT, ASSIGNOR OF ONE-HALF TO BO
BREEZE, OF SAME PLACE.
REEL FoR K TE LN ES.
SPECIFICATION forming part of Letters Patent No. 123,456, dated January 5, 1886.
Application filed June 17, 1885. (No model.)
5
IO
To all whom it may concern:
Be it known that I, ADA GALE, a citizen of
the United States, have invented certain new
and useful Improvements in Reels for Kite
Lines, of which the following is a specification.
My invention relates to the class of appa
ratus employed for winding the line of a kite,
so that the reel, the drum and the kite may be
25 carried in one hand. A kite without a reel
tangles its lines, and a long line is soon lost.
In the drawings, Figure 1 is a view of a reel
with its lines, and Fig. 2 shows the drum alone.
The apparatus has a drum, A, and a handle, B,
and the line of the kite is wound on the drum.
I do not claim a drum alone.
Having thus described my invention, what I
claim, and desire to secure by Letters Patent, is—
1. The combination of a drum, A, and the line
of a kite, as set forth.
2. The apparatus, consisting of the drum A and
the handle B, substantially as described.
In testimony whereof I have signed my name
in presence of two witnesses.
ADA GALE.
Witnesses:
CY STORM,
"""


OTHER = "\r".join(
    f"the apparatus of line {n} is said and the apparatus is made with a reel and a drum" for n in range(9)
)


CODES = b"pat\tprogr\tCPC\n123456\t0\tB65H75/44\n123456\t1\tA63H27/08\n999\t0\tX\n"


YEARS = b"pat\tyear\n123456\t1886\n"


def record(number: str, *pages: str) -> str:
    return (
        f"/Volumes/disk/0100001/US{number}.txt\t" + "\x0c".join(page.replace("\n", " \r") for page in pages) + "\x0c\n"
    )


def parse(*records: str, years: bytes = YEARS) -> list[Document]:
    return list(old_patents.parse("".join(records).encode("cp1252"), CODES, years))
