"""Runs requests and judges their outputs: run.py LIBRARY MODEL"""

import importlib.metadata
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

from llama import Request, answers

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}, "people": {"type": "integer", "minimum": 0, "maximum": 99999999}},
    "required": ["city", "people"],
    "additionalProperties": False,
}
TAGS = {
    "type": "array",
    "items": {"enum": ["red", "green", "blue"]},
    "minItems": 2,
    "maxItems": 4,
    "uniqueItems": True,
}
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 24},
        "born": {"type": "string", "format": "date"},
        "address": {"anyOf": [{"type": "null"}, CITY]},
    },
    "required": ["name", "born", "address"],
    "additionalProperties": False,
}
SUM = 'start: NUMBER ("+" NUMBER){1,3}\nNUMBER: /[1-9][0-9]?/'
LIST = 'root ::= item item item\nitem ::= "- " [a-z ]{3,20} "\\n"'


def by_schema(schema):
    import jsonschema

    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    return lambda text: validator.is_valid(json.loads(text))


def by_regex(pattern):
    return lambda text: re.fullmatch(pattern, text) is not None


# How to sample, the notation, the grammar, the prompt, and whether an output is valid.
REQUESTS = [
    ("greedy", "json-schema", json.dumps(CITY), "Describe Paris as a JSON object.", by_schema(CITY)),
    ("1", "json-schema", json.dumps(CITY), "Describe a town as a JSON object.", by_schema(CITY)),
    ("greedy", "json-schema", json.dumps(PERSON), "Describe Ada Lovelace as a JSON object.", by_schema(PERSON)),
    ("2", "json-schema", json.dumps(PERSON), "Describe a person as a JSON object.", by_schema(PERSON)),
    ("3", "json-schema", json.dumps(TAGS), "Name some colours as a JSON array.", by_schema(TAGS)),
    ("greedy", "regex", "[0-9]{4}-[0-9]{2}-[0-9]{2}", "When did the war end?", by_regex(r"\d{4}-\d{2}-\d{2}")),
    ("4", "regex", "(yes|no), because [a-z ]{5,30}[.]", "Is water wet?", by_regex(r"(yes|no), because [a-z ]{5,30}\.")),
    ("5", "choices", "rain\nsnow\nsun", "What is the weather?", lambda text: text in ("rain", "snow", "sun")),
    ("6", "lark", SUM, "Write a sum.", by_regex(r"[1-9]\d?(\+[1-9]\d?){1,3}")),
    ("greedy", "gbnf", LIST, "List three animals.", by_regex(r"(- [a-z ]{3,20}\n){3}")),
]


def run(library, model):
    print("xllamacpp", importlib.metadata.version("xllamacpp"), "SmolLM2-135M-Instruct Q4_1")
    # One spelling of each character: small models get lost in the others.
    options = {"strings": "canonical"}
    requests = [Request(how, notation, grammar, prompt, options) for how, notation, grammar, prompt, _ in REQUESTS]
    results = answers(library, model, requests)
    ended = valid = 0
    for (how, notation, *_, is_valid), result in zip(REQUESTS, results):
        text = result["output"]
        verdict = "not ended"
        if result["ended"]:
            ended += 1
            verdict = "valid" if is_valid(text) else "NOT VALID"
            valid += verdict == "valid"
        print(f"{notation} {how}: {verdict}, {result['tokens']} tokens, {result['microseconds']:.1f} µs per token in the sampler: {text!r}")
    print(f"{len(REQUESTS)} requests, {len(results)} answered, {ended} ended, {valid} of them valid")
    good = len(results) == len(REQUESTS) == ended == valid
    print("PASSED" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
