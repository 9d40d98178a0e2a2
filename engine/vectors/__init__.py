"""Where vectors are kept and searched: ids and rows only, no documents."""
