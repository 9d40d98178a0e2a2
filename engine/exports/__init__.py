"""Out of the library: references, tables, and HTML reports."""
