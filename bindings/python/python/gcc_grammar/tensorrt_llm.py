"""TensorRT-LLM: a matcher and a factory for guided decoding.

TensorRT-LLM chooses its factory by name and has no plugins: call :func:`install` in every process, before the executor is made. The
backend ``xgrammar`` then gets its masks from here. This adapter follows the published interface; it was tested against stand-ins of its
classes, and not with TensorRT-LLM itself.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from . import _engine, _interface, _vocabulary
from ._vocabulary import Vocabulary

MATCHER_METHODS: Mapping[str, tuple[str, ...]] = {
    "accept_token": ("token_id",),
    "rollback": ("num_tokens",),
    "fill_next_token_bitmask": ("next_token_bitmask", "index"),
    "is_terminated": (),
}
FACTORY_METHODS: Mapping[str, tuple[str, ...]] = {"create": ("guided_decoding_params",)}

#: The kinds of guides, by the names of ``GuidedDecodingParams.GuideType``.
GUIDES = {
    "JSON": "any_json",
    "JSON_SCHEMA": "json",
    "REGEX": "regex",
    "EBNF_GRAMMAR": "grammar",
    "STRUCTURAL_TAG": "structural_tag",
}


def classes(matcher_base: type, factory_base: type) -> tuple[type, type]:
    """A matcher and a factory derived from these abstract classes."""

    class GccMatcher(matcher_base):  # type: ignore[misc]
        """The state of one request."""

        def __init__(self, run: _engine.Run) -> None:
            super().__init__()
            self.run = run

        def accept_token(self, token_id: int) -> bool:
            """Commits a token, and returns whether the grammar allows it. Nothing is allowed after the end."""
            return self.run.matcher.try_commit(token_id)

        def rollback(self, num_tokens: int) -> None:
            """Takes back the last commits."""
            self.run.matcher.rollback(num_tokens)

        def fill_next_token_bitmask(self, next_token_bitmask: Any, index: int) -> None:
            """Writes the mask into a row."""
            self.run.fill(next_token_bitmask, index)

        def is_terminated(self) -> bool:
            """Whether a stop token was committed."""
            return self.run.matcher.is_terminated

    class GccMatcherFactory(factory_base):  # type: ignore[misc]
        """Compiles guides."""

        def __init__(self, guided_decoding_config: Any, vocab_size_padded: int, max_num_draft_tokens: int = 0) -> None:
            super().__init__()
            self.end_tokens: Optional[Sequence[int]] = guided_decoding_config.stop_token_ids
            self.rollbacks = max(max_num_draft_tokens + 1, 64)
            settings = _engine.Settings.from_environment()
            self.compiler = _engine.Compiler(
                lambda ends: vocabulary_of(guided_decoding_config, vocab_size_padded, ends), settings
            )

        def create(self, guided_decoding_params: Any) -> GccMatcher:
            """The matcher of a request."""
            guide = guided_decoding_params.guide_type.name
            if guide not in GUIDES:
                raise ValueError(f"there is no guide {guide} in this version of gcc-grammar")
            artifact = self.compiler.compile(GUIDES[guide], guided_decoding_params.guide or "", self.end_tokens)
            return GccMatcher(_engine.Run(artifact, self.rollbacks, self.compiler.settings.max_work))

    return GccMatcher, GccMatcherFactory


def vocabulary_of(config: Any, width: int, end_tokens: Optional[Sequence[int]]) -> Vocabulary:
    """The vocabulary of a ``GuidedDecodingConfig``: of its tokenizer, or of its list of tokens."""
    ends = [str(token) for token in end_tokens or ()]
    if config.tokenizer_str is not None:
        return Vocabulary(_vocabulary._of_json(config.tokenizer_str, width, ends))
    return Vocabulary(list(config.encoded_vocab), width=width, end_tokens=[int(end) for end in ends] or None)


def install() -> None:
    """Takes the place of XGrammar in this process. Raises ``RuntimeError`` if TensorRT-LLM is not as expected."""
    try:
        from tensorrt_llm._torch.pyexecutor import grammar_matcher, guided_decoder
    except ImportError as error:
        raise _refusal([str(error)]) from error
    found = mismatches(grammar_matcher, guided_decoder)
    if found:
        raise _refusal(found)
    _, factory = classes(grammar_matcher.GrammarMatcher, grammar_matcher.GrammarMatcherFactory)
    setattr(guided_decoder, "XGrammarMatcherFactory", factory)


def mismatches(matchers: Any, decoder: Any) -> list[str]:
    """What differs between the internals of this TensorRT-LLM and those that the adapter was written for."""
    named = [(matchers, "GrammarMatcher"), (matchers, "GrammarMatcherFactory"), (decoder, "XGrammarMatcherFactory")]
    found = [f"{module.__name__} has no {name}" for module, name in named if not hasattr(module, name)]
    if found:
        return found
    found += _interface.differences(matchers.GrammarMatcher, MATCHER_METHODS)
    return found + _interface.differences(matchers.GrammarMatcherFactory, FACTORY_METHODS)


def _refusal(found: list[str]) -> RuntimeError:
    version = _interface.version_of("tensorrt-llm", "tensorrt_llm")
    return _interface.refuse("TensorRT-LLM", version, "stand-ins only", found, "Do not call install() with this version.")
