"""Compares our verdicts on texts with those of ABNF's, ANTLR's and tree-sitter's own tools.

    python tests/peers/notations.py PEER_CASES FILE ... [--count 20] [--antlr JAR] [--json FILE]

PEER_CASES is the program of `cargo build -p gcc-grammar-tests --bin peer-cases`. FILEs are grammars: `NAME.abnf` are judged by the package `abnf`, `NAME.g4` by the interpreter of ANTLR's JAR (with
Java), and `tree-sitter-NAME.json` by the package of that language. For each grammar, COUNT texts are generated from our artifact, and each is changed at one place. Texts are short. The exit status is 1 if a
verdict differs: ANTLR's interpreter ignores predicates and actions, as we do, but also commands that its tool writes as code, as `-> Channel(X)`.
"""

import argparse
import base64
import importlib
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NOTATIONS = {".abnf": "abnf", ".g4": "antlr", ".json": "tree-sitter"}
HERE = Path(__file__).parent
#: Definitions of core rules.
CORE = re.compile(r"^\s*(ALPHA|BIT|CHAR|CR|CRLF|CTL|DIGIT|DQUOTE|HEXDIG|HTAB|LF|LWSP|OCTET|SP|VCHAR|WSP)\s*=", re.M | re.I)


def changed(text: str, chance: random.Random) -> str:
    """The text with a change at one place."""
    if not text:
        return "x"
    at = chance.randrange(len(text))
    kind = chance.randrange(3)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    other = chance.choice([*"aZ0_ ;()[]{}.,=+-\"'\n<>/", chance.choice(text)])
    return text[:at] + other + text[at + (kind == 1) :]


def abnf_verdicts(path: Path, texts: list[str]) -> list[str]:
    """The verdicts of the package `abnf`."""
    import abnf

    class Rules(abnf.Rule):
        pass

    source = path.read_text().replace("\r\n", "\n").replace("\n", "\r\n")
    # The package lets no grammar define core rules.
    for name in CORE.findall(source):
        source = re.sub(rf"(?<![\w-]){name}(?![\w-])", f"own-{name}", source, flags=re.I)
    rules = abnf.parser.ABNFGrammarNodeVisitor(rule_cls=Rules)
    node, _ = abnf.parser.ABNFGrammarRule("rulelist").parse(source, 0)
    rules.visit(node)
    first = re.search(r"^\s*([A-Za-z][A-Za-z0-9-]*)\s*=", source, re.M)[1]
    verdicts = []
    for text in texts:
        try:
            Rules(first).parse_all(text)
            verdicts.append("accept")
        except abnf.ParseError:
            verdicts.append("reject")
    return verdicts


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def antlr_verdicts(path: Path, texts: list[str], jar: str) -> list[str]:
    """The verdicts of ANTLR's interpreter."""
    source = without_comments(path.read_text(errors="replace"))
    vocabulary = re.search(r"tokenVocab\s*=\s*(\w+)", source)
    lexer = [str(path.with_name(f"{vocabulary[1]}.g4"))] if vocabulary else []
    start = re.search(r"(?:^|[;}])\s*([a-z]\w*)\s*(?:\[[^\]]*\]\s*)?(?:returns\s*\[[^\]]*\]\s*)?(?:locals\s*\[[^\]]*\]\s*)?(?:options\s*\{[^}]*\}\s*)?:", source, re.M)
    command = ["java", "-Xmx1g", "-cp", jar, str(HERE / "AntlrTexts.java"), str(path), *lexer, start[1]]
    lines = "".join(base64.b64encode(text.encode()).decode() + "\n" for text in texts)
    out = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300)
    verdicts = out.stdout.split()
    if len(verdicts) != len(texts):
        raise RuntimeError((out.stderr or "no verdicts")[:200])
    return verdicts


def tree_sitter_verdicts(path: Path, texts: list[str]) -> list[str]:
    """The verdicts of a parser of tree-sitter."""
    import tree_sitter

    language = tree_sitter.Language(importlib.import_module(path.stem.replace("-", "_")).language())
    parser = tree_sitter.Parser(language)
    return ["reject" if parser.parse(text.encode()).root_node.has_error else "accept" for text in texts]


def judged(program: str, cases: list[dict]) -> list[dict]:
    """The cases with our verdicts."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(case) + "\n" for case in cases)
        file.flush()
        out = subprocess.run([program, file.name], capture_output=True, text=True, timeout=900)
        return [json.loads(line) for line in out.stdout.split("\n") if line]


def outcome(path: Path, arguments: argparse.Namespace) -> dict:
    """What became of one grammar."""
    case = {"where": path.name, "notation": NOTATIONS[path.suffix], "grammar": path.read_text(errors="replace"), "verdict": ""}
    options = {"path": str(path.resolve())}
    [compiled] = judged(arguments.program, [{**case, "options": {**options, "generate": arguments.count}}])
    if compiled["ours"] != "compiles":
        return {"grammar": str(path), "refused": compiled["error"][0]}
    chance = random.Random(path.name)
    texts = [text for text in compiled["texts"] if len(text) < 2000]
    texts = list(dict.fromkeys(texts + [changed(text, chance) for text in texts]))
    if not texts:
        return {"grammar": str(path), "unjudged": "no texts were generated"}
    try:
        if path.suffix == ".abnf":
            theirs = abnf_verdicts(path, texts)
        elif path.suffix == ".g4":
            theirs = antlr_verdicts(path, texts, arguments.antlr)
        else:
            theirs = tree_sitter_verdicts(path, texts)
    except Exception as error:  # The tool may refuse the grammar.
        return {"grammar": str(path), "unjudged": f"{type(error).__name__}: {error}"[:200]}
    ours = judged(arguments.program, [{**case, "options": options, "text": text} for text in texts])
    verdicts = {line["text"]: "accept" if line["ours"] == "accept" else "reject" for line in ours}
    differ = [[text, verdict] for text, verdict in zip(texts, theirs) if verdicts[text] != verdict]
    return {"grammar": str(path), "texts": len(texts), "accepted": theirs.count("accept"), "differ": differ}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--antlr", default="antlr4-complete.jar")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    for path in arguments.files:
        row = outcome(path, arguments)
        rows.append(row)
        shown = row.get("refused") or row.get("unjudged") or f"{row['texts']} texts, {row['accepted']} accepted, {len(row['differ'])} differ"
        print(f"{path}: {shown}", flush=True)
        for text, verdict in row.get("differ", [])[:5]:
            print(f"    own tool: {verdict}: {text[:200]!r}")
        if arguments.json:
            arguments.json.write_text(json.dumps(rows))
    texts = sum(row.get("texts", 0) for row in rows)
    wrong = sum(len(row.get("differ", [])) for row in rows)
    print(f"{len(rows)} grammars, {sum('texts' in row for row in rows)} judged, {texts} texts, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
