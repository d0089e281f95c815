"""What the adapters to inference engines have in common: settings, requests as sources, compiling for a model, the state of a request."""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

from . import _patterns, _rows
from ._api import Artifact, CompileSession, Store, artifact_key, check
from ._errors import Error, OverBudgetError, RefusedError
from ._memory import Memory
from ._sources import Choice, Ebnf, Gbnf, JsonSchema, Lark, Regex, Source, StructuralTag
from ._vocabulary import Vocabulary

logger = logging.getLogger("gcc_grammar")

MIB = 1 << 20

#: The number of vocabularies that are kept. A request with other end tokens needs a vocabulary of its own.
VOCABULARIES = 8


@dataclass(frozen=True)
class Settings:
    """The settings of an adapter. Engines start processes of their own, so they come from the environment.

    | variable | meaning | otherwise |
    |---|---|---|
    | ``GCC_GRAMMAR_OPTIONS`` | options of ``compile`` as a JSON object, such as ``{"whitespace": "compact"}`` | none |
    | ``GCC_GRAMMAR_STORE`` | a store of artifacts: a folder, a pack, or an address | none |
    | ``GCC_GRAMMAR_CACHE`` | the folder of compiled artifacts; empty for none | ``gcc-grammar`` in the user's folder of caches |
    | ``GCC_GRAMMAR_CACHE_MB`` | the size of that folder | 1024 |
    | ``GCC_GRAMMAR_MEMORY_MB`` | the size of all artifacts in the memory of one process | 512 |
    | ``GCC_GRAMMAR_SESSION_MB`` | what compilations leave for later ones, per vocabulary and thread | 64 |
    | ``GCC_GRAMMAR_ON_DEMAND`` | ``0`` compiles a request before its first mask; else masks are made on demand meanwhile | 1 |
    | ``GCC_GRAMMAR_MAX_WORK`` | the most work of a commit or mask, as ``max_work`` of ``Artifact.matcher`` | its default |
    """

    options: Mapping[str, Any]
    folder: Optional[Path]
    #: The address of a store that is shared, behind the folder.
    url: Optional[str] = None
    folder_bytes: int = 1024 * MIB
    memory_bytes: int = 512 * MIB
    session_bytes: int = 64 * MIB
    #: The most work of a commit or mask.
    max_work: Optional[int] = None
    #: Whether masks are made on demand until a request is compiled.
    on_demand: bool = True

    @staticmethod
    def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
        """Reads the settings. Raises ``ValueError`` with the name of a variable that cannot be used."""
        folder = environment.get("GCC_GRAMMAR_CACHE")
        if folder is None:
            caches = environment.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
            folder = os.path.join(caches, "gcc-grammar")
        return Settings(
            _options_of(environment.get("GCC_GRAMMAR_OPTIONS") or "{}"),
            Path(folder) if folder else None,
            environment.get("GCC_GRAMMAR_STORE") or None,
            _size(environment, "GCC_GRAMMAR_CACHE_MB", 1024),
            _size(environment, "GCC_GRAMMAR_MEMORY_MB", 512),
            _size(environment, "GCC_GRAMMAR_SESSION_MB", 64),
            _number(environment, "GCC_GRAMMAR_MAX_WORK", "units below 2**64", below=1 << 64),
            environment.get("GCC_GRAMMAR_ON_DEMAND", "1") != "0",
        )

    def store(self) -> Optional[Store]:
        """The store of artifacts, if there is one. A folder that cannot be made is done without; a store that is named must be there."""
        try:
            if self.folder is not None and not _is_pack(self.url):
                return Store(self.url, cache=self.folder, cache_bytes=self.folder_bytes)
        except Error as error:
            logger.warning("artifacts are not kept in a folder; set GCC_GRAMMAR_CACHE to another one: %s", error)
        return None if self.url is None else Store(self.url)


def _is_pack(url: Optional[str]) -> bool:
    """Whether an address is that of a pack, which needs no cache."""
    return url is not None and os.path.isfile(url[len("file://") :] if url.startswith("file://") else url)


def _options_of(text: str) -> Mapping[str, Any]:
    try:
        options = json.loads(text)
    except ValueError as error:
        raise ValueError(f"GCC_GRAMMAR_OPTIONS is not JSON: {error}") from error
    if not isinstance(options, dict):
        raise ValueError("GCC_GRAMMAR_OPTIONS is not a JSON object")
    try:
        check(True, **options)
    except (Error, TypeError) as error:
        raise ValueError(f"GCC_GRAMMAR_OPTIONS has an option that cannot be used: {error}") from error
    return options


