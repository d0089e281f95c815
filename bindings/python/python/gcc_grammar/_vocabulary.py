"""Vocabularies from whatever a Python program has: names, files, tokenizers of other packages, lists of tokens."""

from __future__ import annotations

import os
import tempfile
import weakref
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

from . import _checks, _lib
from ._errors import Error, NotFoundError, RefusedError

#: By fingerprint: what the vocabularies of this process were loaded from.
_LOADED: dict[str, str] = {}
#: By fingerprint: the vocabularies that are in use.
_ALIVE: weakref.WeakValueDictionary[str, Vocabulary] = weakref.WeakValueDictionary()

EndTokens = Union[int, str, Sequence[Union[int, str]], None]


def _end_tokens(given: EndTokens) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str) or hasattr(given, "__index__"):
        return [_end_token(given, "end_tokens")]
    expected = "the id or the name of a token, or a list of them"
    return [_end_token(token, f"end_tokens[{place}]") for place, token in enumerate(_checks.each(given, "end_tokens", expected))]


def _end_token(given: Any, name: str) -> str:
    return _checks.text(given, name) if isinstance(given, str) else str(_checks.integer(given, name, below=_checks.IDS))


class Vocabulary:
    """The tokens of a model.

    ``source`` is the name of a built-in vocabulary (``"llama3"``) or of one that was imported, the path of a tokenizer file or of a model
    folder, a tokenizer of ``transformers`` or ``tokenizers``, an encoding of ``tiktoken``, a list of the bytes of every token, or a
    mapping from ids to bytes.

    >>> vocabulary = Vocabulary([b"a", b"b", b"ab"])
    >>> vocabulary.width, vocabulary.end_tokens, vocabulary.token_bytes(2)
    (4, [3], b'ab')
    """

    _native: _lib.Vocabulary

    def __init__(
        self,
        source: Any,
        *,
        width: Optional[int] = None,
        end_tokens: EndTokens = None,
        name: Optional[str] = None,
    ) -> None:
        ends, width = _end_tokens(end_tokens), _checks.optional(width, "width", below=_checks.IDS)
        if name is not None:
            _checks.text(name, "the name of the vocabulary")
        #: What it can be loaded from again, in another process perhaps.
        self._loaded_from: Optional[str] = None
        if isinstance(source, Vocabulary):
            self._native, self._loaded_from = source._native, source._loaded_from
        elif isinstance(source, _lib.Vocabulary):
            self._native = source
        elif isinstance(source, (str, os.PathLike)):
            self._loaded_from = _checks.path(source, "the vocabulary")
            self._native = _of_name(self._loaded_from, width, ends)
        elif hasattr(source, "backend_tokenizer"):
            self._native = _of_transformers(source, width, ends)
        elif hasattr(source, "to_str") and hasattr(source, "get_vocab"):
            self._native = _of_json(source.to_str(), width, ends)
        elif hasattr(source, "decode_single_token_bytes"):
            self._native = _of_tiktoken(source, width, ends)
        elif hasattr(source, "sp_model") or hasattr(source, "vocab_file"):
            self._native = _lib.Vocabulary(os.fspath(source.vocab_file), width, ends or _end_of(source))
        else:
            self._native = _of_tokens(name or "tokens", _listed(source), width, ends)
        if self._loaded_from is not None:
            _LOADED.setdefault(self.fingerprint, self._loaded_from)
        _ALIVE[self.fingerprint] = self

    @property
    def name(self) -> str:
        """The name."""
        return self._native.name

    @property
    def width(self) -> int:
        """The number of bits of a mask."""
        return self._native.width

    @property
    def end_tokens(self) -> list[int]:
        """The tokens that end an output."""
        return self._native.end_tokens

    @property
    def special_tokens(self) -> dict[str, int]:
        """The special tokens, by name."""
        return dict(self._native.special_tokens)

    @property
    def fingerprint(self) -> str:
        """The identity of the tokens, in hexadecimal digits: equal vocabularies have equal fingerprints."""
        return self._native.fingerprint

    def token_bytes(self, token: int) -> Optional[bytes]:
        """The bytes of a token; none if it is a special token or no token has the id."""
        token = _checks.integer(token, "the token", least=-_checks.SIZES)
        return self._native.token_bytes(token) if 0 <= token < _checks.IDS else None

    def decode(self, tokens: Iterable[int]) -> bytes:
        """The bytes of a sequence of tokens; special tokens count for nothing."""
        return self._native.decode(_checks.usable_ids(tokens, "the tokens"))

    def tokenize(self, text: Union[str, bytes], *, special_names: bool = False, prompt: bool = False) -> list[int]:
        """The tokens of the text of an output, as the model's own tokenizer cuts it in the middle of a text.

        They spell exactly the text: it is not normalized, and gets no space in front, also where the tokenizer puts one in front of a
        prompt (SentencePiece). So they can be committed one after the other. With ``prompt`` the text starts a prompt instead: the tokens are
        those of the tokenizer itself, with its space and its normalization, but without tokens that frame a prompt (``add_special_tokens=False``).

        With ``special_names``, names of special tokens in the text stand for those tokens; otherwise they are text (in prompts: those that the
        tokenizer's file calls special). Bytes that are no UTF-8 are cut into the fewest tokens, as are all texts of a vocabulary whose tokenizer
        is not known, such as a list of tokens.
        """
        data = _checks.data(text, "the text")
        special_names, prompt = _checks.flag(special_names, "special_names"), _checks.flag(prompt, "prompt")
        try:
            return self._native.tokenize(data, special_names, prompt)
        except NotFoundError as error:
            if not prompt:
                raise
            advice = "cut prompts with the tokenizer that the vocabulary was made of, or load the vocabulary from its file"
            raise RefusedError(f"the tokenizer of the vocabulary cannot be read any more: {advice} ({error})") from None

    def __copy__(self) -> Vocabulary:
        return self

    def __deepcopy__(self, memo: Any) -> Vocabulary:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        native = self._native
        parts = (
            native.name,
            [(token, data) for token in range(native.width) if (data := native.token_bytes(token)) is not None],
            [(token, text) for text, token in native.special_tokens],
            native.end_tokens,
            native.width,
        )
        return _unpickle, (self._loaded_from, native.fingerprint, parts)

    def _named(self) -> Union[Vocabulary, _Named]:
        """What stands for it in the pickle of an artifact: where it can be loaded from, or itself if that is not known."""
        loaded_from = self._loaded_from or _LOADED.get(self.fingerprint)
        return self if loaded_from is None else _Named(loaded_from, self.fingerprint, self.name, self.width, tuple(self.end_tokens))

    def __len__(self) -> int:
        return self.width

    def __repr__(self) -> str:
        return repr(self._native)


