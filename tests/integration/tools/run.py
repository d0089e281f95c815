"""Lets llama.cpp write calls of tools, and reads them with the families' own parsers: run.py LIBRARY MODEL FOLDER

Exits with 1 if a call is not found or not valid, or if marks are not the special tokens that they have to be.
"""

import importlib.metadata
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "common"), str(HERE.parents[1] / "peers")]

from gguf import TokenType
from llama import Request, answers
from models import renamed, tokens_of
from tool_calls import parsers
from tool_calls.cases import Case, Options
from tool_calls.cases import Family as Calls

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of the next days.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "maxLength": 16},
                    "days": {"type": "integer", "minimum": 1, "maximum": 14},
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                },
                "required": ["city", "days"],
                "additionalProperties": False,
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_time",
            "description": "What time it is.",
            "parameters": {
                "type": "object",
                "properties": {"zone": {"type": "string", "enum": ["UTC", "CET"]}},
                "required": ["zone"],
                "additionalProperties": False,
            },
        },
    },
]
#: A syntax of calls with special tokens that SmolLM2 was trained on.
SMOLLM2 = {
    "name": "smollm2",
    "forms": [{"trigger": "<jupyter_code>", "calls": ["<jupyter_code>$name $arguments<jupyter_output>"]}],
}
PROMPTS = ["What is the weather in Oslo in the next 3 days?", "What time is it?"]


@dataclass
class Family:
    """A family, its marks, and their kind in files of llama.cpp."""

    name: str
    marks: list[str]
    kind: TokenType = TokenType.CONTROL
    #: What --model takes; the name if there is none.
    model: str = ""


#: Marks of gpt-oss that llama.cpp does not take for control tokens, whatever the file says, so that they are text.
SHOWN = {"<|start|>", "<|channel|>", "<|message|>", "<|constrain|>"}
#: Families whose marks are special, and Qwen, whose marks are added tokens that are text.
FAMILIES = [
    Family("smollm2", ["<jupyter_code>", "<jupyter_output>"], model=json.dumps(SMOLLM2)),
    Family("mistral", ["[TOOL_CALLS]"]),
    Family("deepseek-v3.1", [f"<｜tool▁{part}｜>" for part in ("calls▁begin", "calls▁end", "call▁begin", "call▁end", "sep")]),
    Family("harmony", [f"<|{part}|>" for part in ("start", "channel", "constrain", "message", "end", "call", "return")]),
    Family("hermes", ["<tool_call>", "</tool_call>"], TokenType.USER_DEFINED),
]


def parsed(family, text):
    """The calls in a text, by the family's parser."""
    if family.name == "smollm2":
        found = re.findall("<jupyter_code>(\\w+) (.*?)<jupyter_output>", text, re.DOTALL)
        return [(name, json.loads(arguments)) for name, arguments in found]
    if family.name == "mistral":
        # SGLang's parser needs the space that the template of the model writes.
        text = text.replace("[TOOL_CALLS][", "[TOOL_CALLS] [")
    return parsers.calls(Calls(family.name, TOOLS), Case("", text, True, Options()))


def requests_of(family):
    """The ways to write marks, with both prompts, greedy and sampled."""
    # Canonical masks need the tokenizer of the model, which the adapter of llama.cpp does not have.
    ways = ["only", "literals"]
    made = []
    for special_tokens in ways:
        options = {"model": family.model or family.name, "tool_choice": "required", "parallel": False, "strings": "canonical"}
        options |= {"special_tokens": special_tokens, "whitespace": "compact" if family.name == "smollm2" else "spaced"}
        for prompt in PROMPTS:
            for how in ("greedy", "1"):
                made.append(Request(how, "tools", json.dumps(TOOLS), prompt, options))
    return made


def fault(family, ids, request, answer):
    """What is wrong with an answer; none if nothing is."""
    if not answer["ended"]:
        return "does not end"
    end = {number: mark for mark, number in ids.items()}.get(answer["ids"][-1], "")
    text = answer["output"] + end
    found = parsed(family, text)
    if not parsers.are_valid(Calls(family.name, TOOLS), found):
        return f"calls {found}"
    controls = {mark for mark in ids if family.kind is TokenType.CONTROL and mark not in SHOWN}
    is_only = request.options["special_tokens"] == "only"
    for mark, number in ids.items():
        written, taken = text.count(mark), answer["ids"].count(number)
        if taken > written or (is_only and mark in controls and taken != written):
            return f"{mark} is written {written} times, of which {taken} as token {number}"
        prints = answer["printed"].count(mark)
        if prints != answer["output"].count(mark) - (taken - (mark == end) if mark in controls else 0):
            return f"llama.cpp prints {mark} {prints} times"
    if is_only and controls and not set(ids.values()) & set(answer["ids"]):
        return "has no special token"
    return None


def of_family(library, model, folder, family):
    """Runs a family. Returns how many answers are wrong."""
    file = model
    if family.name == "smollm2":
        tokens = tokens_of(model)
        ids = {mark: tokens[mark] for mark in family.marks}
    else:
        file = str(Path(folder, "model.gguf"))
        ids = renamed(model, file, family.marks, family.kind)
    print(f"{family.name}: {', '.join(f'{mark} = {number}' for mark, number in ids.items())}, {family.kind.name}")
    requests = requests_of(family)
    results = answers(library, file, requests)
    wrong = len(requests) - len(results)
    if wrong:
        print(f"  WRONG: {wrong} requests have no answer")
    for request, answer in zip(requests, results):
        found = fault(family, ids, request, answer)
        wrong += found is not None
        way = request.options["special_tokens"]
        marks = sum(answer["ids"].count(number) for number in ids.values())
        verdict = "all right" if found is None else f"WRONG: {found}"
        print(f"  {way}, {request.how}: {verdict}; {answer['tokens']} tokens, {marks} of them marks: {answer['output']!r}, printed {answer['printed']!r}")
    return wrong


def main(library, model, folder):
    """The command."""
    print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("xllamacpp", "sglang", "openai-harmony")))
    wrong = sum(of_family(library, model, folder, family) for family in FAMILIES)
    print("tools: all right" if wrong == 0 else f"tools: {wrong} WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
