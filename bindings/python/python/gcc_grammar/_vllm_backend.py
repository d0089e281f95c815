"""The classes that vLLM uses. They exist only where vLLM does."""

from __future__ import annotations

import json
import logging
from typing import Any, Optional

from vllm.exceptions import VLLMClientError
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar

from . import _engine
from ._errors import Error

logger = logging.getLogger("gcc_grammar")


class GccGrammar(StructuredOutputGrammar):  # type: ignore[misc]
    """The state of one request."""

    def __init__(self, run: _engine.Run) -> None:
        self.run = run

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Commits tokens, and returns whether all were allowed. Tokens after the end count for nothing."""
        if self.run.accept_all(tokens):
            return True
        logger.error("request %s: the grammar does not allow one of the tokens %s", request_id, tokens)
        return False

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """The first tokens, as many as are allowed one after the other. Commits none."""
        return self.run.accepted_prefix(tokens)

    def rollback(self, num_tokens: int) -> None:
        """Takes back the last commits."""
        self.run.matcher.rollback(num_tokens)

    def fill_bitmask(self, bitmask: Any, batch_index: int) -> None:
        """Writes the mask into a row."""
        self.run.fill(bitmask, batch_index)

    def is_terminated(self) -> bool:
        """Whether a stop token was committed."""
        return self.run.matcher.is_terminated

    def reset(self) -> None:
        """Goes back to the beginning."""
        self.run.matcher.reset()


class GccBackend(StructuredOutputBackend):  # type: ignore[misc]
    """The backend of one engine. vLLM calls ``compile_grammar`` in its pool of threads; the interpreter lock is released meanwhile."""

    def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int) -> None:
        super().__init__(vllm_config, tokenizer, vocab_size)
        settings = _engine.Settings.from_environment()
        self.compiler: Optional[_engine.Compiler] = _engine.Compiler.for_tokenizer(tokenizer, vocab_size, settings)
        self.options = _options(vllm_config)
        self.rollbacks = max(vllm_config.num_speculative_tokens + 1, 64)

    def compile_grammar(self, request_type: Any, grammar_spec: str, stop_token_ids: Optional[set[int]] = None) -> GccGrammar:
        """Compiles a request, or finds its artifact."""
        assert self.compiler is not None, "the backend was destroyed"
        artifact = self.compiler.compile(request_type.name.lower(), grammar_spec, stop_token_ids, self.options)
        return GccGrammar(_engine.Run(artifact, self.rollbacks, self.compiler.settings.max_work))

    def allocate_token_bitmask(self, max_num_seqs: int) -> Any:
        """Rows that allow every token."""
        import torch

        return torch.full((max_num_seqs, (self.vocab_size + 31) // 32), -1, dtype=torch.int32)

    def destroy(self) -> None:
        """Forgets the artifacts."""
        self.compiler = None


def _options(vllm_config: Any) -> dict[str, Any]:
    compact = getattr(vllm_config.structured_outputs_config, "disable_any_whitespace", False)
    return {"whitespace": "compact"} if compact else {}


class RequestRefused(VLLMClientError, ValueError):  # type: ignore[misc]
    """A request whose grammar is refused: an error of the client, with the diagnostics as its text.

    It is no ``VLLMValidationError``: upon that, ``auto`` would try another backend for this request, and the engine would keep that backend
    for all others.
    """


def validate(sampling_params: Any) -> None:
    """Reads the grammar of a request in the process that received it. Raises :class:`RequestRefused`."""
    request = _request(sampling_params.structured_outputs)
    if request is None:
        return
    try:
        _engine.check_request(*request, _engine.Settings.from_environment().options)
    except Error as error:
        raise RequestRefused(str(error)) from error


def _request(params: Any) -> Optional[tuple[str, str]]:
    """The kind and the text of a request, in the order in which vLLM looks for them."""
    if params is None:
        return None
    if params.json is not None:
        return "json", params.json if isinstance(params.json, str) else json.dumps(params.json)
    if params.json_object:
        return "json_object", ""
    for kind in ("regex", "choice", "grammar", "structural_tag"):
        text = getattr(params, kind)
        if text is not None:
            return kind, text if isinstance(text, str) else json.dumps(text)
    return None
