"""Tells whether gcc parses each file named on the standard input as C11, and why not. Errors that are about names and types, and not
about syntax, do not count: gcc goes on after them."""

import re
import subprocess
import sys

SYNTAX = re.compile(r"expected|stray|missing terminating|empty character|invalid suffix|invalid digit|two or more data types|"
                    r"both .* in declaration specifiers|exponent has no digits|storage class|multiple ‘|universal character|multi-character")

for line in sys.stdin:
    run = subprocess.run(["gcc", "-std=c11", "-fsyntax-only", "-w", "-x", "c", "-fmax-errors=20", line.strip()],
                         capture_output=True, text=True, errors="replace")
    errors = [each.split("error: ", 1)[1] for each in run.stderr.splitlines() if "error: " in each]
    syntax = [each for each in errors if SYNTAX.search(each)]
    unknown = any("unknown type name" in each for each in errors)
    print("ok" if not syntax else f"error: {'(after an unknown type name) ' if unknown else ''}{syntax[0]}")
