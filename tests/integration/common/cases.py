"""Requests of every kind, and what decides whether an output is right: nothing of gcc-grammar.

Schemas are judged by `jsonschema`, regular expressions by `re`, grammars by short Python functions.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import jsonschema


@dataclass
class Case:
    """A request."""

    name: str
    prompt: str
    #: json, regex, choice, grammar, or none.
    kind: str | None
    spec: Any
    is_valid: Callable[[str], bool]


def _json_is_valid(schema: Any) -> Callable[[str], bool]:
    # Without "$schema", the newest draft holds, as it does for gcc-grammar.
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    validator = kind(schema)

    def is_valid(text: str) -> bool:
        try:
            return validator.is_valid(json.loads(text))
        except ValueError:
            return False

    return is_valid


def schemas(count: int, seed: int = 26, largest: int = 700) -> list[Case]:
    """Schemas of MaskBench, drawn from the small ones by their size alone."""
    drawn = []
    for path in sorted(Path(os.environ["DATA"]).glob("*.json")):
        case = json.loads(path.read_text())
        schema = case["schema"]
        text = json.dumps(schema)
        if 60 < len(text) <= largest and isinstance(schema, dict) and schema.get("properties"):
            drawn.append((path.stem, schema, text))
    drawn = random.Random(seed).sample(drawn, count)
    prompt = "Give one short example of JSON that is valid for this JSON Schema:\n{}\nJSON:\n"
    return [Case(name, prompt.format(text[:500]), "json", schema, _json_is_valid(schema)) for name, schema, text in drawn]


REGEXES = {
    "year": r"(19|20)[0-9]{2}",
    "phone": r"\([0-9]{3}\) [0-9]{3}-[0-9]{4}",
    "date": r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    "color": r"#[0-9a-f]{6}",
    "version": r"v[0-9]+\.[0-9]+\.[0-9]+",
    "name": r"[A-Z][a-z]{1,10} [A-Z][a-z]{1,10}",
    "email": r"[a-z]{1,12}@[a-z]{1,10}\.(com|org)",
    "hex": r"0x[0-9A-F]{1,8}",
    "sentence": r"[A-Z][a-z ]{5,40}\.",
    "list": r"- [a-z]{2,12}(\n- [a-z]{2,12}){2}",
}
CHOICES = [
    ["yes", "no"],
    ["positive", "negative", "neutral"],
    ["red", "green", "blue"],
    ["Paris", "Berlin", "Rome"],
    ["1", "10", "100", "1000"],
    ["a", "ab", "abc"],
    ["true", "false", "null"],
    ["cat", "category", "cathedral"],
    ["ä", "ö", "ü"],
    ["Monday morning", "Monday evening"],
]


def _is_sum(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return re.fullmatch(r"[-+()0-9]+", text) is not None


def _is_nested(text: str) -> bool:
    try:
        json.loads(re.sub("([a-z])", r'"\1"', text))
    except ValueError:
        return False
    return text.startswith("[")


GRAMMARS: list[tuple[str, str, Callable[[str], bool]]] = [
    ("gbnf-digits", 'root ::= d ("," d){1,5}\nd ::= [0-9]', lambda text: bool(re.fullmatch("[0-9](,[0-9]){1,5}", text))),
    (
        "gbnf-sums",
        'root ::= term ([-+] term){1,4}\nterm ::= [1-9] [0-9]{0,2} | "(" root ")"',
        _is_sum,
    ),
    ("ebnf-tag", 'root ::= "<a>" word "</a>"\nword ::= [a-z]{1,12}', lambda text: bool(re.fullmatch("<a>[a-z]{1,12}</a>", text))),
    ("ebnf-nested", 'root ::= "[" (item ("," item)*)? "]"\nitem ::= root | [a-z]', _is_nested),
    (
        "gbnf-answer",
        'root ::= ("yes" | "no") " because " word # a reason\nword ::= [a-z]{2,12}',
        lambda text: bool(re.fullmatch("(yes|no) because [a-z]{2,12}", text)),
    ),
]


def cases() -> list[Case]:
    """50 requests: 20 schemas, 10 regular expressions, 10 choices, 5 grammars, 5 without a grammar."""
    chosen = schemas(20)
    for name, pattern in REGEXES.items():
        chosen.append(Case(f"regex-{name}", f"A {name}: ", "regex", pattern, lambda text, p=pattern: bool(re.fullmatch(p, text))))
    for choices in CHOICES:
        prompt = f"Choose one of {', '.join(choices)}: "
        chosen.append(Case(f"choice-{choices[0]}", prompt, "choice", choices, lambda text, c=choices: text in c))
    for name, grammar, is_valid in GRAMMARS:
        chosen.append(Case(name, f"An answer in the form {name}: ", "grammar", grammar, is_valid))
    for topic in ("the sea", "a dog", "the moon", "bread", "a train"):
        chosen.append(Case(f"free-{topic}", f"Tell me about {topic}.", None, None, lambda text: True))
    random.Random(1).shuffle(chosen)
    return chosen
