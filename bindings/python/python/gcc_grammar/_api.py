"""Compiling, artifacts, matchers, and the masks of batches."""

from __future__ import annotations

import json
import logging
import os
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Literal, Mapping, Optional, Sequence, TypeVar, Union

from . import _checks, _html, _lib, _rows
from ._errors import GrammarWarning, RefusedError
from ._sources import JsonSchema, Regex, Source
from ._types import is_type, to_schema
from ._vocabulary import Vocabulary, _Named
from ._why import Why, WrittenRule
from ._wording import in_python

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import (
        Budgets,
        CompileOptions,
        Draft,
        Formats,
        IntegerSpelling,
        Limits,
        Narrowing,
        Profile,
        PropertyOrder,
        RepeatedKeys,
        SpecialTokens,
        Strings,
        Unenforced,
        Whitespace,
    )
    from .proposals import Tensors

logger = logging.getLogger("gcc_grammar")

T = TypeVar("T")


def source_of(input: Any) -> Source:
    """The source that an input of :func:`compile` means."""
    if isinstance(input, Source):
        return input
    if is_type(input):
        return JsonSchema(to_schema(input), name=getattr(input, "__name__", None))
    if isinstance(input, (dict, bool)):
        return JsonSchema(input)
    if isinstance(input, str):
        return JsonSchema(input)
    if isinstance(input, re.Pattern):
        return Regex(input)
    if isinstance(input, os.PathLike):
        return _source_of_file(_checks.path(input, "the path of the input"))
    advice = "decode the bytes" if isinstance(input, (bytes, bytearray)) else ""
    raise _checks.wrong("the input", input, "a schema as a dictionary or text, a type, or a Source such as Lark(...)", advice)


def _source_of_file(path: str) -> Source:
    """A file, whose name says in which notation it is. Lark grammars import what lies beside them."""
    notation, text, name = _lib.read_source(path)
    options = {"import_folders": [os.path.dirname(path) or "."]} if notation == "lark" else {}
    return Source(notation, text, name, options=options)


def _vocabulary_of(given: Any) -> Vocabulary:
    if isinstance(given, Artifact):
        raise _checks.wrong("the vocabulary", given, "a Vocabulary", "an artifact has one: artifact.vocabulary")
    return given if isinstance(given, Vocabulary) else Vocabulary(given)


def _told(artifact: Artifact) -> Artifact:
    """The artifact, after a warning of Python for each warning of its compilation."""
    for warning in artifact.warnings:
        place = warning.get("location", {}).get("pointer")
        where = "" if place is None else f", at #{place}"
        help = f" ({warning['help']})" if "help" in warning else ""
        warnings.warn(in_python(f"{warning['message']}{where}{help}"), GrammarWarning, stacklevel=3)
    return artifact


