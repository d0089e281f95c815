"""Writes random patterns with look-around, and the texts that they match, as tables for the tests.

python tests/look_around.py python > formats/notations/src/lark/tests/look_around.txt
python tests/look_around.py atomic > formats/notations/src/lark/tests/atomic.txt
python tests/look_around.py lexemes > tests/tests/suite/lexemes.txt
python tests/look_around.py node > formats/json_schema/src/languages/pattern/look_around.txt
python tests/look_around.py dialect > formats/json_schema/src/languages/pattern/dialect.txt

A line is a pattern, a tab, and in hexadecimal a bit for each text of up to four letters, in the order of their lengths and then of LETTERS.
`python` says whether `re.fullmatch` matches the text, `node` whether `RegExp.test` finds a match in it. `atomic` is `python` with atomic groups
and possessive repetitions, which Python has since 3.11.
`dialect` has what Python writes and ECMA-262 does not, such as `(?i)` in front, and says whether `re.search` finds a match in a text of the
letters DIALECT.

`lexemes` writes grammars of a few terminals with assertions at both ends, and which texts of up to five of the letters LEXEMES they accept: by the
definition of their lexers, and with Python's `re` as the judge of what a terminal matches between what is before and what follows.
"""

import functools
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


DIALECT = "aA \n"


def foreign(depth: int, flags: str) -> str:
    """A random pattern with what only other dialects have. It has no `$`, which Python also finds before a last line break."""
    atoms = ["a", "A", "[a-b]", "[^A]", ".", r"\n", r"\x20", r"[\s]"]
    spaces = [" ", "\n", "# a )\n"] if "x" in flags else [r"\ "]
    kind = random.randrange(12) if depth else 0
    if kind < 3:
        return random.choice(atoms)
    if kind < 6:
        return "".join(foreign(depth - 1, flags) for _ in range(random.randint(2, 3)))
    if kind < 7:
        return "(?:" + "|".join(foreign(depth - 1, flags) for _ in range(2)) + ")"
    if kind < 8:
        return "(?:" + foreign(depth - 1, flags) + ")" + random.choice(["*", "+", "?", "{1,2}", "{2}", "*?"])
    if kind < 9:
        return random.choice(["^", "$"]) if "m" in flags else random.choice([r"\A", r"\Z", "^"])
    if kind < 10:
        return random.choice(["(?i:", "(?s:", "(?-i:", "(?x: "]) + foreign(depth - 1, flags) + ")"
    if kind < 11:
        return f"(?P<n{random.randrange(10**6)}>" + foreign(depth - 1, flags) + ")"
    return random.choice(["(?#(a)", r"\A", r"\Z", *spaces])


def dialects():
    """Random patterns, and in which texts Python finds them."""
    texts = ["".join(letters) for length in range(5) for letters in itertools.product(DIALECT, repeat=length)]
    seen = set()
    while len(seen) < COUNT:
        flags = random.choice(["", "", "i", "s", "m", "x", "im", "ix", "sx"])
        text = (f"(?{flags})" if flags else "") + foreign(4, flags)
        wanted = [r"\A", r"\Z", "(?#", "(?P", "(?x", f"(?{flags})"]
        if text in seen or not any(part in text for part in wanted):
            continue
        try:
            found = re.compile(text)
        except re.error:
            continue
        seen.add(text)
        bits = format(int("".join("01"[found.search(text) is not None] for text in texts), 2), "x")
        yield json.dumps(text), bits


