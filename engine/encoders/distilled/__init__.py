"""Word vectors that were taught by a sentence transformer, for use without one."""
