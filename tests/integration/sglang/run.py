"""The backend `gcc` with the classes of SGLang, without its server. Exits with 1 if an output is wrong."""

from __future__ import annotations

import os
import random
import sys
import time
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

import json

import torch
from cases import cases
from sglang.srt.constrained.base_grammar_backend import GRAMMAR_BACKEND_REGISTRY, GrammarRow, InvalidGrammarObject
from transformers import AutoConfig, AutoTokenizer

from gcc_grammar import sglang as adapter

ROWS = 16
MOST = 60


def key_of(case) -> tuple[str, str]:
    """The key by which SGLang asks for a grammar."""
    if case.kind == "json":
        return "json", json.dumps(case.spec)
    if case.kind == "choice":
        return "json", json.dumps({"enum": case.spec})
    return ("regex" if case.kind == "regex" else "ebnf"), case.spec


def main() -> int:
    torch.set_num_threads(1)
    adapter.register()
    tokenizer = AutoTokenizer.from_pretrained(os.environ["MODEL"])
    width = AutoConfig.from_pretrained(os.environ["MODEL"]).vocab_size
    arguments = types.SimpleNamespace(reasoning_parser=None, constrained_json_disable_any_whitespace=False)
    backend = GRAMMAR_BACKEND_REGISTRY["gcc"](arguments, tokenizer, width, {tokenizer.eos_token_id})
    chosen = [case for case in cases() if case.kind is not None]
    start = time.perf_counter()
    keys = [key_of(case) for case in chosen]
    futures = [backend.get_cached_or_future_value(key, False)[0] for key in keys]
    grammars = [future.result() for future in futures]
    for key, grammar in zip(keys, grammars):
        backend.set_cache(key, grammar.copy())
    refused = [case.name for case, grammar in zip(chosen, grammars) if isinstance(grammar, InvalidGrammarObject)]
    print(f"compiled {len(grammars)} in {time.perf_counter() - start:.1f} s, refused {len(refused)}: {refused}")
    assert all(backend.get_cached_or_future_value(key, False)[1] for key in keys), "the cache does not find a grammar"
    wrong = 0
    counts = {"valid": 0, "not ended": 0}
    seconds, steps = 0.0, 0
    generator = random.Random(26)
    for first in range(0, len(chosen), ROWS):
        batch = [(case, grammar) for case, grammar in zip(chosen, grammars)][first : first + ROWS]
        batch = [(case, grammar) for case, grammar in batch if case.name not in refused]
        mask = batch[0][1].allocate_vocab_mask(width, len(batch), "cpu")
        outputs: list[list[int]] = [[] for _ in batch]
        for _ in range(MOST):
            live = [row for row, (_, grammar) in enumerate(batch) if not grammar.is_terminated()]
            if not live:
                break
            start = time.perf_counter()
            type(batch[0][1]).fill_vocab_mask_batched([GrammarRow(row, batch[row][1]) for row in live], mask)
            seconds += time.perf_counter() - start
            steps += 1
            logits = torch.zeros((len(batch), width))
            # An end is as likely as everything else together, so that outputs end.
            logits[:, tokenizer.eos_token_id] = 10.0
            batch[0][1].apply_vocab_mask(logits=logits, vocab_mask=batch[0][1].move_vocab_mask(mask, "cpu"))
            for row in live:
                allowed = logits[row].isfinite().nonzero().flatten().tolist()
                end = tokenizer.eos_token_id
                token = end if end in allowed and generator.random() < 0.5 else generator.choice(allowed)
                grammar = batch[row][1]
                grammar.accept_token(token)
                grammar.rollback(1)
                grammar.accept_token(token)
                outputs[row].append(token)
        for (case, grammar), tokens in zip(batch, outputs):
            if not grammar.is_terminated():
                counts["not ended"] += 1
            elif case.is_valid(tokenizer.decode(tokens[:-1])) or case.kind == "choice" and json.loads(tokenizer.decode(tokens[:-1])) in case.spec:
                counts["valid"] += 1
            else:
                wrong += 1
                print(f"  invalid   {case.name}: {tokenizer.decode(tokens[:-1])!r}")
    print(f"{counts}, {wrong} invalid; fill_vocab_mask_batched {seconds / steps * 1e6:.0f} us per step of up to {ROWS} rows")
    print("sglang: all right" if not wrong and not refused else "sglang: WRONG")
    return 1 if wrong or refused else 0


if __name__ == "__main__":
    sys.exit(main())
