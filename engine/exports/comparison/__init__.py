"""A comparison as files to keep: one page for people, tables for spreadsheets."""
