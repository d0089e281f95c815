"""Events while an output is written."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Union

from . import _checks, _lib
from ._api import Matcher
from ._errors import RefusedError, WrongTypeError
from ._options import Limits
from ._why import Why

#: The notations whose rules have names.
_WITH_RULES = ("lark", "gbnf", "ebnf", "w3c", "abnf", "antlr", "tree-sitter")


@dataclass(frozen=True)
class Event:
    """Something that happened to a JSON value, or to a rule of a grammar.

    ``happened`` is ``"began"``, ``"grew"`` or ``"ended"``. Only strings, numbers and literals grow, and the innermost rule; an object, an array or another rule
    grows by what is in it. A number ends when the text goes on behind it, or with :meth:`Events.end`.
    """

    happened: str
    #: The JSON Pointer of the value, such as ``/items/0``; empty for a rule.
    pointer: str
    #: Its type in JSON Schema: ``"object"``, ``"array"``, ``"string"``, ``"number"``, ``"boolean"`` or ``"null"``; or ``"rule"``.
    type: str
    #: Its text so far: of strings the characters that are certain, of other values and rules what was written. Empty when it begins.
    text: str
    #: The number of the value that is not inside another one, from 0, for outputs with several.
    document: int = 0
    #: The name of the rule; empty for a value.
    rule: str = ""
    #: Where the rule begins in the text, in bytes; 0 for a value.
    start: int = 0

    @property
    def value(self) -> Any:
        """The value of an ended event; the characters so far of a string that goes on, or the text of a rule; otherwise ``None``."""
        if self.type in ("string", "rule"):
            return self.text
        return json.loads(self.text) if self.happened == "ended" else None


class Events:
    """A matcher that tells what happens to the JSON values of its output, or to the rules of its grammar: :meth:`commit` returns the :class:`Event` of each
    that began, grew or ended. Commit and roll back with this object, and use the matcher for everything else.

    Of grammars it is the rules, of schemas and tools the values; ``rules`` chooses for grammars that write JSON. ``start_after`` is a text, such as
    ``"<tool_call>"``, after each of which a value begins; without it, values begin wherever one can, and the output should have no other text.

    An event of a rule is told as soon as it holds however the text goes on; where a text can be read in several ways, only what they agree on is told. Rules are
    those that are written; one that reads nothing has no events. ``limits`` bound the ``work`` and ``bytes`` of reading the whole output.

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

    Rules of a grammar:

    >>> grammar = gg.Lark('start: pair+\\npair: NAME "=" NAME ";"\\nNAME: /[a-z]+/')
    >>> events = Events(gg.compile(grammar, [b"a", b"b=", b";"]).matcher())
    >>> for token in [0, 1, 0, 2]:
    ...     print([(e.happened, e.rule, e.text) for e in events.commit(token)])
    [('began', 'start', ''), ('began', 'pair', ''), ('grew', 'pair', 'a')]
    [('grew', 'pair', 'ab=')]
    [('grew', 'pair', 'ab=a')]
    [('ended', 'pair', 'ab=a;')]
    >>> [(e.happened, e.rule, e.text) for e in events.end()]
    [('ended', 'start', 'ab=a;')]
    """

    def __init__(
        self,
        matcher: Matcher,
        *,
        start_after: str = "",
        rules: Optional[bool] = None,
        limits: Union[Limits, Mapping[str, int], None] = None,
    ) -> None:
        if not isinstance(matcher, Matcher):
            raise _checks.wrong("the matcher", matcher, "a Matcher", "an artifact makes one: artifact.matcher()")
        if matcher.committed:
            raise RefusedError(f"the matcher has {matcher.committed} commits: give one at the beginning of an output, as artifact.matcher() makes it")
        #: The matcher.
        self.matcher = matcher
        marker = _checks.text(start_after, "start_after")
        of_rules = not marker and matcher.artifact.source.notation in _WITH_RULES if rules is None else _checks.flag(rules, "rules")
        if of_rules and matcher.is_free:
            raise RefusedError("the matcher has free text in front, which no rule reads: give one without start_after, or rules=False for the values behind it")
        bounds = {} if limits is None else _checks.limits(limits, ("work", "bytes"))
        self._reader: Union[_Values, _Rules] = _Rules(matcher, bounds) if of_rules else _Values(matcher, marker)

    def commit(self, token: int) -> list[Event]:
        """Commits a token, and returns what happened. Raises :class:`RefusedError` exactly if the mask does not allow it, and for rules :class:`OverBudgetError`
        beyond a limit; then nothing changes."""
        self.matcher.commit(token)
        try:
            return self._reader.commit(token)
        except Exception:
            self.matcher.rollback(1)
            raise

    def commit_text(self, text: Union[str, bytes]) -> list[Event]:
        """Commits a text as if it were one token, and returns what happened."""
        self.matcher.commit_text(text)
        try:
            return self._reader.commit_text(_checks.data(text, "the text"))
        except Exception:
            self.matcher.rollback(1)
            raise

    def end(self) -> list[Event]:
        """What happens if the output ends here: a number at its end is complete, and the rules of a complete text end."""
        return self._reader.end()

    def rollback(self, count: int = 1) -> None:
        """Takes back the last ``count`` commits. The next events are as if these had never been."""
        self.matcher.rollback(count)
        self._reader.rollback(count)

    def why(self, token: int) -> Why:
        """Why a token may come next, or may not: :meth:`Matcher.why` with the text so far."""
        return self.matcher.why(token, text=self.text)

    @property
    def text(self) -> bytes:
        """The text so far; with events of rules, special tokens are in it by name."""
        return self._reader.text

    @property
    def pointer(self) -> Optional[str]:
        """The JSON Pointer of the value that is being written, or that comes next; ``None`` outside of values."""
        return self._reader.pointer

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError("events are neither copied nor pickled: make Events of a new matcher, and commit the text so far")

    def __repr__(self) -> str:
        return f"<Events of {self.matcher!r}>"


class _Values:
    """Reads the JSON values of an output."""

    def __init__(self, matcher: Matcher, marker: str) -> None:
        self._vocabulary = matcher.artifact.vocabulary
        self._native = _lib.Events(marker.encode())

    def commit(self, token: int) -> list[Event]:
        return self.commit_text(self._vocabulary.token_bytes(token) or b"")

    def commit_text(self, text: bytes) -> list[Event]:
        return [Event(*told) for told in map(_reordered, self._native.commit(text))]

    def end(self) -> list[Event]:
        return [Event(*told) for told in map(_reordered, self._native.end())]

    def rollback(self, count: int) -> None:
        self._native.rollback(count)

    @property
    def text(self) -> bytes:
        return self._native.text

    @property
    def pointer(self) -> Optional[str]:
        return self._native.pointer


def _reordered(told: tuple[str, int, str, str, str]) -> tuple[str, str, str, str, int]:
    happened, document, pointer, type, text = told
    return happened, pointer, type, text, document


class _Rules:
    """Reads an output by the rules of its grammar."""

    pointer = None

    def __init__(self, matcher: Matcher, limits: Mapping[str, int]) -> None:
        self._native = _lib.RuleEvents(matcher.artifact._native, limits.get("work"), limits.get("bytes"))

    def commit(self, token: int) -> list[Event]:
        return [_of_rule(*told) for told in self._native.commit(token)]

    def commit_text(self, text: bytes) -> list[Event]:
        return [_of_rule(*told) for told in self._native.commit_bytes(text)]

    def end(self) -> list[Event]:
        return [_of_rule(*told) for told in self._native.end()]

    def rollback(self, count: int) -> None:
        self._native.rollback(count)

    @property
    def text(self) -> bytes:
        return self._native.text


def _of_rule(happened: str, rule: str, start: int, text: bytes) -> Event:
    # A character that is not complete yet is left out.
    characters = codecs.getincrementaldecoder("utf-8")("replace").decode(text, happened == "ended")
    return Event(happened, "", "rule", characters, rule=rule, start=start)
