"""Times calls from Python: masks into a row, into a row that is bound, and commits.

    python benches/python/calls.py

Needs numpy and an installed package, best a release build (`maturin develop --release`). Prints the least mean of seven runs, in microseconds.
"""

import timeit

import numpy as np

import gcc_grammar as gg

CALLS = 20_000


def least(call) -> float:
    return min(timeit.repeat(call, number=CALLS, repeat=7)) / CALLS * 1e6


def main() -> None:
    artifact = gg.compile({"type": "string"}, "llama3")
    matcher = artifact.matcher(max_rollback=1)
    matcher.commit_text('"')
    row = np.zeros(artifact.row_words, np.uint32)
    bound = matcher.bind(row)
    token = matcher.allowed()[500]
    figures = {
        "an attribute": least(lambda: matcher.committed),
        "fill": least(lambda: matcher.fill(row)),
        "bound fill": least(bound.fill),
        "update": least(lambda: matcher.update(row)),
        "bound update": least(bound.update),
        "commit": least(lambda: matcher.commit(token)),
    }
    for name, time in figures.items():
        print(f"{name:13} {time:6.2f} µs")


if __name__ == "__main__":
    main()
