"""CoLDE: long documents as chunks, sections and one vector, each with its similarities."""
