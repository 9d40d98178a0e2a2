"""The app with other shipped encoders: `python -m tests.browser.start PRETRAINED run streamlit_app.py`."""

from __future__ import annotations

import sys
from pathlib import Path

from streamlit.web.cli import main

from engine.encoders import registry

if __name__ == "__main__":
    registry.PRETRAINED = Path(sys.argv.pop(1))
    main()
