"""One abstract in several languages, for the tests of readers."""

from __future__ import annotations

ENGLISH = "We map forty reefs over two seasons and compare the maps with those of the last century. All of them drift."
GERMAN = (
    "Wir kartieren vierzig Riffe und vergleichen die Karten mit denen des letzten Jahrhunderts. Alle Riffe driften."
)
SPANISH = (
    "Cartografiamos cuarenta arrecifes y comparamos los mapas con los del siglo pasado. Todos los arrecifes derivan."
)
FRENCH = (
    "Nous cartographions quarante récifs et nous comparons les cartes avec celles du siècle dernier. Tous dérivent."
)
PORTUGUESE = "Mapeamos quarenta recifes em dois anos e comparamos os mapas com os do século passado. Todos derivam."

ENGLISH_BODY = "Reefs are thought to be still. We ask whether they are, and how the maps of the past can be read."
GERMAN_BODY = "Riffe gelten als unbeweglich. Wir fragen, ob sie es sind und wie die Karten zu lesen sind."
SPANISH_BODY = "Los arrecifes se consideran inmóviles. Preguntamos si lo son y cómo se leen los mapas."
FRENCH_BODY = "Les récifs sont réputés immobiles. Nous demandons si c'est vrai et comment lire les cartes."
PORTUGUESE_BODY = "Os recifes são considerados imóveis. Perguntamos se são e como os mapas podem ser lidos."
