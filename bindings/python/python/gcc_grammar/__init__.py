"""Exact next-token masks for JSON Schemas and grammars, compiled ahead of time.

>>> import gcc_grammar as gg
>>> vocabulary = gg.Vocabulary([b"true", b"false", b"null", b"tr", b"ue"])
>>> artifact = gg.compile({"type": "boolean"}, vocabulary)
>>> matcher = artifact.matcher()
>>> matcher.allowed()
[0, 1, 3]
>>> matcher.commit(3)
>>> matcher.allowed()
[4]
"""

from ._api import Artifact, Checked, CompileSession, Matcher, Store, artifact_key, check, compile, fill_masks, open
from ._apply import apply_mask
from ._errors import Error, GrammarWarning, NotFoundError, OtherVocabularyError, OverBudgetError, RefusedError, RowError, WrongTypeError
from ._events import Event, Events
from ._keywords import keywords
from ._lib import __version__
from ._sources import Abnf, Antlr, Choice, Ebnf, Gbnf, JsonSchema, Lark, Regex, Source, StructuralTag, Tools, TreeSitter, W3c
from ._types import to_schema
from ._vocabulary import Vocabulary
from ._why import Why, WrittenRule

__all__ = [
    "Abnf",
    "Antlr",
    "Artifact",
    "Checked",
    "Choice",
    "CompileSession",
    "Ebnf",
    "Error",
    "Event",
    "Events",
    "Gbnf",
    "GrammarWarning",
    "JsonSchema",
    "Lark",
    "Matcher",
    "NotFoundError",
    "OtherVocabularyError",
    "OverBudgetError",
    "RefusedError",
    "Regex",
    "RowError",
    "Source",
    "Store",
    "StructuralTag",
    "Tools",
    "TreeSitter",
    "Vocabulary",
    "W3c",
    "Why",
    "WrittenRule",
    "WrongTypeError",
    "__version__",
    "apply_mask",
    "artifact_key",
    "check",
    "compile",
    "fill_masks",
    "keywords",
    "open",
    "to_schema",
]
