"""Prints the statements of a small language as they end, while a model writes them.

The text below stands for what a model samples: token by token, from the masks of the matcher. Run it with `python examples/growing_statements.py`.
"""

from __future__ import annotations

from typing import Iterator

import gcc_grammar as gg

GRAMMAR = r"""
start: statement+
statement: assignment | print
assignment: NAME "=" sum ";"
print: "print" sum ";"
sum: product | sum "+" product
product: value | product "*" value
value: NUMBER | NAME | "(" sum ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore /\s+/
"""

WRITTEN = "width = 3 + 4;\narea = width * (width + 1);\nprint area;\n"


def statements(events: gg.Events, tokens: list[int]) -> Iterator[str]:
    """A line for each statement when it ends, and for each name that a statement is known to give a value."""
    for token in tokens:
        for event in events.commit(token):
            if event.rule == "assignment" and event.happened == "began":
                yield f"byte {event.start}: an assignment"
            elif event.rule == "statement" and event.happened == "ended":
                yield f"byte {event.start}: {event.text}"


def main() -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    artifact = gg.compile(gg.Lark(GRAMMAR), vocabulary)
    events = gg.Events(artifact.matcher())
    for line in statements(events, vocabulary.tokenize(WRITTEN)):
        print(line)
    ended = [event.rule for event in events.end() if event.happened == "ended"]
    print(f"at the end: {', '.join(ended)}")


if __name__ == "__main__":
    main()
