"""Benchmark folders made from other data: a stand-in for a paper's set, and the files that its authors released."""
