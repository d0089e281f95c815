"""Checks the grammars that fetch.py listed, and prints how many are read, why the others are not, and what they take.

    python run.py FOLDER --binary target/release/gcc-grammar [--json FILE] [--every N] [--own FOLDER/own.jsonl]

`gcc-grammar check` builds all but the masks: the parser, the lexer, and what is known about ambiguity. The verdicts on texts are compared by `tests/peers/notations.py` and `tests/peers/lark_texts.py`.
"""

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path

#: A check that takes more seconds on processors is stopped.
MOST_SECONDS = 60
#: Rules that derive whole texts where the notation's default is not there.
STARTS = {"python.lark": "file_input", "python2.lark": "file_input"}


def measured(command: list[str]) -> tuple[int, str, float, int]:
    """Exit status, output, seconds on processors and peak memory in bytes of a command."""
    with tempfile.TemporaryFile("w+") as out:
        limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return child.returncode, out.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def checked(folder: Path, row: dict, binary: str) -> dict:
    """The row with its outcome."""
    path = folder / row["file"]
    start = [f"--start={STARTS[path.name]}"] if path.name in STARTS else []
    status, out, seconds, peak = measured([binary, "check", str(path), "--format", row["notation"], "--json", "-q", *start])
    reason = ""
    if status == -signal.SIGXCPU:
        reason = f"more than {MOST_SECONDS} s"
    elif status != 0:
        error = json.loads(out)["error"]["diagnostics"][0]
        message = re.sub(r"in the imported .*?(, line \d+, column \d+)?: ", "", error["message"])
        reason = f"{error['code']}: {re.sub(r'`[^`]*`', '`…`', message)}"
    return {**row, "reason": reason, "seconds": round(seconds, 2), "peak": peak}


def table(rows: list[dict]) -> None:
    """Prints the results."""
    print("| notation | files | read | seconds p50 | p90 | most | over 10 s | peak, most |\n|---|---|---|---|---|---|---|---|")
    for notation in [*dict.fromkeys(row["notation"] for row in rows), "all"]:
        own = [row for row in rows if notation in (row["notation"], "all")]
        read = [row for row in own if not row["reason"]]
        times = sorted(row["seconds"] for row in read) or [0]
        quantiles = [times[int(share * (len(times) - 1))] for share in (0.5, 0.9, 1.0)]
        slow = sum(row["seconds"] > 10 for row in own)
        peak = max(row["peak"] for row in own) >> 20
        columns = [notation, len(own), f"{len(read)} ({100 * len(read) / len(own):.0f} %)", *quantiles, slow, f"{peak} MiB"]
        print(f"| {' | '.join(map(str, columns))} |")
    print("\nNot read:")
    reasons = Counter((row["notation"], row["reason"][:110]) for row in rows if row["reason"])
    for (notation, reason), count in reasons.most_common():
        print(f"{count:4} {notation}: {reason}")


def share(rows: list[dict]) -> str:
    """How many of the rows are read."""
    read = sum(not row["reason"] for row in rows)
    return f"{read} of {len(rows)} ({100 * read / max(1, len(rows)):.1f} %)"


def own_table(rows: list[dict], own: dict[str, dict]) -> None:
    """Prints how many of the files are read that their own tools read."""
    print("| notation | own tool reads, and we | without modes and external scanners | own tool refuses | no start rule | not asked |")
    print("|---|---|---|---|---|---|")
    for notation in [*dict.fromkeys(row["notation"] for row in rows), "all"]:
        some = [row for row in rows if notation in (row["notation"], "all")]
        by_answer = {answer: [row for row in some if own[row["file"]]["own"] == answer] for answer in ("reads", "refuses", "no start", "not asked")}
        plain = [row for row in by_answer["reads"] if not own[row["file"]]["needs"]]
        counts = [len(by_answer[answer]) for answer in ("refuses", "no start", "not asked")]
        print(f"| {' | '.join(map(str, [notation, share(by_answer['reads']), share(plain), *counts]))} |")
    print("\nNot read by us, but by their own tools, without modes and external scanners:")
    for row in rows:
        if row["reason"] and own[row["file"]]["own"] == "reads" and not own[row["file"]]["needs"]:
            print(f"  {row['file']}: {row['reason']}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--binary", default="target/release/gcc-grammar")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--own", type=Path, help="the answers of own_tools.py")
    arguments = parser.parse_args()
    listed = [json.loads(line) for line in (arguments.folder / "grammars.jsonl").read_text().splitlines()]
    rows = []
    for row in listed[:: arguments.every]:
        rows.append(checked(arguments.folder, row, arguments.binary))
        if arguments.json:
            arguments.json.write_text(json.dumps(rows))
    table(rows)
    if arguments.own:
        answers = [json.loads(line) for line in arguments.own.read_text().splitlines()]
        own_table(rows, {answer["file"]: answer for answer in answers})


if __name__ == "__main__":
    main()
