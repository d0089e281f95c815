"""Prints for texts of calls of every family what we say, and what the family's own parsers in vLLM and SGLang find. Called by tool_texts.sh.

A text counts if a parser finds the calls in it that it finds in the text that it is another spelling of, or, for the texts of the case files, calls that
are valid. Exits with 1 if we refuse such a text that is not marked as refused, with the reason, in the case files or in REFUSED."""

import argparse
import collections
import functools
import importlib.metadata
import json
import re
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Any, Iterator, Optional

from tool_calls import cases, parsers, variants, vllm_parsers
from tool_calls.cases import Case, Family, Options

#: Spellings that are refused, and why: by family, the pattern of their names.
REFUSED: list[tuple[str, str, str]] = [
    ("deepseek-v3.2|deepseek-v4|minimax-m2|minicpm5", r"before </", "white space at the end of a string belongs to the string: the other parser reads it so"),
    ("mistral", r": twice", "one mark begins all calls; SGLang reads no others"),
    ("minimax-m3", r"]<]minimax", "the mark of the name space and what stands behind it are one mark: the other parser reads it so"),
    ("inkling|muse|beam|kimi-k3", r": text |, text |twice", "texts and calls are messages of their own"),
    ("kimi-k3", r"(behind|before) <\|(open|close|sep)\|>", "a mark is a word between two tokens"),
    ("lfm2|lfm2-json", r": twice", "the other parser reads the first list only"),
    ("olmo3", r"' ' behind ,", "calls stand on one line, with one space where printers write one"),
    ("muse", r"before <\|message\|>", "the other parser finds no call"),
    ("functiongemma", r"a number between <escape>", "what stands between <escape> is a string, which the schema does not allow"),
    ("hermes|granite|exaone|phi4|cohere|llama3.1|mistral|lfm2-json|inkling|nemotron-mini|.*deepseek.*", r"with (id|type) ", "no model of the family writes this member, and no parser reads it"),
]
Calls = Optional[list[tuple[str, Any]]]


class Ours:
    """gcc_grammar, byte by byte."""

    def __init__(self, family: Family) -> None:
        import gcc_grammar

        self._package, self._family = gcc_grammar, family
        self._vocabulary = gcc_grammar.Vocabulary([bytes([byte]) for byte in range(256)])

    @functools.cache
    def _artifact(self, *options: Any) -> Any:
        given = Options(*options)
        source = self._package.Tools(
            self._family.tools,
            model=self._family.name,
            tool_choice=given.tool_choice,
            parallel=given.parallel,
            thinking=bool(given.thinking),
        )
        return self._package.compile(source, self._vocabulary)

    def accepts(self, case: Case) -> bool:
        matcher = self._artifact(*astuple(case.options)).matcher()
        return matcher.try_commit_text(case.text) and bool(matcher.is_accepting)


def found(read: Any, family: Family, case: Case) -> Calls:
    """The calls that a parser finds; none if there is no parser of the family."""
    try:
        return read(family, case)
    except ImportError:
        raise
    except Exception:  # noqa: BLE001 - a parser that fails finds nothing
        return []


PARSERS = {"vllm": vllm_parsers.calls, "sglang": parsers.calls}


def rows(family: Family) -> Iterator[tuple[Case, dict[str, Optional[bool]]]]:
    """The texts of a family with what each parser says: whether it finds the right calls."""
    for case in family.cases:
        if case.options.thinking:
            continue
        given = {name: found(read, family, case) for name, read in PARSERS.items()}
        yield case, {name: None if calls is None else parsers.are_valid(family, calls) for name, calls in given.items()}
    known: dict[tuple[str, str], Calls] = {}
    for base, case in variants.of(family):
        verdicts: dict[str, Optional[bool]] = {}
        for name, read in PARSERS.items():
            if (name, base.text) not in known:
                known[name, base.text] = found(read, family, base)
            right, calls = known[name, base.text], found(read, family, case)
            times = 2 if ": twice" in case.name else 1
            verdicts[name] = None if calls is None else bool(right) and calls == right * times
        yield case, verdicts


def reason(family: Family, case: Case) -> Optional[str]:
    """Why a text is refused on purpose."""
    if not case.accepted:
        return case.why
    for name, pattern, why in REFUSED:
        if re.fullmatch(name, family.name) and re.search(pattern, case.name):
            return why
    # Text around calls is no part of them.
    if case.options.tool_choice == "required" and re.search(r": text |, text ", case.name):
        return "`required` has no text"
    return None


def word(value: Optional[bool]) -> str:
    return "-" if value is None else "calls" if value else "none"


def main() -> int:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("families", nargs="*")
    arguments.add_argument("--all", action="store_true", help="print every row, not only those that a parser accepts and we refuse")
    given = arguments.parse_args()
    print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in PARSERS))
    counts: collections.Counter[str] = collections.Counter()
    for family in cases.load(given.families):
        ours = Ours(family)
        for case, verdicts in rows(family):
            accepted = ours.accepts(case)
            wanted = any(verdicts.values())
            why = reason(family, case) if wanted and not accepted else None
            kind = "not read" if not wanted else "accepted" if accepted else "refused on purpose" if why else "REFUSED"
            counts[kind] += 1
            if given.all or kind == "REFUSED":
                columns = [f"{family.name:15}", f"{case.options.tool_choice:9}", f"{'accepted' if accepted else 'refused':9}"]
                columns += [f"{name} {word(value):6}" for name, value in verdicts.items()]
                print(" ".join(columns), json.dumps(case.text, ensure_ascii=False), f"({case.name}{'; ' + why if why else ''})")
    print("; ".join(f"{number} {kind}" for kind, number in sorted(counts.items())))
    print("FAILED" if counts["REFUSED"] else "PASSED")
    return int(bool(counts["REFUSED"]))


if __name__ == "__main__":
    sys.exit(main())
