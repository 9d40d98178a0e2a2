"""Where a library on one machine ends: how what people wait for grows with its documents and passages."""
