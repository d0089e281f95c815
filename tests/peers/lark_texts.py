"""Compares our verdicts with those of Python's Lark: python tests/peers/lark_texts.py PEER_CASES [COUNT] [FILE ...]

PEER_CASES is the program of `cargo build -p gcc-grammar-tests --bin peer-cases`; COUNT is the number of texts of each grammar. The package `lark` must be
installed. Grammars with Lark's Indenter are read by its parser `lalr`, and grammars without a lexer of longest match by `earley` with
`dynamic_complete`; those with directives, templates and priorities by `earley` with the lexer `basic`. Each FILE is a text in Python, which is read with the grammar `python.lark` that comes with Lark, and so are COUNT changed ones. The exit
status is 1 if a verdict differs.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import lark
from lark.indenter import Indenter, PythonIndenter

#: Grammars with tokens for the indentation, and the letters of their texts.
INDENTED = {
    "tree": (
        r"""
?start: _NL* tree
tree: NAME _NL [_INDENT tree+ _DEDENT]
NAME: /[a-z]/
%declare _INDENT _DEDENT
%ignore / /
_NL: /(\r?\n[\t ]*)+/
""",
        ["a", "b", " "],
    ),
    "statements": (
        r"""
start: (_NEWLINE | statement)*
statement: simple (";" simple)* _NEWLINE | head ":" suite | pair
simple: NAME | call
call: NAME "(" [argument ("," argument)*] ")" | "[" argument* "]"
argument: NAME | call | "{" argument "}"
head: "if" argument
suite: NAME _NEWLINE | _NEWLINE _INDENT statement+ _DEDENT
pair: "do" _NEWLINE _INDENT statement _DEDENT "end" _NEWLINE
NAME: /[a-c]/
COMMENT: /#[a ]*/
_NEWLINE: ( /\r?\n[\t ]*/ | COMMENT )+
%declare _INDENT _DEDENT
%ignore /[\t ]+/
%ignore COMMENT
""",
        ["a", "a", "b:", "if a:", "if(b):", "a(", ")", "[", "]", "a{", "}", ";", ",", "# a", "do", "end", " ", "a(b)"],
    ),
    "optional parts": (
        r"""
start: item*
item: NAME opt _NL? _block? | _NL
opt: "?"?
_block: _INDENT item* _DEDENT tail?
tail: "!" _NL
NAME: /[a-b]/
_NL: /(\n[\t ]*)+/
%declare _INDENT _DEDENT
""",
        ["a", "b", "?", "!", "a?"],
    ),
}

#: Grammars for any split.
SPLIT = {
    "letters": ("start: A B\nA: /ab*/\nB: /bc?/\n", "abc"),
    "words": ('start: (WORD | NUMBER)+ "end"\nWORD: /[a-z]+/\nNUMBER: /[0-9]+e?/\n%ignore " "\n', ["e", "n", "d", "1", " ", "end"]),
    "keywords": ('start: "if" NAME "then" NAME\nNAME: /[a-z]+/\n%ignore / +/\n', ["if", "then", "a", " ", "i", "f"]),
    "recursive": ("start: s\ns: s s | A | B\nA: /a+b?/\nB: /bca*/\n", "abc"),
}

#: A file that the grammars below import from.
BASE = """
list: item (SEP item)*
item: NAME | NUMBER | "(" list ")"
pair{a, b}: a "=" b | "<" pair{b, a} ">"
SEP: ","
NAME: /[a-c]+/
NUMBER: /[0-1]+/
SPACE: " "
%ignore SPACE
"""

#: Grammars with directives, templates and priorities, and the letters of their texts.
COMPOSED = {
    "override": ('start: list\n%import .base (list, SEP)\n%override SEP: ";"\n', ["a", "0", ",", ";", "(", ")", " "]),
    "override a rule": ('start: list SEP\n%import .base (list, item, SEP)\n%override item: "x" | "[" item "]"\n', ["x", "[", "]", ",", "a"]),
    "extend": ('start: list\n%import .base (list, item, SEP)\n%extend SEP: "xor" | "&"\n%extend item: "[" list "]"\n', ["a", "1", ",", "&", "xor", "[", "]", "("]),
    "templates": (
        'start: many{pair{NAME, NUMBER}, ";"} | many{NUMBER, "-"}\nmany{x, sep}: x (sep x)* sep?\n%import .base (pair, NAME, NUMBER)\n',
        ["a", "0", "=", "<", ">", ";", "-", "a=0", "<0=a>"],
    ),
    "templates of templates": ('start: twice{other}\nother: one{"a"} | one{B}\none{x}: x | "(" one{x} ")"\ntwice{x}: x "," x\nB: "b"\n', ["a", "b", ",", "(", ")", "(a)"]),
    "priorities": ('start: "x" KEY | "y" NAME | "z" (KEY | NAME)\nKEY.2: /[ab]+/\nNAME: /[a-c]+/\n', ["x", "y", "z", "a", "b"]),
    "priorities of rules": ('start: a | b\na.2: X Y?\nb.1: X* "z"?\nX: "x"\nY: "y"\n', ["x", "y", "z"]),
    "imported priorities": ('start: (A | OTHER)+\nA: "a"\nOTHER.3: /[ab]/\n%ignore A\n', ["a", "b", "c"]),
}


class Letters(Indenter):
    """The Indenter of a grammar for letters."""

    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 2

    def __init__(self, newline: str) -> None:
        self.newline = newline
        super().__init__()

    @property
    def NL_type(self) -> str:
        return self.newline


def lines(chance: random.Random, letters: list[str]) -> str:
    """Some lines, indented at random, most of them as in blocks."""
    column, text = 0, chance.choice(["", "", "\n", " "])
    for _ in range(chance.randint(1, 7)):
        column = max(0, column + chance.choice([0, 0, 1, 2, -1, -2, -2, -4]))
        tabs = chance.randint(0, column // 2) if chance.random() < 0.2 else 0
        line = "".join(chance.choice(letters) for _ in range(chance.choice([0, 1, 1, 1, 2, 3])))
        text += "\t" * tabs + " " * (column - 2 * tabs) + line + chance.choice(["\n", "\n", "\n", "\n\n", "\r\n"])
    return text[:-1] if chance.random() < 0.3 else text


def generated(chance: random.Random, depth: int = 0) -> str:
    """Statements of the grammar of that name."""
    pad = "\n" + "  " * depth
    kind = chance.randrange(6 if depth < 3 else 3)
    if kind < 3:
        return chance.choice(["a", "a;b", "a(b,\n c)", "[\n]", "a # a", "b\n"])
    block = "".join(pad + "  " + generated(chance, depth + 1) for _ in range(chance.randint(1, 3)))
    return f"if a:{block}" if kind < 5 else f"do{pad}  {generated(chance, depth + 1)}{pad}end"


def changed(text: str, chance: random.Random) -> str:
    """The text with a change at one place."""
    if not text:
        return "\n"
    at = chance.randrange(len(text))
    kind = chance.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + chance.choice(["\n", "    ", "\t", "(", ")", ":", "x", "\n    ", "'", "#", " if ", ","]) + text[at:]
    line = text.rfind("\n", 0, at) + 1
    return text[:line] + ("    " + text[line:] if kind == 2 else text[line:].lstrip(" "))


def accepts(parse, text: str) -> bool:
    try:
        parse(text)
    except (lark.exceptions.LarkError, AssertionError, IndexError):
        return False
    return True


def cases(count: int, files: list[str], folder: Path):
    """The grammar, the options, the text and Lark's verdict."""
    for name, (grammar, letters) in INDENTED.items():
        newline = "_NEWLINE" if "_NEWLINE:" in grammar else "_NL"
        parser = lark.Lark(grammar, parser="lalr", postlex=Letters(newline))
        chance = random.Random(name)
        for index in range(count):
            text = lines(chance, letters)
            if name == "statements" and index % 2:
                text = "\n".join(generated(chance) for _ in range(chance.randint(1, 3))) + "\n"
                text = text if index % 4 == 1 else changed(text, chance)
            yield name, grammar, {"indenter": "tab_len=2,unit=1,levels=14"}, text, accepts(parser.parse, text)
    for name, (grammar, letters) in SPLIT.items():
        parser = lark.Lark(grammar, parser="earley", lexer="dynamic_complete")
        chance = random.Random(name)
        for _ in range(count):
            text = "".join(chance.choice(letters) for _ in range(chance.randint(1, 8)))
            yield name, grammar, {"lexer": "dynamic"}, text, accepts(parser.parse, text)
    yield from composed_cases(count, folder)
    if files:
        grammar = (Path(lark.__file__).parent / "grammars" / "python.lark").read_text()
        parser = lark.Lark(grammar, parser="lalr", postlex=PythonIndenter(), start="file_input")
        options = {"start": "file_input", "indenter": "unit=4,levels=12"}
        chance = random.Random("python")
        texts = [Path(file).read_text() + "\n" for file in files]
        for text in texts + [changed(chance.choice(texts), chance) for _ in range(count)]:
            yield "python", grammar, options, text, accepts(parser.parse, text)


