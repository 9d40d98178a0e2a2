"""What a document cites: the entries of its reference list, which of them a library holds, and what two lists share."""
