"""The `priorscope` command: parse, call the engine, print."""
