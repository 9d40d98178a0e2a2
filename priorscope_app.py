"""The app as it is served: the front door, and before it what keeps other sites' pages away."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from explorer.shared.own_pages import OwnPages

app = st.App(Path(__file__).resolve().with_name("streamlit_app.py"), middleware=[Middleware(OwnPages)])