def _number(environment: Mapping[str, str], name: str, unit: str, below: Optional[int] = None) -> Optional[int]:
    text = environment.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and (below is None or int(text) < below)):
        raise ValueError(f"{name} is a number of {unit}, not {text!r}")
    return int(text)


def _size(environment: Mapping[str, str], name: str, otherwise: int) -> int:
    found = _number(environment, name, "megabytes")
    return (otherwise if found is None else found) * MIB


def is_lark(text: str) -> bool:
    """Whether a grammar is written as Lark: no line of it has ``::=`` outside of comments, as engines decide it."""
    lines = (re.sub(r"(#|//).*$", "", line) for line in text.split("\n"))
    return not any("::=" in line for line in lines)


def grammar_source(text: str, options: Mapping[str, Any]) -> Source:
    """The source of a grammar whose notation is not named: Lark, the EBNF of XGrammar, or the GBNF of llama.cpp.

    A grammar with ``::=`` is read as EBNF, which allows all that GBNF does except a few escapes and repetitions. If it is no EBNF but
    GBNF, it is read as that; if it is neither, what is wrong is said in terms of EBNF.
    """
    if is_lark(text):
        return Lark(text)
    ebnf = Ebnf(_patterns.ebnf(text))
    if _is_refused(ebnf, options) and not _is_refused(Gbnf(text), options):
        return Gbnf(text)
    return ebnf


def _is_refused(source: Source, options: Mapping[str, Any]) -> bool:
    try:
        check(source, **options)
    except Error:
        return True
    return False


def _choices(text: str) -> Source:
    try:
        choices = json.loads(text)
    except ValueError as error:
        raise RefusedError(f"the choices are not JSON: {error}") from error
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise RefusedError("the choices are not a list of texts")
    return Choice(choices)


#: The kinds of requests that engines have.
KINDS: Mapping[str, Callable[[str], Source]] = {
    "json": lambda text: JsonSchema(text),
    "json_object": lambda text: JsonSchema({"type": "object"}),
    "any_json": lambda text: JsonSchema(True),
    "regex": lambda text: Regex(_patterns.regex(text)),
    "choice": _choices,
    "structural_tag": lambda text: StructuralTag(_patterns.structural_tag(text)),
}


def source_of_request(kind: str, text: str, options: Mapping[str, Any]) -> Source:
    """The source of a request: its kind is one of :data:`KINDS` or ``grammar``."""
    if kind == "grammar":
        return grammar_source(text, options)
    if kind not in KINDS:
        raise ValueError(f"there is no kind of request {kind!r}")
    return KINDS[kind](text)


def check_request(kind: str, text: str, options: Mapping[str, Any]) -> None:
    """Reads a request without compiling it. Raises :class:`gcc_grammar.Error` if it is refused."""
    check(source_of_request(kind, text, options), **options)