def composed_cases(count: int, folder: Path):
    """The cases of grammars that import from a file in the folder. Every second text is made of one that Lark accepted."""
    (folder / "base.lark").write_text(BASE)
    for name, (grammar, letters) in COMPOSED.items():
        path = folder / f"{name}.lark"
        path.write_text(grammar)
        parser = lark.Lark.open(str(path), parser="earley", lexer="basic")
        chance = random.Random(name)
        known: list[list[str]] = []
        for index in range(count):
            parts = [chance.choice(letters) for _ in range(chance.randint(1, 5))]
            if known and index % 2:
                parts = list(chance.choice(known))
                at = chance.randint(0, len(parts))
                parts[at : at + chance.randint(0, 1)] = [chance.choice(letters) for _ in range(chance.randint(0, 3))]
            text = "".join(parts)
            accepted = accepts(parser.parse, text)
            if accepted and len(parts) < 20:
                known.append(parts)
            yield name, grammar, {"lexer": "basic", "path": str(path)}, text, accepted


def main() -> int:
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    table: dict[str, dict[str, int]] = {}
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for name, grammar, options, text, accepted in cases(count, sys.argv[3:], Path(folder)):
            verdict = "accept" if accepted else "reject"
            case = {"where": name, "notation": "lark", "grammar": grammar, "options": options, "text": text, "verdict": verdict}
            file.write(json.dumps(case) + "\n")
        file.flush()
        out = subprocess.run([program, file.name], capture_output=True, text=True, check=True).stdout
    wrong = 0
    for line in filter(None, out.split("\n")):
        case = json.loads(line)
        ours = "reject" if case["ours"] == "prefix" else case["ours"]
        row = table.setdefault(case["where"], {"accept": 0, "reject": 0, "wrong": 0})
        row[case["verdict"]] += 1
        if ours != case["verdict"]:
            row["wrong"] += 1
            wrong += 1
            if wrong <= 20:
                print(f"{case['where']}: Lark: {case['verdict']}, ours: {ours} {case.get('error', '')}: {case['text'][:300]!r}")
    print("| grammar | accepted by Lark | refused | differ |\n|---|---|---|---|")
    for name, row in table.items():
        print(f"| {name} | {row['accept']} | {row['reject']} | {row['wrong']} |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
