"""Writes the files of `data` from the rank files that the makers of the tokenizers publish.

    python make.py cl100k_base.tiktoken llama3/tokenizer.model o200k_base.tiktoken qwen.tiktoken

A line of a rank file is the bytes of a token in Base64, and its id. The program `zstd` must be on the PATH.
"""

import base64
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).parent / "data"


def ranks(path: str, count: int) -> list[bytes]:
    lines = pathlib.Path(path).read_text().split("\n")
    by_id = {int(number): base64.b64decode(token) for token, number in map(str.split, filter(None, lines))}
    return [by_id[number] for number in range(count)]


def write(name: str, tokens: list[bytes]) -> None:
    data = len(tokens).to_bytes(4, "little") + bytes(map(len, tokens)) + b"".join(tokens)
    compressed = subprocess.run(["zstd", "-q", "-c", "--ultra", "-22"], input=data, stdout=subprocess.PIPE, check=True)
    (DATA / f"{name}.zst").write_bytes(compressed.stdout)


def after(start: list[bytes], tokens: list[bytes]) -> list[bytes]:
    assert tokens[: len(start)] == start
    return tokens[len(start) :]


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    cl100k, llama3, o200k, qwen2 = map(ranks, sys.argv[1:], [100_256, 128_000, 199_998, 151_643])
    write("cl100k", cl100k)
    write("llama3", after(cl100k, llama3))
    write("o200k", o200k)
    write("qwen2", after([token for token in cl100k if len(token) == 1 or not token.isdigit()], qwen2))


main()
