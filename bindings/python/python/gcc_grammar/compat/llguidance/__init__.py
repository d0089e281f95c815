"""The Python interface of llguidance 1.9, implemented by gcc-grammar.

``from gcc_grammar.compat.llguidance import LLMatcher, LLTokenizer`` in place of ``from llguidance import …``. As there, a matcher never raises
for a grammar or a token: it keeps its first error. Captures, ``LLInterpreter`` and the limits of llguidance's parser are not there; JSON has
free white space between its tokens and one spelling of each character, which is nearest to llguidance. Names of special tokens in a text stand
for them only with ``parse_special``, and without ``eos_token`` every end token of the tokenizer ends an output.
"""

from ... import _lib
from ._executor import LLExecutor
from ._grammar import GrammarFormat, grammar_from, regex_to_lark
from ._matcher import LLMatcher, LLParserLimits
from ._struct_tag import StructTag
from ._tokenizer import LLTokenizer, TokenizerWrapper

__version__ = "1.9.1"


def get_version() -> str:
    """The version of llguidance whose interface this is, and that of gcc-grammar."""
    return f"llguidance@{__version__} gcc-grammar@{_lib.__version__}"


__all__ = [
    "GrammarFormat",
    "LLExecutor",
    "LLMatcher",
    "LLParserLimits",
    "LLTokenizer",
    "StructTag",
    "TokenizerWrapper",
    "get_version",
    "grammar_from",
    "regex_to_lark",
]
