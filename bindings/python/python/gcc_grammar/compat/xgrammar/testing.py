"""What programs use of `xgrammar.testing`. Functions that show or change the inner form of XGrammar's grammars do not exist here."""

from __future__ import annotations

from typing import Any, Optional, Union

from .compiler import GrammarCompiler
from .grammar import Grammar
from .matcher import GrammarMatcher
from .tokenizer_info import TokenizerInfo


def _get_matcher_from_grammar(grammar: Union[Grammar, str], **kwargs: Any) -> GrammarMatcher:
    """A matcher of texts, which ends without a stop token."""
    return _get_matcher_from_grammar_and_tokenizer_info(grammar, None, terminate_without_stop_token=True, **kwargs)


def _get_matcher_from_grammar_and_tokenizer_info(
    grammar: Union[Grammar, str], tokenizer_info: Optional[TokenizerInfo] = None, **kwargs: Any
) -> GrammarMatcher:
    """A matcher for a vocabulary, or for none."""
    compiler = GrammarCompiler(TokenizerInfo([]) if tokenizer_info is None else tokenizer_info, cache_enabled=False)
    return GrammarMatcher(compiler.compile_grammar(grammar), **kwargs)


def _is_grammar_accept_string(
    grammar: Union[Grammar, str],
    input_str: str,
    *,
    debug_print: bool = False,
    print_time: bool = False,
    require_termination: bool = True,
) -> bool:
    """Whether a text belongs to a grammar, or begins a text that does."""
    matcher = _get_matcher_from_grammar(grammar)
    return matcher.accept_string(input_str) and (not require_termination or matcher.is_terminated())


def _bits(bitmask: Any, vocab_size: int, index: int) -> list[bool]:
    if bitmask.device.type != "cpu":
        raise ValueError("bitmask should be on CPU.")
    if str(bitmask.dtype) != "torch.int32":
        raise ValueError("bitmask should be of type torch.int32.")
    words = (bitmask if len(bitmask.shape) == 1 else bitmask[index]).tolist()
    return [bool(words[token // 32] >> token % 32 & 1) for token in range(vocab_size)]


def _get_masked_tokens_from_bitmask(bitmask: Any, vocab_size: int, index: int = 0) -> list[int]:
    """The tokens that a row does not allow."""
    return [token for token, allowed in enumerate(_bits(bitmask, vocab_size, index)) if not allowed]


def _is_single_token_bitmask(bitmask: Any, vocab_size: int, index: int = 0) -> tuple[bool, int]:
    """Whether a row allows one token, and which."""
    allowed = [token for token, allowed in enumerate(_bits(bitmask, vocab_size, index)) if allowed]
    return (True, allowed[0]) if len(allowed) == 1 else (False, -1)


def bool_mask_to_bitmask(bool_mask: Any) -> Any:
    """Rows of bits from rows of Booleans; the bits behind the end are set."""
    import torch

    padding = -bool_mask.shape[1] % 32
    bits = torch.nn.functional.pad(bool_mask.to(torch.int64), (0, padding), value=1).view(bool_mask.shape[0], -1, 32)
    words = (bits << torch.arange(32, device=bool_mask.device)).sum(dim=2)
    return torch.where(words >= 1 << 31, words - (1 << 32), words).to(torch.int32)


def bitmask_to_bool_mask(bit_mask: Any, vocab_size: Optional[int] = None) -> Any:
    """Rows of Booleans from rows of bits."""
    import torch

    size = 32 * bit_mask.shape[1] if vocab_size is None else vocab_size
    if size > 32 * bit_mask.shape[1]:
        raise ValueError("vocab_size should be less than or equal to the size represented by bit_mask.")
    rows = [_bits(bit_mask, size, index) for index in range(bit_mask.shape[0])]
    return torch.tensor(rows, dtype=torch.bool).reshape(bit_mask.shape[0], size)


def _traverse_draft_tree(
    retrieve_next_token: Any,
    retrieve_next_sibling: Any,
    draft_tokens: Any,
    matcher: GrammarMatcher,
    allocate_token_bitmask: Any,
    time_threshold: float = -1.0,
) -> bool:
    """The older form of :meth:`GrammarMatcher.traverse_draft_tree`."""
    return matcher.traverse_draft_tree(
        retrieve_next_token, retrieve_next_sibling, draft_tokens, allocate_token_bitmask, time_threshold
    )
