"""The front door: how the app is served, the list of pages, and the way between them."""

import streamlit as st

if __name__ == "__main__":  # Streamlit draws a page
    from explorer.shared.front_door import dress, note_entry, shut_options
    from explorer.shared.progress import job_line
    from explorer.state import background, session

    PAGES = [
        st.Page("explorer/search/view.py", title="Search", url_path="search", default=True),
        st.Page("explorer/compare/view.py", title="Compare", url_path="compare"),
        st.Page("explorer/map/view.py", title="Map", url_path="map"),
        st.Page("explorer/evaluate/view.py", title="Evaluate", url_path="evaluate"),
        st.Page("explorer/library/view.py", title="Library", url_path="library"),
        st.Page("explorer/models/view.py", title="Models", url_path="models"),
    ]

    page = st.navigation(PAGES, position="top")
    dress(page.title)
    entry = st.container(key="names-entry")  # its place in the page: what stands below it comes and goes
    session.arrive()
    session.go_on(page.title.lower())
    shut_options()
    background.begin_first_reading()
    background.page_begins()
    job_line()
    page.run()
    with entry:
        note_entry()
    background.page_ends()
else:  # `streamlit run` serves the pages
    from engine.core.processes import collect_seldom, share_freed_memory
    from explorer.shared.front_door import before_pages

    collect_seldom()
    share_freed_memory()
    app = st.App(__file__, middleware=before_pages())
