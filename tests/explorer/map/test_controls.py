"""The controls of a map: colours, labels and filters."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from engine.library import Library
from tests.explorer.map.maps import DOCUMENTS, filled, linked, page, rows_of, settings, words


def test_the_link_restores_colours_labels_and_filters(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(colour="year", labels="topics", **{"from": "2000"})
    assert app.selectbox(key="map-labels").value == "topics"
    assert app.slider(key="map-years").value[0] == 2000
    app.selectbox(key="map-labels").select("none").run()
    assert linked(app, "labels") == "none"
    assert linked(app, "colour") == "year"


def test_years_that_leave_nothing_out_turn_nothing_pale(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(**{"from": "1600", "to": "2200"})
    assert settings(app)["years"] is None
    assert "from" not in app.query_params and "to" not in app.query_params
    first, last = app.slider(key="map-years").value
    assert settings(page(**{"from": str(first), "to": str(last)}))["years"] is None
    assert settings(page(**{"from": str(first + 1)}))["years"] == [first + 1, 9999]
    assert "no document of the years that were asked for" in words(page(**{"from": str(last + 1)}))


def test_the_filters_of_the_search_turn_points_pale_too(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page(category="astro-ph")
    assert app.multiselect(key="option-categories").value == ["astro-ph"]
    assert passing(app) == [False] * 16 + [True] * 16 + [False] * 32
    app.button(key="map-clear-filters").click().run()
    assert "category" not in app.query_params
    assert settings(app)["passing"] is None


def test_a_filter_chosen_on_the_map_stands_in_the_link(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    app = page()
    app.multiselect(key="option-categories").set_value(["F03B"]).run()
    assert linked(app, "category") == "F03B"
    assert sum(passing(app)) == 16


def test_one_import_stays_bright_alone(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    with Library.open(empty_folder) as library:
        library.add_file("again", "again.ris", library.get(library.ids()[:3]))
    app = page(file="again.ris")
    assert app.multiselect(key="option-files").value == ["again.ris"]
    assert passing(app) == [True] * 3 + [False] * (DOCUMENTS - 3)


def passing(app: AppTest) -> list[bool]:
    rows = rows_of(settings(app)["passing"])
    return [row in rows for row in range(DOCUMENTS)]
