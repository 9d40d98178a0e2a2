"""A comparison as files to keep: one page for people, tables for spreadsheets."""

from engine.compare.report.page import html_report
from engine.compare.report.tables import csv_files

__all__ = ["csv_files", "html_report"]
