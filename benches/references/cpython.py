"""Whether CPython takes each of the files named on the standard input. It should be the version of the grammar, 3.11."""

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
