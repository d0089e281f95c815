"""The types of OpenAI's tools, from an installed XGrammar."""

from __future__ import annotations

from typing import Any

from . import _installed


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_installed.load("openai_tool_call_schema"), name)
