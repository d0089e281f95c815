"""SGLang: the grammar backend ``gcc``.

The package declares :func:`register` as a plugin (entry point group ``sglang.srt.plugins``). ``--grammar-backend gcc`` selects the
backend; without it, the plugin has no effect.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

from . import _interface

#: The versions that were tested.
TESTED = "0.5.23"

#: The name of the backend.
NAME = "gcc"

GRAMMAR_METHODS: Mapping[str, tuple[str, ...]] = {
    "maybe_init_reasoning": ("reasoning",),
    "accept_token": ("token",),
    "rollback": ("k",),
    "is_terminated": (),
    "allocate_vocab_mask": ("vocab_size", "batch_size", "device"),
    "fill_vocab_mask": ("vocab_mask", "idx"),
    "fill_vocab_mask_batched": ("entries", "vocab_mask"),
    "reset_vocab_mask": ("vocab_mask",),
    "move_vocab_mask": ("vocab_mask", "device"),
    "apply_vocab_mask": ("logits", "vocab_mask"),
    "copy": (),
    "try_jump_forward": ("tokenizer",),
    "jump_forward_str_state": ("helper",),
    "jump_and_retokenize": ("old_output_ids", "new_output_ids", "next_state"),
}
BACKEND_METHODS: Mapping[str, tuple[str, ...]] = {
    "dispatch_json": ("key_string",),
    "dispatch_regex": ("key_string",),
    "dispatch_ebnf": ("key_string",),
    "dispatch_structural_tag": ("key_string",),
    "set_cache": ("key", "value"),
    "set_token_filter": ("vocab_mask", "token_ids", "batch_idx", "is_allowed", "reset_vocab_mask"),
    "reset": (),
}


def register() -> None:
    """The plugin. Raises ``RuntimeError`` if it does not fit into this version of SGLang."""
    base, choices = _internals()
    found = mismatches(base)
    if found:
        raise _refusal(found)
    base.register_grammar_backend(NAME, create)
    if NAME not in choices.GRAMMAR_BACKEND_CHOICES:
        choices.add_grammar_backend_choices([NAME])


def mismatches(base: Any) -> list[str]:
    """What differs between the internals of this SGLang and those that the adapter was written for."""
    names = ("BaseGrammarObject", "BaseGrammarBackend", "InvalidGrammarObject", "register_grammar_backend")
    found = [f"{base.__name__} has no {name}" for name in names if not hasattr(base, name)]
    if found:
        return found
    found += _interface.differences(base.BaseGrammarObject, GRAMMAR_METHODS)
    return found + _interface.differences(base.BaseGrammarBackend, BACKEND_METHODS)


def create(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any = None) -> Any:
    """The backend of a server; inside of the backend for reasoning, if the server has a parser of reasoning.

    SGLang returns a registered backend as it is, and wraps only its own.
    """
    from . import _sglang_backend

    ends: Optional[list[int]] = None
    if eos_token_ids is not None:
        ends = [eos_token_ids] if isinstance(eos_token_ids, int) else sorted(eos_token_ids)
    return _sglang_backend.create(server_args, tokenizer, vocab_size, ends)


def _internals() -> tuple[Any, Any]:
    try:
        import sglang.srt.constrained.base_grammar_backend as base
        from sglang.srt.arg_groups import choices
    except ImportError as error:
        raise _refusal([str(error)]) from error
    return base, choices


def _refusal(found: list[str]) -> RuntimeError:
    remedy = "Install a version of gcc-grammar for this SGLang, or exclude the plugin with SGLANG_PLUGINS."
    return _interface.refuse("SGLang", _interface.version_of("sglang"), TESTED, found, remedy)
