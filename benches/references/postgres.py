"""Tells whether PostgreSQL's own parser parses each file named on the standard input, and why not. Needs the package pglast."""

import sys

from pglast.parser import ParseError, parse_sql_json

for line in sys.stdin:
    with open(line.strip(), encoding="utf-8") as file:
        text = file.read()
    try:
        parse_sql_json(text)
        print("ok")
    except (ParseError, ValueError) as error:
        print("error:", " ".join(str(error).split()))
