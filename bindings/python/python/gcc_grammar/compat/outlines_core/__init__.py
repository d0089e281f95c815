"""The interface of outlines-core 0.2.14: replace ``outlines_core`` in imports by ``gcc_grammar.compat.outlines_core``.

>>> from gcc_grammar.compat.outlines_core import Guide, Index, Vocabulary
>>> guide = Guide(Index("[0-9]b", Vocabulary(3, {"1": [0], "b": [1], "1b": [2]})))
>>> guide.get_tokens(), guide.advance(0), guide.advance(1), guide.is_finished()
([0, 2], [1], [3], True)

What differs: states are found when they are needed and have other numbers; lists of tokens are ascending; ``build_regex_from_schema`` refuses
the keywords that it cannot express, which outlines-core drops.
"""

from . import json_schema
from ._guide import Guide
from ._index import Index
from ._vocabulary import Vocabulary

__all__ = ["Guide", "Index", "Vocabulary", "json_schema"]
