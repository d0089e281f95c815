"""Proposals for models of ``transformers``: a processor of logits, and sequential Monte Carlo.

>>> samples = smc_generate(model, inputs.input_ids, Expected(product), particles=8, max_new_tokens=64)  # doctest: +SKIP
>>> model.generate(**inputs, logits_processor=[ProposalLogitsProcessor(Budgeted(tensors), 64)], max_new_tokens=64)  # doctest: +SKIP
>>> model.generate(**inputs, custom_generate=decode, potential=Expected(product), particles=8, max_new_tokens=64)  # doctest: +SKIP
"""

from __future__ import annotations

import inspect
from copy import deepcopy
from typing import Any, Optional

import numpy as np
import torch

from .._continued import continued_rows
from .models import draw, expect_width, log_softmax
from .potentials import Potential, Twist
from .smc import Samples, smc


class Transformer:
    """A causal language model behind prompts, for :func:`.smc`. The cache of keys and values is reordered along with the particles.

    ``input_ids`` has the prompts as rows, one for each run; shorter ones are padded on the left, as ``attention_mask`` says.
    """

    def __init__(self, model: Any, input_ids: Any, attention_mask: Any = None) -> None:
        self._model, self._input_ids = model, input_ids
        self._prompt_mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        self._cache: Any = None
        self._mask: Any = None
        # The argument was renamed in transformers 5.
        self._cache_name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"

    def begin(self, rows: int) -> Any:
        prompts = len(self._input_ids)
        if rows % prompts != 0:
            raise ValueError(f"there are {prompts} prompts for {rows} outputs")
        each = rows // prompts
        positions = (self._prompt_mask.cumsum(dim=1) - 1).clamp_min(0)
        with torch.no_grad():
            found = self._model(input_ids=self._input_ids, attention_mask=self._prompt_mask, position_ids=positions, use_cache=True)
        self._cache = _cache_of(found)
        self._cache.batch_repeat_interleave(each)
        self._mask = self._prompt_mask.repeat_interleave(each, dim=0)
        return found.logits[:, -1].repeat_interleave(each, dim=0)

    def advance(self, tokens: Any) -> Any:
        tokens = torch.as_tensor(np.asarray(tokens), device=self._input_ids.device)[:, None]
        self._mask = torch.cat([self._mask, torch.ones_like(self._mask[:, :1])], dim=1)
        positions = self._mask.sum(dim=1, keepdim=True) - 1
        arguments = {"attention_mask": self._mask, "position_ids": positions, self._cache_name: self._cache, "use_cache": True}
        with torch.no_grad():
            found = self._model(input_ids=tokens, **arguments)
        self._cache = _cache_of(found)
        return found.logits[:, -1]

    def reorder(self, sources: Any) -> None:
        index = torch.as_tensor(np.asarray(sources), device=self._input_ids.device)
        self._cache.reorder_cache(index)
        self._mask = self._mask[index]

    def sample(self, count: int, seed: int = 0, *, max_tokens: int = 64, end_tokens: Any = (), temperature: float = 1.0) -> list[list[int]]:
        """Outputs of the model, without a constraint, as samples of :func:`.hmm_torch.fit`. They end behind an end token."""
        rng = np.random.default_rng(seed)
        logits = self.begin(count)
        outputs: list[list[int]] = [[] for _ in range(count)]
        for step in range(max_tokens):
            tokens = draw(log_softmax(logits, temperature), rng)
            for output, token in zip(outputs, tokens.tolist()):
                if not output or output[-1] not in end_tokens:
                    output.append(token)
            if all(output[-1] in end_tokens for output in outputs) or step + 1 == max_tokens:
                break
            logits = self.advance(tokens)
        return outputs


def _cache_of(output: Any) -> Any:
    found = getattr(output, "past_key_values", None)
    return getattr(output, "cache", None) if found is None else found


def smc_generate(
    model: Any,
    input_ids: Any,
    potential: Potential,
    *,
    particles: int = 8,
    max_new_tokens: int,
    attention_mask: Any = None,
    **options: Any,
) -> Samples:
    """Weighted outputs behind each prompt, by sequential Monte Carlo. The options are those of :func:`.smc`; a prompt is a run."""
    runs = len(input_ids)
    prompted = Transformer(model, input_ids, attention_mask)
    return smc(prompted, potential, particles=particles, max_tokens=max_new_tokens, runs=runs, **options)


def decode(
    model: Any,
    input_ids: Any,
    logits_processor: Any = None,
    stopping_criteria: Any = None,
    generation_config: Any = None,
    potential: Optional[Potential] = None,
    particles: int = 8,
    seed: int = 0,
    **model_kwargs: Any,
) -> Any:
    """Sequential Monte Carlo as ``model.generate(..., custom_generate=decode, potential=..., particles=8)``.

    Returns the prompts with an output each, drawn by its weight, like ``generate`` with sampling. The temperature is that of the configuration;
    other processors and criteria are not used.
    """
    if potential is None:
        raise ValueError("generate(custom_generate=decode) needs potential=")
    temperature = getattr(generation_config, "temperature", None) or 1.0
    found = smc_generate(
        model,
        input_ids,
        potential,
        particles=particles,
        max_new_tokens=generation_config.max_length - input_ids.shape[1],
        attention_mask=model_kwargs.get("attention_mask"),
        temperature=temperature,
        seed=seed,
    )
    outputs = [torch.tensor(output, dtype=input_ids.dtype, device=input_ids.device) for output in found.draw(seed)]
    ends = generation_config.eos_token_id
    padding = generation_config.pad_token_id if generation_config.pad_token_id is not None else (ends[0] if isinstance(ends, list) else ends)
    rows = torch.nn.utils.rnn.pad_sequence(outputs, batch_first=True, padding_value=padding or 0)
    return torch.cat([input_ids, rows], dim=1)


class ProposalLogitsProcessor:
    """Adds the logarithms of a potential to the logits, so that ``generate`` with sampling draws from LCD, GCD or P-GCD.

    The first call sees the prompts; what follows them, at most ``max_new_tokens`` tokens, is the output. A call whose rows do not continue
    those of the last call begins anew. Rows that ended are left alone. Put it in front of processors of probabilities, such as temperature
    and top-p, if they are to see the proposal.
    """

    #: The engine for continuous batching moves requests between rows and does not tell a processor which is where.
    supports_continuous_batching = False

    def __init__(self, potential: Potential, max_new_tokens: int) -> None:
        self._potential, self._budget = potential, max_new_tokens
        self._twist: Optional[Twist] = None
        self._seen: Any = None
        self._left = 0

    def __copy__(self) -> Any:
        # The matchers of one processor are not those of another.
        return deepcopy(self)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores of one step."""
        twist = self._advance(input_ids)
        self._seen = input_ids
        if self._left <= 0:
            return scores
        log_psi = torch.as_tensor(twist.log_psi(self._left), device=scores.device).to(scores.dtype)
        width = log_psi.shape[1]
        expect_width(scores, width)
        running = torch.as_tensor(~twist.ended, device=scores.device)[:, None]
        padded = torch.nn.functional.pad(log_psi, (0, scores.shape[1] - width), value=-torch.inf)
        return torch.where(running, scores + padded, scores)

    def _advance(self, input_ids: Any) -> Twist:
        sources = continued_rows(self._seen, input_ids)
        if sources is None or self._twist is None:
            self._twist, self._left = self._potential.begin(len(input_ids)), self._budget
            return self._twist
        if sources != list(range(len(sources))):
            self._twist.reorder(np.array(sources))
        self._twist.advance(input_ids[:, -1].cpu().numpy())
        self._left -= 1
        return self._twist
