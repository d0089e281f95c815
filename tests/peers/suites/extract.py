"""Reads what the tests of peers assert from their sources: extract.py SUITE SOURCES > CASES

`SUITE` is llama.cpp, outlines-core or regex. The lines are those of record.py. Only literals of C++, Rust and TOML are read; a test whose
arguments are computed is left out.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, Iterator, Union

#: A string, a list of values, or None for what is no literal.
Value = Union[str, list, None]

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | R"(?P<cpp>[^(\s]*)\((?P<cpp_text>.*?)\)(?P=cpp)"
      | b?r(?P<rust>\#*)"(?P<rust_text>.*?)"(?P=rust)
      | "(?P<plain>(?:[^"\\]|\\.)*)"
      | '(?:[^'\\\n]|\\.)'
      | (?P<word>[\w.:!]+|->)
      | (?P<mark>.)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """The tokens of a source as kinds and texts; strings without their quotes."""
    for match in _TOKEN.finditer(text):
        if match["space"] is not None:
            continue
        for group in ("cpp_text", "rust_text"):
            if match[group] is not None:
                yield "text", match[group]
        if match["plain"] is not None:
            yield "text", _unescaped(match["plain"])
        elif match["word"] is not None or match["mark"] is not None:
            yield "other", match[0]


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] in "xuU":
            return chr(int(re.sub(r"\W", "", escape[1:]), 16))
        return "" if escape[0] == "\n" else _ESCAPES.get(escape, escape)

    plain = re.sub(r"\\(u\{\w+\}|x\w\w|u\w{4}|U\w{8}|\n\s*|.)", character, text, flags=re.DOTALL)
    return re.sub(r"[\x80-\xff]+", lambda match: match[0].encode("latin-1").decode("utf-8", "replace"), plain)


class Reader:
    """Reads arguments: strings, lists of strings in any brackets, and other things, which are None."""

    def __init__(self, source: list[tuple[str, str]], at: int) -> None:
        self.source, self.at = source, at

    def arguments(self) -> list[Value]:
        """The values up to the bracket that closes; the reader stands behind the one that opens."""
        values: list[Value] = []
        parts: list[Value] = []
        while self.at < len(self.source):
            kind, text = self.source[self.at]
            self.at += 1
            if kind == "other" and text in ",)]};":
                if parts:
                    values.append(_joined(parts))
                parts = []
                if text != ",":
                    return values
            elif kind == "other" and text in "([{":
                parts.append(self.arguments())
            elif kind == "text":
                parts.append(text)
            elif text not in ("&", "vec!", "vec", "!"):
                parts.append(None)
        return values


def _joined(parts: list[Value]) -> Value:
    if all(isinstance(part, str) for part in parts):
        return "".join(part for part in parts if isinstance(part, str))
    return parts[0] if len(parts) == 1 else None


def calls(path: Path, name: str) -> Iterator[list[Value]]:
    """The arguments of every call of a function, or with an empty name every parenthesis."""
    source = list(tokens(path.read_text(encoding="utf-8")))
    for at, (kind, text) in enumerate(source):
        if kind == "other" and text in "({" and (name == "" or at > 0 and source[at - 1] == ("other", name)):
            yield Reader(source, at + 1).arguments()


def case(where: str, notation: str, grammar: str, verdict: str, text: Any = None, **more: Any) -> None:
    found = {"where": where, "notation": notation, "grammar": grammar, "verdict": verdict, **more}
    if text is not None:
        found["text"] = text
    print(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace").decode())


def judged(where: str, notation: str, grammar: str, good: Value, bad: Value) -> None:
    case(where, notation, grammar, "compiles")
    for verdict, texts in (("accept", good), ("incomplete", bad)):
        for text in texts if isinstance(texts, list) else []:
            if isinstance(text, str):
                case(where, notation, grammar, verdict, text)


def llama_cpp(sources: Path) -> None:
    for file, grammars in (("test-grammar-integration.cpp", "gbnf"), ("test-grammar-llguidance.cpp", "lark-llguidance")):
        path = sources / "tests" / file
        for name, notation in (("test_grammar", grammars), ("test_schema", "json-schema")):
            for values in calls(path, name):
                if len(values) >= 4 and isinstance(values[1], str):
                    judged(file, notation, values[1], values[2], values[3])
    path = sources / "tests" / "test-grammar-integration.cpp"
    for values in calls(path, "test_build_grammar_fails"):
        if values and isinstance(values[0], str):
            case(path.name, "gbnf", values[0], "refused")
    for name, verdict in (("verify_parsing", "compiles"), ("verify_failure", "refused")):
        for values in calls(sources / "tests" / "test-grammar-parser.cpp", name):
            if values and isinstance(values[0], str):
                case("test-grammar-parser.cpp", "gbnf", values[0], verdict)
    for values in calls(sources / "tests" / "test-json-schema-to-grammar.cpp", "test"):
        fields = values[0] if values and isinstance(values[0], list) else []
        if len(fields) == 4 and all(isinstance(field, str) for field in fields[1:]) and fields[3]:
            case("test-json-schema-to-grammar.cpp", "gbnf", fields[3], "compiles")
            case("test-json-schema-to-grammar.cpp", "json-schema", fields[2], "compiles")
    for path in sorted((sources / "grammars").glob("*.gbnf")):
        case(path.name, "gbnf", path.read_text(encoding="utf-8"), "compiles")


def outlines_core(sources: Path) -> None:
    """Tuples of a schema, its pattern, texts that match and texts that do not."""
    for values in calls(sources / "src" / "json_schema" / "mod.rs", ""):
        if len(values) == 4 and isinstance(values[0], str) and isinstance(values[2], list) and isinstance(values[3], list):
            judged("mod.rs", "json-schema-outlines", values[0], values[2], values[3])
            if isinstance(values[1], str):
                judged("mod.rs", "regex", values[1], values[2], values[3])


def regex(sources: Path) -> None:
    """Patterns and texts; the crate itself judges whether the pattern matches the whole text."""
    for path in sorted((sources / "testdata").rglob("*.toml")):
        for test in tomllib.loads(path.read_text(encoding="utf-8")).get("test", []):
            pattern, text = test["regex"], test["haystack"]
            if isinstance(pattern, str) and not test.get("bounds"):
                options = {key: test[key] for key in ("case-insensitive", "unicode", "utf8", "line-terminator", "unescape") if key in test}
                case(f"{path.stem}/{test['name']}", "regex", pattern, "compiles" if test.get("compiles", True) else "refused", text, options=options)


if __name__ == "__main__":
    {"llama.cpp": llama_cpp, "outlines-core": outlines_core, "regex": regex}[sys.argv[1]](Path(sys.argv[2]))
