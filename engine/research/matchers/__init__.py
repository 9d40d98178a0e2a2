"""Small published networks that match long documents: what CoLDE is measured against."""
