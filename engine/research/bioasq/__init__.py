"""A benchmark of BioASQ's questions: PubMed's abstracts that belong to one question are related to each other."""
