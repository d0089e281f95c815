"""Artifacts by key: in memory, and in a folder that processes share.

An artifact is compiled once, however many threads and processes ask for it at the same time. Both places are bounded in bytes; what was
used least recently goes first. A refusal is kept, too: compiling is deterministic, so it would only be repeated.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections import OrderedDict
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Callable, Iterator, Optional, Union

from ._api import Artifact, open
from ._errors import Error, NotFoundError
from ._vocabulary import Vocabulary

logger = logging.getLogger("gcc_grammar")

#: The number of refusals that are kept.
REFUSALS = 256


class Held:
    """Artifacts and refusals in memory. Only one thread at a time may use it."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._artifacts: OrderedDict[str, Artifact] = OrderedDict()
        self._refusals: OrderedDict[str, Error] = OrderedDict()

    def get(self, key: str) -> Union[Artifact, Error, None]:
        """What is known of a key."""
        for kept in (self._artifacts, self._refusals):
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
        return None

    def add(self, key: str, artifact: Artifact) -> None:
        """Keeps an artifact. The artifacts that were used least recently go, until all fit."""
        self._artifacts[key] = artifact
        self.bytes += len(artifact)
        while self.bytes > self.most_bytes:
            _, gone = self._artifacts.popitem(last=False)
            self.bytes -= len(gone)

    def refuse(self, key: str, error: Error) -> None:
        """Keeps a refusal."""
        self._refusals[key] = error.with_traceback(None)
        while len(self._refusals) > REFUSALS:
            self._refusals.popitem(last=False)

    def __len__(self) -> int:
        return len(self._artifacts)


class Folder:
    """Artifacts in a folder. Processes that share it wait for each other where they need the same artifact."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], most_bytes: int) -> None:
        self.path = Path(path)
        self.most_bytes = most_bytes
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def get(self, key: str, vocabulary: Vocabulary, make: Callable[[], Artifact]) -> Artifact:
        """The artifact of a key, from its file or made now."""
        path = self.path / f"{key}.gcg"
        # A file is replaced as a whole, so one that is there needs no lock.
        artifact = _opened(path, vocabulary)
        if artifact is not None:
            return artifact
        with self._locked(key):
            artifact = _opened(path, vocabulary)
            if artifact is None:
                artifact = make()
                self._save(artifact, path)
            return artifact

    def _save(self, artifact: Artifact, path: Path) -> None:
        if len(artifact) > self.most_bytes:
            return
        try:
            artifact.save(path)
            self._trim()
        except OSError as error:
            logger.warning("an artifact is not kept on disk: %s", error)

    def _trim(self) -> None:
        """Removes the files that were used least recently, until the rest fits."""
        files = []
        for path in self.path.glob("*.gcg"):
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                files.append((status.st_mtime_ns, status.st_size, path))
        size = sum(size for _, size, _ in files)
        for _, of_file, path in sorted(files):
            if size <= self.most_bytes:
                return
            # Who has the file mapped keeps its content.
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            size -= of_file

    @contextlib.contextmanager
    def _locked(self, key: str) -> Iterator[None]:
        """Keeps other processes from making the artifact. There are 256 locks, so their files need not be removed.

        Where there are no locks, processes may compile the same twice.
        """
        file = self._lock(key)
        try:
            yield
        finally:
            if file is not None:
                file.close()

    def _lock(self, key: str) -> Optional[IO[str]]:
        """The locked file of a key; none if the system or the file system of the folder has no locks."""
        try:
            import fcntl
        except ImportError:
            return None
        try:
            file = (self.path / f"{key[:2]}.lock").open("a")
        except OSError as error:
            logger.warning("an artifact is compiled without a lock: %s", error)
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            logger.warning("an artifact is compiled without a lock: %s", error)
        return file


def _opened(path: Path, vocabulary: Vocabulary) -> Optional[Artifact]:
    """The artifact of a file; none if there is no file, or it is of no use."""
    try:
        with contextlib.suppress(PermissionError):
            os.utime(path)
        return open(path, vocabulary)
    except FileNotFoundError:
        return None
    except (Error, OSError) as error:
        logger.warning("%s is compiled anew: %s", path, error)
        return None


class Store:
    """Artifacts by key. Any number of threads may use one."""

    def __init__(self, folder: Optional[Folder], memory_bytes: int) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._held = Held(memory_bytes)
        self._pending: dict[str, Future[Artifact]] = {}

    def get(self, key: str, vocabulary: Vocabulary, make: Callable[[], Artifact]) -> Artifact:
        """The artifact of a key: ``make`` is called if neither memory nor the folder has it, and no other thread is making it."""
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
        return self._make(key, own, lambda: self._found(key, vocabulary, make))

    def clear(self) -> None:
        """Forgets what is in memory."""
        with self._lock:
            self._held = Held(self._held.most_bytes)

    @property
    def held_bytes(self) -> int:
        """The size of the artifacts in memory."""
        return self._held.bytes

    def _found(self, key: str, vocabulary: Vocabulary, make: Callable[[], Artifact]) -> Artifact:
        return make() if self._folder is None else self._folder.get(key, vocabulary, make)

    def _make(self, key: str, own: "Future[Artifact]", find: Callable[[], Artifact]) -> Artifact:
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
