"""Compiles a schema or grammar with llguidance and XGrammar, and makes their masks along given outputs.

`gcc-grammar bench --peers` runs it. The job comes on the standard input as JSON; a line of JSON for each engine goes to the standard output. Times are
nanoseconds, from Python: a call of a mask without the row's allocation.
"""

import ctypes
import json
import sys
import time
from importlib.metadata import PackageNotFoundError, version

now = time.perf_counter_ns


class Llguidance:
    """llguidance: any white space, as JSON Schema says."""

    name, reads = "llguidance", {"json-schema": "json_schema", "lark": "lark", "regex": "regex"}

    def __init__(self, job):
        import llguidance

        self.package, self.job = llguidance, job
        self.row = (ctypes.c_uint32 * ((job["width"] + 31) // 32))()
        self.tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokens(job)))

    def compile(self):
        kind = self.reads[self.job["notation"]]
        return getattr(self.package.LLMatcher, f"grammar_from_{kind}")(self.job["text"])

    def matcher(self, compiled):
        matcher = self.package.LLMatcher(self.tokenizer, compiled)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def fill(self, matcher):
        matcher.unsafe_compute_mask_ptr(ctypes.addressof(self.row), ctypes.sizeof(self.row))

    def allows(self, token):
        return self.row[token // 32] >> (token % 32) & 1

    @staticmethod
    def commit(matcher, token):
        return matcher.consume_token(token)


class Xgrammar:
    """XGrammar: any white space, objects open as JSON Schema says, one thread, no cache."""

    name, reads = "xgrammar", {"json-schema": "json_schema", "gbnf": "grammar", "ebnf": "grammar", "regex": "regex"}

    def __init__(self, job):
        import torch
        import xgrammar

        torch.set_num_threads(1)
        self.package, self.job = xgrammar, job
        tokens = Tokens(job)
        info = xgrammar.TokenizerInfo(tokens.tokens, vocab_size=job["width"], stop_token_ids=job["ends"])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self.row = xgrammar.allocate_token_bitmask(1, job["width"])

    def compile(self):
        kind = self.reads[self.job["notation"]]
        options = {"any_whitespace": True, "strict_mode": False} if kind == "json_schema" else {}
        return getattr(self.compiler, f"compile_{kind}")(self.job["text"], **options)

    def matcher(self, compiled):
        return self.package.GrammarMatcher(compiled)

    def fill(self, matcher):
        matcher.fill_next_token_bitmask(self.row, 0)

    def allows(self, token):
        return int(self.row[0, token // 32]) >> (token % 32) & 1

    @staticmethod
    def commit(matcher, token):
        return matcher.accept_token(token)


class Tokens:
    """The vocabulary, as llguidance asks for it."""

    def __init__(self, job):
        self.tokens = [bytes.fromhex(text) for text in job["tokens"]]
        self.special_token_ids = job["specials"]
        self.eos_token_id, self.bos_token_id = job["ends"][0], None

    def __call__(self, text):
        raise ValueError("no text is cut into tokens here")


def first_mask(engine):
    """The time from the text to the first mask."""
    start = now()
    engine.fill(engine.matcher(engine.compile()))
    return now() - start


def read(engine, compiled, output, report):
    """Makes a mask before each token. Whether the engine allows all of them."""
    matcher = engine.matcher(compiled)
    for token in output:
        start = now()
        engine.fill(matcher)
        masked = now()
        if not engine.allows(token):
            return False
        begin = now()
        if not engine.commit(matcher, token):
            return False
        report["commit_ns"].append(now() - begin)
        report["mask_ns"].append(masked - start)
    return True


def measure(kind, job):
    """What an engine needs for the job."""
    try:
        report = {"engine": f"{kind.name} {version(kind.name)}"}
    except PackageNotFoundError:
        return {"engine": kind.name, "error": f"not installed for {sys.executable}"}
    if job["notation"] not in kind.reads:
        return {**report, "error": f"it does not read {job['notation']}"}
    try:
        engine = kind(job)
        first = [first_mask(engine) for _ in range(job["runs"])]
        report.update(first_mask_ns=first, mask_ns=[], commit_ns=[])
        compiled = engine.compile()
        whole = [read(engine, compiled, output, report) for _ in range(job["replays"]) for output in job["outputs"]]
        return {**report, "refused": whole[: len(job["outputs"])].count(False)}
    except Exception as error:  # The packages raise exceptions of many kinds.
        return {"engine": report["engine"], "error": str(error) or repr(error)}


def main():
    """Answers a line for each engine."""
    job = json.load(sys.stdin)
    for kind in (Llguidance, Xgrammar):
        print(json.dumps(measure(kind, job)), flush=True)


main()
