"""KeyVec: document vectors that keep key sentences and key words (Bi, Ravi and colleagues, "KeyVec")."""
