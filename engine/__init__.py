"""The engine of Priorscope: documents, encoders, indexes, search and maps, usable with no screen."""

import os
import sys

# Threads of a product that wait for each other give up their core at once: beside other work on two cores, those that
# spin make a coverage of ten pages take ten times as long. OpenMP reads it when torch or FAISS loads it; OpenBLAS when
# NumPy does, and its threads would spin for 2^26 cycles, which doubles what a search takes of the processor.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

# oneDNN keeps a thousand products with their code by default, half a gigabyte after reading texts of all lengths.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")

# On macOS torch, FAISS and scikit-learn each bring an OpenMP of their own, and the second to load ends the program.
# FAISS computes in one thread there (engine/vectors/exact.py), which keeps it from the crash that may follow.
if sys.platform == "darwin":
    os.environ.setdefault("KMP_DUPLICATE_LIB_OK", "TRUE")
