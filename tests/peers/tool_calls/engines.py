"""The engines: this package and XGrammar. Both read tokens one by one."""

import functools
import sys
from pathlib import Path
from typing import Any, Callable, Optional

from .cases import Family, Options
from .tokens import Tokens

sys.path.append(str(Path(__file__).resolve().parents[1] / "suites" / "stand_ins"))  # torch and transformers, where they are missing

#: XGrammar's name of a family.
XGRAMMAR = {
    "hermes": "qwen_3",
    "qwen3-coder": "qwen_3_coder",
    "llama3.1": "llama",
    "harmony": "harmony",
    "deepseek-r1": "deepseek_r1",
    "deepseek-v3.1": "deepseek_v3_1",
    "deepseek-v3.2": "deepseek_v3_2",
    "deepseek-v4": "deepseek_v4",
    "deepseek-v4.1": "deepseek_v4_1",
    "kimi-k2": "kimi",
    "glm4.5": "glm_4_7",
    "minimax-m2": "minimax",
    "minimax-m3": "minimax_m3",
    "cohere": "cohere",
    "exaone": "exaone",
}
#: Reads tokens; the number of those that were allowed, one more if the text may also end there.
Reader = Callable[[list[int]], int]


class Ours:
    """gcc_grammar."""

    name = "ours"

    def __init__(self, family: Family, tokens: Tokens) -> None:
        import gcc_grammar

        self._package, self._family = gcc_grammar, family
        self._vocabulary = gcc_grammar.Vocabulary(tokens.source, end_tokens=[tokens.end])

    @functools.cache
    def reader(self, *options: Any) -> Reader:
        """Compiles the tools for these options."""
        given = Options(*options)
        thinking = bool(given.thinking)
        source = self._package.Tools(
            self._family.tools, model=self._family.name, tool_choice=given.tool_choice, parallel=given.parallel, thinking=thinking
        )
        artifact = self._package.compile(source, self._vocabulary, whitespace=given.whitespace)

        def read(ids: list[int]) -> int:
            matcher = artifact.matcher()
            for place, token in enumerate(ids):
                if not matcher.try_commit(token):
                    return place
            return len(ids) + bool(matcher.is_accepting)

        return read


class XGrammar:
    """XGrammar's own tags of the model."""

    name = "xgrammar"

    def __init__(self, family: Family, tokens: Tokens) -> None:
        import xgrammar

        self._package, self._family, self._end = xgrammar, family, tokens.end
        width = max(tokens.pieces) + 1
        vocabulary = [tokens.pieces.get(token, b"") for token in range(width)]
        info = xgrammar.TokenizerInfo(vocabulary, xgrammar.VocabType.RAW, vocab_size=width, stop_token_ids=[tokens.end])
        self._compiler = xgrammar.GrammarCompiler(info)

    @functools.cache
    def reader(self, *options: Any) -> Optional[Reader]:
        """Compiles the tag for these options; none if the model is not known."""
        given = Options(*options)
        model = XGRAMMAR.get(self._family.name)
        if model is None:
            return None
        choice: Any = given.tool_choice
        if choice not in ("auto", "required", "none"):
            choice = {"type": "function", "function": {"name": choice}}
        # Without thinking, XGrammar's tag of MiniMax M2 wants an empty block: the prompt always begins one.
        without = "auto" if model == "minimax" else "disabled"
        reasoning = {True: "auto", "open": "enabled", False: without}[given.thinking]
        tag = self._package.get_model_structural_tag(
            model, tools=self._family.tools, tool_choice=choice, reasoning=reasoning, parallel_tool_calls=given.parallel
        )
        grammar = self._compiler.compile_structural_tag(tag)

        def read(ids: list[int]) -> int:
            matcher = self._package.GrammarMatcher(grammar)
            for place, token in enumerate(ids):
                if matcher.is_terminated() or not matcher.accept_token(token):
                    return place
            return len(ids) + bool(matcher.is_terminated() or matcher.accept_token(self._end))

        return read