class _Named(NamedTuple):
    """A vocabulary without its tokens."""

    loaded_from: str
    fingerprint: str
    name: str
    width: int
    end_tokens: tuple[int, ...]

    def found(self) -> Vocabulary:
        """A vocabulary of this process with the same tokens, or what is loaded from the same place, if it has the same tokens."""
        alive = _ALIVE.get(self.fingerprint)
        if alive is not None:
            return alive
        advice = "load the vocabulary before the artifact is unpickled"
        try:
            found = Vocabulary(self.loaded_from, width=self.width, end_tokens=self.end_tokens)
        except Error as error:
            raise NotFoundError(f"the vocabulary `{self.name}` of the pickled artifact is not in use here, and cannot be loaded: {error}; {advice}") from None
        if found.fingerprint != self.fingerprint:
            raise NotFoundError(f"`{self.loaded_from}` is another vocabulary than that of the pickled artifact, which is not in use here; {advice}")
        return found


def _unpickle(loaded_from: Optional[str], fingerprint: str, parts: tuple[Any, ...]) -> Vocabulary:
    """The vocabulary that was pickled: what it was loaded from, if that is there and the same, or else its tokens."""
    name, _, _, ends, width = parts
    if loaded_from is not None:
        try:
            found = Vocabulary(loaded_from, width=width, end_tokens=ends)
        except Error:
            pass
        else:
            if found.fingerprint == fingerprint and found.name == name:
                return found
    return Vocabulary(_lib.Vocabulary.from_parts(*parts))


_FORMS = (
    "a name, a path, a tokenizer of transformers or tokenizers, an encoding of tiktoken, "
    "a list of the bytes of every token, or a mapping from ids to bytes"
)


