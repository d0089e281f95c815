"""Tells whether gcc parses each file named on the standard input as C17, and why not. What is about names, types and values does not
count: gcc goes on after such errors. Headers that are missing are taken as empty.

Whether a name is a type or a variable decides how a text is read, and a text need not declare its names. So a text is parsed if it is
after some declarations. They are searched: those of the names near the first error are tried, and the one that helps most is taken.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Set
from typing import NamedTuple

NAMES_AND_TYPES = re.compile(
    r"undeclared|unknown type name|no such parameter|redeclar|redefin|conflicting|"
    r"not computable|not constant|not an integer constant|does not reduce|"
    r"not a (structure|function)|non-integer type|not (an integer|of integer type)|non-array|wrong type argument|has no member|incomplete type|storage size|size of array|extra brace group|field name not in|invalid (type argument|operands|use of|initializer)|"
    r"incompatible|lvalue|label ‘.*’|duplicate")
NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
TOKEN = re.compile(NAME + rb"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|/\*.*?\*/|//[^\n]*|\S", re.DOTALL)
# After a line break, which may be a single carriage return.
LINE_END = re.compile(rb"(?<=\n)|(?<=\r)(?!\n)")
# How many tokens may lie between the name of a type and the place where gcc notices that it does not know it.
NEAR = 40


class Error(NamedTuple):
    """An error that counts. The position is in bytes."""
    line: int
    column: int
    message: str


def messages(text: bytes, declarations: Set[bytes]) -> Iterator[tuple[Error, bool]]:
    """The errors of gcc, and whether they end the compilation."""
    with tempfile.NamedTemporaryFile(suffix=".h") as header:
        header.write(b"#include <inttypes.h>\n#include <stdarg.h>\n#include <stddef.h>\n")
        header.write(b"".join(declarations))
        header.flush()
        run = subprocess.run(["gcc", "-std=c17", "-fsyntax-only", "-w", "-fdiagnostics-column-unit=byte", "-include", header.name, "-x", "c", "-"],
                             input=text, capture_output=True)
    for match in re.finditer(r"^<stdin>:(\d+):(?:(\d+):)? (fatal )?error: (.*)", run.stderr.decode(errors="replace"), re.MULTILINE):
        yield Error(int(match[1]), int(match[2] or 0), match[4]), match[3] is not None


def without_missing_header(text: bytes, line: int) -> bytes:
    """The text without the header that this line names."""
    lines = LINE_END.split(text)
    lines[line - 1] = re.sub(rb"#[ \t]*include[ \t]*(<[^>]*>|\"[^\"]*\")", b"", lines[line - 1])
    return b"".join(lines)


def first_error(text: bytes, declarations: Set[bytes]) -> Error | None:
    """The first error that counts, if there is one."""
    while True:
        for error, fatal in messages(text, declarations):
            if fatal and "#include" not in error.message:
                shorter = without_missing_header(text, error.line)
                if shorter == text:
                    return error
                text = shorter
                break
            if not NAMES_AND_TYPES.search(error.message) and not error.message.startswith("#error"):
                return error
        else:
            return None


def near(text: bytes, error: Error) -> set[bytes]:
    """The names near an error."""
    offset = sum(map(len, LINE_END.split(text)[:error.line - 1])) + error.column
    tokens = [match[0] for match in TOKEN.finditer(text) if match.start() < offset and not match[0].startswith((b"/*", b"//"))]
    return {token for token in tokens[-NEAR:] if re.match(NAME, token)}


def possible(names: set[bytes]) -> set[bytes]:
    """The declarations of these names."""
    return {declaration % name for name in names for declaration in (b"typedef int %s;\n", b"int %s;\n")}


def verdict(text: bytes) -> str:
    """`ok`, or the first error after the best declarations that were found."""
    declared: set[bytes] = set()
    declarations: frozenset[bytes] = frozenset()
    error = first_error(text, declarations)
    while error is not None:
        names = near(text, error) - declared
        tries = [(declarations | {tried}, first_error(text, declarations | {tried})) for tried in sorted(possible(names))]
        better = [(tried, then) for tried, then in tries if then is None or then[:2] > error[:2]]
        if not better:
            return f"error: {error.message}"
        declarations, error = max(better, key=lambda each: (each[1] is None, each[1]))
        declared = {name for name in declared | names if possible({name}) & declarations}
    return "ok"


def main() -> None:
    for line in sys.stdin:
        with open(line.strip(), "rb") as file:
            print(verdict(file.read()), flush=True)


if __name__ == "__main__":
    main()
