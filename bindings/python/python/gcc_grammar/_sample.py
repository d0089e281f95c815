"""``gcc-grammar sample``: outputs of a model under an artifact, by sequential Monte Carlo. It is a command of the Python package, as the model
needs PyTorch and transformers."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, Optional, Sequence

from . import _api
from ._errors import Error, NotFoundError, OtherVocabularyError, OverBudgetError

#: The exit codes of the command line tool.
DONE, REFUSED, USAGE, OVER_BUDGET, OTHER_VOCABULARY = 0, 1, 2, 3, 4


def main(arguments: Sequence[str]) -> int:
    """Runs the command, and returns its exit code."""
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except OverBudgetError as error:
        return _fail(error, OVER_BUDGET)
    except OtherVocabularyError as error:
        return _fail(error, OTHER_VOCABULARY)
    except (NotFoundError, ImportError) as error:
        return _fail(error, USAGE)
    except (Error, ValueError) as error:
        return _fail(error, REFUSED)
    except OSError as error:
        return _fail(error, USAGE)


def _fail(error: BaseException, code: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gcc-grammar sample",
        description="Sample outputs of a model under an artifact, by sequential Monte Carlo. Needs PyTorch and transformers.",
        epilog="Exit codes: 0 done, 1 refused, 2 usage, 3 over budget, 4 another vocabulary.",
    )
    parser.add_argument("artifact", metavar="ARTIFACT", help="the artifact")
    parser.add_argument("--model", required=True, metavar="FOLDER", help="the folder of a causal language model of transformers; nothing is downloaded")
    parser.add_argument("--proposal", choices=["lcd", "gcd", "pgcd", "awrs"], default="gcd", help="the proposal (default: gcd)")
    parser.add_argument("--hmm", metavar="FOLDER", help="the hidden Markov model of pgcd; its product with the artifact is kept beside the artifact")
    parser.add_argument("--prompt", default="", metavar="TEXT", help="the text in front of the outputs; names of special tokens stand for them")
    parser.add_argument("--particles", type=int, default=8, metavar="N", help="particles of an output (default: 8)")
    parser.add_argument("--max-tokens", type=int, default=64, metavar="N", help="the greatest number of tokens, the end token included (default: 64)")
    parser.add_argument("-n", "--count", type=int, default=1, metavar="N", help="the number of outputs (default: 1)")
    parser.add_argument("--temperature", type=float, default=1.0, metavar="T", help="the temperature of the model (default: 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of the random numbers (default: 0)")
    parser.add_argument("--depth", type=int, metavar="N", help="the nesting depth of the tensors of gcd and pgcd, for recursive grammars")
    parser.add_argument("--vocab", metavar="NAME", help="the vocabulary, if it is not the one that the artifact has or names")
    parser.add_argument("--device", default="cpu", metavar="DEVICE", help="the device of PyTorch (default: cpu)")
    parser.add_argument("--json", action="store_true", help="write all particles with their weights as JSON")
    return parser


def _run(given: argparse.Namespace) -> int:
    if given.proposal == "pgcd" and not given.hmm:
        return _fail(ValueError("--proposal pgcd needs a hidden Markov model: give --hmm FOLDER"), USAGE)
    if min(given.particles, given.max_tokens, given.count) < 1 or given.temperature <= 0:
        return _fail(ValueError("--particles, --max-tokens, --count and --temperature are greater than 0"), USAGE)
    try:
        import torch
        import transformers
    except ImportError as error:
        return _fail(ImportError(f"{error}; install gcc-grammar[transformers]"), USAGE)
    from .proposals.transformers import smc_generate

    artifact = _api.open(given.artifact, given.vocab)
    potential = _potential(given, artifact)
    model = transformers.AutoModelForCausalLM.from_pretrained(given.model, local_files_only=True).to(given.device).eval()
    prompt = artifact.vocabulary.tokenize(given.prompt, special_names=True) if given.prompt else []
    if not prompt:
        prompt = [_first_token(model, artifact)]
    samples = smc_generate(
        model,
        torch.tensor([prompt] * given.count, device=given.device),
        potential,
        particles=given.particles,
        max_new_tokens=given.max_tokens,
        temperature=given.temperature,
        seed=given.seed,
    )
    return _show(given, artifact, samples)


def _first_token(model: Any, artifact: _api.Artifact) -> int:
    """The token in front of an empty prompt: the one that begins texts, or else an end token."""
    begin: Optional[int] = model.config.bos_token_id
    if begin is not None:
        return begin
    if artifact.vocabulary.end_tokens:
        return artifact.vocabulary.end_tokens[0]
    raise ValueError("the model does not say with which token a text begins: give --prompt")


def _potential(given: argparse.Namespace, artifact: _api.Artifact) -> Any:
    from .proposals import Awrs, Lcd

    if given.proposal == "lcd":
        return Lcd(artifact)
    if given.proposal == "awrs":
        return Awrs(artifact, seed=given.seed)
    tensors = _tensors(artifact, given.depth, given.max_tokens)
    if given.proposal == "gcd":
        from .proposals.torch import TorchBudgeted, TorchGcd

        return TorchBudgeted(TorchGcd(tensors, given.device))
    from .proposals.hmm import Hmm
    from .proposals.pgcd import cached
    from .proposals.torch import TorchExpected, TorchProduct

    folder, file = os.path.split(os.path.abspath(given.artifact))
    product = cached(folder, tensors, Hmm.load(given.hmm), given.max_tokens, name=os.path.splitext(file)[0])
    return TorchExpected(TorchProduct.of(product, given.device))


def _tensors(artifact: _api.Artifact, depth: Optional[int], most: int) -> Any:
    """The tensors: all of them if there are finitely many configurations, and else those of outputs that are short enough."""
    if depth is not None:
        return artifact.to_tensors(depth=depth)
    try:
        return artifact.to_tensors()
    except OverBudgetError:
        return artifact.to_tensors(tokens=most)


def _show(given: argparse.Namespace, artifact: _api.Artifact, samples: Any) -> int:
    def text_of(output: list[int]) -> str:
        return artifact.vocabulary.decode(output).decode("utf-8", "replace")

    if given.json:
        runs = [
            {
                "log_z": log_z if log_z > float("-inf") else None,
                "particles": [{"weight": weight, "text": text_of(output), "tokens": output} for output, weight in zip(outputs, weights)],
            }
            for outputs, weights, log_z in zip(samples.outputs, samples.weights.tolist(), samples.log_z.tolist())
        ]
        print(json.dumps(runs, indent=2, ensure_ascii=False))
    usable = samples.weights.sum(axis=1) > 0
    if not given.json:
        for output, fine in zip(samples.draw(given.seed), usable):
            if fine:
                print(text_of(output))
    if not usable.all():
        return _fail(ValueError(f"{int((~usable).sum())} of {given.count} outputs were not complete within {given.max_tokens} tokens"), REFUSED)
    return DONE
