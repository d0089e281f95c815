"""Measures how much a bundled grammar allows that the language does not: prints for each language the share of random outputs that the
language's own parser accepts, and the parser's reasons against the others, by count.

    python benches/references/random_outputs.py [LANGUAGE ...] [--count N] [--tokens N] [--seed N] [--vocab V] [--grammar FILE]
                                                [--program PROGRAM] [--keep FOLDER]

Random outputs are those of `gcc-grammar generate`, which takes allowed tokens at random: no program looks like them, so that they reach the
corners of a grammar. After N tokens an output is completed on a short way. The parsers are the programs in this folder; a language
whose parser is not installed is skipped with a message.
Exit code 1 if a language is below its goal.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = sys.executable
NODE = ["node", "--experimental-vm-modules", "--no-warnings"]
# The command of the parser, and the goal in percent.
LANGUAGES = {
    "c": ([PYTHON, "gcc.py"], 99.0),
    "c-plain": ([PYTHON, "gcc.py"], 99.0),
    "csv": ([PYTHON, "data_formats.py", "csv"], 99.0),
    "go": ([PYTHON, "gofmt.py"], 99.0),
    "java": (["java", "JavaParser.java"], 99.0),
    "javascript": ([*NODE, "javascript.cjs"], 98.0),
    "json": ([PYTHON, "data_formats.py", "json"], 99.0),
    "json-lines": ([PYTHON, "data_formats.py", "json-lines"], 99.0),
    "lua": ([PYTHON, "lua.py"], 99.0),
    "python": ([PYTHON, "cpython.py"], 99.5),
    "sql": ([PYTHON, "postgres.py"], 99.0),
    "sql-queries": ([PYTHON, "postgres.py"], 99.0),
    "typescript": ([*NODE, "typescript.cjs"], 98.0),
    "xml": ([PYTHON, "expat_xml.py"], 99.0),
    "yaml": ([*NODE, "yaml.cjs"], 99.0),
}
# Reasons that are about names and types, which no context-free grammar knows. They are listed, and do not count.
NAMES = {
    "go": r"label .* not defined|undefined",
    # A constructor has the name of its class.
    "java": r"invalid method declaration; return type required|enum constant not expected here",
    "javascript": r"has already been declared|must be declared in an enclosing class|Undefined label|Unexported|Export '.*' is not defined"
                  r"|Duplicate export",
    "lua": r"no visible label|label '.*' already defined|jumps into the scope|attempt to assign to const variable",
    "python": None,
    "xml": r"undefined entity|undeclared|unbound prefix",
    "yaml": None,
}


def generate(language: str, options: argparse.Namespace, folder: pathlib.Path) -> list[pathlib.Path]:
    """Writes random outputs of the language as files, and gives their names."""
    artifact = folder / f"{language}.gcg"
    source = [options.grammar] if options.grammar else ["--grammar", language]
    subprocess.run([options.program, "compile", *source, "--vocab", options.vocab, "-q", "-o", artifact], check=True)
    run = subprocess.run([options.program, "generate", artifact, "-n", str(options.count), "--seed", str(options.seed), "--max-tokens",
                          str(options.tokens), "--json"], check=True, capture_output=True, text=True)
    outputs = [json.loads(line) for line in run.stdout.splitlines()]
    files = []
    for number, output in enumerate(outputs):
        files.append(folder / f"{language}-{number}.txt")
        files[-1].write_bytes(output["text"].encode())
    return files


def judge(language: str, files: list[pathlib.Path]) -> list[str]:
    """What the parser says of each file: `ok`, or `error: ` and the reason."""
    command, _ = LANGUAGES[language]
    run = subprocess.run(command, cwd=HERE, input="".join(f"{file}\n" for file in files), capture_output=True, text=True)
    lines = run.stdout.split("\n")[:-1]
    if len(lines) != len(files):
        sys.exit(f"the parser of {language} failed after {len(lines)} of {len(files)} files: {run.stderr[-2000:]}")
    return lines


def kind(reason: str) -> str:
    """A reason without what differs from text to text."""
    reason = re.sub(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|‘[^’]*’", "…", reason.removeprefix("error: "))
    return re.sub(r"\d+", "N", reason)[:100]


def report(language: str, files: list[pathlib.Path], verdicts: list[str]) -> bool:
    """Prints the row of a language, and tells whether it reaches its goal."""
    _, goal = LANGUAGES[language]
    about_names = NAMES.get(language)
    reasons, names, examples = collections.Counter(), 0, {}
    for file, verdict in zip(files, verdicts):
        if verdict == "ok":
            continue
        if about_names and re.search(about_names, verdict):
            names += 1
            continue
        reasons[kind(verdict)] += 1
        examples.setdefault(kind(verdict), file.name)
    judged = len(files) - names
    rate = 100 * (judged - reasons.total()) / judged
    print(f"{language}: {rate:.1f} % of {judged} (goal {goal} %); {names} for names and types")
    for reason, count in reasons.most_common():
        print(f"  {count:4} {reason} ({examples[reason]})")
    return rate >= goal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", choices=[[], *LANGUAGES], metavar="LANGUAGE")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--tokens", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vocab", default="llama3")
    parser.add_argument("--grammar", help="a grammar in place of the bundled one of the one language")
    parser.add_argument("--program", default="gcc-grammar", help="the command line tool")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for the outputs")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    reached = True
    for language in options.languages or LANGUAGES:
        program = LANGUAGES[language][0][0]
        if shutil.which(program) is None:
            print(f"{language}: skipped, {program} is not installed")
            continue
        files = generate(language, options, folder)
        reached &= report(language, files, judge(language, files))
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
