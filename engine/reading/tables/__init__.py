"""Tables of documents: JSON, JSON Lines, CSV and Parquet, with the columns of many services."""
