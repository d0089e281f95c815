"""Arguments of the wrong kind: errors of this package that say what is expected, and what to do."""

from __future__ import annotations

import json
import operator
import os
from typing import Any, Callable, Mapping, Optional, Sequence

from ._errors import NotFoundError, RefusedError, WrongTypeError

#: Ids of tokens are below this number, as are budgets and the widths of masks.
IDS = 1 << 32
#: Sizes, counts of bytes and of work are below this number.
SIZES = 1 << 63
#: More threads are never started, on any machine.
MOST_THREADS = 1 << 16


def wrong(name: str, value: Any, expected: str, advice: str = "") -> WrongTypeError:
    """The error for an argument of the wrong type."""
    kind = "None" if value is None else f"of the type {type(value).__name__}"
    return WrongTypeError(f"{name} is {kind}: give {expected}" + (f"; {advice}" if advice else ""))


def integer(value: Any, name: str, *, least: int = 0, below: int = SIZES) -> int:
    """An integer within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong(name, value, "an integer") from None
    if not least <= number < below:
        raise RefusedError(f"{name} is {number}: give an integer from {least} to {below - 1}")
    return number


def optional(value: Any, name: str, *, least: int = 0, below: int = SIZES) -> Optional[int]:
    """An integer within bounds, or none."""
    return None if value is None else integer(value, name, least=least, below=below)


def size(value: Any, name: str) -> int:
    """A number that is a bound, of which those that are greater than any size mean the same."""
    return min(integer(value, name, below=1 << 128), SIZES - 1)


def number(value: Any, name: str, expected: str, is_right: Callable[[float], bool]) -> float:
    """A real number with a property."""
    try:
        real = float(value)
    except (TypeError, ValueError):
        raise wrong(name, value, expected) from None
    if isinstance(value, str):
        raise wrong(name, value, expected)
    if not is_right(real):
        raise RefusedError(f"{name} is {real}: give {expected}")
    return real


def data(value: Any, name: str) -> bytes:
    """The bytes of a text, or of an object that has bytes."""
    if isinstance(value, str):
        try:
            return value.encode()
        except UnicodeEncodeError as error:
            raise RefusedError(f"{name} has half of a surrogate pair at character {error.start}: give a text that can be UTF-8") from None
    return content(value, name, "a text or bytes")


def content(value: Any, name: str, expected: str = "bytes") -> bytes:
    """The bytes of an object that has bytes."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise wrong(name, value, expected)


def text(value: Any, name: str, advice: str = "") -> str:
    """A text, which can be UTF-8."""
    if isinstance(value, str):
        data(value, name)
        return value
    raise wrong(name, value, "a text", advice or ("decode the bytes" if isinstance(value, (bytes, bytearray)) else ""))


def flag(value: Any, name: str) -> bool:
    """True or false. What other values say is not guessed: the text "false" is true to Python."""
    if isinstance(value, bool) or type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise wrong(name, value, "True or False")


def each(value: Any, name: str, expected: str, advice: str = "") -> list[Any]:
    """The members of a list or of another iterable, which a text, bytes and a mapping are not."""
    if isinstance(value, (str, bytes, bytearray, dict)):
        raise wrong(name, value, expected, advice)
    try:
        return list(value)
    except (TypeError, ValueError):
        raise wrong(name, value, expected, advice) from None


def texts(value: Any, name: str) -> list[str]:
    """A list of texts. A single text is an error: it would be taken for the list of its characters."""
    advice = f"for a single one, give [{value!r:.40}]" if isinstance(value, str) else ""
    found = each(value, name, "a list of texts", advice)
    return [text(member, f"{name}[{place}]") for place, member in enumerate(found)]


def ids(value: Any, name: str) -> list[int]:
    """A list of ids of tokens."""
    advice = "Vocabulary.tokenize makes tokens of a text" if isinstance(value, (str, bytes)) else ""
    found = each(value, name, "a list of the ids of tokens", advice)
    for place, token in enumerate(found):
        try:
            found[place] = operator.index(token)
        except TypeError:
            raise wrong(f"{name}[{place}]", token, "the id of a token, an integer") from None
    return found


def usable_ids(value: Any, name: str) -> list[int]:
    """A list of ids that tokens can have."""
    found = ids(value, name)
    for place, token in enumerate(found):
        if not 0 <= token < IDS:
            raise RefusedError(f"{name}[{place}] is {token}, which is no id of a token")
    return found


def path(value: Any, name: str) -> str:
    """The path of a file or folder."""
    try:
        found = os.fsdecode(os.fspath(value))
    except TypeError:
        raise wrong(name, value, "a path: a text or an object of pathlib") from None
    if "\0" in found:
        raise NotFoundError(f"{name} has a null character, which no name of a file has")
    return text(found, name)


def paths(value: Any, name: str) -> list[str]:
    """A list of paths. A single one is an error."""
    if isinstance(value, (str, os.PathLike)):
        raise wrong(name, value, "a list of paths", f"for a single one, give [{os.fspath(value)!r:.60}]")
    return [path(member, f"{name}[{place}]") for place, member in enumerate(each(value, name, "a list of paths"))]


def limits(value: Any, known: Sequence[str] = ()) -> dict[str, int]:
    """Limits by name. With ``known``, there are no others."""
    if not isinstance(value, Mapping):
        raise wrong("limits", value, 'a mapping from names to numbers, such as {"work": 1_000_000}')
    for name in value:
        if text(name, "the name of a limit") not in (known or value):
            raise RefusedError(f"there is no limit {name!r} here: give {' or '.join(known)}")
    return {name: size(limit, f"limits[{name!r}]") for name, limit in value.items()}


def to_json(value: Any, name: str) -> str:
    """A value as JSON."""
    try:
        return json.dumps(value)
    except TypeError as error:
        raise WrongTypeError(f"{name} cannot be written as JSON: {error}") from None
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{name} cannot be written as JSON: {error}") from None


def token(value: Any) -> WrongTypeError:
    """The error for what is no id of a token."""
    advice = "commit_text commits a text, and Vocabulary.tokenize makes tokens of it" if isinstance(value, (str, bytes)) else ""
    return wrong("the token", value, "the id of a token, an integer", advice)


def instances(value: Any, name: str, kind: type) -> list[Any]:
    """A list of instances of a class of this package."""
    expected = f"a list of instances of {kind.__name__}"
    members = each(value, name, expected, "for a single one, give a list with it" if isinstance(value, kind) else "")
    for place, member in enumerate(members):
        if not isinstance(member, kind):
            raise wrong(f"{name}[{place}]", member, f"an instance of {kind.__name__}")
    return members
