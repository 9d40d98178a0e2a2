"""XML articles, JATS and TEI, and the safe tree that all XML readers use."""
