"""CTPE: coupled text pair embedding (Tan, Zhao and Zhang, "Coherence-Based Distributed Document Representation")."""
