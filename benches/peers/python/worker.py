#!/usr/bin/env python3
"""Runs XGrammar, or a package with its interface, as a worker: reads jobs from the standard input, writes reports to the standard output.

    worker.py [--mode fixed,open,one-thread] [--vocab o200k_base] [--passes 3] [--mem-gib 12]

The messages are those of `src/protocol.rs`. Without a mode XGrammar has its defaults: any white space, strict mode, 8 threads, its cache.

| word | meaning |
|---|---|
| `fixed` | the separators of JSON are exactly `", "` and `": "` (`any_whitespace=False`) |
| `open` | properties and items that a schema does not name are allowed, as JSON Schema says (`strict_mode=False`) |
| `one-thread` | grammars are compiled by one thread (`max_threads=1`) |
| `no-cache` | nothing is kept from one grammar for the next (`cache_enabled=False`) |
| `compat` | the package is `gcc_grammar.compat.xgrammar`: this engine, called from Python in the same way |

The tokens, and the tokens of texts, come from the vocabularies of `gcc_grammar`, outside of all measured times.
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import sys
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, TextIO, Tuple

import gcc_grammar
import numpy
import torch

#: A schema that is compiled before the first job.
WARM_UP = '{"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "number"}}}'
#: The vocabulary in which the peers have two special tokens only: its name here, the end token, and the number of tokens.
O200K_BASE = ("o200k", 199_999, 200_019)
WORDS = ("fixed", "open", "one-thread", "no-cache", "compat")

now = time.perf_counter_ns


class Number(str):
    """A number as it is written in a file."""


def number(text: str) -> Number:
    """A number with a fraction or an exponent, as the other workers write it: the nearest double, as Python prints it."""
    return Number(repr(float(text)))


def spaced(value: Any) -> str:
    """The value with ", " and ": " as separators. Only integers are exact."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(spaced, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{spaced(key)}: {spaced(member)}" for key, member in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def raw_member(text: str, name: str) -> str:
    """The text of a member of the object that `text` is, as it stands in the file."""
    decoder, position = json.JSONDecoder(), text.index("{") + 1
    while True:
        key, position = decoder.raw_decode(text, _skip(text, position, ","))
        start = _skip(text, position, ":")
        _, position = decoder.raw_decode(text, start)
        if key == name:
            return text[start:position]


def _skip(text: str, position: int, mark: str) -> int:
    while text[position] in " \t\r\n" + mark:
        position += 1
    return position


def status(field: str) -> int:
    """A field of `/proc/self/status`, in kibibytes or as a count."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next((int(line.split()[1]) for line in lines if line.startswith(field + ":")), 0)


def reset_peak() -> None:
    """Resets `VmHWM`. Where this is not permitted, the peak is that of the whole life of the process."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        pass


class Tokens:
    """The tokens of a vocabulary, as all workers have them."""

    def __init__(self, name: str) -> None:
        source, end, width = O200K_BASE if name == "o200k_base" else (name, None, None)
        self._vocabulary = gcc_grammar.Vocabulary(source)
        self.width: int = width or self._vocabulary.width
        self.ends: List[int] = self._vocabulary.end_tokens if end is None else [end]
        last = self.width if end is None else end
        # A token without bytes is a special one.
        self.texts = [(self._vocabulary.token_bytes(token) or b"") if token < last else b"" for token in range(self.width)]

    def of(self, text: str) -> List[int]:
        """The tokens of a text, as the tokenizer of the model cuts it."""
        return self._vocabulary.tokenize(text)


