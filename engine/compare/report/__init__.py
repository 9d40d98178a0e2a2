"""A comparison as files to keep: one page for people, tables for spreadsheets."""

from engine.compare.report.outline import SalientTexts
from engine.compare.report.page import html_report
from engine.compare.report.tables import csv_files

__all__ = ["SalientTexts", "csv_files", "html_report"]
