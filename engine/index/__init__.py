"""Vector indexes: ids and vectors only, behind one promise."""
