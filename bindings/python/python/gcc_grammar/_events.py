"""Events while an output is written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Union

from . import _checks, _lib
from ._api import Matcher


@dataclass(frozen=True)
class Event:
    """Something that happened to a JSON value.

    ``happened`` is ``"began"``, ``"grew"`` or ``"ended"``. Only strings, numbers and literals grow; an object or array grows by what is in it. A
    number ends when the text goes on behind it, or with :meth:`Events.end`.
    """

    happened: str
    #: The JSON Pointer of the value, such as ``/items/0``.
    pointer: str
    #: Its type in JSON Schema: ``"object"``, ``"array"``, ``"string"``, ``"number"``, ``"boolean"`` or ``"null"``.
    type: str
    #: Its text so far: of strings the characters that are certain, of other values what was written. Empty when a value begins.
    text: str
    #: The number of the value that is not inside another one, from 0, for outputs with several.
    document: int = 0

    @property
    def value(self) -> Any:
        """The value of an ended event; the characters so far of a string that goes on; otherwise ``None``."""
        if self.type == "string":
            return self.text
        return json.loads(self.text) if self.happened == "ended" else None


class Events:
    """A matcher that tells what happens to the JSON values of its output: :meth:`commit` returns the :class:`Event` of each value that began, grew
    or ended. Commit and roll back with this object, and use the matcher for everything else.

    ``start_after`` is a text, such as ``"<tool_call>"``, after each of which a value begins; without it, values begin wherever one can, and the
    output should have no other text.

    >>> import gcc_grammar as gg
    >>> schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    >>> events = Events(gg.compile(schema, [b'{"a":', b'"', b"hel", b"lo", b"}"]).matcher())
    >>> [(e.happened, e.pointer, e.type) for e in events.commit(0)]
    [('began', '', 'object')]
    >>> [(e.happened, e.pointer, e.type) for e in events.commit(1)]
    [('began', '/a', 'string')]
    >>> [(e.happened, e.pointer, e.text) for e in events.commit(2)]
    [('grew', '/a', 'hel')]
    >>> [(e.happened, e.pointer, e.text) for e in events.commit(3)]
    [('grew', '/a', 'hello')]
    >>> events.rollback()
    >>> [(e.happened, e.pointer, e.text) for e in events.commit(1)]
    [('ended', '/a', 'hel')]
    """

    def __init__(self, matcher: Matcher, *, start_after: str = "") -> None:
        if not isinstance(matcher, Matcher):
            raise _checks.wrong("the matcher", matcher, "a Matcher", "an artifact makes one: artifact.matcher()")
        if matcher.committed:
            raise _checks.wrong("the matcher", matcher, "a Matcher at the beginning of an output")
        #: The matcher.
        self.matcher = matcher
        self._native = _lib.Events(_checks.text(start_after, "start_after").encode())

    def commit(self, token: int) -> list[Event]:
        """Commits a token, and returns what happened. Raises :class:`RefusedError` exactly if the mask does not allow it."""
        self.matcher.commit(token)
        return self._read(self.matcher.artifact.vocabulary.token_bytes(token) or b"")

    def commit_text(self, text: Union[str, bytes]) -> list[Event]:
        """Commits a text as if it were one token, and returns what happened."""
        self.matcher.commit_text(text)
        return self._read(_checks.data(text, "the text"))

    def end(self) -> list[Event]:
        """What happens if the output ends here: a number at its end is complete."""
        return [Event(happened, pointer, type, text, document) for happened, document, pointer, type, text in self._native.end()]

    def rollback(self, count: int = 1) -> None:
        """Takes back the last ``count`` commits. The next events are as if these had never been."""
        self.matcher.rollback(count)
        self._native.rollback(count)

    @property
    def text(self) -> bytes:
        """The text so far."""
        return self._native.text

    @property
    def pointer(self) -> Union[str, None]:
        """The JSON Pointer of the value that is being written, or that comes next; ``None`` outside of values."""
        return self._native.pointer

    def _read(self, text: bytes) -> list[Event]:
        return [Event(happened, pointer, type, text, document) for happened, document, pointer, type, text in self._native.commit(text)]

    def __repr__(self) -> str:
        return f"<Events of {self.matcher!r}>"
