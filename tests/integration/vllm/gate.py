"""vLLM's own manager of grammars with our backend: requests that are thinking, drafts, and the end. Exits with 1 if a row is wrong.

The manager is that of vLLM; the configuration, the requests and the parser of reasoning are small stand-ins, so no model is loaded.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from types import SimpleNamespace

os.environ["GCC_GRAMMAR_VLLM"] = "1"

import numpy

import gcc_grammar as gg
from gcc_grammar import vllm as adapter

THINK_END = "</think>"
DRAFTS = 8


class Reasoner:
    """A parser of reasoning: it ends behind a text that is several tokens."""

    def __init__(self, tokenizer, **arguments) -> None:
        self.tokenizer = tokenizer

    def is_reasoning_end(self, tokens) -> bool:
        return THINK_END in self.tokenizer.decode(tokens)

    def is_reasoning_end_streaming(self, tokens, delta) -> bool:
        return self.is_reasoning_end(tokens)


def manager_of(model: str, drafts: int, reasoner=None):
    """vLLM's manager, with our backend."""
    import vllm.v1.structured_output as module
    from transformers import AutoConfig, AutoTokenizer

    adapter.register()
    tokenizer = AutoTokenizer.from_pretrained(model)
    module.cached_tokenizer_from_config = lambda model_config: tokenizer
    width = AutoConfig.from_pretrained(model).vocab_size
    structured = SimpleNamespace(
        reasoning_parser_plugin="", reasoning_parser="", enable_in_reasoning=False, disable_any_whitespace=False
    )
    config = SimpleNamespace(
        parallel_config=SimpleNamespace(distributed_executor_backend=None),
        scheduler_config=SimpleNamespace(max_num_seqs=4),
        model_config=SimpleNamespace(
            skip_tokenizer_init=False, get_vocab_size=lambda: width, is_diffusion=False, hf_config=SimpleNamespace(model_type="llama")
        ),
        structured_outputs_config=structured,
        speculative_config=SimpleNamespace(num_speculative_tokens=drafts) if drafts else None,
        num_speculative_tokens=drafts,
    )
    manager = module.StructuredOutputManager(config)
    manager.reasoner_cls = reasoner
    return manager


class Driver:
    """One request, driven as the scheduler drives it."""

    def __init__(self, manager, **spec) -> None:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams
        from vllm.v1.structured_output.request import StructuredOutputRequest

        self.manager = manager
        params = SamplingParams(structured_outputs=StructuredOutputsParams(**spec))
        params.structured_outputs._backend = "xgrammar"
        params._all_stop_token_ids = {manager.tokenizer.eos_token_id}
        self.request = SimpleNamespace(
            request_id="r",
            use_structured_output=True,
            sampling_params=params,
            structured_output_request=StructuredOutputRequest.from_sampling_params(params),
            prompt_token_ids=manager.tokenizer("A number: ").input_ids,
            all_token_ids=list(manager.tokenizer("A number: ").input_ids),
        )
        manager.grammar_init(self.request)
        while not self.request.structured_output_request.is_grammar_ready:
            time.sleep(0.01)
        grammar = self.request.structured_output_request.grammar
        if isinstance(grammar, Exception):
            raise grammar

    def rows(self, drafts=()):
        """The sets of tokens of the rows of a step; none where everything is allowed."""
        filled = self.manager.grammar_bitmask({"r": self.request}, ["r"], {"r": list(drafts)})
        return [None if (row == -1).all() else allowed(row) for row in filled[: len(drafts) + 1]]

    def go_on(self, tokens) -> bool:
        self.request.all_token_ids += tokens
        return self.manager.accept_tokens(self.request, tokens)


def allowed(row) -> set[int]:
    """The tokens that a row allows."""
    return set(numpy.flatnonzero(numpy.unpackbits(row.view(numpy.uint8), bitorder="little")).tolist())


def check(name: str, right: bool) -> int:
    print(f"  {'right' if right else 'WRONG'}  {name}", flush=True)
    return 0 if right else 1


def main() -> int:
    import vllm

    model = os.environ["MODEL"]
    print(f"vLLM {vllm.__version__}, gcc-grammar {gg.__version__}: the manager of grammars", flush=True)
    wrong = 0
    manager = manager_of(model, drafts=DRAFTS)
    ids = lambda text: manager.tokenizer(text, add_special_tokens=False).input_ids
    end = manager.tokenizer.eos_token_id
    digits = {token for token in range(len(manager.tokenizer)) if manager.tokenizer.decode([token]) in tuple("0123456789")}

    driver = Driver(manager, regex="[0-9]{3}")
    draft = ids("123")
    rows = driver.rows(draft)
    wrong += check("rows of drafts: digits, digits, digits, and the end", all(row <= digits for row in rows[:3]) and rows[3] == {end})
    wrong += check("drafts are taken back: the same rows again", driver.rows(draft) == rows)
    wrong += check("drafts that the grammar refuses are cut", manager.validate_tokens(driver.request, ids("12x3")) == ids("12"))
    wrong += check("a step accepts some of its drafts", driver.go_on(ids("12")) and driver.rows() == [rows[2]])
    wrong += check("the end inside of drafts", driver.rows([*ids("3"), end])[:2] == [rows[2], {end}] and driver.rows() == [rows[2]])
    wrong += check("tokens behind the end count for nothing", driver.go_on([*ids("3"), end, *ids("3")]))
    wrong += check("an output that ended is not constrained", driver.rows() == [None])

    thinking = manager_of(model, drafts=DRAFTS, reasoner=Reasoner)
    driver = Driver(thinking, regex="[0-9]{3}")
    first = driver.rows()
    thought = ids("Let me think")
    unconstrained = first == [None] and driver.rows(thought) == [None] * (1 + len(thought))
    wrong += check("a request that is thinking is not constrained", unconstrained)
    wrong += check("what it thinks is not committed", driver.go_on(thought) and driver.rows() == [None])
    marker = ids(THINK_END)
    rows = driver.rows([*marker, *ids("12")])
    free, constrained = rows[: len(marker)], rows[len(marker) :]
    across = free == [None] * len(marker) and all(row is not None and row <= digits for row in constrained)
    wrong += check(f"drafts across the end of thinking ({len(marker)} tokens)", across)
    wrong += check("the end of thinking and the first digit in one step", driver.go_on([*marker, *ids("1")]))
    rows = driver.rows(ids("23"))
    wrong += check("then it is constrained", rows[0] <= digits and rows[1] <= digits and rows[2] == {end})

    # vLLM logs the failure with its traceback.
    logging.disable(logging.CRITICAL)
    try:
        Driver(manager, json={"type": "integre"})
        wrong += check("a request that cannot be compiled fails alone", False)
    except gg.Error:
        wrong += check("a request that cannot be compiled fails alone", Driver(manager, regex="a").rows() != [None])
    print("the manager of grammars: all right" if wrong == 0 else f"the manager of grammars: {wrong} WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
