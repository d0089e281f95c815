"""Compares the results of XGrammar's tests on XGrammar and on gcc_grammar.compat.xgrammar, and gives every difference a reason.

summary.py XGRAMMAR.jsonl OURS.jsonl [--least PERCENT] [--list]

A test is applicable if XGrammar itself passes it here and it asks about behaviour: not how a grammar or a serialized object is printed,
not how an error is worded. Exits with 1 if fewer applicable tests pass than demanded.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict

#: Reasons for which a test is not applicable, with what its failure looks like.
NOT_APPLICABLE = [
    ("shows or changes the inner form of a grammar", r"inner form of XGrammar"),
    ("compares the printed form of a grammar", r"^(AssertionError|assert )(?!.*error\[).*(::=|in '\{\"type\": ?\")|type 'Grammar' is not iterable|^printed$"),
    # Names of the inner form, looked for in what a grammar is printed as: here that is the text that it was made from.
    ("compares the printed form of a grammar", r"^(AssertionError: )?assert (\('r\[' in|'(capture_hidden_|loop_after_dispatch|TagDispatch|budget_deadline))"),
    ("compares serialized bytes or versions", r"^(AssertionError|assert ).*(__VERSION__|gcc-grammar-1|'v\d+')|DeserializeVersionError: .*'v\d+', not 'gcc-grammar"),
    ("tests a private function of XGrammar", r"AttributeError: type object '\w+' has no attribute '_"),
    ("compares the wording of an error or warning", r"Regex pattern did not match|^(AssertionError: )?assert .{0,400}? in ['\"](\(?)(error\[|the |there |a |references)"),
]

#: Tests of an error in XGrammar's words that comes when a grammar is used. Here such a grammar is refused when it is read.
REFUSED_EARLIER = r"::test_regex_macro_(unsupported_features|invalid_pattern)"

#: Reasons for failures. `in:` looks at the name of the test, the others at the message.
REASONS = [
    ("captures are not recorded", r"captures are not supported"),
    ("temperatures of rules have no effect", r"in:test_temperature|temperature"),
    ("max_tokens of rules that are not regular, or end with a suffix; texts of budgets", r"max_chars|max_tokens|_budget|in:max_chars|in:budget|in:max_tokens"),
    ("the macro Substring of EBNF", r"in:substring_macro"),
    ("flags and engine features of the macro Regex of EBNF", r"in:regex_macro"),
    ("named and nested grammars of Lark", r"named grammars|%lark|cannot be joined"),
    ("lazy and stop forms of Lark", r"stop-without-text|form of `stop`|in:lazy|in:stop|bad-option"),
    ("Lark terminals that match the empty text", r"empty-terminal"),
    ("one token except some, ordinary tokens by id", r"counted-token|exclude_token|any one token|ordinary-token|in:exclude_token|unknown-token"),
    ("lookahead assertions", r"lookahead|look-around|unsupported-assertion"),
    ("refused by XGrammar only", r"DID NOT RAISE"),
    ("keywords that XGrammar does not enforce are enforced, and key rules are exact", r"in:json_schema_converter"),
]


def read(path: str) -> dict[str, dict[str, str]]:
    """The results by test; a test that was reported more than once has its worst outcome."""
    with open(path, encoding="utf-8") as file:
        results = [json.loads(line) for line in file]
    found: dict[str, dict[str, str]] = {}
    for result in results:
        if result["test"] not in found or result["outcome"] == "failed":
            found[result["test"]] = result
    return found


def reason(table: list[tuple[str, str]], test: str, message: str) -> str | None:
    for name, pattern in table:
        for part in pattern.split("|in:"):
            part, of_test = (part[3:], True) if part.startswith("in:") else (part, part is not pattern.split("|in:")[0])
            if part and re.search(part, test if of_test else message, re.DOTALL):
                return name
    return None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("xgrammar")
    parser.add_argument("ours")
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    theirs, ours = read(arguments.xgrammar), read(arguments.ours)
    files: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: dict[str, Counter[str]] = {"not applicable": Counter(), "failed": Counter()}
    for test, result in sorted(theirs.items()):
        verdict, why = judge(test, result, ours.get(test))
        files[test.split("::")[0].split("/")[-1]][verdict] += 1
        if why:
            reasons[verdict][why] += 1
            if arguments.list and verdict == "failed":
                print(f"failed    {test}\n          {why}: {ours.get(test, {}).get('message', '')[:200]!r}")
    return report(files, reasons, arguments.least)


def judge(test: str, theirs: dict[str, str], ours: dict[str, str] | None) -> tuple[str, str | None]:
    if theirs["outcome"] != "passed":
        skipped = theirs["outcome"] == "skipped"
        return "not applicable", "XGrammar skips it here (tokenizer, package or GPU)" if skipped else "XGrammar itself fails it here"
    if ours is None:
        return "failed", "not collected"
    if ours["outcome"] == "passed":
        return "passed", None
    message = "printed" if ours["outcome"] == "printed" else ours["message"]
    why = reason(NOT_APPLICABLE, "", message)
    if not why and re.search(REFUSED_EARLIER, test) and message.startswith("RuntimeError: error["):
        why = "compares the wording of an error or warning"
    if why:
        return "not applicable", why
    return "failed", reason(REASONS, test, message) or "other"


def report(files: dict[str, Counter[str]], reasons: dict[str, Counter[str]], least: float) -> int:
    for name, counts in files.items():
        print(f"{name:45} passed {counts['passed']:4}   failed {counts['failed']:4}   not applicable {counts['not applicable']:4}")
    for verdict, found in reasons.items():
        for why, count in found.most_common():
            print(f"{verdict:15} {count:4}  {why}")
    total = sum(files.values(), Counter())
    applicable = total["passed"] + total["failed"]
    share = 100 * total["passed"] / max(1, applicable)
    print(f"passed {total['passed']}, failed {total['failed']}, not applicable {total['not applicable']}: {share:.1f} % of the applicable tests pass")
    return 0 if share >= least else 1


if __name__ == "__main__":
    raise SystemExit(main())
