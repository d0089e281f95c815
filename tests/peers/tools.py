"""Prints our verdicts on the calls of tests/tools beside those of other engines and parsers. Called by tools.sh."""

import argparse
import collections
import importlib.metadata
import sys
from dataclasses import astuple
from typing import Any, Iterator, Optional

from tool_calls import cases, engines, parsers, tokens
from tool_calls.cases import Case, Family


def verdict(engine: Any, case: Case, ids: list[int]) -> Optional[bool]:
    """Whether an engine takes the tokens; none if it does not know the family."""
    reader = engine.reader(*astuple(case.options))
    return None if reader is None else reader(ids) > len(ids)


def rendered(family: Family) -> Iterator[tuple[Case, list[int]]]:
    """Outputs whose tokens the family's own package makes, from calls that its parser found in accepted texts."""
    for case in family.cases:
        if not case.accepted or case.optional or case.options != cases.Options():
            continue
        found = parsers.calls(family, case)
        if not found:
            continue
        if family.name in ("mistral", "mistral-v11"):
            from tool_calls import mistral

            for version in mistral.VERSIONS[family.name]:
                yield Case(f"mistral-common {version}: {case.name}", "", True, case.options), mistral.encode(version, found)
        elif family.name == "harmony":
            from tool_calls import harmony

            for kind in ("json", "<|constrain|>json"):
                yield Case(f"openai-harmony, {kind}: {case.name}", "", True, case.options), harmony.encode(found, kind)


class Table:
    """Prints rows and counts what they say."""

    def __init__(self, shows_all: bool, names: list[str]) -> None:
        self.shows_all, self.names = shows_all, names
        self.wrong: collections.Counter[str] = collections.Counter()
        self.rows: collections.Counter[str] = collections.Counter()
        self.lenient = 0

    def head(self, family: Family, tokenizer: str) -> None:
        """Begins a family."""
        print(f"\n{family.name}: {len(family.cases)} texts, {tokenizer}")
        print("  " + " ".join(f"{name:>9}" for name in ["marked", *self.names, "parser"]) + "  text")

    def row(self, case: Case, verdicts: dict[str, Optional[bool]], taken: Optional[bool]) -> None:
        """Counts a row, and prints it if a verdict differs from the mark."""
        differs = False
        for name, given in verdicts.items():
            self.rows[name] += given is not None
            if given is not None and given != case.accepted:
                differs = True
                self.wrong[f"{name} {'optional' if case.optional else 'refuses' if case.accepted else 'accepts'}"] += 1
        self.lenient += bool(taken) and not case.accepted
        if self.shows_all or differs or (bool(taken) and not case.accepted):
            marked = ("accepted" if case.accepted else "refused") + ("?" if case.optional else "")
            columns = [marked, *(_word(verdicts.get(name), "accepted", "refused") for name in self.names), _word(taken, "calls", "no calls")]
            print("  " + " ".join(f"{column:>9}" for column in columns) + f"  {case.name}" + (f" ({case.why})" if case.why else ""))

    def summary(self) -> int:
        """Prints the counts; the exit code."""
        print()
        for name in self.names:
            counts = ", ".join(f"{self.wrong[f'{name} {kind}']} {what}" for kind, what in KINDS.items())
            print(f"{name}: {self.rows[name]} verdicts; {counts}")
        print(f"{self.lenient} texts are marked refused, and the family's parser finds calls in them that are valid")
        bad = self.wrong["ours refuses"] + self.wrong["ours accepts"]
        print("FAILED" if bad else "PASSED")
        return int(bool(bad))


KINDS = {"refuses": "accepted texts refused", "accepts": "refused texts accepted", "optional": "differences in optional texts"}


def _word(value: Optional[bool], yes: str, no: str) -> str:
    return "-" if value is None else yes if value else no


def compare(family: Family, table: Table, kinds: list[Any]) -> None:
    """Prints the table of a family."""
    tokenizer = tokens.of(family.name)
    table.head(family, "a stand-in for its tokenizer" if family.name in tokens.STAND_INS else "its own tokenizer")
    known = [kind(family, tokenizer) for kind in kinds]
    for case in family.cases:
        ids = tokenizer.encode(case.text)
        assert b"".join(map(tokenizer.bytes_of, ids)).decode() == case.text, case.name
        found = parsers.calls(family, case)
        taken = None if found is None else parsers.are_valid(family, found)
        table.row(case, {engine.name: verdict(engine, case, ids) for engine in known}, taken)
    for case, ids in rendered(family):
        table.row(case, {engine.name: verdict(engine, case, ids) for engine in known}, None)


def main() -> int:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("families", nargs="*")
    arguments.add_argument("--all", action="store_true", help="also print rows without a difference")
    arguments.add_argument("--without", choices=["ours", "xgrammar"], help="leave an engine out")
    given = arguments.parse_args()
    kinds = [kind for kind in (engines.Ours, engines.XGrammar) if kind.name != given.without]
    print(f"xgrammar {importlib.metadata.version('xgrammar')}, sglang {importlib.metadata.version('sglang')} (parsers)")
    table = Table(given.all, [kind.name for kind in kinds])
    for family in cases.load(given.families):
        compare(family, table, kinds)
    return table.summary()


if __name__ == "__main__":
    sys.exit(main())
