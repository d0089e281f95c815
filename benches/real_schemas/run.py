"""Compiles the schemas that fetch.py wrote, by default and with --unenforced allow, and compares verdicts with the package jsonschema.

    python run.py FOLDER --binary target/release/gcc-grammar --vocab llama3 [--verdicts 20] [--json FILE]

Verdicts are about texts that the compiled artifact generates, which must be valid, and about their mutations: a text that is accepted must be valid.
The exit status is 1 if a verdict is wrong.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

#: A compilation that takes longer is stopped.
MOST_SECONDS = 60


def measured(command: list[str]) -> tuple[int, str, float, int]:
    """Exit status, output, seconds and peak memory in bytes of a command."""
    with tempfile.TemporaryFile("w+") as out:
        start = time.monotonic()
        child = subprocess.Popen(["timeout", str(MOST_SECONDS), *command], stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return child.returncode, out.read(), time.monotonic() - start, usage.ru_maxrss * 1024


class Schema:
    """A schema file of a package."""

    def __init__(self, folder: Path, name: str, resources: list[str], arguments: argparse.Namespace) -> None:
        self.path = folder / name
        self.name = f"{folder.name}/{self.path.name}"
        self.arguments = arguments
        self.resources = [f"--resource={name}={self.path.with_name(name)}" for name in resources]

    def compile(self, artifact: str, *options: str) -> dict:
        """The outcome of compiling: `reason` is empty, or the code and message of the first error."""
        command = [self.arguments.binary, "compile", str(self.path), "--format", "json-schema", "--vocab", self.arguments.vocab]
        status, out, seconds, peak = measured([*command, *self.resources, "-o", artifact, "--json", *options])
        if status == 124:
            reason = f"more than {MOST_SECONDS} s"
        elif status == 0:
            reason = ""
        else:
            error = json.loads(out)["error"]["diagnostics"][0]
            reason = f"{error['code']}: {error['message']}"
        return {"reason": reason, "seconds": round(seconds, 2), "peak": peak}

    def generated(self, artifact: str) -> list:
        """Values of texts that the artifact generates."""
        command = [self.arguments.binary, "generate", artifact, "-n", str(self.arguments.verdicts), "--max-tokens", "400", "--json"]
        found = subprocess.run(command, capture_output=True, text=True)
        return [json.loads(json.loads(line)["text"]) for line in found.stdout.splitlines()] if found.returncode == 0 else []

    def accepts(self, artifact: str, value: object) -> bool:
        """Whether the artifact accepts a value as Python prints it."""
        command = [self.arguments.binary, "replay", artifact, "--text-file", "-", "-q"]
        return subprocess.run(command, input=json.dumps(value), text=True, capture_output=True).returncode == 0

    def wrong(self, artifact: str) -> list[str]:
        """Texts that are accepted although the value is not valid, by the package jsonschema."""
        import jsonschema

        schema = json.loads(self.path.read_text(encoding="utf-8-sig"))
        validator = jsonschema.validators.validator_for(schema)(schema)
        values = self.generated(artifact)
        changed = [mutated(value, random.Random(index)) for index, value in enumerate(values)]
        accepted = values + [value for value in changed if self.accepts(artifact, value)]
        return [json.dumps(value) for value in accepted if not validator.is_valid(value)]


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
    """All schemas below a folder."""
    found = []
    for source in json.loads(Path(__file__).with_name("sources.json").read_text()):
        package = folder / source["package"].replace("/", "+")
        names = (package / "schemas.txt").read_text().splitlines() if package.exists() else []
        found += [Schema(package, name, source.get("resources", []), arguments) for name in names]
    return found


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
                row["wrong"] = schema.wrong(artifact)
            except Exception as error:  # The validator may need documents that are not given.
                row["unjudged"] = f"{type(error).__name__}: {error}"[:200]
    return row


def quantile(values: list[float], share: float) -> float:
    """The value below which the share lies; 0 if there is none."""
    return sorted(values)[int(share * (len(values) - 1))] if values else 0


def table(rows: list[dict]) -> None:
    """Prints the results."""
    print("| | default | `--unenforced allow` |\n|---|---|---|")
    sides = ("default", "allow")

    def line(title: str, of: "callable") -> None:
        print(f"| {title} | {of('default')} | {of('allow')} |")

    def compiled(side: str) -> list[dict]:
        return [row[side] for row in rows if not row[side]["reason"]]

    line("compiled", lambda side: f"{len(compiled(side))} of {len(rows)} ({100 * len(compiled(side)) / len(rows):.1f} %)")
    for share, title in ((0.5, "seconds p50"), (0.9, "p90"), (1.0, "most")):
        line(title, lambda side: quantile([row["seconds"] for row in compiled(side)], share))
    line("over 10 s", lambda side: sum(row[side]["seconds"] > 10 for row in rows))
    line("peak, most", lambda side: f"{max(row[side]['peak'] for row in rows) >> 20} MiB")
    for side in sides:
        reasons = Counter(row[side]["reason"][:100] for row in rows if row[side]["reason"])
        print(f"\nrefused, {side}:")
        for reason, count in reasons.most_common():
            examples = [row["schema"] for row in rows if row[side]["reason"][:100] == reason][:3]
            print(f"{count:4} {reason}  ({', '.join(examples)})")
    judged = [row for row in rows if "wrong" in row]
    print(f"\nverdicts of {len(judged)} schemas, {sum(bool(row['wrong']) for row in judged)} with wrong ones")
    for row in judged:
        for text in row["wrong"][:2]:
            print(f"WRONG {row['schema']}: {text[:300]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--vocab", default="llama3")
    parser.add_argument("--verdicts", type=int, default=20)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="schemas whose name contains this")
    arguments = parser.parse_args()
    chosen = [schema for schema in schemas(arguments.folder, arguments) if arguments.only in schema.name]
    rows = []
    for index, schema in enumerate(chosen):
        rows.append(outcome(schema, arguments))
        print(f"{index + 1}/{len(chosen)} {rows[-1]['schema']} {rows[-1]['default']}", file=sys.stderr)
    if arguments.json:
        arguments.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table(rows)
    sys.exit(any(row.get("wrong") for row in rows))


if __name__ == "__main__":
    main()
