"""A signal ends a compilation at once: its handler's exception is raised, and nothing is half written."""

import os
import pathlib
import signal
import threading
import time

import pytest

import gcc_grammar as gg

#: A schema that takes seconds to compile.
SCHEMA = {"type": "object", "properties": {f"k{i}": {"type": "integer"} for i in range(20_000)}}
#: The time until the signal, in seconds, and the most that the exception may come later. It takes about 0.05 s on an idle machine.
WAIT, LATE = 0.1, 2.0

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of signals")


class Alarm(Exception):
    """What the handler raises."""


def raised_in(call) -> float:
    """The seconds until the signal is raised out of a call."""

    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    try:
        with pytest.raises(Alarm):
            call()
        return time.monotonic() - start
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "call",
    [
        lambda vocabulary: lambda: gg.compile(SCHEMA, vocabulary),
        lambda vocabulary: lambda: gg.CompileSession(vocabulary).compile(SCHEMA),
        lambda vocabulary: lambda: gg.check(SCHEMA),
    ],
    ids=["compile", "session", "check"],
)
def test_a_signal_ends_what_takes_long(letters, call):
    assert raised_in(call(letters)) < WAIT + LATE
    # The next call is not concerned.
    assert ord("1") in gg.compile({"type": "integer"}, letters).matcher().allowed()


def test_a_signal_ends_the_wait_for_an_artifact():
    java = pathlib.Path(__file__).parents[3] / "grammars" / "java" / "java.lark"
    artifact = gg.compile(java, gg.Vocabulary("llama3"), on_demand=True)
    assert raised_in(artifact.complete) < WAIT + LATE
    assert not artifact.is_complete


def test_interrupts_of_the_keyboard_are_raised_and_threads_run_meanwhile(letters):
    # A process in the background of a shell ignores them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sender = threading.Thread(target=lambda: (time.sleep(WAIT), os.kill(os.getpid(), signal.SIGINT)))
    start = time.monotonic()
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            gg.compile(SCHEMA, letters)
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < WAIT + LATE


def test_a_store_has_nothing_of_what_was_interrupted(letters, tmp_path):
    store = gg.Store(str(tmp_path / "store"))
    assert raised_in(lambda: store.compile(SCHEMA, letters)) < WAIT + LATE
    # The thread that was at work has ended by then.
    time.sleep(LATE)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix == ".gcg"]
    assert store.get(gg.artifact_key(SCHEMA, letters), letters) is None
