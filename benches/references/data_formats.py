"""Tells whether Python's own reader of json, json-lines or csv accepts each file named on the standard input, and why not.
Run as data_formats.py FORMAT."""

import csv
import io
import json
import sys


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def values(text: str, name: str) -> "list[str]":
    """The texts of JSON values. White space behind the last line break is no line, and JSON Lines may have no lines."""
    if name == "json":
        return [text]
    text = text.rstrip(" \t")
    return text.removesuffix("\n").split("\n") if text else []


def read(text: str, name: str) -> None:
    if name == "csv":
        list(csv.reader(io.StringIO(text, newline=""), strict=True))
        return
    for each in values(text, name):
        json.loads(each, parse_constant=refuse)


for line in sys.stdin:
    with open(line.strip(), encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        read(text, sys.argv[1])
        print("ok")
    except (ValueError, csv.Error) as error:
        print("error:", error)
