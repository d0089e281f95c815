"""Tells whether Lua's own parser accepts each file named on the standard input, and why not. Nothing is run. A first line that begins
with `#` is left out, as the program `lua` does. Needs the package lupa."""

import sys

from lupa import lua54

load = lua54.LuaRuntime(unpack_returned_tuples=True, encoding="latin-1").eval("function(text) return load(text, 'text', 't') end")
for line in sys.stdin:
    with open(line.strip(), "rb") as file:
        text = file.read()
    if text.startswith(b"#"):
        text = text.partition(b"\n")[2]
    found = load(text.decode("latin-1"))
    print("ok" if not isinstance(found, tuple) else f"error: {ascii(found[1])}")
