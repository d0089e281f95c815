"""Compiles a list of schemas into a store with Ray Data: each task is one part of the list.

    ray_job.py LIST --vocab V --store URL --parts M [--report FILE]

The list and the store must be reachable from all workers, and gcc-grammar be on their PATH. The exit code is 1 if an item failed.
"""

import argparse
import subprocess
import sys

import ray


def compile_part(row: dict, command: list, parts: int) -> dict:
    """Runs one part. A part whose items are refused exits with 1, which is no fault of the job."""
    ran = subprocess.run([*command, "--shard", f"{row['id']}/{parts}"], capture_output=True, text=True)
    if ran.returncode > 1:
        raise RuntimeError(ran.stderr)
    return {"part": row["id"], "exit": ran.returncode, "report": ran.stdout}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list")
    parser.add_argument("--vocab", required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--report", default="report.jsonl")
    arguments = parser.parse_args()
    command = ["gcc-grammar", "batch", arguments.list, "--vocab", arguments.vocab, "--store", arguments.store]
    command += ["--jobs", "1", "--quiet"]
    parts = ray.data.range(arguments.parts, override_num_blocks=arguments.parts)
    done = parts.map(compile_part, fn_args=[command, arguments.parts])
    failed = 0
    with open(arguments.report, "w") as report:
        for row in done.iter_rows():
            report.write(row["report"])
            failed += row["exit"]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
