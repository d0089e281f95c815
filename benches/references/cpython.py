"""Tells whether CPython parses each file named on the standard input, and why not. The grammar is that of the version that runs."""

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
    except (SyntaxError, ValueError) as error:
        print("error:", getattr(error, "msg", None) or error)
