"""What every command of ours does at a terminal: a parser that errs in one line, exit codes, a progress bar."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from engine.core.errors import EngineError
from engine.core.processes import collect_seldom, share_freed_memory
from engine.core.progress import Progress, Report, time_left

if TYPE_CHECKING:
    from tqdm import tqdm

_SECONDS_BETWEEN_LINES = 10.0
_UNEVEN = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]"
"""A bar without the time left that tqdm guesses from the count."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, as every other error."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        self.exit(2, f"{self.prog}: {message}. `{self.prog} --help` shows how to use it.\n")


def exit_code_of(action: Callable[[], object], *, program: str) -> int:
    """Run a command; returns the exit code: its own or 0, 2 for a user's error in one line, 130 where interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal with few characters, or a file's name that is not text
        if sys.platform == "win32" and not sys.stdout.isatty() and "PYTHONIOENCODING" not in os.environ:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # a file or a pipe gets what other systems give it
    collect_seldom()
    share_freed_memory()
    try:
        with _ended_as_by_hand():
            code = action()
    except EngineError as error:
        print(f"{program}: {' '.join(one_line(str(error)).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; Python would complain at exit
        return 0
    except KeyboardInterrupt:
        print(f"{program}: interrupted; what was whole is kept.", file=sys.stderr)
        return 130
    return code if isinstance(code, int) else 0


def one_line(text: str) -> str:
    """Return a text that may hold a file's name, on one line and with nothing in it that a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)


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
    """Return a report that draws one bar a stage; if stderr is not a terminal, it prints lines instead.

    A stage gets a line every ten seconds, and one at its end, so that a log shows how far the work has come.
    """
    return _Bars() if sys.stderr.isatty() else _Lines()


class _Bars:
    """One bar a stage; that of a passing one goes when the next stage begins."""

    def __init__(self) -> None:
        self._bars: dict[str, tqdm[None]] = {}
        self._passing = ""

    def __call__(self, progress: Progress) -> None:
        """Draw a report."""
        shown = self._bars.get(progress.stage)
        if shown is None or progress.done < shown.n:  # a bar of unknown length cannot be asked whether it is true
            shown = self._begin(progress)
        shown.total = progress.total
        left = time_left(progress) if progress.uneven and not _is_whole(progress) else ""
        shown.set_postfix_str(", ".join(filter(None, (progress.note, left))), refresh=False)
        shown.update(progress.done - shown.n)
        if _is_whole(progress):
            shown.refresh()
            shown.close()

    def _begin(self, progress: Progress) -> tqdm[None]:
        from tqdm import tqdm  # slow to import

        if self._passing:
            self._bars.pop(self._passing).close()
        self._passing = progress.stage if progress.passing else ""
        shown: tqdm[None] = tqdm(
            total=progress.total,
            desc=one_line(progress.stage),
            unit="",
            leave=not progress.passing,
            bar_format=_UNEVEN if progress.uneven else None,
        )
        self._bars[progress.stage] = shown
        return shown


class _Lines:
    """A line every so often, and one at the end of a stage, unless it is one of many."""

    def __init__(self) -> None:
        self._said: dict[str, float] = {}
        self._ended: dict[str, int] = {}
        self._seconds: dict[str, float] = {}

    def __call__(self, progress: Progress) -> None:
        """Print a report if it is time."""
        if progress.seconds < self._seconds.get(progress.stage, 0.0):  # a stage of this name begins another time
            self._said.pop(progress.stage, None)
            self._ended.pop(progress.stage, None)
        self._seconds[progress.stage] = progress.seconds
        if _is_whole(progress) and not progress.passing:
            if self._ended.get(progress.stage) != progress.done:  # a meter's last count and its end say the same
                self._ended[progress.stage] = progress.done
                _say(progress, f"{progress.done:,}")
        elif progress.seconds - self._said.get(progress.stage, 0.0) >= _SECONDS_BETWEEN_LINES:
            self._said[progress.stage] = progress.seconds
            of = "" if progress.total is None else f" of {progress.total:,}"
            _say(progress, f"{progress.done:,}{of}")


def _is_whole(progress: Progress) -> bool:
    return progress.total is not None and progress.done >= progress.total


def _say(progress: Progress, count: str) -> None:
    note = f" ({progress.note})" if progress.note else ""
    left = f", {time_left(progress)}" if time_left(progress) and not _is_whole(progress) else ""
    print(f"{one_line(progress.stage)}: {count}{note} in {progress.seconds:.1f} s{left}", file=sys.stderr, flush=True)
