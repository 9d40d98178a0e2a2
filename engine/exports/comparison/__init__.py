"""A comparison as files to keep: one page for people, tables for spreadsheets."""

from engine.exports.comparison.outline import SalientTexts
from engine.exports.comparison.report import html_report
from engine.exports.comparison.tables import csv_files
from engine.exports.comparison.together_report import together_report

__all__ = ["SalientTexts", "csv_files", "html_report", "together_report"]