class Engine:
    """A package with the interface of XGrammar, and the settings of the mode."""

    def __init__(self, tokens: Tokens, words: List[str]) -> None:
        self.package = importlib.import_module("gcc_grammar.compat.xgrammar" if "compat" in words else "xgrammar")
        self.tokens = tokens
        info = self.package.TokenizerInfo(tokens.texts, vocab_size=tokens.width, stop_token_ids=tokens.ends)
        threads = {"max_threads": 1} if "one-thread" in words else {}
        cache = {"cache_enabled": False} if "no-cache" in words else {}
        self.info, self.compiler = info, self.package.GrammarCompiler(info, **threads, **cache)
        self.options: Dict[str, Any] = {}
        if "fixed" in words:
            self.options.update(any_whitespace=False, separators=(", ", ": "))
        if "open" in words:
            self.options["strict_mode"] = False
        self.row = torch.zeros((1, (tokens.width + 31) // 32), dtype=torch.int32)
        self.words = self.row.numpy()[0].view(numpy.uint32)

    def compile(self, kind: str, text: str) -> Any:
        """Compiles a schema or a Lark grammar."""
        if kind == "bench":
            return self.compiler.compile_json_schema(text, **self.options)
        return self.compiler.compile_lark(text)

    def allows(self, token: int) -> bool:
        """Whether the row has the token."""
        return bool(int(self.words[token >> 5]) >> (token & 31) & 1)

    def first_mask(self, compiled: Any) -> numpy.ndarray:
        """The mask of the empty text."""
        self.package.GrammarMatcher(compiled).fill_next_token_bitmask(self.row, 0)
        return self.words.copy()

    def artifact(self, compiled: Any) -> Dict[str, Any]:
        """Saves and opens the compiled grammar, and compares the first mask."""
        result: Dict[str, Any] = {"bytes": 0, "save_ns": 0, "load_ns": 0, "same_mask": True, "error": ""}
        try:
            mask = self.first_mask(compiled)
            start = now()
            saved = compiled.serialize_json()
            result["save_ns"] = now() - start
            result["bytes"] = len(saved.encode())
            start = now()
            opened = self.package.CompiledGrammar.deserialize_json(saved, self.info)
            result["load_ns"] = now() - start
            result["same_mask"] = bool((self.first_mask(opened) == mask).all())
        except Exception as error:  # The package raises exceptions of many kinds.
            result["error"] = str(error) or repr(error)
        return result

    def read(self, compiled: Any, tokens: List[int]) -> Dict[str, Any]:
        """Makes the mask before each token and commits the token, until a mask does not allow it."""
        report: Dict[str, Any] = {"verdict": "broken", "reached": 0, "detail": "", "allowed": []}
        mask_ns: List[int] = []
        commit_ns: List[int] = []
        tbm_ns: List[int] = []
        report.update(mask_ns=mask_ns, commit_ns=commit_ns, tbm_ns=tbm_ns)
        start = now()
        matcher = self.package.GrammarMatcher(compiled)
        report["open_ns"] = now() - start
        fill, accept, row = matcher.fill_next_token_bitmask, matcher.accept_token, self.row
        for token in tokens:
            begin = now()
            fill(row, 0)
            masked = now()
            allowed = self.allows(token)
            # What Python needs to look into the row does not count.
            looked = now()
            taken = accept(token) if allowed else False
            end = now()
            mask_ns.append(masked - begin)
            tbm_ns.append(masked - begin + end - looked)
            report["allowed"].append(int(numpy.unpackbits(self.words.view(numpy.uint8)).sum(dtype=numpy.int64)))
            if not allowed:
                report["verdict"] = "broken" if accept(token) else "rejected"
                report["detail"] = f"token {token} after {report['reached']} of {len(tokens)}"
                return report
            if not taken:
                report["detail"] = f"token {token} after {report['reached']} is in the mask and is refused"
                return report
            commit_ns.append(end - looked)
            report["reached"] += 1
        report["verdict"] = "accepted" if self.accepts(matcher) else "incomplete"
        return report

    def accepts(self, matcher: Any) -> bool:
        """Whether the text may end here."""
        if matcher.is_terminated():
            return True
        matcher.fill_next_token_bitmask(self.row, 0)
        return any(self.allows(end) for end in self.tokens.ends)


def passes(read: Callable[[], Dict[str, Any]], count: int) -> Dict[str, Any]:
    """Reads a text several times. The report has the first pass and the least times of all passes."""
    names = ("mask_ns", "commit_ns", "tbm_ns")
    report = read()
    best = {name: report[name] for name in names}
    for _ in range(1, count):
        again = read()
        if (again["verdict"], again["reached"]) != (report["verdict"], report["reached"]):
            report["detail"] += " [passes disagree]"
        best = {name: list(map(min, best[name], again[name])) for name in names}
    report.update({"best_" + name: best[name] for name in names})
    return report


def texts(job: Dict[str, Any]) -> Tuple[str, List[Tuple[str, bool, str]]]:
    """The grammar of a job, and its texts: how each is written, whether it is valid, and the text."""
    with open(job["path"], encoding="utf-8") as file:
        grammar = file.read()
    if job["kind"] == "bench":
        tests = json.loads(grammar, parse_float=number).get("tests", [])
        instances = [("spaced", test["valid"], spaced(test["data"])) for test in tests]
        return raw_member(grammar, "schema"), instances
    files = [(path, True) for path in job.get("accept", [])] + [(path, False) for path in job.get("reject", [])]
    return grammar, [("text", valid, _content(path)) for path, valid in files]


def _content(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class Worker:
    """Does the jobs."""

    def __init__(self, engine: Engine, count: int, output: TextIO) -> None:
        self.engine, self.count, self.output = engine, count, output

    def send(self, note: str, **fields: Any) -> None:
        """Sends a message to the driver."""
        self.output.write(json.dumps({"note": note, **fields}) + "\n")
        self.output.flush()

    def run(self, job: Dict[str, Any]) -> None:
        """Does a job and sends its report."""
        report = {"id": job["id"], "compile": "error", "message": "", "ttfm_ns": 0, "artifact": None, "tests": []}
        report.update(compile_ns=0, compile_cpu_ns=0, compile_peak_kib=0, run_failure="", memory_bytes=None)
        grammar, feeds = texts(job)
        compiled = self.compile(job["kind"], grammar, report)
        if compiled is not None:
            try:
                self.use(job["id"], compiled, feeds, report)
            except Exception as error:  # The package raises exceptions of many kinds.
                report["run_failure"] = str(error) or repr(error)
        report["threads"] = status("Threads")
        self.send("done", **report)

    def compile(self, kind: str, grammar: str, report: Dict[str, Any]) -> Optional[Any]:
        """Compiles a grammar, and reports time and memory."""
        reset_peak()
        before, processor, start = status("VmRSS"), time.process_time_ns(), now()
        compiled = None
        try:
            compiled = self.engine.compile(kind, grammar)
            report["compile"] = "ok"
        except Exception as error:  # The package raises exceptions of many kinds.
            report["message"] = str(error) or repr(error)
        report["compile_ns"] = now() - start
        report["compile_cpu_ns"] = time.process_time_ns() - processor
        report["compile_peak_kib"] = max(0, status("VmHWM") - before)
        return compiled

    def use(self, name: str, compiled: Any, feeds: List[Tuple[str, bool, str]], report: Dict[str, Any]) -> None:
        """Makes the first mask, saves the grammar, and reads the texts."""
        start = now()
        self.engine.first_mask(compiled)
        report["ttfm_ns"] = report["compile_ns"] + now() - start
        self.send("compiled", id=name)
        report["memory_bytes"] = compiled.memory_size_bytes
        report["artifact"] = self.engine.artifact(compiled)
        for index, (form, valid, text) in enumerate(feeds):
            tokens = self.engine.tokens.of(text)
            read = passes(lambda: self.engine.read(compiled, tokens), self.count)
            read.update(index=index, form=form, valid=valid, tokens=len(tokens), byte_len=len(text.encode()))
            report["tests"].append(read)


def serve(arguments: argparse.Namespace) -> None:
    """Prepares the engine, and does all jobs."""
    start = now()
    tokens = Tokens(arguments.vocab)
    vocabulary_ns, start = now() - start, now()
    engine = Engine(tokens, arguments.mode)
    prepared_ns = now() - start
    warm_up = []
    for _ in range(2):
        start = now()
        engine.first_mask(engine.compile("bench", WARM_UP))
        warm_up.append(now() - start)
    worker = Worker(engine, arguments.passes, sys.stdout)
    resident, threads = status("VmRSS"), status("Threads")
    times = {"vocab_ns": vocabulary_ns, "init_ns": prepared_ns, "first_compile_ns": warm_up[0], "second_compile_ns": warm_up[1]}
    worker.send("ready", **times, rss_kib=resident, threads=threads)
    for line in jobs():
        worker.run(line)


def jobs() -> Iterator[Dict[str, Any]]:
    """The jobs, as they come."""
    for line in sys.stdin:
        yield json.loads(line)


def words(text: str) -> List[str]:
    """The words of a mode."""
    found = [word for word in text.split(",") if word]
    unknown = [word for word in found if word not in WORDS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown mode {', '.join(unknown)}")
    return found


def main() -> None:
    """Reads the arguments, and serves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--vocab", default="o200k_base")
    parser.add_argument("--mode", type=words, default=[])
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--forms", choices=["spaced"], default="spaced")
    parser.add_argument("--mem-gib", type=int, default=0)
    parser.add_argument("--trim", help="accepted and ignored")
    arguments = parser.parse_args()
    if arguments.mem_gib:
        resource.setrlimit(resource.RLIMIT_AS, (arguments.mem_gib << 30,) * 2)
    torch.set_num_threads(1)
    # Recursive engines get a deep stack whatever the shell's limit is.
    threading.stack_size(256 << 20)
    thread = threading.Thread(target=serve, args=(arguments,))
    thread.start()
    thread.join()


if __name__ == "__main__":
    main()
