"""The command line of `priorscope evaluate`."""

from __future__ import annotations

import argparse

from engine.cli import encoders, evaluate


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    evaluate.add_evaluate(commands)
    encoders.add_encoders(commands)
    namespace = parser.parse_args(arguments)
    namespace.run(namespace)
