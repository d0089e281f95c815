"""Compares canonical masks with the tokenizers themselves: canonical.py DATA [TEXTS].

DATA is the folder of the public data: its `vocab` has the files of the tokenizers, its `corpora` texts. Two questions are asked of each tokenizer (tiktoken for cl100k and o200k, tokenizers
for Llama 3 and Qwen 2.5): are the tokens that it writes for TEXTS parts of the corpora and as many strange texts allowed; and are random sequences of allowed tokens what it writes for their texts? The last
line is the verdict, and the exit code 1 if an answer is no.
"""

import base64
import gzip
import random
import sys
from pathlib import Path

import gcc_grammar as gg
import tiktoken
import tokenizers

DATA = Path(sys.argv[1])
TEXTS = int(sys.argv[2]) if len(sys.argv) > 2 else 2500

CL100K = r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
O200K = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)
PIECES = [" ", "  ", "\n", "\r\n", "\t", "   \n  ", "'", "'s", "'S", "'re", "'x", "don't", "a", "B", "word", "WORD", " the", "0", "12", "345", "6789", ".", "...", "/", "*/\n", '{"', '": "', '",', "é",
          "漢字", "\u00a0", "\u2003", "😀", "👩‍💻", "\u0301", "ǅ", "²", "٣", "__init__", "(a)", ")\r\n", "\u0085", "<tool", "<think>", "</tool_call>", "aaaa", "==", "İ", "ſ", " điều", "первы"]


def by_ranks(name, file, pattern):
    lines = (line.split() for line in (DATA / "vocab/openai" / file).read_bytes().splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary


def by_file(folder):
    path = DATA / "vocab" / folder / "tokenizer.json"
    data = path.read_bytes() if path.exists() else gzip.decompress(path.with_suffix(".json.gz").read_bytes())
    tokenizer = tokenizers.Tokenizer.from_buffer(data)
    # Normalizers change texts, which is not the question here.
    tokenizer.normalizer = tokenizers.normalizers.Sequence([])
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


TOKENIZERS = {
    "cl100k": lambda: by_ranks("cl100k", "cl100k_base.tiktoken", CL100K),
    "o200k": lambda: by_ranks("o200k", "o200k_base.tiktoken", O200K),
    "llama3": lambda: by_file("llama3"),
    "qwen2.5": lambda: by_file("qwen2_5"),
}


def parts_of_corpora(rng):
    files = sorted(path for path in (DATA / "corpora").rglob("*") if path.is_file() and path.stat().st_size < 1 << 20)
    while True:
        text = rng.choice(files).read_bytes().decode("utf-8", "ignore")
        start = rng.randrange(len(text) + 1)
        yield text[start : start + rng.randrange(1, 300)]


def compare(name, encode):
    rng = random.Random(name)
    vocab = gg.Vocabulary(name)
    artifact = gg.compile(gg.Regex(r"[\s\S]*"), vocab)
    ends = vocab.end_tokens
    corpora = parts_of_corpora(rng)
    wrong = tokens = drawn = 0
    pool = []
    for turn in range(2 * TEXTS):
        text = next(corpora) if turn % 2 else "".join(rng.choices(PIECES, k=rng.randrange(1, 12)))
        ids = encode(text)
        pool.extend(rng.sample(ids, min(3, len(ids))))
        matcher = artifact.matcher(canonical=True)
        refused = next((at for at, token in enumerate(ids) if not matcher.try_commit(token)), None)
        tokens += len(ids)
        if refused is not None or not (matcher.is_canonical and matcher.allows(ends[0])):
            wrong += 1
            print(f"{name}: refused at {refused}: {text!r} {ids}")
    for _ in range(TEXTS):
        matcher, ids = artifact.matcher(canonical=True), []
        for _ in range(10):
            token = rng.choice(pool)
            if matcher.try_commit(token):
                ids.append(token)
            if ids and matcher.allows(ends[0]):
                drawn += 1
                text = vocab.decode(ids).decode("utf-8")
                if encode(text) != ids:
                    wrong += 1
                    print(f"{name}: allowed, but not written: {text!r} {ids}, written {encode(text)}")
    print(f"{name}: {2 * TEXTS} texts with {tokens} tokens, {drawn} texts of allowed tokens, {wrong} wrong")
    return 2 * TEXTS, drawn, wrong


def main():
    counts = [compare(name, load()) for name, load in TOKENIZERS.items()]
    texts, drawn, wrong = (sum(column) for column in zip(*counts))
    print(f"{texts} texts that tokenizers cut, {drawn} texts of allowed tokens, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
