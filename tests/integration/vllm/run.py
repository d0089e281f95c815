"""50 requests in mixed batches through vLLM: run.py gcc|xgrammar [--drafts N]. Exits with 1 if an output is wrong or refused wrongly."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))


class Clock:
    """The time spent in methods."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def watch(self, owner: type, method: str) -> None:
        """Measures every call of a method."""
        original = getattr(owner, method)

        def measured(*arguments, **keywords):
            start = time.perf_counter()
            try:
                return original(*arguments, **keywords)
            finally:
                self.seconds[method].append(time.perf_counter() - start)

        setattr(owner, method, measured)

    def take(self) -> dict[str, list[float]]:
        taken, self.seconds = dict(self.seconds), defaultdict(list)
        return taken


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] if values else 0.0


def watched(backend: str) -> Clock:
    """Watches the classes of a backend."""
    from vllm.v1.structured_output import StructuredOutputManager

    if backend == "gcc":
        from gcc_grammar._vllm_backend import GccBackend as Backend
        from gcc_grammar._vllm_backend import GccGrammar as Grammar
    else:
        from vllm.v1.structured_output.backend_xgrammar import XgrammarBackend as Backend
        from vllm.v1.structured_output.backend_xgrammar import XgrammarGrammar as Grammar
    clock = Clock()
    for owner, method in (
        (Backend, "compile_grammar"),
        (Grammar, "fill_bitmask"),
        (Grammar, "accept_tokens"),
        (Grammar, "validate_tokens"),
        (Grammar, "rollback"),
        (StructuredOutputManager, "grammar_bitmask"),
    ):
        clock.watch(owner, method)
    return clock


def params_of(case, temperature: float, seed: int):
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    structured = None if case.kind is None else StructuredOutputsParams(**{case.kind: case.spec})
    return SamplingParams(temperature=temperature, seed=seed, max_tokens=case_tokens(case), structured_outputs=structured)


def case_tokens(case) -> int:
    return 32 if case.kind is None else 120


def refused_by_front(params) -> str | None:
    """The message with which the front refuses a request; none if it does not."""
    import copy

    from vllm.v1.structured_output import backend_xgrammar

    try:
        backend_xgrammar.validate_xgrammar_grammar(copy.deepcopy(params))
    except Exception as error:
        return str(error).strip().splitlines()[0]
    return None


def round_of(llm, cases, temperature: float, clock: Clock) -> dict[str, int]:
    """Runs all cases in one batch, and counts their outcomes."""
    counts: dict[str, int] = defaultdict(int)
    kinds: dict[str, int] = defaultdict(int)
    usable = []
    for number, case in enumerate(cases):
        params = params_of(case, temperature, number)
        message = refused_by_front(params)
        if message is None:
            usable.append((case, params))
        else:
            counts["refused"] += 1
            print(f"  refused   {case.name}: {message}")
    clock.take()
    start = time.perf_counter()
    outputs = llm.generate([case.prompt for case, _ in usable], [params for _, params in usable], use_tqdm=False)
    wall = time.perf_counter() - start
    tokens = 0
    for (case, _), output in zip(usable, outputs):
        text, reason = output.outputs[0].text, output.outputs[0].finish_reason
        tokens += len(output.outputs[0].token_ids)
        outcome = outcome_of(case, text, reason)
        counts[outcome] += 1
        kinds[case.kind] += outcome == "not ended"
        if outcome not in ("free", "valid", "not ended"):
            print(f"  {outcome:9} {case.name}: {text!r}")
    report(temperature, counts, clock.take(), tokens, wall)
    print("  not ended:", ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=str) if count), flush=True)
    return counts


def outcome_of(case, text: str, reason: str) -> str:
    if case.kind is None:
        return "free"
    if reason == "length":
        return "not ended"
    if reason != "stop":
        return reason
    return "valid" if case.is_valid(text) else "invalid"


def report(temperature: float, counts: dict[str, int], seconds: dict[str, list[float]], tokens: int, wall: float) -> None:
    steps = len(seconds.get("grammar_bitmask", []))
    print(f"temperature {temperature}: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    print(f"  {tokens} tokens in {wall:.1f} s, {steps} steps with masks")
    for method, values in seconds.items():
        unit, factor = ("ms", 1e3) if method == "compile_grammar" else ("us", 1e6)
        p50, p99 = percentile(values, 0.5) * factor, percentile(values, 0.99) * factor
        each = f"{sum(values) / len(values) * 1e3:9.1f} ms each" if method == "compile_grammar" else f"{sum(values) / steps * 1e6:9.1f} us per step"
        print(f"  {method:16} {len(values):6} calls  p50 {p50:9.1f} {unit}  p99 {p99:9.1f} {unit}  {each}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("backend", choices=["gcc", "xgrammar"])
    parser.add_argument("--drafts", type=int, default=0)
    given = parser.parse_args()
    os.environ["GCC_GRAMMAR_VLLM"] = "1" if given.backend == "gcc" else "0"
    import vllm
    from vllm import LLM

    from cases import cases

    start = time.perf_counter()
    drafts = {"method": "ngram", "num_speculative_tokens": given.drafts, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
    llm = LLM(
        os.environ["MODEL"],
        enforce_eager=True,
        max_model_len=768,
        dtype="bfloat16",
        max_num_seqs=16,
        structured_outputs_config={"backend": "xgrammar"},
        speculative_config=drafts if given.drafts else None,
    )
    print(f"\nvLLM {vllm.__version__}, masks by {given.backend}, {given.drafts} drafts; loaded in {time.perf_counter() - start:.0f} s", flush=True)
    clock = watched(given.backend)
    wrong = 0
    for temperature in (0.0, 1.0):
        counts = round_of(llm, cases(), temperature, clock)
        # All requests can be compiled, so ours refuses none. What XGrammar refuses is printed.
        right = {"free", "valid", "not ended"} | ({"refused"} if given.backend == "xgrammar" else set())
        wrong += sum(count for name, count in counts.items() if name not in right)
    print(f"{given.backend}, {given.drafts} drafts: {'all right' if wrong == 0 else f'{wrong} WRONG'}")
    sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
