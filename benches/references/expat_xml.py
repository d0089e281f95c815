"""Tells whether Expat parses each file named on the standard input. End tags need not have the names of their start tags, and
attributes may be repeated: these rules are not context-free, so the files are changed before Expat sees them."""

import re
import sys
from xml.parsers import expat

NAME = r"[:A-Z_a-z\x80-\U000effff][-:.0-9A-Z_a-z\x80-\U000effff]*"


def refusal(text: str) -> "str | None":
    parser = expat.ParserCreate()
    count = iter(range(len(text)))
    text = re.sub(rf"<(/?){NAME}", r"<\1e", text)
    text = re.sub(rf"(\s)(?!version|encoding|standalone){NAME}(\s*=\s*[\"'])", lambda m: f"{m[1]}a{next(count)}{m[2]}", text)
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        return str(error)
    return None


for line in sys.stdin:
    with open(line.strip(), encoding="utf-8", newline="") as file:
        reason = refusal(file.read())
    print("ok" if reason is None else f"error: {reason}")
