"""How well and how fast documents are found: metrics, benchmarks, the systems compared, and reports."""
