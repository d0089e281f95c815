"""mistral-common: its tokenizers, and its encoder of calls."""

import functools
import json
import tempfile
from pathlib import Path
from typing import Any

import mistral_common
from mistral_common.protocol.instruct.messages import AssistantMessage, UserMessage
from mistral_common.protocol.instruct.request import InstructRequest
from mistral_common.protocol.instruct.tool_calls import FunctionCall, ToolCall
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, SpecialTokens
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
from mistral_common.tokens.tokenizers.tekken import Tekkenizer

KEEP = SpecialTokenPolicy.KEEP
#: The versions of the tokenizer for which a family's calls are encoded.
VERSIONS = {"mistral": ["v3", "v7"], "mistral-v11": ["v11", "v13"]}
_folder = tempfile.TemporaryDirectory()


@functools.cache
def file(version: str) -> str:
    """The file of a tokenizer. The package has one of v3 only; those of later versions have the same tokens and more special ones."""
    given = Path(mistral_common.__file__).parent / "data/tekken_240718.json"
    if version == "v3":
        return str(given)
    content = json.loads(given.read_text())
    names = [token["token_str"] for token in Tekkenizer.DEPRECATED_SPECIAL_TOKENS]
    names += [token.value for token in SpecialTokens if token.value not in names]
    content["config"]["version"] = version
    content["special_tokens"] = [{"rank": rank, "token_str": name, "is_control": True} for rank, name in enumerate(names)]
    path = Path(_folder.name) / f"tekken_{version}.json"
    path.write_text(json.dumps(content))
    return str(path)


@functools.cache
def tokenizer(version: str) -> Any:
    """A tokenizer of mistral-common."""
    return MistralTokenizer.from_file(file(version))


def encode(version: str, calls: list[tuple[str, Any]]) -> list[int]:
    """The tokens of an output with these calls, without the end token."""
    prompt = UserMessage(content="Hi")
    given = [
        ToolCall(id=f"call0000{place}", function=FunctionCall(name=name, arguments=json.dumps(arguments, ensure_ascii=False)))
        for place, (name, arguments) in enumerate(calls)
    ]
    instruct = tokenizer(version).instruct_tokenizer
    before = instruct.encode_instruct(InstructRequest(messages=[prompt])).tokens
    whole = instruct.encode_instruct(InstructRequest(messages=[prompt, AssistantMessage(content=None, tool_calls=given)])).tokens
    return whole[len(before) : -1]
