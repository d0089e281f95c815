#!/usr/bin/env python3
"""Compiles tool sets with XGrammar and with this engine, in turn, from Python.

    tool_sets.py FOLDER [--vocab llama3] [--runs 3]

FOLDER has the structural tags that `tool_sets --save FOLDER` wrote. The compile time is the median of all runs, from the text of the tags,
with nothing kept from the runs before. A mask of the beginning of each call shows that the result is used.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any, Dict, List

from worker import Engine, Tokens, now

#: The columns: a name, the words of the worker's mode, and whether objects and arrays may have members that their schema does not name, as
#: JSON Schema says. XGrammar closes them in structural tags, unless a schema says `"additionalProperties": true`.
ENGINES = {
    "gcc-grammar": (["compat"], False),
    "gcc-grammar, open": (["compat"], True),
    "XGrammar, one thread": (["one-thread"], False),
    "XGrammar, one thread, open": (["one-thread"], True),
    "XGrammar, its 8 threads": ([], False),
}


def opened(value: Any) -> Any:
    """The tags in which the objects and arrays of all schemas are open."""
    if isinstance(value, list):
        return [opened(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    found = {name: opened(inner) for name, inner in value.items()}
    if found.get("type") == "object" and "additionalProperties" not in found:
        found["additionalProperties"] = True
    if found.get("type") == "array" and "items" not in found:
        found["items"] = True
    return found


def measure(engine: Engine, text: str) -> Dict[str, Any]:
    """Compiles the tags."""
    engine.compiler.clear_cache()
    start = now()
    compiled = engine.compiler.compile_structural_tag(text)
    engine.first_mask(compiled)
    return {"ns": now() - start, "bytes": compiled.memory_size_bytes, "wrong": wrong(engine, compiled, json.loads(text))}


def wrong(engine: Engine, compiled: Any, tags: Dict[str, Any]) -> int:
    """How many tags have a beginning that is refused."""
    count = 0
    for tag in tags["format"]["tags"]:
        matcher = engine.package.GrammarMatcher(compiled)
        count += not all(matcher.accept_token(token) for token in engine.tokens.of(tag["begin"]))
    return count


def main() -> int:
    """Prints a row for each tool set. Returns 1 if a beginning is refused."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vocab", default="llama3")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    tokens = Tokens(arguments.vocab)
    engines = {name: Engine(tokens, words) for name, (words, _) in ENGINES.items()}
    files: List[Path] = sorted(arguments.folder.glob("tools-*.json"), key=lambda path: int(path.stem.split("-")[1]))
    print(f"| tools | {' | '.join(engines)} |\n|---|{'---|' * len(engines)}")
    refused = 0
    for path in files:
        closed, cells = path.read_text(encoding="utf-8"), []
        texts = {False: closed, True: json.dumps(opened(json.loads(closed)))}
        runs: Dict[str, List[Dict[str, Any]]] = {name: [] for name in engines}
        for _ in range(arguments.runs):
            for name, engine in engines.items():
                runs[name].append(measure(engine, texts[ENGINES[name][1]]))
        for found in runs.values():
            refused += found[0]["wrong"]
            cells.append(f"{statistics.median(run['ns'] for run in found) / 1e6:,.0f} ms, {found[0]['bytes'] / 1e6:.2f} MB")
        print(f"| {path.stem.split('-')[1]} | {' | '.join(cells)} |", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    raise SystemExit(main())
