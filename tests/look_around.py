"""Writes random patterns with look-around, and the texts that they match, as tables for the tests.

python tests/look_around.py python > formats/notations/src/lark/tests/look_around.txt
python tests/look_around.py atomic > formats/notations/src/lark/tests/atomic.txt
python tests/look_around.py node > formats/json_schema/src/languages/pattern/look_around.txt

A line is a pattern, a tab, and in hexadecimal a bit for each text of up to four letters, in the order of their lengths and then of LETTERS.
`python` says whether `re.fullmatch` matches the text, `node` whether `RegExp.test` finds a match in it. `atomic` is `python` with atomic groups
and possessive repetitions, which Python has since 3.11.
"""

import itertools
import json
import random
import re
import subprocess
import sys

LETTERS = "ab-\n"
TEXTS = ["".join(letters) for length in range(5) for letters in itertools.product(LETTERS, repeat=length)]
COUNT = 600


def pattern(depth: int, dialect: str, fixed: bool = False) -> str:
    """A random pattern; a `fixed` one matches texts of one length, as Python wants it for look-behind."""
    atoms = ["a", "b", "-", "[ab]", "[^a]", ".", r"\w", r"\n"]
    if depth == 0:
        return random.choice(atoms)
    kind = random.randrange(11 if dialect != "atomic" else 15)
    if kind < 2:
        return random.choice(atoms)
    if kind < 5:
        return "".join(pattern(depth - 1, dialect, fixed) for _ in range(random.randint(2, 3)))
    if kind < 6 and not fixed:
        return "(?:" + "|".join(pattern(depth - 1, dialect) for _ in range(2)) + ")"
    if kind < 7 and not fixed:
        return "(?:" + pattern(depth - 1, dialect) + ")" + random.choice(["*", "+", "?", "{1,2}", "{2}", "*?"])
    if kind < 8:
        return random.choice([r"\b", r"\B", "^", "$"])
    if kind < 9:
        return random.choice(["(?<=", "(?<!"]) + pattern(depth - 1, dialect, dialect != "node") + ")"
    if kind >= 13:
        return "(?>" + pattern(depth - 1, dialect, fixed) + ")"
    if kind >= 11 and not fixed:
        return "(?:" + pattern(depth - 1, dialect) + ")" + random.choice(["*+", "++", "?+", "{1,2}+", "{2}+"])
    return random.choice(["(?=", "(?!"]) + pattern(depth - 1, dialect) + ")"


def patterns(dialect: str):
    """Patterns that Python can read."""
    wanted = ["(?>", "*+", "++", "?+", "}+"] if dialect == "atomic" else ["(?=", "(?!", "(?<"]
    seen = set()
    while len(seen) < COUNT:
        text = pattern(3 if dialect == "atomic" else 4, dialect)
        if text in seen or not any(part in text for part in wanted):
            continue
        if dialect != "node":
            try:
                re.compile(text)
            except re.error:
                continue
        seen.add(text)
        yield text


def of_python(all_patterns):
    return [[re.fullmatch(text_pattern, text) is not None for text in TEXTS] for text_pattern in all_patterns]


def of_node(all_patterns):
    program = (
        "const [patterns, texts] = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(patterns.map(p => texts.map(t => new RegExp(p, 'u').test(t)))))"
    )
    inputs = json.dumps([all_patterns, TEXTS])
    return json.loads(subprocess.run(["node", "-e", program], input=inputs, capture_output=True, check=True, text=True).stdout)


if __name__ == "__main__":
    random.seed(47)
    dialect = sys.argv[1]
    chosen = list(patterns(dialect))
    found = (of_node if dialect == "node" else of_python)(chosen)
    for text_pattern, matches in [pair for pair in zip(chosen, found) if any(pair[1])]:
        print(text_pattern, format(int("".join("01"[match] for match in matches), 2), "086x"), sep="\t")
