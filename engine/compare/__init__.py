"""Two long documents side by side: how near they are as wholes, by sections and by chunks, and which passages say so."""
