"""Tells whether Go's own parser accepts each file named on the standard input, and why not. Needs `gofmt` of Go on the path."""

import subprocess
import sys

for line in sys.stdin:
    run = subprocess.run(["gofmt", "-e", "-l", line.strip()], capture_output=True, text=True, errors="replace")
    print("ok" if run.returncode == 0 else f"error: {run.stderr.splitlines()[0].split(': ', 1)[-1]}")
