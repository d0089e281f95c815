"""Tells whether CPython parses each file named on the standard input. The grammar is that of version 3.11."""

import ast
import sys
import warnings

warnings.simplefilter("ignore")
for line in sys.stdin:
    with open(line.strip(), "rb") as file:
        text = file.read()
    try:
        ast.parse(text)
        print("ok")
    except (SyntaxError, ValueError):
        print("error")
