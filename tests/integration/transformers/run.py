"""Batches through `generate` of transformers, beside the processor of XGrammar. Exits with 1 if an output that ended by itself is wrong."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

import torch
import transformers
import xgrammar
from cases import Case, cases

import gcc_grammar as gg
from gcc_grammar.transformers import GrammarLogitsProcessor, vocabulary

MOST = 80
ROWS = 25


class Measured:
    """A processor with a clock."""

    def __init__(self, processor) -> None:
        self.processor, self.seconds, self.calls, self.rows = processor, 0.0, 0, 0

    def __call__(self, input_ids, scores):
        start = time.perf_counter()
        result = self.processor(input_ids, scores)
        self.seconds += time.perf_counter() - start
        self.calls, self.rows = self.calls + 1, len(input_ids)
        return result


def source(case: Case):
    """What gcc-grammar compiles for a case; none for a case without a grammar."""
    kinds = {"json": gg.JsonSchema, "regex": gg.Regex, "choice": gg.Choice, "grammar": gg.Ebnf, None: lambda spec: None}
    return kinds[case.kind](case.spec)


def compiled(chosen: list[Case], vocab: gg.Vocabulary) -> list:
    """The artifact of each case."""
    start = time.perf_counter()
    artifacts = [None if case.kind is None else gg.compile(source(case), vocab) for case in chosen]
    count = sum(artifact is not None for artifact in artifacts)
    print(f"gcc-grammar compiled {count} in {time.perf_counter() - start:.1f} s", flush=True)
    return artifacts


def compiled_by_xgrammar(chosen: list[Case], tokenizer, width: int) -> list:
    """What XGrammar compiles for the same cases; none for those without a grammar, and those that it refuses."""
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=width))
    alternatives = lambda spec: "root ::= " + " | ".join(json.dumps(choice, ensure_ascii=False) for choice in spec)
    kinds = {
        "json": lambda spec: compiler.compile_json_schema(json.dumps(spec)),
        "regex": compiler.compile_regex,
        "choice": lambda spec: compiler.compile_grammar(alternatives(spec)),
        "grammar": compiler.compile_grammar,
        None: lambda spec: None,
    }
    found = []
    start = time.perf_counter()
    for case in chosen:
        try:
            found.append(kinds[case.kind](case.spec))
        except Exception as error:
            print(f"  xgrammar refuses {case.name}: {str(error).strip().splitlines()[0]}")
            found.append(None)
    count = sum(grammar is not None for grammar in found)
    print(f"xgrammar compiled {count} in {time.perf_counter() - start:.1f} s", flush=True)
    return found


def generate(model, tokenizer, chosen: list[Case], processor, label: str, **options) -> int:
    """Runs a batch, and returns the number of invalid outputs."""
    inputs = tokenizer([case.prompt for case in chosen], return_tensors="pt", padding=True)
    measured = Measured(processor)
    end = tokenizer.eos_token_id
    start = time.perf_counter()
    output = model.generate(**inputs, max_new_tokens=MOST, logits_processor=[measured], pad_token_id=end, **options)
    wall = time.perf_counter() - start
    texts = output[:, inputs.input_ids.shape[1] :].tolist()
    counts = {"valid": 0, "invalid": 0, "not ended": 0, "free": 0}
    for number, tokens in enumerate(texts):
        case = chosen[number * len(chosen) // len(texts)]
        text = tokenizer.decode(tokens[: tokens.index(end)]) if end in tokens else None
        outcome = "free" if case.kind is None else "not ended" if text is None else "valid" if case.is_valid(text) else "invalid"
        counts[outcome] += 1
        if outcome == "invalid":
            print(f"  invalid   {case.name}: {text!r}")
    per_step = measured.seconds / measured.calls * 1e6
    listed = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    print(f"{label} {options}: {listed}; {measured.calls} steps of {measured.rows} rows in {wall:.0f} s, {per_step:.0f} us per step in the processor", flush=True)
    return counts["invalid"]


def main() -> int:
    torch.set_num_threads(2)
    torch.manual_seed(26)
    tokenizer = transformers.AutoTokenizer.from_pretrained(os.environ["MODEL"], padding_side="left")
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    model = transformers.AutoModelForCausalLM.from_pretrained(os.environ["MODEL"], dtype=torch.float32)
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("transformers", "torch", "gcc-grammar", "xgrammar"))
    print(f"{versions}", flush=True)
    chosen = cases()
    artifacts = compiled(chosen, vocabulary(tokenizer, model))
    wrong = 0
    for first in range(0, len(chosen), ROWS):
        part = slice(first, first + ROWS)
        for options in ({"do_sample": False}, {"do_sample": True}):
            processor = GrammarLogitsProcessor(artifacts[part])
            wrong += generate(model, tokenizer, chosen[part], processor, "gcc-grammar", **options)
    beams = {"do_sample": False, "num_beams": 3, "num_return_sequences": 2}
    # Beams copy their caches in every step, so only short prompts are taken.
    short = sorted(range(len(chosen)), key=lambda number: len(chosen[number].prompt))[:6]
    processor = GrammarLogitsProcessor([artifacts[number] for number in short])
    wrong += generate(model, tokenizer, [chosen[number] for number in short], processor, "gcc-grammar", **beams)
    wrong += alone(model, tokenizer, artifacts, chosen)
    beside(model, tokenizer, chosen, artifacts)
    print("transformers: all right" if wrong == 0 else f"transformers: {wrong} WRONG")
    return 1 if wrong else 0


def alone(model, tokenizer, artifacts: list, chosen: list[Case]) -> int:
    """Whether a processor that is used again, and assisted generation, give the same outputs. Returns how often they do not."""
    wrong, count = 0, 0
    for case, artifact in zip(chosen, artifacts):
        if case.kind not in ("regex", "grammar"):
            continue
        inputs = tokenizer(case.prompt, return_tensors="pt")
        options = {"max_new_tokens": 24, "do_sample": False, "pad_token_id": tokenizer.eos_token_id}
        plain, drafts = GrammarLogitsProcessor(artifact), GrammarLogitsProcessor(artifact, drafts=True)
        expected = model.generate(**inputs, **options, logits_processor=[plain]).tolist()
        again = model.generate(**inputs, **options, logits_processor=[plain]).tolist()
        assisted = model.generate(**inputs, **options, logits_processor=[drafts], prompt_lookup_num_tokens=3).tolist()
        count += 1
        for name, found in (("again", again), ("assisted", assisted)):
            if found != expected:
                wrong += 1
                print(f"  {name} differs for {case.name}: {tokenizer.decode(found[0])!r} and {tokenizer.decode(expected[0])!r}")
    print(f"one prompt at a time: a processor used again and assisted generation: {2 * count - wrong} of {2 * count} equal", flush=True)
    return wrong


def beside(model, tokenizer, chosen: list[Case], artifacts: list) -> None:
    """The same batch with both processors. XGrammar's needs a grammar for every row."""
    theirs = compiled_by_xgrammar(chosen, tokenizer, model.config.vocab_size)
    both = [number for number, grammar in enumerate(theirs) if grammar is not None][:ROWS]
    batch = [chosen[number] for number in both]
    ours = GrammarLogitsProcessor([artifacts[number] for number in both])
    generate(model, tokenizer, batch, ours, "gcc-grammar beside", do_sample=False)
    other = xgrammar.contrib.hf.LogitsProcessor([theirs[number] for number in both])
    generate(model, tokenizer, batch, other, "xgrammar beside", do_sample=False)


if __name__ == "__main__":
    sys.exit(main())