def compile(
    input: Any,
    vocabulary: Any,
    *,
    profile: Optional[Profile] = None,
    whitespace: Optional[Whitespace] = None,
    strings: Optional[Strings] = None,
    integer_spelling: Optional[IntegerSpelling] = None,
    number_digits: Optional[int] = None,
    property_order: Optional[PropertyOrder] = None,
    repeated_keys: Optional[RepeatedKeys] = None,
    formats: Optional[Formats] = None,
    unenforced: Optional[Unenforced] = None,
    draft: Optional[Draft] = None,
    integer_with_point: Optional[bool] = None,
    resources: Optional[Mapping[str, Any]] = None,
    strict: Union[bool, Literal["all"], None] = None,
    allow_narrowed: Optional[Sequence[Narrowing]] = None,
    import_folders: Optional[Sequence[Union[str, "os.PathLike[str]"]]] = None,
    special_tokens: Optional[SpecialTokens] = None,
    budgets: Optional[Budgets] = None,
    limits: Union[Limits, Mapping[str, int], None] = None,
    embed_vocabulary: bool = False,
    on_demand: bool = False,
) -> Artifact:
    """Compiles a schema or grammar for a vocabulary.

    ``input`` is a JSON Schema as a dictionary or text, a type (a model of pydantic, a dataclass, a ``TypedDict``, an ``Enum``, a
    ``Literal``), a function whose arguments are meant, or a source such as :func:`Lark`, :func:`Regex`, :func:`Choice` or :func:`Tools`.
    The options are those of the command line. The interpreter lock is released meanwhile.

    >>> artifact = compile({"type": "integer"}, [b"1", b"2", b"x"])
    >>> artifact.matcher().allowed()
    [0, 1]

    For JSON Schemas, also those inside of other inputs:

    - ``profile``: the conventions of another engine, ``"openai"``, ``"xgrammar"``, ``"llguidance"`` or ``"outlines"``; options that are given beside it
      decide before it.
    - ``whitespace``: between the tokens of JSON. ``"compact"`` (none), ``"spaced"`` (one space after each comma and colon), ``"single"`` (nothing or one
      space), ``"flexible:N"`` (as printers indent, by up to N; ``"flexible:32"`` is the default), ``"bounded:N"`` (up to N characters), ``"inner"``
      (any, but none around the whole text) or ``"any"``.
    - ``strings``: the spellings of characters. ``"printed"`` (those of JSON printers, the default), ``"all"``, or ``"canonical"`` (one each).
    - ``integer_spelling``: ``"plain"`` (digits), ``"zeros"`` (also ``1.0``, the default) or ``"all"`` (also ``1e1``). ``number_digits``: the most digits of each
      part of a number. ``integer_with_point``: whether 1.0 is an integer; by default as the draft says.
    - ``property_order``: ``"declared"`` (the default) or ``"any"``. ``repeated_keys``: whether a key that no schema declares may occur twice in an
      object: ``"accept"`` (the default) or ``"refuse"``.
    - ``formats``: whether ``format`` restricts values: ``"assert"`` (the default) or ``"annotate"``.
    - ``unenforced``: keywords that cannot be enforced are refused (``"refuse"``, the default) or left out (``"allow"``).
    - ``draft``: by default the one that ``$schema`` names. ``resources``: schemas by URI, to which references may lead.

    ``import_folders`` are further folders for what a Lark grammar imports. ``budgets`` are what an artifact knows about the tokens that complete an output:
    ``"bounded"`` (the default), ``"exact"`` or ``"off"``. ``limits`` bound ``work``, ``bytes`` and the states of stages. With ``embed_vocabulary``, the artifact
    has the tokens in itself.

    ``strict`` refuses a schema of which texts of valid values would be refused that some option admits, except for the kinds in ``allow_narrowed``, such as
    ``["key-order"]``; :attr:`Artifact.report` lists them. ``"all"`` refuses also what no option admits.

    What an author should know is raised as a :class:`GrammarWarning`, with the place, and is in :attr:`Artifact.warnings`.

    ``special_tokens`` says what a literal of a grammar accepts where it contains the text of a special token: the token as well as its
    characters (``"literals"``, the default), the token alone (``"only"``), or the characters alone (``"never"``).

    ``on_demand`` returns before anything is compiled: masks are made when they are asked for, and the artifact is compiled by a thread in
    the background. New matchers read it when it is there; masks on demand are the same, and matchers keep them to their end. What needs the whole artifact waits
    for it: saving, budgets, :attr:`Artifact.report`, :meth:`Artifact.complete`. The representation, the source and the key do not wait.

    >>> artifact = compile({"type": "integer"}, [b"1", b"2", b"x"], on_demand=True)
    >>> artifact.matcher().allowed()
    [0, 1]
    >>> artifact.complete()
    >>> artifact.is_complete
    True

    Raises :class:`RefusedError` if the input is wrong, or a keyword cannot be enforced; :class:`OverBudgetError` if a limit is exceeded.
    """
    source = source_of(input)
    flags = _flags(embed_vocabulary, on_demand)
    native = _input(
        source,
        profile=profile,
        whitespace=whitespace,
        strings=strings,
        integer_spelling=integer_spelling,
        number_digits=number_digits,
        property_order=property_order,
        repeated_keys=repeated_keys,
        formats=formats,
        unenforced=unenforced,
        draft=draft,
        integer_with_point=integer_with_point,
        resources=resources,
        strict=strict,
        allow_narrowed=allow_narrowed,
        import_folders=import_folders,
        special_tokens=special_tokens,
        budgets=budgets,
        limits=limits,
    )
    vocabulary = _vocabulary_of(vocabulary)
    return _told(Artifact(_lib.compile(native, vocabulary._native, *flags), (native, source) if on_demand else None))


def artifact_key(input: Any, vocabulary: Any, *, embed_vocabulary: bool = False, **options: Unpack[CompileOptions]) -> str:
    """The content key of the artifact that :func:`compile` makes of the same arguments, without compiling: 64 hexadecimal digits.

    Artifacts with equal keys are equal, byte for byte. Names of files and limits are no part of the key.

    >>> vocabulary = Vocabulary([b"1", b"2", b"x"])
    >>> artifact_key({"type": "integer"}, vocabulary) == compile({"type": "integer"}, vocabulary).key
    True

    Raises :class:`RefusedError` if a Lark grammar is wrong, or ``strict`` refuses the input; other inputs are not read.
    """
    source = source_of(input)
    vocabulary = _vocabulary_of(vocabulary)
    return _lib.artifact_key(_input(source, **options), vocabulary._native, _checks.flag(embed_vocabulary, "embed_vocabulary"))


