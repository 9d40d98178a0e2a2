"""What every HTML report is made of: markup that is safe by construction, one style sheet, one page."""
