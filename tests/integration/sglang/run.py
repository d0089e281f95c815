"""The backend `gcc` with the classes of SGLang, without its server, beside its XGrammar. Exits with 1 if an output is wrong."""

from __future__ import annotations

import json
import os
import random
import sys
import time
import types
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

import torch
from cases import Case, cases
from sglang.srt.constrained.base_grammar_backend import GRAMMAR_BACKEND_REGISTRY, GrammarRow, InvalidGrammarObject
from sglang.srt.constrained.xgrammar_backend import XGrammarGrammarBackend
from transformers import AutoConfig, AutoTokenizer

from gcc_grammar import sglang as adapter

ROWS = 16
MOST = 60


def key_of(case: Case) -> tuple[str, str]:
    """The key by which SGLang asks for a grammar."""
    if case.kind == "json":
        return "json", json.dumps(case.spec)
    if case.kind == "choice":
        return "json", json.dumps({"enum": case.spec})
    return ("regex" if case.kind == "regex" else "ebnf"), case.spec


def is_valid(case: Case, text: str) -> bool:
    """Whether an output is right; choices are asked for as schemas here."""
    try:
        return json.loads(text) in case.spec if case.kind == "choice" else case.is_valid(text)
    except ValueError:
        return False


def compiled(name: str, backend, chosen: list[Case]) -> list:
    """The grammars, through the cache of SGLang. Prints what was refused."""
    start = time.perf_counter()
    keys = [key_of(case) for case in chosen]
    futures = [backend.get_cached_or_future_value(key, False)[0] for key in keys]
    grammars = [future.result() for future in futures]
    for key, grammar in zip(keys, grammars):
        backend.set_cache(key, grammar.copy())
    refused = [case.name for case, grammar in zip(chosen, grammars) if isinstance(grammar, InvalidGrammarObject)]
    print(f"{name} compiled {len(grammars) - len(refused)} in {time.perf_counter() - start:.1f} s, refused {len(refused)}: {refused}", flush=True)
    assert all(backend.get_cached_or_future_value(key, False)[1] for key in keys), "the cache does not find a grammar"
    return grammars


class Clock:
    """The time of the parts of a step."""

    def __init__(self) -> None:
        self.seconds = {"fill": 0.0, "apply": 0.0, "accept": 0.0}
        self.steps = 0

    def measure(self, part: str, call):
        start = time.perf_counter()
        result = call()
        self.seconds[part] += time.perf_counter() - start
        return result

    def __str__(self) -> str:
        return ", ".join(f"{part} {seconds / self.steps * 1e6:.0f}" for part, seconds in self.seconds.items()) + " us per step"


def drive(batch: list[tuple[Case, object]], tokenizer, width: int, clock: Clock, generator: random.Random) -> list[list[int]]:
    """Decodes a batch as the scheduler does, with random tokens; the end is chosen with probability 1/2 where it is allowed."""
    end = tokenizer.eos_token_id
    outputs: list[list[int]] = [[] for _ in batch]
    handle = batch[0][1]
    for _ in range(MOST):
        live = [row for row, (_, grammar) in enumerate(batch) if not grammar.is_terminated()]
        if not live:
            break
        clock.steps += 1
        mask = handle.allocate_vocab_mask(width, len(batch), "cpu")
        entries = [GrammarRow(row, batch[row][1]) for row in live]
        clock.measure("fill", lambda: handle.fill_vocab_mask_batched(entries, mask))
        logits = torch.zeros((len(batch), width))
        clock.measure("apply", lambda: handle.apply_vocab_mask(logits=logits, vocab_mask=handle.move_vocab_mask(mask, "cpu")))
        for row in live:
            allowed = logits[row].isfinite().nonzero().flatten().tolist()
            token = end if end in allowed and generator.random() < 0.5 else generator.choice(allowed)
            grammar = batch[row][1]
            clock.measure("accept", lambda: grammar.accept_token(token))
            # A draft that is taken back.
            grammar.rollback(1)
            grammar.accept_token(token)
            outputs[row].append(token)
    return outputs


