"""Prints a typed object that grows while a model writes it.

The text below stands for what a model samples: token by token, from the masks of the matcher. Run it with `python examples/growing_object.py`.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Iterator

import gcc_grammar as gg

WRITTEN = '{"city": "Zürich", "days": [{"rain": false, "high": 21.5}, {"rain": true, "high": 17}], "note": "bring a \\"coat\\""}'


@dataclasses.dataclass
class Day:
    rain: bool
    high: float


@dataclasses.dataclass
class Forecast:
    city: str
    days: list[Day]
    note: str


def put(tree: Any, pointer: str, value: Any) -> Any:
    """The tree with a value at a JSON Pointer. Containers on the way are there: they began before."""
    if not pointer:
        return value
    *way, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    place = tree
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if isinstance(place, dict):
        place[last] = value
    elif int(last) < len(place):
        place[int(last)] = value
    else:
        place.append(value)
    return tree


def growing(events: gg.Events, tokens: list[int]) -> Iterator[Any]:
    """The object so far, after each token that changes it. Strings are there as far as they are written, other values when they are complete."""
    tree: Any = None
    for token in tokens:
        before = json.dumps(tree)
        for event in events.commit(token):
            if event.happened == "began" and event.type in ("object", "array"):
                tree = put(tree, event.pointer, {} if event.type == "object" else [])
            elif event.type == "string" or (event.happened == "ended" and event.type not in ("object", "array")):
                tree = put(tree, event.pointer, event.value)
        if json.dumps(tree) != before:
            yield tree


def main() -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    artifact = gg.compile(Forecast, vocabulary)
    events = gg.Events(artifact.matcher())
    tree: Any = None
    for tree in growing(events, vocabulary.tokenize(WRITTEN)):
        print(json.dumps(tree, ensure_ascii=False))
    days = [Day(**day) for day in tree["days"]]
    print(Forecast(tree["city"], days, tree["note"]))


if __name__ == "__main__":
    main()
