"""Whether PostgreSQL's own parser takes each of the files named on the standard input. Wants the package pglast."""

import sys

from pglast.parser import ParseError, parse_sql_json

for line in sys.stdin:
    with open(line.strip(), encoding="utf-8") as file:
        text = file.read()
    try:
        parse_sql_json(text)
        print("ok")
    except (ParseError, ValueError):
        print("error")