LEXEMES = "ab-"
BODIES = ["a", "b", "-", "a+", "[ab]+", "ab?", "a|ab|abb", "a*b", "[a-]+", "ab-", "(?:a(?!b)|b)+", "a.*?b"]
BODIES += ["a++b?", "(?>a|ab)b?", "(?:ab)?+a", "(?>a+|b)-?", "(?:a|ab){1,2}+"]
ENDS = ["", "", "", "(?!a)", "(?!b)", "(?=b)", "(?!ab)", r"\b", "(?![ab])", r"(?=-|\Z)", "(?!.*-)", "(?=.*b)"]
BEGINS = ["", "", "", "", "(?<!a)", "(?<=-)", "^", r"\b", "(?<![ab])", "(?<=-b)", r"\B", "(?<!ab)"]
#: What the rule `start` repeats, and its states: each has the terminals that are expected, and the state after them.
RULES = {
    "T0": [{0: 0}],
    "T0 | T1": [{0: 0, 1: 0}],
    "T0 | T1 | T2": [{0: 0, 1: 0, 2: 0}],
    "T0 T1": [{0: 1}, {1: 0}],
    "T0 | T1 T2": [{0: 0, 1: 1}, {2: 0}],
}


@functools.cache
def ends(terminal: str, text: str, at: int) -> list[int]:
    """Where a terminal may end that begins at a place of a text."""
    if ".*?" in terminal:
        # The end is unique: the matcher's own.
        found = re.compile(terminal).match(text, at)
        return [found.end()] if found else []
    rest = range(at + 1, len(text) + 1)
    return [end for end in rest if re.compile(f"(?:{terminal})(?={re.escape(text[end:])}\\Z)").match(text, at)]


def accepts(terminals: list[tuple[int, str]], rule: str, lexer: str, text: str) -> bool:
    """Whether a text is a sequence of lexemes of `terminals`, priorities and patterns, that `rule` repeats."""
    states = RULES[rule]
    open_places, seen = [(0, 0)], set()
    while open_places:
        place = open_places.pop()
        if place in seen:
            continue
        seen.add(place)
        at, state = place
        if at == len(text):
            if state == 0:
                return True
            continue
        expected = states[state]
        recognized = range(len(terminals)) if lexer == "basic" else expected
        lexemes = [(end, one) for one in recognized for end in ends(terminals[one][1], text, at)]
        if lexer != "dynamic" and lexemes:
            lexemes = [max(lexemes, key=lambda lexeme: (lexeme[0], terminals[lexeme[1]][0], -lexeme[1]))]
        open_places += [(end, expected[one]) for end, one in lexemes if one in expected]
    return False


def grammars():
    """Random grammars, and whether they accept each text."""
    texts = ["".join(letters) for length in range(6) for letters in itertools.product(LEXEMES, repeat=length)]
    for _ in range(COUNT):
        lexer = random.choice(["contextual", "contextual", "basic", "dynamic"])
        rule = random.choice(list(RULES))
        count = 1 + max(one for state in RULES[rule] for one in state)
        # Under any split, what a lazy repetition matches has no unique end.
        bodies = [body for body in BODIES if lexer != "dynamic" or "*?" not in body]
        parts = [(random.choice(BEGINS), random.choice(bodies), random.choice(ENDS)) for _ in range(count)]
        terminals = [(random.randrange(2), f"{begin}(?:{body}){end}") for begin, body, end in parts]
        definitions = "".join(f"T{at}.{priority}: /{text}/\n" for at, (priority, text) in enumerate(terminals))
        verdicts = [accepts(terminals, rule, lexer, text) for text in texts]
        bits = format(int("".join("01"[verdict] for verdict in verdicts), 2), "x")
        yield lexer, json.dumps(f"start: ({rule})*\n{definitions}"), bits


if __name__ == "__main__":
    random.seed(47)
    if sys.argv[1] in ["lexemes", "dialect"]:
        for row in grammars() if sys.argv[1] == "lexemes" else dialects():
            print(*row, sep="\t")
        sys.exit()
    dialect = sys.argv[1]
    chosen = list(patterns(dialect))
    found = (of_node if dialect == "node" else of_python)(chosen)
    for text_pattern, matches in [pair for pair in zip(chosen, found) if any(pair[1])]:
        print(text_pattern, format(int("".join("01"[match] for match in matches), 2), "086x"), sep="\t")
