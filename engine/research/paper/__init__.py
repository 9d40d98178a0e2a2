"""The four papers' tables on rebuilt data: our figure, the paper's, and whether the paper's order holds."""
