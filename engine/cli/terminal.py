"""What every command of ours does at a terminal: a parser that errs in one line, exit codes, a progress bar."""

from __future__ import annotations

import argparse
import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from tqdm import tqdm

from engine.errors import EngineError
from engine.progress import Progress, Report


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, as every other error."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        self.exit(2, f"{self.prog}: {message}. `{self.prog} --help` shows how it is used.\n")


def exit_code_of(action: Callable[[], object], *, program: str) -> int:
    """Run a command; returns the exit code: 0 done, 2 a user's error in one line, 130 interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal with few characters, or a file's name that is not text
    try:
        with _ended_as_by_hand():
            action()
    except EngineError as error:
        print(f"{program}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; Python would complain at exit
        return 0
    except KeyboardInterrupt:
        print(f"{program}: interrupted; what was whole is kept.", file=sys.stderr)
        return 130
    return 0


@contextmanager
def _ended_as_by_hand() -> Iterator[None]:
    """Treat the system's request to end (SIGTERM) like Ctrl-C: open work is closed, and hours are noted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def bar() -> Report:
    """A report that draws one bar a stage; if stderr is not a terminal, it prints only the end of each stage."""
    bars: dict[str, tqdm[None]] = {}
    ended: dict[str, int] = {}

    def report(progress: Progress) -> None:
        whole = progress.total is not None and progress.done >= progress.total
        shown = bars.get(progress.stage)
        if whole and ended.get(progress.stage) == progress.done:
            return  # a meter's last count and its end say the same
        if shown is None:
            shown = tqdm(total=progress.total, desc=progress.stage, unit="", disable=not sys.stderr.isatty())
            bars[progress.stage] = shown
        shown.total = progress.total
        shown.update(progress.done - shown.n)
        if whole:
            ended[progress.stage] = progress.done
            is_silent = shown.disable  # closing a bar sets it, too
            shown.close()
            if is_silent:
                print(f"{progress.stage}: {progress.done:,} in {progress.seconds:.1f} s", file=sys.stderr)

    return report
