"""Pairs of long articles from a dump of Wikipedia, as CoLDE's authors label them (section 4.1.1)."""