class Compiler:
    """Compiles requests for the vocabulary of a model, and keeps the artifacts.

    ``vocabulary_of`` makes the vocabulary with given end tokens; without end tokens, with those of the tokenizer.
    """

    def __init__(self, vocabulary_of: Callable[[Optional[Sequence[int]]], Vocabulary], settings: Settings) -> None:
        self.settings = settings
        self._vocabulary_of = vocabulary_of
        self._lock = threading.Lock()
        self._sessions: OrderedDict[tuple[int, ...], Future[CompileSession]] = OrderedDict()
        self._store = settings.store()
        self._memory = Memory(settings.memory_bytes)

    @staticmethod
    def for_tokenizer(tokenizer: Any, width: int, settings: Settings) -> Compiler:
        """For a tokenizer of ``transformers``, and a model with ``width`` logits."""
        return Compiler(lambda ends: tokenizer_vocabulary(tokenizer, width, ends), settings)

    def vocabulary(self, end_tokens: Optional[Iterable[int]] = None) -> Vocabulary:
        """The vocabulary in which exactly these tokens end an output. It is made once; requests with other end tokens do not wait for it."""
        return self._session(end_tokens).vocabulary

    def _session(self, end_tokens: Optional[Iterable[int]]) -> CompileSession:
        """Compiles for the vocabulary in which exactly these tokens end an output."""
        ends = tuple(sorted(set(end_tokens or ())))
        with self._lock:
            found = self._sessions.get(ends)
            made = self._sessions.setdefault(ends, Future())
            self._sessions.move_to_end(ends)
            if len(self._sessions) > VOCABULARIES:
                self._sessions.popitem(last=False)
        if found is None:
            try:
                made.set_result(CompileSession(self._vocabulary_of(ends or None), max_bytes=self.settings.session_bytes))
            except BaseException as error:
                with self._lock:
                    self._sessions.pop(ends, None)
                made.set_exception(error)
        return made.result()

    def compile(
        self, kind: str, text: str, end_tokens: Optional[Iterable[int]] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Artifact:
        """The artifact of a request. ``options`` go before those of the settings."""
        options = {**self.settings.options, **(options or {})}
        source = source_of_request(kind, text, options)
        session = self._session(end_tokens)
        key = artifact_key(source, session.vocabulary, **options)
        if self._store is None:
            return self._memory.get(key, lambda: session.compile(source, on_demand=self.settings.on_demand, **options))
        store = self._store
        return self._memory.get(key, lambda: store.compile(source, session, on_demand=self.settings.on_demand, **options))

    def clear(self) -> None:
        """Forgets the artifacts in memory."""
        self._memory.clear()


def tokenizer_vocabulary(tokenizer: Any, width: Optional[int] = None, end_tokens: Optional[Sequence[int]] = None) -> Vocabulary:
    """The vocabulary of a tokenizer of ``transformers``, for a model with ``width`` logits."""
    if not any(hasattr(tokenizer, name) for name in ("backend_tokenizer", "sp_model", "vocab_file")):
        name = type(tokenizer).__name__
        raise RefusedError(f"the tokenizer {name} is not supported: load the model with a tokenizer that has a tokenizer.json")
    usable = None if end_tokens is None else [token for token in end_tokens if width is None or 0 <= token < width]
    return Vocabulary(tokenizer, width=width, end_tokens=usable or None)


#: What the last call filled. It is replaced as a whole, so threads may use it at the same time.
_known: Optional[_Rows] = None


class _Rows:
    """The array of rows that was filled last, and where it lies. An engine fills the same array in every step."""

    __slots__ = ("address", "array", "count", "place", "stride", "words")

    def __init__(self, array: Any, words: int) -> None:
        self.place = _place(array)
        self.address, self.stride, self.count, self.words = _rows.array(array)
        if self.words < words:
            raise RefusedError(f"the rows have {self.words} words, and the mask {words}")
        self.array = array

    def fits(self, array: Any, words: int) -> bool:
        """Whether this array is the one that is known, and was neither moved nor resized since."""
        return array is self.array and words <= self.words and _place(array) == self.place


def _place(array: Any) -> Any:
    """Where an array lies in memory, and how."""
    return (array.data_ptr(), array.shape, array.stride()) if hasattr(array, "data_ptr") else _rows.layout(array)


class Run:
    """The state of one request. Tokens after the end of the output count for nothing.

    Where a commit or a mask needs more than ``max_work``, the request fails and the engine goes on: the commit is refused, the mask allows nothing.
    """

    __slots__ = ("_words", "artifact", "matcher", "max_work", "rollbacks")

    def __init__(self, artifact: Artifact, rollbacks: int, max_work: Optional[int] = None) -> None:
        self.artifact = artifact
        self.rollbacks = rollbacks
        self.max_work = max_work
        self.matcher = artifact.matcher(max_rollback=rollbacks, max_work=max_work)
        self._words = artifact.row_words

    def accept(self, token: int) -> bool:
        """Commits a token, and returns whether it was allowed."""
        try:
            # Nothing can be committed after the end.
            return self.matcher.try_commit(token) or self.matcher.is_terminated
        except OverBudgetError as error:
            logger.error("token %d is refused: %s", token, error)
            return False

    def accept_all(self, tokens: Iterable[int]) -> bool:
        """Commits tokens up to the first that is not allowed, and returns whether all were."""
        for token in tokens:
            if not self.accept(token):
                return False
        return True

    def accepted_prefix(self, tokens: Sequence[int]) -> list[int]:
        """The first tokens, as many as could be committed. Commits none."""
        if self.matcher.is_terminated:
            return []
        try:
            return list(tokens[: self.matcher.validate(tokens)])
        except OverBudgetError as error:
            logger.error("draft tokens are refused: %s", error)
            return []

    def fill(self, rows: Any, index: int) -> None:
        """Writes the mask into row ``index``. Words beyond the vocabulary allow nothing."""
        global _known
        known = _known
        if known is None or not known.fits(rows, self._words):
            known = _known = _Rows(rows, self._words)
        if not 0 <= index < known.count:
            raise IndexError(f"there is no row {index} of {known.count}")
        try:
            self.matcher._native.fill_at(known.address + index * known.stride, known.words)
        except OverBudgetError as error:
            logger.error("no token is allowed: %s", error)
            rows[index] = 0

    def fresh(self) -> Run:
        """The same request from the beginning."""
        return Run(self.artifact, self.rollbacks, self.max_work)
