"""`Vocabulary.tokenize` beside the package `tokenizers`, on small tokenizers of every kind and on real ones."""

import gzip
import pathlib
import random

import pytest

import gcc_grammar as gg

tokenizers = pytest.importorskip("tokenizers")

SHARED = pathlib.Path(__file__).parents[4] / "shared" / "data" / "vocab"
REAL = ["gemma3/tokenizer.json.gz", "llama3/tokenizer.json", "mistral_v0_1/tokenizer.json", "qwen2_5/tokenizer.json", "synthetic_unigram/tokenizer.json"]

TEXTS = [
    '{"name": "Alice Smith", "age": 31}',
    "Hello, world! It's 12345 o'clock.",
    " leading and trailing ",
    "  two  spaces\n\n\tand\r\nlines",
    "Grüße aus Köln, naïve café, 東京 и Москва",
    "e\u0301 \ufb01 \u00bd \u2126 \uff21",
    "🦀\u200d🚀 \u0000\u007f \ue000",
    "▁under▁line and _",
    "def f(x):\n    return x ** 2\n",
    "a",
    " ",
    "\n",
    "",
    "<s>[INST]</s><unk><0x0A><|eot_id|><tool_call>",
]


def own(tokenizer, text, special_names=True):
    tokenizer.encode_special_tokens = not special_names
    return tokenizer.encode(text, add_special_tokens=False).ids


def small(kind):
    """A tokenizer with byte fallback, special tokens, and the steps of a kind of model."""
    letters = [f"<0x{byte:02X}>" for byte in range(256)] + ["▁", *"abdehinoprstvwxyzABC123", "é", "e", "fi", "th", "▁th", "▁a", "ab", "▁▁"]
    letters = list(dict.fromkeys(["<unk>", "<s>", "</s>", *letters]))
    ids = {letter: place for place, letter in enumerate(letters)}
    merges = [("t", "h"), ("▁", "th"), ("▁", "a"), ("a", "b"), ("▁", "▁")]
    model = tokenizers.models.BPE(vocab=ids, merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    if kind == "unigram":
        scores = [(letter, -1.0 - len(letter) / 10 if len(letter) < 6 else -20.0) for letter in letters]
        model = tokenizers.models.Unigram(scores, unk_id=0, byte_fallback=True)
    tokenizer = tokenizers.Tokenizer(model)
    n, replace = tokenizers.normalizers, tokenizers.normalizers.Replace(" ", "▁")
    tokenizer.normalizer = {
        "prepend": n.Sequence([n.Prepend("▁"), replace]),
        "replace": replace,
        "nfc": n.Sequence([n.NFC(), replace]),
        "nfkc": n.Sequence([n.NFKC(), n.Prepend("▁"), replace]),
        "lower": n.Sequence([n.Lowercase(), n.Strip(), replace]),
    }.get(kind)
    if kind in ("metaspace", "unigram"):
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="always" if kind == "unigram" else "first")
    tokenizer.add_special_tokens(["<s>", "</s>"])
    tokenizer.decoder = tokenizers.decoders.Sequence([tokenizers.decoders.Replace("▁", " "), tokenizers.decoders.ByteFallback()])
    return tokenizer


KINDS = ["prepend", "replace", "nfc", "nfkc", "lower", "metaspace", "unigram"]


@pytest.mark.parametrize("kind", KINDS)
def test_prompts_are_cut_as_the_tokenizer_itself_cuts_them(kind, tmp_path):
    tokenizer = small(kind)
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    vocabulary = gg.Vocabulary(path, end_tokens="</s>")
    chance = random.Random(3)
    random_texts = ["".join(chance.choice(" abtheAé\n🦀") for _ in range(chance.randint(0, 12))) for _ in range(100)]
    for text in TEXTS + random_texts:
        for names in (True, False):
            assert vocabulary.tokenize(text, prompt=True, special_names=names) == own(tokenizer, text, names), (text, names)


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_are_spelled_exactly_and_cut_as_behind_other_text(kind, tmp_path):
    tokenizer = small(kind)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    vocabulary = gg.Vocabulary(tmp_path / "tokenizer.json", end_tokens="</s>")
    for text in TEXTS:
        assert vocabulary.decode(vocabulary.tokenize(text)).decode() == text
        if kind in ("prepend", "replace", "metaspace") and not text.startswith((" ", "▁", "th", "a")) and "<s>" not in text and "▁" not in text:
            # A line break is never joined with what follows it.
            before = own(tokenizer, "\n")
            assert before + vocabulary.tokenize(text) == own(tokenizer, "\n" + text), text


def test_a_prompt_of_a_tokenizer_object_says_what_to_do():
    tokenizer = small("prepend")
    vocabulary = gg.Vocabulary(tokenizer, end_tokens="</s>")
    assert vocabulary.tokenize("th") == [tokenizer.token_to_id("th")]
    # Names of special tokens do not need the file, which is gone.
    assert vocabulary.tokenize("th</s>", special_names=True) == [tokenizer.token_to_id("th"), tokenizer.token_to_id("</s>")]
    with pytest.raises(gg.RefusedError, match="cut prompts with the tokenizer that the vocabulary was made of"):
        vocabulary.tokenize("th", prompt=True)


def test_the_examples_of_the_documentation(llama3):
    text = '{"age":36}'
    assert llama3.decode(llama3.tokenize(text)) == llama3.decode(llama3.tokenize(text, prompt=True)) == text.encode()


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared: data/vocab")
@pytest.mark.parametrize("file", REAL)
def test_real_tokenizers(file, tmp_path):
    data = (SHARED / file).read_bytes()
    text_of_file = (gzip.decompress(data) if file.endswith(".gz") else data).decode()
    tokenizer = tokenizers.Tokenizer.from_str(text_of_file)
    ends = {"synthetic_unigram/tokenizer.json": "</s>"}.get(file)
    vocabulary = gg.Vocabulary(SHARED / file, end_tokens=ends)
    for text in TEXTS:
        for names in (True, False):
            expected = own(tokenizer, text, names)
            assert vocabulary.tokenize(text, prompt=True, special_names=names) == expected, (text, names)
        assert vocabulary.decode(vocabulary.tokenize(text)).decode() == text
