"""Prints how far our verdicts agree with those of the peers: summary.py REASONS RESULTS ... [--list] [--grammars N --texts N]

REASONS is a list in TOML of what differs on purpose, with its reason; RESULTS are files of `peer-cases`, named after their suites. A
disagreement without a reason is printed in full. Exits with 1 if a percentage is lower than demanded, or a disagreement has no reason.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Iterator

#: What our verdict may be, by the peer's.
AGREES = {
    "compiles": {"compiles"},
    "refused": {"refused"},
    "accept": {"accept"},
    "prefix": {"prefix"},
    "reject": {"reject"},
    "incomplete": {"prefix", "reject"},
}


class Reasons:
    """The list of reasons: each has a `reason`, and tables of patterns that fields of a case must match."""

    def __init__(self, path: Path) -> None:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["reason"]
        self._entries = [(entry.pop("reason"), {key: re.compile(pattern, re.DOTALL) for key, pattern in entry.items()}) for entry in entries]
        self.used: Counter[str] = Counter()

    def of(self, suite: str, case: dict[str, Any]) -> str | None:
        fields = {"suite": suite, **case, "error": "\n".join(case.get("error", []))}
        for reason, patterns in self._entries:
            if all(pattern.search(_text(fields.get(key))) for key, pattern in patterns.items()):
                self.used[reason] += 1
                return reason
        return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


class Suite:
    """Counts of one suite. A grammar that the peer compiles counts once; texts count where we compile the grammar, too."""

    def __init__(self, name: str, cases: Iterator[dict[str, Any]], reasons: Reasons) -> None:
        self.name = name
        self.grammars: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()
        self.listed: list[tuple[str, str, dict[str, Any]]] = []
        refused = set()
        for case in cases:
            is_text = "text" in case or "tokens" in case
            counts = self.texts if is_text else self.grammars
            if is_text and case["ours"] == "refused":
                continue
            key = (case["notation"], case["grammar"], json.dumps(case.get("options")))
            if case["verdict"] == "refused":
                if case["ours"] == "compiles":
                    counts["more"] += 1
                continue
            if not is_text and key in refused:
                continue
            if case["ours"] in AGREES[case["verdict"]]:
                counts["agree"] += 1
                continue
            reason = reasons.of(name, case)
            counts["explained" if reason else "open"] += 1
            self.listed.append((reason or "", "text" if is_text else "grammar", case))
            if not is_text:
                refused.add(key)

    def row(self) -> str:
        def share(counts: Counter[str]) -> str:
            total = counts["agree"] + counts["explained"] + counts["open"]
            return f"{counts['agree']:6} of {total:6} {100 * counts['agree'] / max(total, 1):6.2f} %  {counts['explained']:5} {counts['open']:5}"

        return f"{self.name:20} {share(self.grammars)}   {share(self.texts)}   {self.grammars['more']:4}"


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("reasons", type=Path)
    arguments.add_argument("results", type=Path, nargs="+")
    arguments.add_argument("--list", action="store_true", help="print the disagreements that have a reason, too")
    arguments.add_argument("--grammars", type=float, default=0)
    arguments.add_argument("--texts", type=float, default=0)
    given = arguments.parse_args()
    reasons = Reasons(given.reasons)
    suites = []
    for path in given.results:
        with path.open(encoding="utf-8") as lines:
            suites.append(Suite(path.stem, map(json.loads, lines), reasons))
    by_reason: dict[str, list[str]] = defaultdict(list)
    for suite in suites:
        for reason, kind, case in suite.listed:
            if given.list or not reason:
                print(f"{suite.name}: {reason or 'NO REASON'}: {json.dumps(case, ensure_ascii=False)[:1500]}")
            by_reason[reason].append(kind)
    print(f"{'':20} {'grammars that compile':35} listed open   {'texts judged alike':30} listed open  taken here only")
    total = Suite("all", iter(()), reasons)
    for suite in suites:
        print(suite.row())
        total.grammars += suite.grammars
        total.texts += suite.texts
    print(total.row())
    for reason, kinds in sorted(by_reason.items(), key=lambda entry: -len(entry[1])):
        counts = Counter(kinds)
        print(f"{counts['grammar']:5} grammars {counts['text']:5} texts  {reason or 'no reason'}")

    def percent(counts: Counter[str]) -> float:
        return 100 * counts["agree"] / max(counts["agree"] + counts["explained"] + counts["open"], 1)

    enough = percent(total.grammars) >= given.grammars and percent(total.texts) >= given.texts and "" not in by_reason
    print("PASSED" if enough else "FAILED")
    return 0 if enough else 1


if __name__ == "__main__":
    raise SystemExit(main())
