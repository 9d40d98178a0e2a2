"""Patents as offices publish them: grant and application XML, Green Book text, bulk files."""
