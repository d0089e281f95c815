"""Compiles the schemas that fetch.py wrote, by default and with --unenforced allow, and compares verdicts with the package jsonschema.

    python run.py FOLDER --binary target/release/gcc-grammar --vocab llama3 [--verdicts 20] [--json FILE]

Verdicts are about values that the artifact of a schema generates, the schema's own `examples`, and mutations of both: an artifact must accept a
value, as Python prints it, if and only if it is valid. The exit status is 1 if a verdict is wrong.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

#: A compilation that takes more seconds of the processor is stopped.
MOST_SECONDS = 60
#: The goals.
GOALS = {"default": 97.0, "allow": 99.5}
GOAL_SECONDS = 10
GOAL_BYTES = 1 << 30


def measured(command: list[str]) -> tuple[int, str, float, int]:
    """Exit status, output, seconds of the processor and peak memory in bytes of a command."""
    with tempfile.TemporaryFile("w+") as out:
        bound = ["prlimit", f"--cpu={MOST_SECONDS}", *command]
        child = subprocess.Popen(bound, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return child.returncode, out.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Schema:
    """A schema file of a package."""

    def __init__(self, folder: Path, name: str, documents: dict[str, str], arguments: argparse.Namespace) -> None:
        self.path = folder / name
        self.name = name
        self.arguments = arguments
        self.documents = {uri: folder / document for uri, document in documents.items()}

    def compile(self, artifact: str, *options: str) -> dict:
        """The outcome of compiling: `reason` is empty, or the code, place and message of the first error."""
        command = [self.arguments.binary, "compile", str(self.path), "--format", "json-schema", "--vocab", self.arguments.vocab]
        resources = [f"--resource={uri}={document}" for uri, document in self.documents.items()]
        status, out, seconds, peak = measured([*command, *resources, "-o", artifact, "--json", *options])
        outcome = {"reason": "", "pointer": "", "seconds": round(seconds, 2), "peak": peak}
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            outcome["reason"] = f"more than {MOST_SECONDS} s"
        elif status != 0:
            error = json.loads(out)["error"]["diagnostics"][0]
            outcome["reason"] = f"{error['code']}: {error['message']}"
            outcome["pointer"] = error.get("location", {}).get("pointer", "")
        return outcome

    def generated(self, artifact: str, tokens: int) -> list:
        """Values of texts of at most so many tokens that the artifact generates, or of as many as the shortest needs."""
        command = [self.arguments.binary, "generate", artifact, "-n", str(self.arguments.verdicts), "--max-tokens", str(tokens), "--json"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in found.stdout.splitlines()]
        if found.returncode == 0:
            return [json.loads(line["text"]) for line in lines]
        error = lines[-1]["error"]["diagnostics"][0]
        enough = re.search(r"--max-tokens (\d+) is enough", error.get("help", ""))
        if enough and int(enough[1]) > tokens:
            return self.generated(artifact, int(enough[1]))
        raise RuntimeError(error["message"])

    def accepts(self, artifact: str, text: str) -> bool:
        """Whether the artifact accepts a text."""
        command = [self.arguments.binary, "replay", artifact, "--text-file", "-", "-q"]
        return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0

    def validator(self, schema: dict) -> "jsonschema.Validator":
        """The judge, with the documents that the schema refers to and with formats."""
        import jsonschema
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012

        read = {uri: json.loads(document.read_text(encoding="utf-8-sig")) for uri, document in self.documents.items()}
        resources = [(uri, Resource.from_contents(document, DRAFT202012)) for uri, document in read.items()]
        kind = jsonschema.validators.validator_for(schema)
        return kind(schema, registry=Registry().with_resources(resources), format_checker=kind.FORMAT_CHECKER)

    def judge(self, artifact: str) -> dict:
        """The numbers of valid and invalid values, and those for which the verdict is wrong."""
        schema = json.loads(self.path.read_text(encoding="utf-8-sig"))
        validator = self.validator(schema)
        values = self.generated(artifact, self.arguments.tokens) + list(schema.get("examples", []))
        values += [mutated(value, random.Random(index)) for index, value in enumerate(values)]
        found: dict = {"valid": 0, "invalid": 0, "wrong": []}
        for value in values:
            if is_unclear(value):
                continue
            text = json.dumps(value)
            valid = validator.is_valid(value)
            found["valid" if valid else "invalid"] += 1
            if self.accepts(artifact, text) != valid:
                found["wrong"].append(f"{'refused' if valid else 'accepted'} {text}")
        return found


#: What `\s` or `.` is in Python or in ECMA 262, but not in both, and a line break at the end, which `$` may stand before in Python.
OTHER_IN_PATTERNS = re.compile("[\x1c-\x1f\x85\ufeff\r\u2028\u2029]|\n\\Z")


def is_unclear(value: object) -> bool:
    """Whether a number is printed with an exponent, which artifacts may refuse as their report says, or is not finite; or a string has characters
    about which the judge's patterns are not those of ECMA 262."""
    if isinstance(value, (dict, list)):
        return any(map(is_unclear, [*value, *value.values()] if isinstance(value, dict) else value))
    if isinstance(value, str):
        return bool(OTHER_IN_PATTERNS.search(value))
    return isinstance(value, float) and not re.fullmatch(r"-?\d+\.\d+", repr(value))


