#!/usr/bin/env python3
"""Masks of batches of mixed grammars: this engine, XGrammar's `BatchGrammarMatcher` and llguidance's `LLExecutor` in one run.

    batches.py FOLDER [--cases 32] [--seed 5] [--batches 1,8,64,512] [--threads 1,2] [--steps 60] [--longest 2000]

FOLDER has the cases of MaskBench. A case takes part if all engines compile its schema and accept its first valid instance as the model's tokenizer
cuts it. Row i of a batch has case i mod N, and begins 7 i tokens into its text. In each step every engine fills the rows of the whole batch, one engine
after the other, in an order that changes; then all commit the same tokens, which is not timed. Each mask must allow the token that follows.

All engines are called from Python and write into the same kind of tensor. Vocabulary: llama3.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import llguidance
import llguidance.torch
import torch
import xgrammar

import gcc_grammar as gg
from gcc_grammar.numbered import NumberedMasks

Fill = Callable[[List[Any], Any], None]


class Ours:
    """This engine: `fill_masks`."""

    name = "gcc-grammar"

    def __init__(self, vocabulary: gg.Vocabulary) -> None:
        self.vocabulary = vocabulary

    def compile(self, schema: Any) -> Any:
        return gg.compile(schema, self.vocabulary)

    def matcher(self, compiled: Any) -> Any:
        return compiled.matcher()

    def commit(self, matcher: Any, token: int) -> bool:
        return bool(matcher.try_commit(token))

    def fill(self, threads: int) -> Fill:
        return lambda matchers, rows: gg.fill_masks(matchers, rows, threads=threads)


class XGrammar:
    """XGrammar, with the objects of JSON Schema: what a schema does not forbid is allowed."""

    name = "XGrammar"

    def __init__(self, vocabulary: gg.Vocabulary) -> None:
        texts = [vocabulary.token_bytes(token) or b"" for token in range(vocabulary.width)]
        info = xgrammar.TokenizerInfo(texts, vocab_size=vocabulary.width, stop_token_ids=vocabulary.end_tokens)
        self.compiler = xgrammar.GrammarCompiler(info)

    def compile(self, schema: Any) -> Any:
        return self.compiler.compile_json_schema(json.dumps(schema), strict_mode=False)

    def matcher(self, compiled: Any) -> Any:
        return xgrammar.GrammarMatcher(compiled)

    def commit(self, matcher: Any, token: int) -> bool:
        return bool(matcher.accept_token(token))

    def fill(self, threads: int) -> Fill:
        batch = xgrammar.BatchGrammarMatcher(max_threads=threads)
        return lambda matchers, rows: batch.batch_fill_next_token_bitmask(matchers, rows)


class LLGuidance:
    """llguidance with its defaults."""

    name = "llguidance"

    def __init__(self, vocabulary: gg.Vocabulary) -> None:
        self.tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokens(vocabulary)))

    def compile(self, schema: Any) -> Any:
        matcher = llguidance.LLMatcher(self.tokenizer, llguidance.LLMatcher.grammar_from_json_schema(schema))
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def matcher(self, compiled: Any) -> Any:
        return compiled.deep_copy()

    def commit(self, matcher: Any, token: int) -> bool:
        return bool(matcher.consume_token(token))

    def fill(self, threads: int) -> Fill:
        executor = llguidance.LLExecutor(num_threads=threads)

        def fill(matchers: List[Any], rows: Any) -> None:
            pairs = [(matcher, row) for row, matcher in enumerate(matchers)]
            llguidance.torch.fill_next_token_bitmask_par(executor, pairs, rows)

        return fill


class Tokens:
    """A vocabulary as llguidance asks for it."""

    def __init__(self, vocabulary: gg.Vocabulary) -> None:
        specials = {token: name.encode() for name, token in vocabulary.special_tokens.items()}
        self.tokens = [specials.get(token) or vocabulary.token_bytes(token) or b"" for token in range(vocabulary.width)]
        self.special_token_ids = sorted(specials)
        self.bos_token_id: Optional[int] = None
        self.eos_token_id = vocabulary.end_tokens[0]
        self._vocabulary = vocabulary

    def __call__(self, text: Any) -> List[int]:
        return self._vocabulary.tokenize(text)


class Case:
    """A text, and the compiled schema of each engine."""

    def __init__(self, engines: List[Any], schema: Any, tokens: List[int]) -> None:
        self.tokens = tokens
        self.compiled = [engine.compile(schema) for engine in engines]
        for engine, compiled in zip(engines, self.compiled):
            matcher = engine.matcher(compiled)
            if not all(engine.commit(matcher, token) for token in tokens):
                raise ValueError(f"{engine.name} refuses the text")


def cases(engines: List[Any], vocabulary: gg.Vocabulary, arguments: argparse.Namespace) -> List[Case]:
    """The first cases in a random order that every engine can do."""
    files = sorted(Path(arguments.folder).glob("*.json"))
    random.Random(arguments.seed).shuffle(files)
    found: List[Case] = []
    left_out = 0
    for file in files:
        if len(found) == arguments.cases:
            break
        content = json.loads(file.read_text(encoding="utf-8"))
        valid = [test["data"] for test in content["tests"] if test["valid"]]
        tokens = vocabulary.tokenize(json.dumps(valid[0], ensure_ascii=False)) if valid else []
        if len(tokens) < 8 or len(json.dumps(content["schema"])) > arguments.longest:
            continue
        try:
            found.append(Case(engines, content["schema"], tokens))
        except Exception:  # The packages raise exceptions of many kinds.
            left_out += 1
    print(f"{len(found)} cases; {left_out} others are not compiled by every engine, or their text is refused")
    return found


class Row:
    """A row of a batch: a case and a place in its text."""

    def __init__(self, case: Case, place: int) -> None:
        self.case = case
        self.place = place % len(case.tokens)

    def token(self) -> int:
        return self.case.tokens[self.place]


def started(engine: Any, number: int, row: Row) -> Any:
    matcher = engine.matcher(row.case.compiled[number])
    for token in row.case.tokens[: row.place]:
        engine.commit(matcher, token)
    return matcher


def check(engine: Any, rows: List[Row], masks: Any) -> None:
    words = masks.numpy().view("uint32")
    for index, row in enumerate(rows):
        token = row.token()
        assert words[index, token >> 5] >> (token & 31) & 1, f"{engine.name} does not allow token {token} in row {index}"


def advance(engines: List[Any], rows: List[Row], matchers: List[List[Any]]) -> None:
    """Commits the next token in each row; a row whose text has ended begins anew."""
    for index, row in enumerate(rows):
        token, row.place = row.token(), (row.place + 1) % len(row.case.tokens)
        for number, engine in enumerate(engines):
            if row.place == 0:
                matchers[number][index] = started(engine, number, row)
            else:
                assert engine.commit(matchers[number][index], token)


def measure(engines: List[Any], found: List[Case], size: int, fills: List[Fill], steps: int) -> List[List[float]]:
    """The seconds of each call, for each engine and then for our masks by number."""
    rows = [Row(found[index % len(found)], 7 * index) for index in range(size)]
    matchers = [[started(engine, number, row) for row in rows] for number, engine in enumerate(engines)]
    width = found[0].compiled[0].row_words
    masks = torch.zeros((size, width), dtype=torch.int32)
    host = NumberedMasks(width, rows=size, room=100_000)
    for case in found:
        host.add(case.compiled[0])
    staged = torch.zeros(host.words, dtype=torch.int32)
    seconds: List[List[float]] = [[] for _ in range(len(engines) + 1)]
    for step in range(steps):
        for turn in range(len(engines)):
            number = (step + turn) % len(engines)
            masks.zero_()
            start = time.perf_counter()
            fills[number](matchers[number], masks)
            seconds[number].append(time.perf_counter() - start)
            check(engines[number], rows, masks)
        start = time.perf_counter()
        host.stage(matchers[0], staged)
        seconds[-1].append(time.perf_counter() - start)
        advance(engines, rows, matchers)
    return seconds


def cell(size: int, seconds: List[float]) -> str:
    """Rows per second at the median, and the 99th percentile of a call."""
    ordered = sorted(seconds)
    worst = ordered[min(len(ordered) - 1, round(0.99 * len(ordered)))]
    return f"{size / statistics.median(ordered):,.0f} ({1e6 * statistics.median(ordered):,.0f} / {1e6 * worst:,.0f} µs)"


def numbers(text: str) -> Tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def machine() -> str:
    models = [line.split(": ")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")]
    versions: Dict[str, str] = {name: version(name) for name in ("xgrammar", "llguidance", "torch")}
    packages = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"{models[0] if models else platform.processor()}, {len(models)} cores, Python {platform.python_version()}, gcc-grammar {gg.__version__}, {packages}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--cases", type=int, default=32)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--batches", type=numbers, default=(1, 8, 64, 512))
    parser.add_argument("--threads", type=numbers, default=(1, 2))
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--longest", type=int, default=2000)
    arguments = parser.parse_args()
    vocabulary = gg.Vocabulary("llama3")
    engines = [Ours(vocabulary), XGrammar(vocabulary), LLGuidance(vocabulary)]
    print(machine())
    found = cases(engines, vocabulary, arguments)
    if not found:
        print("there is no case", file=sys.stderr)
        return 2
    print(f"\nrows per second (p50 / p99 of a call)\n\n| batch | threads | {' | '.join(engine.name for engine in engines)} | gcc-grammar, by number |")
    print("|---|---|" + "---|" * (len(engines) + 1))
    for size in arguments.batches:
        for threads in arguments.threads:
            steps = arguments.steps * (5 if size <= 8 else 1)
            seconds = measure(engines, found, size, [engine.fill(threads) for engine in engines], steps)
            cells = [cell(size, part) for part in seconds]
            if threads > 1:
                cells[-1] = ""
            print(f"| {size} | {threads} | " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
