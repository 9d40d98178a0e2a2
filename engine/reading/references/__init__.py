"""Reference lists as programs exchange them: BibTeX and RIS."""