class CompileSession:
    """Compiles schemas and grammars for one vocabulary, and keeps what they have in common. Any number of threads may use one.

    A server that compiles what comes with requests has one for its vocabulary: strings, dates, numbers and keys that were met before are
    not walked again, and an input that was compiled before is not compiled again. Artifacts are those of :func:`compile`, byte for byte.

    ``max_bytes`` bounds what each thread keeps; beyond it, what was used last is kept in half of it. Artifacts take up to a quarter of it.

    >>> session = CompileSession(Vocabulary([b"1", b"2", b"x"]))
    >>> session.compile({"type": "integer"}).matcher().allowed()
    [0, 1]
    >>> session.bytes > 0
    True
    """

    def __init__(self, vocabulary: Any, *, max_bytes: int = 256 << 20) -> None:
        #: The vocabulary that everything is compiled for.
        self.vocabulary = _vocabulary_of(vocabulary)
        self._max_bytes = _checks.size(max_bytes, "max_bytes")
        self._native = _lib.CompileSession(self.vocabulary._native, self._max_bytes)

    @property
    def bytes(self) -> int:
        """Estimated bytes of what is kept, without what compilations under way use."""
        return self._native.bytes

    def compile(self, input: Any, *, embed_vocabulary: bool = False, on_demand: bool = False, **options: Unpack[CompileOptions]) -> Artifact:
        """The artifact that :func:`compile` makes of the same arguments. Only limits make a difference: what is kept costs no work again.

        If the artifact is one that was kept, its warnings are messages alone.
        """
        source = source_of(input)
        flags = _flags(embed_vocabulary, on_demand)
        native = _input(source, **options)
        return Artifact(self._native.compile(native, *flags), (native, source) if on_demand else None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _new_session, (self.vocabulary, self._max_bytes)


class Store:
    """A store of artifacts, which ``gcc-grammar batch`` fills, and which processes and machines share. Any number of threads may use one.

    ``url`` is ``file:///FOLDER``, the path of a folder or of a pack, or, in builds with the feature ``stores``, an address such as
    ``s3://bucket/path``. ``cache`` is a folder in front of it that keeps what was used here, at most ``cache_bytes``. Without ``url``, the
    cache is the store.

    >>> import tempfile
    >>> store = Store(tempfile.mkdtemp())
    >>> vocabulary = Vocabulary([b"1", b"2", b"x"])
    >>> store.compile({"type": "integer"}, vocabulary).matcher().allowed()
    [0, 1]
    >>> store.get(artifact_key({"type": "integer"}, vocabulary), vocabulary).matcher().allowed()
    [0, 1]
    """

    def __init__(
        self,
        url: Union[None, str, "os.PathLike[str]"] = None,
        *,
        cache: Union[None, str, "os.PathLike[str]"] = None,
        cache_bytes: int = 10_000_000_000,
    ) -> None:
        if url is None and cache is None:
            raise RefusedError("a store has an address or a cache: give url or cache")
        self._given = (_path(url, "url"), _path(cache, "cache"), _checks.size(cache_bytes, "cache_bytes"))
        self._native = _lib.Store(*self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _new_store, self._given

    def get(self, key: str, vocabulary: Any) -> Optional[Artifact]:
        """The artifact of a key (:func:`artifact_key`), or ``None`` if the store does not have it.

        Raises an :class:`Error` if the store cannot be read, or what it has is damaged.
        """
        vocabulary = _vocabulary_of(vocabulary)
        found = self._native.get(_checks.text(key, "the key"), vocabulary._native)
        return None if found is None else Artifact(found)

    def compile(self, input: Any, vocabulary: Any, *, on_demand: bool = False, **options: Unpack[CompileOptions]) -> Artifact:
        """The artifact that :func:`compile` makes of the same arguments: from the store, or made now and put there; with ``on_demand``, made
        and put there in the background.

        In place of a vocabulary, a :class:`CompileSession` compiles for its vocabulary what the store does not have. Of several processes
        that want it at once, one compiles it. If it cannot be put into the store, a warning is logged.
        """
        source = source_of(input)
        session = vocabulary if isinstance(vocabulary, CompileSession) else None
        if session is not None:
            vocabulary = session.vocabulary
        vocabulary = _vocabulary_of(vocabulary)
        compiler = None if session is None else session._native
        on_demand = _checks.flag(on_demand, "on_demand")
        native = _input(source, **options)
        artifact, problem = self._native.compile(native, vocabulary._native, compiler, on_demand)
        if problem is not None:
            logger.warning("the store of artifacts: %s", problem)
        return Artifact(artifact, (native, source) if on_demand else None)


@dataclass(frozen=True)
class Checked:
    """What :func:`check` found out about a schema or grammar."""

    #: What became of every keyword of a schema, as :attr:`Artifact.report` has it.
    report: list[dict[str, str]]
    #: What an author should know, as :attr:`Artifact.warnings` has it, apart from what only compiling tells.
    warnings: list[dict[str, Any]]


def check(input: Any, **options: Unpack[CompileOptions]) -> Checked:
    """Reads a schema or grammar without compiling it, which takes milliseconds. The options are those of :func:`compile`.

    >>> check({"type": "integer"}).report[-1]["coverage"]
    'enforced'

    Raises as :func:`compile` does. What passes may still be refused when it is compiled for a vocabulary, or exceed a limit.
    """
    source = source_of(input)
    return Checked(**json.loads(_lib.check(_input(source, **options))))


def open(path: Union[str, "os.PathLike[str]"], vocabulary: Any = None, *, trusted: bool = False) -> Artifact:
    """Opens the file of an artifact, which is mapped. Nobody may truncate or overwrite it while it is in use.

    Without a vocabulary, the tokens inside the artifact are used, or the vocabulary that it names.

    All bytes of the file are compared with their checksums when a process opens it for the first time. If the file is
    ``trusted``, because it came with a signature, say, only its beginning is compared: this takes the same time for all
    sizes. If its content is damaged all the same, masks are wrong, but nothing crashes.
    """
    native = None if vocabulary is None else _vocabulary_of(vocabulary)._native
    return Artifact(_lib.Artifact.open(_checks.path(path, "the path of the artifact"), native, _checks.flag(trusted, "trusted")))


def _new_session(vocabulary: Vocabulary, max_bytes: int) -> CompileSession:
    return CompileSession(vocabulary, max_bytes=max_bytes)


def _new_store(url: Optional[str], cache: Optional[str], cache_bytes: int) -> Store:
    return Store(url, cache=cache, cache_bytes=cache_bytes)


def _path(path: Union[None, str, "os.PathLike[str]"], name: str) -> Optional[str]:
    return None if path is None else _checks.path(path, name)


def _flags(embed_vocabulary: Any, on_demand: Any) -> tuple[bool, bool]:
    flags = _checks.flag(embed_vocabulary, "embed_vocabulary"), _checks.flag(on_demand, "on_demand")
    if all(flags):
        raise RefusedError("an artifact that is compiled on demand refers to its vocabulary: leave out embed_vocabulary or on_demand")
    return flags


def _input(source: Source, **options: Any) -> _lib.Input:
    """The source with the options as the native module takes them."""
    choices = None if source.choices is None else list(source.choices)
    return _lib.Input(source.notation, source.text, _options(source, **options), source.name, choices)


def _options(source: Source, **given: Any) -> str:
    """The options as the native module takes them. Those of the source come last."""
    text: Callable[[Any, str], Any] = _checks.text
    options = {name: _OPTIONS.get(name, text)(value, name) for name, value in given.items() if value is not None}
    return _checks.to_json({**options, **source.options}, "an option")


def _resources(resources: Any, name: str) -> dict[str, str]:
    if not isinstance(resources, Mapping):
        raise _checks.wrong(name, resources, "a mapping from URIs to schemas")
    texts = {_checks.text(uri, "the URI of a resource"): schema for uri, schema in resources.items()}
    return {uri: text if isinstance(text, str) else _checks.to_json(text, f"the resource {uri}") for uri, text in texts.items()}


#: The options that are no texts.
_OPTIONS: dict[str, Callable[[Any, str], Any]] = {
    "number_digits": lambda value, name: _checks.integer(value, name, least=1, below=1 << 16),
    "integer_with_point": _checks.flag,
    "resources": _resources,
    "strict": lambda value, name: _checks.text(value, name) if isinstance(value, str) else _checks.flag(value, name),
    "allow_narrowed": _checks.texts,
    "import_folders": _checks.paths,
    "limits": lambda value, _: _checks.limits(value),
}


class Artifact:
    """A compiled grammar with its vocabulary. Any number of threads may use one.

    A pickle has the bytes of :meth:`to_bytes` and some 200 more: a vocabulary that was loaded by a name or a path is found again by its fingerprint,
    in the process or where it was loaded from. Of other vocabularies, such as a list of tokens, the pickle has the tokens.
    """

    _native: _lib.Artifact

    def __init__(self, native: _lib.Artifact, begun: Optional[tuple[_lib.Input, Source]] = None) -> None:
        self._native = native
        #: What is compiled on demand: nobody waits for what is known of it.
        self._begun = begun

    @staticmethod
    def from_bytes(content: bytes, vocabulary: Any = None) -> Artifact:
        """Opens the bytes of an artifact."""
        native = None if vocabulary is None else _vocabulary_of(vocabulary)._native
        return Artifact(_lib.Artifact.from_bytes(_checks.content(content, "the artifact"), native))

    @property
    def is_complete(self) -> bool:
        """Whether all masks are there: not, while an artifact that was compiled ``on_demand`` is compiled in the background."""
        return self._native.is_complete

    def complete(self) -> None:
        """Waits for the artifact, if it is compiled in the background. Raises :class:`OverBudgetError` if it exceeds a limit."""
        self._native.complete()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the artifact to a file, which is replaced as a whole or stays as it was."""
        self._native.save(_checks.path(path, "the path of the artifact"))

    def to_bytes(self) -> bytes:
        """The bytes of the artifact, as they are in a file."""
        return self._native.to_bytes()

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary."""
        return Vocabulary(self._native.vocabulary)

    @property
    def report(self) -> list[dict[str, str]]:
        """What became of every keyword of a schema: dictionaries with ``pointer``, ``coverage`` and ``note``."""
        report: list[dict[str, str]] = json.loads(self._native.report_json())
        return report

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """The warnings of the compilation. Those that only the whole artifact tells are there once it is complete, without a code."""
        found: list[dict[str, Any]] = json.loads(self._native.warnings_json())
        return found

    @property
    def source(self) -> Source:
        """What the artifact was compiled from."""
        if self._begun is not None:
            return Source(self._begun[1].notation, self._begun[1].text)
        return Source(*self._native.source())

    @property
    def key(self) -> str:
        """The content key: 64 hexadecimal digits that stand for all that the artifact was made from."""
        if self._begun is not None:
            return _lib.artifact_key(self._begun[0], self._native.vocabulary)
        return self._native.key

    @property
    def row_words(self) -> int:
        """The number of 32-bit words of a mask."""
        return self._native.row_words

    @property
    def base_count(self) -> int:
        """The number of base bitmaps, from which masks are made by flipping a few tokens."""
        return self._native.base_count

    def copy_bases(self, rows: Any) -> None:
        """Writes the base bitmaps into an array of ``base_count * row_words`` words, one after the other."""
        address, words = _rows.row(rows, self.base_count * self.row_words)
        self._native.copy_bases_at(address, words)

    def to_tensors(
        self,
        *,
        depth: Optional[int] = None,
        tokens: Optional[int] = None,
        max_states: Optional[int] = None,
        max_work: Optional[int] = None,
        max_bytes: Optional[int] = None,
    ) -> "Tensors":
        """The artifact as a finite automaton over tokens, trimmed and minimal, as arrays of NumPy: see :mod:`gcc_grammar.proposals`.

        A recursive grammar needs a bound: ``depth`` leaves out outputs that are nested deeper, ``tokens`` those that are longer, the end
        token included; ``description`` of the result says what was cut. Raises :class:`OverBudgetError` at the bounds on states, work and
        bytes.
        """
        import numpy

        from .proposals import Tensors

        bounds = [("depth", depth), ("tokens", tokens)]
        sizes = [("max_states", max_states), ("max_work", max_work), ("max_bytes", max_bytes)]
        given = [_checks.optional(value, name, below=_checks.IDS) for name, value in bounds]
        given += [None if value is None else _checks.size(value, name) for name, value in sizes]
        arrays, description = self._native.tensors(*given)
        found = {name: numpy.frombuffer(content, dtype=kind).reshape(shape) for name, kind, shape, content in arrays}
        return Tensors(found, json.loads(description))

    def matcher(
        self,
        *,
        max_rollback: int = 64,
        canonical: bool = False,
        start_after: Union[str, int, None] = None,
        max_free_tokens: Optional[int] = None,
        max_work: Optional[int] = None,
    ) -> Matcher:
        """A matcher at the beginning of an output. The last ``max_rollback`` commits can be taken back.

        ``start_after`` is a text, such as ``"</think>"``, or the id of a token: until it came, every token may come next, but for those that
        go on behind the text with what the grammar refuses. The text is also found if it is cut into several tokens.
        ``max_free_tokens`` limits them: then masks have only the tokens of the text, or of the rest of it that is not yet written.

        With ``canonical``, masks have only tokens that the model's own tokenizer writes behind those before: everywhere for the built-in vocabularies, files with their tokens, and tekken, for
        others where the next bytes are certain. Models were trained on such tokens. Raises :class:`RefusedError` if the tokenizer is not known, as for a list of tokens.

        ``max_work`` bounds the work of a commit or mask, in units: heads, cells and parents that are looked at where the text has several
        readings. Beyond it the call raises :class:`OverBudgetError`, and the matcher is as it was. The default is 2^30, some seconds.
        """
        if start_after is not None and not isinstance(start_after, str):
            if not hasattr(start_after, "__index__"):
                raise _checks.wrong("start_after", start_after, "a text, or the id of a token")
            start_after = _checks.integer(start_after, "start_after", below=_checks.IDS)
        elif start_after is not None:
            _checks.text(start_after, "start_after")
        rollbacks = _checks.integer(max_rollback, "max_rollback", below=_checks.IDS)
        options = {
            "max_rollback": rollbacks,
            "canonical": _checks.flag(canonical, "canonical"),
            "start_after": start_after,
            "max_free_tokens": _checks.optional(max_free_tokens, "max_free_tokens", below=1 << 64),
            "max_work": _checks.optional(max_work, "max_work", below=1 << 64),
        }
        return Matcher(self._native.matcher(json.dumps(options)), self)

    def restore(self, saved: bytes, *, max_work: Optional[int] = None) -> Matcher:
        """The matcher that :meth:`Matcher.save` saved, perhaps in another process, for the same artifact. ``max_work``, a bound of whoever decodes, is not
        saved: give it as to :meth:`matcher`. Pickles have it."""
        most = _checks.optional(max_work, "max_work", below=1 << 64)
        return Matcher(self._native.restore(_checks.content(saved, "the saved matcher"), most), self)

    def __copy__(self) -> Artifact:
        return self

    def __deepcopy__(self, memo: Any) -> Artifact:
        return self

    def __len__(self) -> int:
        return len(self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_bytes(), self.vocabulary._named())

    def _repr_html_(self) -> str:
        return _html.artifact(self)

    def __repr__(self) -> str:
        return f"<Artifact of {self.source.notation}, {len(self)} bytes, for {self.vocabulary!r}>"


class Matcher:
    """The state of one output: the tokens so far, and the tokens that may follow. One thread at a time uses it; others wait.

    Copies (:func:`copy.copy`, :func:`copy.deepcopy`) are those of :meth:`fork`. A pickle has the state and the artifact, as
    :meth:`save` and :meth:`Artifact.to_bytes` give them.

    >>> matcher = compile({"const": "ab"}, [b'"', b"a", b"b", b"ab"], strings="canonical").matcher()
    >>> matcher.commit(0); matcher.allowed()
    [1, 3]
    """

    _native: _lib.Matcher
    artifact: Artifact

    def __init__(self, native: _lib.Matcher, artifact: Artifact) -> None:
        self._native = native
        self.artifact = artifact
        #: The object that was updated last. While it lives, no other object lies where it does.
        self._updated: Any = None

    def fill(self, row: Any, index: Optional[int] = None) -> None:
        """Writes the mask into a row, or into row ``index`` of an array of rows: token t is bit t % 32 of word t // 32.

        Words of the row beyond the mask become 0: a token that the vocabulary does not have is never allowed.
        """
        address, words = _rows.row(row, self.artifact.row_words, index)
        self._native.fill_at(address, words)

    def update(self, row: Any, index: Optional[int] = None) -> None:
        """Writes the mask into a row like :meth:`fill`, but only what differs from the last update of the same row by this matcher.

        Between two updates of a row, the program may not write it. Everything else is taken care of: a row that another call of this package has
        written meanwhile, of whatever matcher, is written as a whole. The row is the same if ``row`` is the same object, which the matcher keeps alive, at the same address and with the same length;
        any other is written as a whole, also a new view of the same memory. Give an array and ``index`` rather than ``array[index]``.
        """
        address, words = _rows.row(row, self.artifact.row_words, index)
        is_known = row is self._updated
        self._updated = row
        self._native.update_at(address, words, is_known)

    def bind(self, row: Any, index: Optional[int] = None) -> _lib.BoundRow:
        """The row, or row ``index`` of an array of rows, bound to this matcher: ``fill()`` and ``update()`` of the result do what :meth:`fill` and
        :meth:`update` do, in a fraction of the time, because the layout of the array is looked at here and not in each call.

        The result keeps the array alive. As long as it is used, nobody may resize or move the memory (a tensor of PyTorch can be; NumPy refuses
        it), and between two ``update()`` the program may not write the row.

        >>> import array
        >>> row = array.array("I", [0])
        >>> matcher = compile({"type": "integer"}, [b"1", b"2", b"x"]).matcher()
        >>> bound = matcher.bind(row)
        >>> bound.update()
        >>> bin(row[0])
        '0b11'
        """
        address, words = _rows.row(row, self.artifact.row_words, index)
        keeps = row if hasattr(row, "__array_interface__") or hasattr(row, "data_ptr") else memoryview(row)
        return self._native.bind_at(address, words, keeps)

    def mask(self) -> bytes:
        """The mask as bytes."""
        return self._native.mask()

    def allowed(self) -> list[int]:
        """The ids that may come next, ascending."""
        return self._native.allowed()

    def count_allowed(self) -> int:
        """The number of ids that may come next."""
        return self._native.count_allowed()

    def allows(self, token: int) -> bool:
        """Whether a token may come next."""
        try:
            return self._native.allows(token)
        except TypeError:
            raise _checks.token(token) from None
        except OverflowError:
            return False

    def commit(self, token: int) -> None:
        """Commits a token. Raises :class:`RefusedError` exactly if the mask does not allow it."""
        try:
            if self._native.try_commit(token):
                return
        except TypeError:
            raise _checks.token(token) from None
        except OverflowError:
            # There is no such token.
            pass
        raise RefusedError(f"the grammar does not allow token {token} here")

    def try_commit(self, token: int) -> bool:
        """Commits a token if the mask allows it, and returns whether it did."""
        try:
            return self._native.try_commit(token)
        except TypeError:
            raise _checks.token(token) from None
        except OverflowError:
            return False

    def commit_text(self, text: Union[str, bytes]) -> None:
        """Commits a text as if it were one token. Raises :class:`RefusedError` if no output goes on with it."""
        if not self.try_commit_text(text):
            raise RefusedError(f"the grammar does not allow {text!r} here")

    def try_commit_text(self, text: Union[str, bytes]) -> bool:
        """Commits a text as if it were one token, if some output goes on with it, and returns whether it did."""
        return self._native.try_commit_bytes(_checks.data(text, "the text"))

    def validate(self, tokens: Sequence[int]) -> int:
        """The number of tokens that could be committed one after the other. Commits none."""
        tokens = _checks.ids(tokens, "the tokens")
        usable = next((place for place, token in enumerate(tokens) if not 0 <= token < 1 << 32), len(tokens))
        return self._native.validate(tokens[:usable])

    def rollback(self, count: int = 1) -> None:
        """Takes back the last ``count`` commits."""
        self._native.rollback(_checks.size(count, "the number of commits to take back"))

    def fork(self) -> Matcher:
        """A copy. From then on the two are independent."""
        return Matcher(self._native.fork(), self.artifact)

    def __copy__(self) -> Matcher:
        return self.fork()

    def __deepcopy__(self, memo: Any) -> Matcher:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.artifact, self.save(), self.max_work)

    def reset(self) -> None:
        """Goes back to the beginning of an output."""
        self._native.reset()

    def forced_bytes(self, most: int = 256) -> bytes:
        """The bytes that are certain to come, ``most`` at most, and never more than 65,536: what follows them can be asked for behind them."""
        return self._native.forced_bytes(_checks.size(most, "most"))

    def forced_tokens(self, before: Sequence[int] = ()) -> list[int]:
        """The tokens that are certain to come, cut as the model's own tokenizer cuts the text, for jump-forward decoding.

        They never end where a longer token could start. ``before`` has the last tokens that were committed: if the tokenizer would join
        the last of them with what is certain, there are no forced tokens.
        """
        return self._native.forced_tokens(_checks.usable_ids(before, "the tokens before"))

    def set_budget(self, remaining: Optional[int]) -> None:
        """Limits the number of tokens that may still be committed, the end token included; ``None`` lifts the limit.

        Masks then have only tokens after which the output can be completed within the limit. Commits count down, and rollbacks up. Raises
        :class:`RefusedError` if no completion is known that takes so few tokens.

        >>> matcher = compile({"type": "integer"}, [b"1", b"2", b"-"]).matcher()
        >>> matcher.set_budget(2); matcher.allowed()  # no minus: then the end token would be the third
        [0, 1]
        """
        limit = _checks.optional(remaining, "the budget", below=_checks.IDS)
        self._of_whole(lambda: self._native.set_budget(limit))

    def _of_whole(self, call: Callable[[], T]) -> T:
        """What needs the whole artifact. If masks are made on demand, there may be none because of a limit, which then is the error."""
        try:
            return call()
        except RefusedError:
            self.artifact.complete()
            raise

    @property
    def max_work(self) -> Optional[int]:
        """The most work of a call, in units; none if there is no bound."""
        return self._native.max_work

    @property
    def degraded_masks(self) -> int:
        """The number of masks within a budget that may lack tokens, because the search for them went beyond its bound."""
        return self._native.degraded_masks

    @property
    def is_canonical(self) -> bool:
        """Whether the tokens so far are those that the model's own tokenizer writes for their text. False without ``canonical=True``, for other tokenizers, and once a text was committed, or a token where the grammar allowed none of the tokenizer's."""
        return self._native.is_canonical

    @property
    def remaining(self) -> Optional[int]:
        """The number of tokens that may still be committed, the end token included; none if there is no limit."""
        return self._native.remaining

    def min_remaining(self) -> Optional[int]:
        """The number of tokens that complete the output, the end token included: an upper bound of the fewest; none if no completion is
        known."""
        return self._of_whole(self._native.min_remaining)

    def shortest_completion(self) -> Optional[list[int]]:
        """Tokens that complete the output, the end token included, :meth:`min_remaining` at most: each is the first by its id among those that
        cost the least. None if no completion is known. The limit of :meth:`set_budget` does not matter; commits none of the tokens.

        >>> matcher = compile({"type": "integer"}, [b"1", b"2", b"-"]).matcher()
        >>> matcher.commit(2); matcher.shortest_completion()  # 1, and the end token
        [0, 3]
        """
        return self._of_whole(self._native.shortest_completion)

    def why(self, token: int, *, text: Union[str, bytes, None] = None) -> Why:
        """Why a token may come next, or may not: how much of it may, what the text has to go on with there and where that stands in the grammar or schema, and
        which allowed token is near. A matcher that was restored, or has free text in front, does not know the text so far, which it takes for places of a schema:
        ``text`` is that text, and :meth:`Events.why` has it.

        >>> matcher = compile({"type": "boolean"}, [b"t", b"rue", b"fal", b"se", b"no", b"tr"]).matcher()
        >>> why = matcher.why(4)
        >>> print(why)
        token 4 "no" may not come next
        the parser expects false|true
        the schema describes it at ""
        >>> matcher.commit(0)
        >>> print(matcher.why(5))
        token 5 "tr" may not come next
        the lexeme in progress there can become false|true
        the place is the JSON value at ""
        the schema describes it at ""
        """
        known = None if text is None else _checks.data(text, "the text")
        explained = self._native.why(_checks.integer(token, "the token", below=_checks.IDS), known)
        words, (is_allowed, possible), (lexeme, expected, may_end, nearest), (rules, pointer, schema) = explained
        written = [WrittenRule(*rule) for rule in rules]
        return Why(token, is_allowed, possible, lexeme, expected, may_end, nearest, written, pointer, schema, words)

    def verify_tree(self, parents: Sequence[int], tokens: Sequence[int], rows: Any) -> list[bool]:
        """Verifies a tree of proposed tokens: whether the text may go on with the tokens down to each node.

        ``parents`` has, for each node, the number of an earlier node, or -1. ``rows``, an array with one row per node, gets the mask
        behind each allowed node, and zeros for the others. The matcher stays where it is.
        """
        tokens, words = _checks.usable_ids(tokens, "the tokens"), self.artifact.row_words
        parents = [_checks.integer(parent, "a parent", least=-1) for parent in _checks.each(parents, "the parents", "a list of integers")]
        places, length = _rows.addresses(rows, words, list(range(len(tokens))))
        if length != words or any(place - places[0] != 4 * words * node for node, place in enumerate(places)):
            raise RefusedError(f"the rows of a tree are contiguous and have {words} words each")
        return self._native.verify_tree_at(parents, tokens, places[0] if places else 0, words * len(places))

    @property
    def is_accepting(self) -> bool:
        """Whether the text so far is in the language."""
        return self._native.is_accepting

    @property
    def is_free(self) -> bool:
        """Whether the output is still in front of what ``start_after`` said."""
        return self._native.is_free

    @property
    def is_terminated(self) -> bool:
        """Whether an end token was committed."""
        return self._native.is_terminated

    @property
    def committed(self) -> int:
        """The number of commits, without those that were taken back."""
        return self._native.committed

    def save(self) -> bytes:
        """The state as bytes, for :meth:`Artifact.restore`."""
        return self._native.save()

    def _repr_html_(self) -> str:
        return _html.matcher(self)

    def __repr__(self) -> str:
        return f"<Matcher of {self.artifact!r} after {self.committed} commits>"


def _unpickled(content: bytes, vocabulary: Union[Vocabulary, _Named]) -> Artifact:
    return Artifact.from_bytes(content, vocabulary.found() if isinstance(vocabulary, _Named) else vocabulary)


def _restored(artifact: Artifact, saved: bytes, max_work: Optional[int] = None) -> Matcher:
    return artifact.restore(saved, max_work=max_work)


def fill_masks(matchers: Iterable[Matcher], rows: Any, *, indices: Optional[Sequence[int]] = None, threads: int = 1) -> None:
    """Writes the masks of many matchers: that of matcher i into row i, or into row ``indices[i]``, of an array or list of rows.

    ``threads`` is the number of threads that share the work; 0 stands for as many as the machine has. More than 64, or more than the machine
    has if those are more, count as that many. A process that was forked starts threads of its own.
    """
    natives = [matcher._native for matcher in _checks.instances(matchers, "the matchers", Matcher)]
    threads = _checks.size(threads, "threads")
    if indices is not None:
        listed = _checks.each(indices, "indices", "a list of the numbers of rows")
        indices = [_checks.integer(index, "the index of a row", least=-_checks.SIZES) for index in listed]
    if not isinstance(rows, (list, tuple)):
        address, stride, count, words = _rows.array(rows)
        _lib.fill_array(natives, address, stride, count, words, indices, threads)
        return
    places = list(range(len(natives))) if indices is None else list(indices)
    if len(places) != len(natives):
        raise RefusedError("every matcher needs a row")
    found, length = _rows.addresses(rows, 0, places) if natives else ([], 0)
    _lib.fill_masks(natives, found, length, threads)
