"""Batches through `generate` of transformers. Exits with 1 if an output that ended by itself is wrong."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

import torch
import transformers
from cases import Case, cases

import gcc_grammar as gg
from gcc_grammar.transformers import GrammarLogitsProcessor, vocabulary

MOST = 80


class Measured(GrammarLogitsProcessor):
    """The processor with a clock."""

    seconds = 0.0
    calls = 0

    def __call__(self, input_ids, scores):
        start = time.perf_counter()
        result = super().__call__(input_ids, scores)
        self.seconds += time.perf_counter() - start
        self.calls += 1
        return result


def source(case: Case):
    """What is compiled for a case; none for a case without a grammar."""
    if case.kind == "grammar":
        return (gg.Ebnf if "::=" in case.spec else gg.Lark)(case.spec)
    return {"json": gg.JsonSchema, "regex": gg.Regex, "choice": gg.Choice, None: lambda spec: None}[case.kind](case.spec)


def compiled(chosen: list[Case], vocab: gg.Vocabulary) -> list:
    """The artifact of each case."""
    sources = [source(case) for case in chosen]
    start = time.perf_counter()
    artifacts = [None if item is None else gg.compile(item, vocab) for item in sources]
    print(f"compiled {sum(item is not None for item in artifacts)} in {time.perf_counter() - start:.1f} s")
    return artifacts


def generate(model, tokenizer, chosen: list[Case], artifacts: list, **options) -> tuple[int, int, int]:
    """Runs a batch; the numbers of valid, invalid and unfinished outputs."""
    inputs = tokenizer([case.prompt for case in chosen], return_tensors="pt", padding=True)
    processor = Measured(artifacts)
    output = model.generate(**inputs, max_new_tokens=MOST, logits_processor=[processor], pad_token_id=2, **options)
    texts = output[:, inputs.input_ids.shape[1] :].tolist()
    valid = invalid = unfinished = 0
    each = len(texts) // len(chosen)
    for number, tokens in enumerate(texts):
        case = chosen[number // each]
        if case.kind is None:
            continue
        if 2 not in tokens:
            unfinished += 1
            continue
        text = tokenizer.decode(tokens[: tokens.index(2)])
        if case.is_valid(text):
            valid += 1
        else:
            invalid += 1
            print(f"  invalid   {case.name}: {text!r}")
    per_step = processor.seconds / processor.calls * 1e6
    print(f"{options}: {valid} valid, {invalid} invalid, {unfinished} not ended; {per_step:.0f} us per step of {len(texts)} rows")
    return valid, invalid, unfinished


def main() -> int:
    torch.set_num_threads(2)
    torch.manual_seed(26)
    tokenizer = transformers.AutoTokenizer.from_pretrained(os.environ["MODEL"], padding_side="left")
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    model = transformers.AutoModelForCausalLM.from_pretrained(os.environ["MODEL"], dtype=torch.float32)
    print(f"transformers {transformers.__version__}, torch {torch.__version__}")
    chosen = cases()
    artifacts = compiled(chosen, vocabulary(tokenizer, model))
    wrong = 0
    for first in (0, 25):
        part = slice(first, first + 25)
        for options in ({"do_sample": False}, {"do_sample": True}):
            wrong += generate(model, tokenizer, chosen[part], artifacts[part], **options)[1]
    wrong += generate(model, tokenizer, chosen[:4], artifacts[:4], do_sample=False, num_beams=3, num_return_sequences=2)[1]
    print("transformers: all right" if wrong == 0 else f"transformers: {wrong} WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
