"""Web pages that people save: arXiv's HTML, encyclopedias, patent pages, publishers' pages and blogs."""
