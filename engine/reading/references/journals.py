"""The macros by which the Astrophysics Data System's BibTeX names journals; from AASTeX and its list of macros."""

from __future__ import annotations

_LINES = r"""
aj Astronomical Journal
actaa Acta Astronomica
araa Annual Review of Astronomy and Astrophysics
apj Astrophysical Journal
apjl Astrophysical Journal Letters
apjs Astrophysical Journal Supplement
ao Applied Optics
apss Astrophysics and Space Science
aap Astronomy & Astrophysics
aapr Astronomy and Astrophysics Reviews
aaps Astronomy & Astrophysics Supplement
azh Astronomicheskii Zhurnal
baas Bulletin of the American Astronomical Society
bac Bulletin of the Astronomical Institutes of Czechoslovakia
bain Bulletin of the Astronomical Institutes of the Netherlands
caa Chinese Astronomy and Astrophysics
cjaa Chinese Journal of Astronomy and Astrophysics
fcp Fundamentals of Cosmic Physics
gca Geochimica et Cosmochimica Acta
grl Geophysical Research Letters
iaucirc IAU Circulars
icarus Icarus
jcap Journal of Cosmology and Astroparticle Physics
jcp Journal of Chemical Physics
jgr Journal of Geophysical Research
jqsrt Journal of Quantitative Spectroscopy and Radiative Transfer
jrasc Journal of the Royal Astronomical Society of Canada
maps Meteoritics and Planetary Science
memras Memoirs of the Royal Astronomical Society
memsai Memorie della Società Astronomica Italiana
mnras Monthly Notices of the Royal Astronomical Society
na New Astronomy
nar New Astronomy Reviews
nat Nature
nphysa Nuclear Physics A
pasa Publications of the Astronomical Society of Australia
pasj Publications of the Astronomical Society of Japan
pasp Publications of the Astronomical Society of the Pacific
physrep Physics Reports
physscr Physica Scripta
planss Planetary and Space Science
pra Physical Review A
prb Physical Review B
prc Physical Review C
prd Physical Review D
pre Physical Review E
prl Physical Review Letters
procspie Proceedings of SPIE
psj Planetary Science Journal
qjras Quarterly Journal of the Royal Astronomical Society
rmxaa Revista Mexicana de Astronomía y Astrofísica
skytel Sky and Telescope
solphys Solar Physics
sovast Soviet Astronomy
ssr Space Science Reviews
zap Zeitschrift für Astrophysik
"""

JOURNALS: dict[str, str] = {
    macro: name for macro, _, name in (line.partition(" ") for line in _LINES.strip().splitlines())
}
"""The name of a journal by its macro."""
