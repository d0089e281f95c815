"""Runs llguidance's tests with the import swapped. Called by llguidance_tests.sh."""

import importlib
import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path

import pytest

# What gcc-grammar does not have, or what a test asserts of llguidance's own messages and limits.
NOT_APPLICABLE = {
    "test_get_capture": "there are no captures",
    "test_parser_limits": "the limits of llguidance's parser do not exist",
    "test_mask_data_mlx": "there is no module for MLX",
    "test_mask_data_perf": "a measurement of CUDA",
    "test_grammar_warnings": "the texts of llguidance's own warnings; `not` and unknown formats are enforced or reported otherwise",
    "test_regex_syntax": "the text of llguidance's own error",
}
PACKAGES = {
    "test_bitmask.py": ["torch"],
    "test_hf.py": ["torch", "transformers"],
    "test_tiktoken.py": ["tiktoken"],
    "test_llamacpp.py": ["llama_cpp", "gguf"],
}
# Tokenizers that a test loads from the network, and where they are.
FOLDER = Path(os.environ.get("TOKENIZERS", Path(__file__).parents[3] / "shared/data/vocab"))
LLAMA3 = FOLDER / "llama3"
TOKENIZERS = {"unsloth/Meta-Llama-3.1-8B-Instruct": LLAMA3, "HuggingFaceTB/SmolLM-135M-Instruct": Path(os.environ.get("MODEL", "-"))}


def swap():
    """Makes ``llguidance`` mean our package."""
    sys.modules["llguidance"] = importlib.import_module("gcc_grammar.compat.llguidance")
    for name in ("numpy", "torch", "hf", "tiktoken", "llamacpp"):
        try:
            sys.modules[f"llguidance.{name}"] = importlib.import_module(f"gcc_grammar.compat.llguidance.{name}")
        except ImportError:
            pass


def local_tokenizers():
    """Makes transformers and tiktoken load the tokenizers that are here from here."""
    if importlib.util.find_spec("transformers"):
        from transformers import AutoTokenizer

        load = AutoTokenizer.from_pretrained
        known = {name: folder for name, folder in TOKENIZERS.items() if folder.is_dir()}
        AutoTokenizer.from_pretrained = lambda name, **options: load(known.get(name, name), **options)
    if importlib.util.find_spec("tiktoken"):
        import tiktoken.load

        read = tiktoken.load.read_file
        local = lambda address: FOLDER / "openai" / address.split("/")[-1]
        tiktoken.load.read_file = lambda address: local(address).read_bytes() if local(address).exists() else read(address)


def write_vocabulary(path):
    """Writes the vocabulary of Llama 3 as a file of llama.cpp, as it is in the repository of llama.cpp."""
    from gguf import GGUFWriter, TokenType

    tokenizer = json.loads(LLAMA3.joinpath("tokenizer.json").read_text(encoding="utf-8"))
    named = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    texts = sorted({**tokenizer["model"]["vocab"], **named}.items(), key=lambda entry: entry[1])
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in tokenizer["model"]["merges"]]
    writer = GGUFWriter(str(path), "llama")
    for add in (writer.add_context_length, writer.add_embedding_length, writer.add_block_count, writer.add_feed_forward_length):
        add(64)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list([text for text, _ in texts])
    writer.add_token_types([TokenType.CONTROL if text in named else TokenType.NORMAL for text, _ in texts])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(named["<|begin_of_text|>"])
    writer.add_eos_token_id(named["<|end_of_text|>"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Results:
    """Counts outcomes."""

    def __init__(self):
        self.passed, self.failed, self.left_out = [], [], []

    def pytest_collection_modifyitems(self, items):
        self.left_out += [item.name for item in items if item.originalname in NOT_APPLICABLE]
        items[:] = [item for item in items if item.originalname not in NOT_APPLICABLE]

    def pytest_runtest_logreport(self, report):
        if report.failed:
            reason = str(getattr(report.longrepr, "reprcrash", report.longrepr)).splitlines()
            self.failed.append((report.nodeid.split("::")[-1], reason[0] if reason else ""))
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)


def missing(file):
    """What a file of tests needs and is not here."""
    if file == "test_llamacpp.py" and not LLAMA3.is_dir():
        return str(LLAMA3)
    return next((package for package in PACKAGES.get(file, []) if importlib.util.find_spec(package) is None), None)


def main(folder):
    swap()
    local_tokenizers()
    files = []
    for path in sorted(Path(folder).glob("test_*.py")):
        package = missing(path.name)
        if package:
            print(f"{path.name}: left out, {package} is missing")
        else:
            files.append(str(path))
    results = Results()
    # The cache holds a file that a test downloads otherwise.
    with tempfile.TemporaryDirectory() as cache:
        if any(file.endswith("test_llamacpp.py") for file in files):
            vocabulary = Path(cache, "d/llama_vocab/vocab.gguf")
            vocabulary.parent.mkdir(parents=True)
            write_vocabulary(vocabulary)
        options = ["-q", "--no-header", "--tb=no", "-o", f"cache_dir={cache}", "--import-mode=importlib"]
        pytest.main([*options, *files], plugins=[results])
    for name, reason in results.failed:
        print(f"failed: {name}: {reason}")
    for name in results.left_out:
        print(f"not applicable: {name}: {NOT_APPLICABLE[name.split('[')[0]]}")
    passed, failed = len(results.passed), len(results.failed)
    print(f"{passed} passed, {failed} failed, {len(results.left_out)} not applicable")
    good = passed > 0 and passed >= 9 * failed
    print("PASSED" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