def mutated(value: object, chance: random.Random) -> object:
    """The value with a change at some place: a member or item is removed, added or replaced, a scalar becomes another one."""
    others = [None, True, 0, -1.5, "", "x", [], {}]
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        kind = chance.randrange(4)
        if kind == 0:
            return {name: member for name, member in value.items() if name != key}
        if kind == 1:
            return {**value, "mutated": chance.choice(others)}
        return {name: mutated(member, chance) if name == key else member for name, member in value.items()}
    if isinstance(value, list) and value:
        index = chance.randrange(len(value))
        kind = chance.randrange(3)
        inner = [] if kind == 0 else [value[index], value[index]] if kind == 1 else [mutated(value[index], chance)]
        return [*value[:index], *inner, *value[index + 1 :]]
    return chance.choice([other for other in others if other != value])


def schemas(folder: Path, arguments: argparse.Namespace) -> list[Schema]:
    """All schemas that fetch.py listed."""
    listed = json.loads((folder / "schemas.json").read_text())
    return [Schema(folder, name, documents, arguments) for name, documents in listed.items()]


def outcome(schema: Schema, arguments: argparse.Namespace) -> dict:
    """What became of one schema."""
    row: dict = {"schema": schema.name}
    with tempfile.TemporaryDirectory() as scratch:
        artifact = f"{scratch}/artifact.gcg"
        row["default"] = schema.compile(artifact)
        compiled = not row["default"]["reason"]
        row["allow"] = row["default"] if compiled else schema.compile(artifact, "--unenforced=allow")
        if compiled and arguments.verdicts:
            try:
                row["judged"] = schema.judge(artifact)
            except Exception as error:  # Patterns may be none of Python.
                row["unjudged"] = f"{type(error).__name__}: {error}"[:200]
    return row


def quantile(values: list[float], share: float) -> float:
    """The value below which the share lies; 0 if there is none."""
    return sorted(values)[int(share * (len(values) - 1))] if values else 0


def compiled(rows: list[dict], side: str) -> list[dict]:
    """The compilations that succeeded."""
    return [row[side] for row in rows if not row[side]["reason"]]


def share(rows: list[dict], side: str) -> float:
    """Their share in percent."""
    return 100 * len(compiled(rows, side)) / len(rows)


def over(rows: list[dict], side: str) -> list[str]:
    """The schemas that take too long or too much memory."""
    return [row["schema"] for row in rows if row[side]["seconds"] > GOAL_SECONDS or row[side]["peak"] > GOAL_BYTES]


def print_table(rows: list[dict]) -> None:
    """Prints the figures of both ways to compile."""
    print("| | default | `--unenforced allow` |\n|---|---|---|")

    def line(title: str, of: "callable") -> None:
        print(f"| {title} | {of('default')} | {of('allow')} |")

    line("compiled", lambda side: f"{len(compiled(rows, side))} of {len(rows)} ({share(rows, side):.1f} %)")
    for part, title in ((0.5, "seconds p50"), (0.9, "p90"), (1.0, "most")):
        line(title, lambda side: quantile([row["seconds"] for row in compiled(rows, side)], part))
    line("peak, most", lambda side: f"{max(row[side]['peak'] for row in rows) >> 20} MiB")


def print_refused(rows: list[dict], side: str) -> None:
    """Prints the reasons of refusals with their number, and where one of each is."""
    print(f"\nrefused, {side}:")
    groups: dict = {}
    for row in rows:
        if row[side]["reason"]:
            groups.setdefault(re.sub(r"\d+", "N", row[side]["reason"])[:100], []).append(row)
    for reason, found in sorted(groups.items(), key=lambda group: -len(group[1])):
        examples = ", ".join(f"{row['schema']}#{row[side]['pointer']}" for row in found[:3])
        print(f"{len(found):4} {reason}  ({examples})")


def print_verdicts(rows: list[dict]) -> bool:
    """Prints the verdicts, and tells whether all are right."""
    judged = [row for row in rows if "judged" in row]
    count = {kind: sum(row["judged"][kind] for row in judged) for kind in ("valid", "invalid")}
    print(f"\nverdicts on {len(judged)} schemas: {count['valid']} valid and {count['invalid']} invalid values")
    for reason, number in Counter(row["unjudged"][:100] for row in rows if "unjudged" in row).most_common():
        print(f"{number:4} not judged: {reason}")
    for row in judged:
        for text in row["judged"]["wrong"]:
            print(f"WRONG {row['schema']}: {text[:300]}")
    return not any(row["judged"]["wrong"] for row in judged)


def print_goals(rows: list[dict], verdicts_are_right: bool) -> None:
    """Prints which goals are reached."""
    goals = [(f"{goal} % compile, {side}", share(rows, side) >= goal) for side, goal in GOALS.items()]
    goals += [(f"none over {GOAL_SECONDS} s or {GOAL_BYTES >> 20} MiB, {side}", not over(rows, side)) for side in GOALS]
    goals.append(("no wrong verdict", verdicts_are_right))
    print()
    for goal, is_reached in goals:
        print(f"{'reached' if is_reached else 'MISSED':8} {goal}")
    for side in GOALS:
        for name in over(rows, side):
            print(f"over, {side}: {name}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--vocab", default="llama3")
    parser.add_argument("--verdicts", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=60, help="the most tokens of a text that is generated")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="schemas whose name contains this")
    arguments = parser.parse_args()
    chosen = [schema for schema in schemas(arguments.folder, arguments) if arguments.only in schema.name]
    rows = []
    out = arguments.json.open("w") if arguments.json else None
    for index, schema in enumerate(chosen):
        rows.append(outcome(schema, arguments))
        if out:
            print(json.dumps(rows[-1]), file=out, flush=True)
        print(f"{index + 1}/{len(chosen)} {rows[-1]['schema']} {rows[-1]['default']}", file=sys.stderr)
    print_table(rows)
    for side in GOALS:
        print_refused(rows, side)
    right = print_verdicts(rows)
    print_goals(rows, right)
    sys.exit(not right)


if __name__ == "__main__":
    main()
