"""Things that are opened once, kept while there is room, and forgotten on time."""

from __future__ import annotations

import threading

import pytest

from engine.workspace.caches import Cache


def test_a_thing_is_opened_once_and_the_ones_used_last_stay() -> None:
    opened: list[str] = []
    cache: Cache[str, str] = Cache(2)

    def get(key: str) -> str:
        def opens() -> str:
            opened.append(key)
            return key.upper()

        return cache.get(key, opens)

    assert [get(key) for key in "abab"] == list("ABAB") and opened == ["a", "b"]
    get("a")
    get("c")
    assert cache.held("a") == "A" and cache.held("b") is None
    get("b")
    assert opened == ["a", "b", "c", "b"] and cache.held("c") is None
    cache.forget()
    assert cache.held("a") is None


def test_what_could_not_be_opened_is_tried_again() -> None:
    cache: Cache[str, int] = Cache(2)

    def fails() -> int:
        raise ValueError("not yet")

    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            cache.get("a", fails)
    assert cache.held("a") is None
    assert cache.get("a", lambda: 1) == 1


def test_two_threads_wait_for_one_opening_and_others_do_not() -> None:
    cache: Cache[str, int] = Cache(2)
    started, go, opened = threading.Event(), threading.Event(), []

    def slow() -> int:
        started.set()
        assert go.wait(30)
        opened.append(1)
        return len(opened)

    threads = [threading.Thread(target=cache.get, args=("slow", slow)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert started.wait(30)
    assert cache.held("slow") is None  # nobody waits who only looks
    assert cache.get("quick", lambda: 7) == 7
    go.set()
    for thread in threads:
        thread.join(30)
    assert opened == [1] and cache.held("slow") == 1


def test_what_was_being_opened_when_the_cache_forgot_is_not_kept() -> None:
    cache: Cache[str, str] = Cache(2)
    started, go = threading.Event(), threading.Event()
    given: list[str] = []

    def slow() -> str:
        started.set()
        assert go.wait(30)
        return "old"

    thread = threading.Thread(target=lambda: given.append(cache.get("a", slow)))
    thread.start()
    assert started.wait(30)
    cache.forget()
    assert cache.get("a", lambda: "new") == "new"
    go.set()
    thread.join(30)
    assert given == ["old"] and cache.held("a") == "new"