def _listed(source: Any) -> dict[int, Any]:
    """Tokens by id, of a list or of a mapping."""
    if isinstance(source, Mapping):
        if source and all(isinstance(key, (str, bytes)) for key in source):
            advice = "give the tokenizer itself: get_vocab() has tokens in the letters of the tokenizer, not their bytes"
            raise _checks.wrong("the vocabulary", source, "a mapping from ids to bytes, not from texts to ids", advice)
        return {_checks.integer(key, "the id of a token", below=_checks.IDS): token for key, token in source.items()}
    advice = "it has the bytes of one text, not of each token" if isinstance(source, (bytes, bytearray)) else ""
    return dict(enumerate(_checks.each(source, "the vocabulary", _FORMS, advice)))


def _end_of(tokenizer: Any) -> list[str]:
    end = getattr(tokenizer, "eos_token_id", None)
    return [] if end is None else [str(end)]


def _of_name(name: str, width: Optional[int], ends: list[str]) -> _lib.Vocabulary:
    try:
        return _lib.Vocabulary(name, width, ends)
    except NotFoundError as error:
        advice = "nothing is loaded from a hub here: give the tokenizer itself, such as AutoTokenizer.from_pretrained(...) of transformers"
        raise NotFoundError(f"{error}\n  = help: {advice}") from None


def _of_transformers(tokenizer: Any, width: Optional[int], ends: list[str]) -> _lib.Vocabulary:
    name = os.path.basename(os.fspath(getattr(tokenizer, "name_or_path", "") or "").rstrip("/"))
    return _of_json(tokenizer.backend_tokenizer.to_str(), width, ends or _end_of(tokenizer), name or "tokenizer")


def _of_json(text: str, width: Optional[int], ends: list[str], name: str = "tokenizer") -> _lib.Vocabulary:
    """The vocabulary of a ``tokenizer.json`` as text. Its name is that of the folder around the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name, "tokenizer.json")
        os.mkdir(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        vocabulary = _lib.Vocabulary(path, width, ends)
        # The tokenizer is read when it is first used, and the file is gone by then.
        vocabulary.tokenize(b"a", False)
        return vocabulary


def _of_tiktoken(encoding: Any, width: Optional[int], ends: list[str]) -> _lib.Vocabulary:
    specials = dict(encoding._special_tokens)
    tokens = {}
    for token in range(encoding.n_vocab):
        if token not in specials.values():
            try:
                tokens[token] = encoding.decode_single_token_bytes(token)
            except KeyError:
                pass
    named = [(token, text) for text, token in specials.items()]
    end_ids = [_id_of(end, specials) for end in ends or ["<|endoftext|>"]]
    return _lib.Vocabulary.from_parts(encoding.name, list(tokens.items()), named, end_ids, width or encoding.n_vocab)


def _id_of(end: str, specials: Mapping[str, int]) -> int:
    """The id of an end token of an encoding of tiktoken, which is given by its id or its name."""
    if end in specials:
        return specials[end]
    if end.isascii() and end.isdigit():
        return int(end)
    known = ", ".join(sorted(specials)) or "none"
    raise RefusedError(f"the encoding has no special token {end}: give end_tokens; its special tokens are {known}")


def _of_tokens(
    name: str, tokens: Mapping[int, Any], width: Optional[int], ends: list[str]
) -> _lib.Vocabulary:
    """A vocabulary of given tokens. If none of them is said to end the output, one more token, ``<end>``, does."""
    texts = {token: _checks.data(text, f"token {token} of the vocabulary") for token, text in tokens.items()}
    specials: list[tuple[int, str]] = []
    end_ids: list[int] = []
    for end in ends:
        if not (end.isascii() and end.isdigit()):
            raise RefusedError(f"the end token {end!r} is not the id of a token")
        if int(end) >= _checks.IDS:
            raise RefusedError(f"the end token {end} is no id of a token")
        end_ids.append(int(end))
        text = texts.pop(int(end), b"<end>")
        specials.append((int(end), text.decode("utf-8", "replace")))
    least = max([*texts, *end_ids], default=-1) + 1
    if not end_ids:
        specials, end_ids, least = [(least, "<end>")], [least], least + 1
    width = _checks.integer(max(width or 0, least), "the number of ids", below=_checks.IDS)
    return _lib.Vocabulary.from_parts(name, list(texts.items()), specials, end_ids, width)