def run(name: str, backend, chosen: list[Case], tokenizer, width: int) -> int:
    """Runs all cases, and returns the number of wrong outputs and refusals."""
    grammars = compiled(name, backend, chosen)
    usable = [(case, grammar) for case, grammar in zip(chosen, grammars) if not isinstance(grammar, InvalidGrammarObject)]
    counts = {"valid": 0, "invalid": 0, "not ended": 0}
    clock, generator = Clock(), random.Random(26)
    for first in range(0, len(usable), ROWS):
        batch = usable[first : first + ROWS]
        for (case, grammar), tokens in zip(batch, drive(batch, tokenizer, width, clock, generator)):
            text = tokenizer.decode(tokens[:-1])
            outcome = "not ended" if not grammar.is_terminated() else "valid" if is_valid(case, text) else "invalid"
            counts[outcome] += 1
            if outcome == "invalid":
                print(f"  invalid   {case.name}: {text!r}")
    listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    print(f"{name}: {listed}; {clock.steps} steps of up to {ROWS} rows: {clock}", flush=True)
    return counts["invalid"] + len(chosen) - len(usable)


def thinking(create, tokenizer, width: int) -> int:
    """A request that is thinking, inside of SGLang's backend for reasoning. Returns the number of wrong answers."""
    backend = create("qwen3")
    key = ("regex", "[0-9]{2}")
    grammar = backend.get_cached_or_future_value(key, True)[0].result()
    grammar.maybe_init_reasoning(True)
    end = tokenizer.eos_token_id
    wrong = 0

    def check(name: str, right: bool) -> None:
        nonlocal wrong
        wrong += not right
        print(f"  {'right' if right else 'WRONG'}  {name}")

    def allowed() -> set[int]:
        mask = grammar.allocate_vocab_mask(width, 1, "cpu")
        grammar.fill_vocab_mask_batched([GrammarRow(0, grammar)], mask)
        logits = torch.zeros((1, width))
        grammar.apply_vocab_mask(logits=logits, vocab_mask=mask)
        return set(logits[0].isfinite().nonzero().flatten().tolist())

    ids = lambda text: tokenizer.encode(text, add_special_tokens=False)
    digits = set(ids("0123456789"))
    everything = set(range(width))
    check("a request that is thinking is not constrained", allowed() == everything and not grammar.is_terminated())
    for token in ids("12 or 13"):
        grammar.accept_token(token)
    check("what it thinks is not committed", allowed() == everything)
    marker = list(grammar.think_end_ids)
    for token in marker:
        grammar.accept_token(token)
    behind = allowed()
    check(f"behind the end of thinking ({len(marker)} tokens) it is constrained", behind < everything and digits <= behind)
    for token in ids("12"):
        grammar.accept_token(token)
    check("then only the end is allowed", allowed() == {end})
    grammar.rollback(2)
    check("drafts are taken back", allowed() == behind)
    grammar.rollback(1)
    check("drafts across the end of thinking are taken back", allowed() == everything)
    for token in [marker[-1], *ids("12"), end]:
        grammar.accept_token(token)
    check("it ends", grammar.is_terminated())
    fresh = grammar.copy()
    fresh.maybe_init_reasoning(False)
    backend.set_cache(key, fresh)
    again, hit = backend.get_cached_or_future_value(key, False)
    check("the cache gives a fresh request, which does not think", hit and not again.is_terminated())
    refused = backend.get_cached_or_future_value(("regex", "("), True)[0].result()
    check("what cannot be compiled is an invalid grammar", isinstance(refused, InvalidGrammarObject))
    print(f"thinking: {'all right' if not wrong else f'{wrong} WRONG'}", flush=True)
    return wrong


def main() -> int:
    torch.set_num_threads(1)
    adapter.register()
    adapter.register()
    tokenizer = AutoTokenizer.from_pretrained(os.environ["MODEL"])
    width = AutoConfig.from_pretrained(os.environ["MODEL"]).vocab_size
    packages = ("sglang", "torch", "gcc-grammar", "xgrammar")
    print(", ".join(f"{name} {metadata.version(name)}" for name in packages), flush=True)

    def create(parser=None):
        arguments = types.SimpleNamespace(reasoning_parser=parser, constrained_json_disable_any_whitespace=False)
        return GRAMMAR_BACKEND_REGISTRY["gcc"](arguments, tokenizer, width, {tokenizer.eos_token_id})

    chosen = [case for case in cases() if case.kind is not None]
    wrong = run("gcc", create(), chosen, tokenizer, width)
    other = XGrammarGrammarBackend(tokenizer, vocab_size=width, model_eos_token_ids=[tokenizer.eos_token_id])
    run("xgrammar", other, chosen, tokenizer, width)
    wrong += thinking(create, tokenizer, width)
    print("sglang: all right" if not wrong else "sglang: WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
