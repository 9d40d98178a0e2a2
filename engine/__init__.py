"""The engine of Priorscope: documents, encoders, indexes, search and maps, usable with no screen."""

import os

# Threads of a product that wait for each other give up their core at once: beside other work on two cores, those that
# spin make a coverage of ten pages take ten times as long. OpenMP reads this when torch or FAISS loads it.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# oneDNN keeps a thousand products with their code by default, half a gigabyte after reading texts of all lengths.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
