"""Artifacts by key in the memory of a process.

An artifact is found once, however many threads ask for it at the same time. The memory is bounded in bytes; what was used least recently
goes first. A refusal is kept, too: compiling is deterministic, so it would only be repeated.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Callable, Union

from ._api import Artifact
from ._errors import Error, NotFoundError

#: The number of refusals that are kept.
REFUSALS = 256


class Held:
    """Artifacts and refusals in memory. Only one thread at a time may use it."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        #: Each with its size when it came: one that is compiled in the background grows.
        self._artifacts: OrderedDict[str, tuple[Artifact, int]] = OrderedDict()
        self._refusals: OrderedDict[str, Error] = OrderedDict()

    def get(self, key: str) -> Union[Artifact, Error, None]:
        """What is known of a key."""
        if key in self._artifacts:
            self._artifacts.move_to_end(key)
            return self._artifacts[key][0]
        if key in self._refusals:
            self._refusals.move_to_end(key)
            return self._refusals[key]
        return None

    def add(self, key: str, artifact: Artifact) -> None:
        """Keeps an artifact. The artifacts that were used least recently go, until all fit."""
        size = len(artifact)
        self._artifacts[key] = artifact, size
        self.bytes += size
        while self.bytes > self.most_bytes:
            _, (_, gone) = self._artifacts.popitem(last=False)
            self.bytes -= gone

    def refuse(self, key: str, error: Error) -> None:
        """Keeps a refusal."""
        self._refusals[key] = error.with_traceback(None)
        while len(self._refusals) > REFUSALS:
            self._refusals.popitem(last=False)

    def __len__(self) -> int:
        return len(self._artifacts)


class Memory:
    """Artifacts by key. Any number of threads may use one."""

    def __init__(self, memory_bytes: int) -> None:
        self._lock = threading.Lock()
        self._held = Held(memory_bytes)
        self._pending: dict[str, Future[Artifact]] = {}

    def get(self, key: str, find: Callable[[], Artifact]) -> Artifact:
        """The artifact of a key: ``find`` is called if it is not in memory, and no other thread is finding it."""
        with self._lock:
            known = self._held.get(key)
            pending = self._pending.get(key)
            if known is None and pending is None:
                own = self._pending[key] = Future()
        if isinstance(known, Error):
            raise known.with_traceback(None)
        if known is not None:
            return known
        if pending is not None:
            return pending.result()
        return self._find(key, own, find)

    def clear(self) -> None:
        """Forgets what is in memory."""
        with self._lock:
            self._held = Held(self._held.most_bytes)

    @property
    def held_bytes(self) -> int:
        """The size of the artifacts in memory."""
        return self._held.bytes

    def _find(self, key: str, own: "Future[Artifact]", find: Callable[[], Artifact]) -> Artifact:
        try:
            artifact = find()
        except BaseException as error:
            with self._lock:
                if isinstance(error, Error) and not isinstance(error, NotFoundError):
                    self._held.refuse(key, error)
                del self._pending[key]
            own.set_exception(error)
            raise
        with self._lock:
            self._held.add(key, artifact)
            del self._pending[key]
        own.set_result(artifact)
        return artifact
