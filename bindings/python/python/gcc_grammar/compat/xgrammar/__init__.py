"""The interface of XGrammar 0.2.9 on this package: `import gcc_grammar.compat.xgrammar as xgr`.

What is different: grammars are not converted to EBNF, so `str(grammar)` is the text that was given; serialized objects are of this package;
the options of schemas are those of XGrammar, but keywords are enforced exactly. docs/migration/xgrammar.md lists what differs.
"""

from __future__ import annotations

import importlib
from typing import Any

from . import exception
from .compiler import CompiledGrammar, GrammarCompiler
from .config import get_max_recursion_depth, get_serialization_version, max_recursion_depth, set_max_recursion_depth
from .exception import DeserializeFormatError, DeserializeVersionError, InvalidJSONError, InvalidStructuralTagError
from .grammar import Grammar
from .matcher import (
    BatchGrammarMatcher,
    GrammarMatcher,
    allocate_token_bitmask,
    apply_token_bitmask_inplace,
    get_bitmask_shape,
    reset_token_bitmask,
)
from .tokenizer_info import TokenizerInfo, VocabType

__all__ = [
    "BatchGrammarMatcher",
    "CompiledGrammar",
    "DeserializeFormatError",
    "DeserializeVersionError",
    "Grammar",
    "GrammarCompiler",
    "GrammarMatcher",
    "InvalidJSONError",
    "InvalidStructuralTagError",
    "TokenizerInfo",
    "VocabType",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "exception",
    "get_bitmask_shape",
    "get_max_recursion_depth",
    "get_serialization_version",
    "max_recursion_depth",
    "reset_token_bitmask",
    "set_max_recursion_depth",
]

#: Names that need pydantic or PyTorch, which are imported when they are used, and their modules.
_LATER = {
    "get_builtin_structural_tag": "builtin_structural_tag",
    "get_model_structural_tag": "builtin_structural_tag",
    "normalize_tool_choice": "builtin_structural_tag",
    "register_model_structural_tag": "builtin_structural_tag",
    "StructuralTag": "structural_tag",
    "StructuralTagItem": "structural_tag",
    "bitmask_dtype": "matcher",
}
_MODULES = {
    "builtin_structural_tag": "builtin_structural_tag",
    "structural_tag": "structural_tag", "testing": "testing", "contrib": "contrib", "kernels": "kernels", "hf": "contrib.hf",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{_MODULES[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
