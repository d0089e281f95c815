"""The command ``gcc-grammar sample``."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

import gcc_grammar as gg
from gcc_grammar import _sample
from gcc_grammar.proposals import Hmm


@pytest.fixture
def run(capsys):
    """Runs the command in this process: the packages of models take seconds to import."""

    def run(*arguments: str) -> SimpleNamespace:
        try:
            code = _sample.main(arguments)
        except SystemExit as exit:
            code = exit.code
        printed = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=printed.out, stderr=printed.err)

    return run


def test_the_command_line_knows_the_command():
    done = subprocess.run([sys.executable, "-m", "gcc_grammar", "sample", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "gcc-grammar sample" in done.stdout


def test_usage(run):
    assert run("--help").returncode == 0 and "--particles" in run("--help").stdout
    assert run().returncode == 2
    pgcd = run("a.gcg", "--model", "m", "--proposal", "pgcd")
    assert pgcd.returncode == 2 and "needs a hidden Markov model" in pgcd.stderr
    assert run("a.gcg", "--model", "m", "--particles", "0").returncode == 2
    # A missing artifact, or missing packages.
    missing = run("missing.gcg", "--model", "m")
    assert missing.returncode == 2 and ("missing.gcg" in missing.stderr or "gcc-grammar[transformers]" in missing.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("sample")
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(128)])
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}, "required": ["a"], "additionalProperties": False}
    gg.compile(schema, vocabulary, whitespace="compact", embed_vocabulary=True).save(folder / "a.gcg")
    gg.compile(gg.Lark('start: pair+\npair: "(" pair* ")"\n'), vocabulary, embed_vocabulary=True).save(folder / "pairs.gcg")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(vocab_size=129, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
                                      max_position_embeddings=128, eos_token_id=128, bos_token_id=128)
    transformers.LlamaForCausalLM(config).save_pretrained(folder / "model")
    Hmm.random(4, 129, seed=1, end_token=128).save(folder / "hmm")
    return folder


@pytest.mark.parametrize("proposal", ["lcd", "gcd", "pgcd", "awrs"])
def test_outputs_are_valid(run, folder, proposal):
    more = ["--hmm", str(folder / "hmm")] if proposal == "pgcd" else []
    command = [str(folder / "a.gcg"), "--model", str(folder / "model"), "--proposal", proposal, "--max-tokens", "24", "-n", "3", *more]
    done = run(*command)
    if proposal in ("gcd", "pgcd"):
        assert done.returncode == 0, done.stderr
        values = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(values) == 3 and all(value["a"] == int(value["a"]) for value in values)
        assert run(*command).stdout == done.stdout
    whole = run(*command, "--json")
    runs = json.loads(whole.stdout)
    assert len(runs) == 3 and all(len(entry["particles"]) == 8 for entry in runs)
    for particle in (particle for entry in runs for particle in entry["particles"] if particle["weight"] > 0):
        assert "a" in json.loads(particle["text"]) and len(particle["tokens"]) <= 24 and particle["tokens"][-1] == 128
    if proposal == "pgcd":
        assert [path.name[:2] for path in folder.glob("*.pgcd.safetensors")] == ["a."]


def test_recursive_grammars_and_budgets_that_are_too_small(run, folder):
    model = ["--model", str(folder / "model")]
    done = run(str(folder / "pairs.gcg"), *model, "--max-tokens", "9", "-n", "2")
    assert done.returncode == 0 and all(line.count("(") == line.count(")") <= 4 for line in done.stdout.splitlines())
    assert run(str(folder / "pairs.gcg"), *model, "--depth", "2", "--max-tokens", "9").returncode == 0
    cut = run(str(folder / "a.gcg"), *model, "--proposal", "gcd", "--max-tokens", "3")
    assert cut.returncode == 1 and "1 of 1 outputs were not complete within 3 tokens" in cut.stderr
