"""The engine of Priorscope: documents, encoders, indexes, search and maps, usable with no screen."""
