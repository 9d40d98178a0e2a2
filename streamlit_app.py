"""The front door: the list of pages, and the way between them."""

import streamlit as st

from explorer import first_reading, jobs
from explorer.design import dress

PAGES = [
    st.Page("explorer/views/search.py", title="Search", url_path="search", default=True),
    st.Page("explorer/views/compare.py", title="Compare", url_path="compare"),
    st.Page("explorer/views/atlas.py", title="Map", url_path="map"),
    st.Page("explorer/views/evaluate.py", title="Evaluate", url_path="evaluate"),
    st.Page("explorer/views/library.py", title="Library", url_path="library"),
    st.Page("explorer/views/models.py", title="Models", url_path="models"),
]

page = st.navigation(PAGES, position="top")
dress(page.title)
first_reading.begin()
jobs.page_begins()
page.run()
