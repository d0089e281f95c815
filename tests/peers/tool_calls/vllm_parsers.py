"""vLLM's parsers of calls, without the engine around them: the modules of the parsers are real, all else of the package is a stand-in."""

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import logging
import sys
import types
from pathlib import Path
from typing import Any, Optional

from pydantic import BaseModel, Field

from .cases import Case, Family

#: The names under which vLLM registers the parsers of a family; of several, that which finds calls counts.
PARSERS = {
    "hermes": ["hermes"],
    "qwen3-coder": ["qwen3_coder"],
    "llama3.1": ["llama3_json"],
    "llama4-pythonic": ["llama4_pythonic", "pythonic", "olmo3"],
    "gemma3": ["pythonic"],
    "mistral": ["mistral"],
    "mistral-v11": ["mistral"],
    "deepseek-r1": ["deepseek_v3"],
    "deepseek-v3.1": ["deepseek_v31"],
    "deepseek-v3.2": ["deepseek_v32"],
    "deepseek-v4": ["deepseek_v4"],
    "deepseek-v4.1": ["deepseek_v41"],
    "kimi-k2": ["kimi_k2"],
    "glm4.5": ["glm45"],
    "minimax-m2": ["minimax_m2"],
    "minimax-m3": ["minimax_m3"],
    "functiongemma": ["functiongemma"],
    "gemma4": ["gemma4"],
    "granite": ["granite4", "granite"],
    "phi4": ["phi4_mini_json"],
    "exaone": ["hermes"],
    "lfm2": ["lfm2"],
    "seed-oss": ["seed_oss"],
    "mimo": ["mimo"],
    "step3": ["step3"],
    "longcat": ["longcat"],
    "internlm": ["internlm"],
    "jamba": ["jamba"],
    "hunyuan-a13b": ["hunyuan_a13b"],
    "hunyuan-v3": ["hy_v3"],
    "hunyuan-v4": ["hy_v4"],
    "minicpm5": ["minicpm5"],
    "xlam": ["xlam"],
    "apertus": ["apertus"],
    "olmo3": ["olmo3"],
    "gigachat3": ["gigachat3"],
    "granite-20b": ["granite-20b-fc"],
    "dots": ["dots"],
    "plamo3": ["plamo3"],
    "kimi-k3": ["kimi_k3"],
    "k2-horizon": ["k2_horizon"],
    "inkling": ["inkling"],
    "muse": ["muse", "muse_glimmer"],
}
#: What is real, with everything below it. Other modules of the package are stand-ins.
REAL = ("vllm.tool_parsers", "vllm.parser", "vllm.reasoning", "vllm.exceptions", "vllm.utils.collection_utils", "vllm.utils.import_utils")
#: Packages without their __init__ files, which import the engine.
BARE = ("vllm", "vllm.utils")


class _Function(BaseModel):
    name: str
    arguments: str = ""


class _Call(BaseModel):
    id: str = ""
    type: str = "function"
    function: _Function


class _Found(BaseModel):
    tools_called: bool
    tool_calls: list[_Call]
    content: Optional[str] = None


class _Open(BaseModel, extra="allow"):
    """A message of the server: members as they are given."""

    def __getattr__(self, name: str) -> Any:
        return super().__getattr__(name) if name.startswith("_") else (self.__pydantic_extra__ or {}).get(name)


class _DefinedFunction(BaseModel):
    name: str
    description: Optional[str] = None
    parameters: Optional[dict[str, Any]] = None
    strict: Optional[bool] = None


class _Tool(BaseModel):
    type: str = "function"
    function: _DefinedFunction


PROTOCOL = {
    "FunctionCall": _Function,
    "ToolCall": _Call,
    "ExtractedToolCallInformation": _Found,
    "ChatCompletionToolsParam": _Tool,
    "FunctionDefinition": _DefinedFunction,
    "DeltaMessage": _Open,
    "DeltaToolCall": _Open,
    "DeltaFunctionCall": _Open,
    "ChatCompletionRequest": _Open,
    "ResponsesRequest": _Open,
    "make_tool_call_id": lambda *_, **__: "call",
    "get_tool_call_id_type": lambda *_: "random",
    "is_mistral_tokenizer": lambda *_: False,
    "random_uuid": lambda: "0",
}


class _Logger:
    """Says nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


class _StandIn(types.ModuleType):
    """A module with any name in it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.__name__ == "vllm.envs":
            return 10 if name.endswith("TIMEOUT_SECONDS") else False
        if name == "init_logger":
            return lambda *_: _Logger()
        return PROTOCOL.get(name) or type(name, (), {})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes stand-ins."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name == "vllm.parser.metrics" or name.startswith("vllm.") and not any(name == real or name.startswith(real + ".") for real in REAL):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        return _StandIn(spec.name)

    def exec_module(self, module: Any) -> None:
        module.__path__ = []


@functools.cache
def _prepare() -> None:
    found = importlib.util.find_spec("vllm")
    if found is None or not found.submodule_search_locations:
        raise ImportError("the package vllm is missing")
    root = Path(found.submodule_search_locations[0])
    for name in BARE:
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    sys.modules["vllm.utils"].__dict__["random_uuid"] = PROTOCOL["random_uuid"]
    sys.path.append(str(Path(__file__).resolve().parents[1] / "suites" / "stand_ins"))  # torch and transformers, where they are missing
    sys.meta_path.insert(0, _Finder())
    logging.disable(logging.ERROR)


class _Tokenizer:
    """A tokenizer with all marks that a parser asks for; texts are not cut."""

    all_special_tokens: list[str] = []
    all_special_ids: list[int] = []
    bos_token_id, eos_token_id = 1, 2

    class _Vocabulary(dict[str, int]):
        def __missing__(self, name: str) -> int:
            self[name] = 1000 + len(self)
            return self[name]

        def get(self, name: str, default: Any = None) -> Any:
            return self[name]

        def __contains__(self, name: object) -> bool:
            return True

    def __init__(self) -> None:
        self._vocabulary = self._Vocabulary()
        self.vocab = self._vocabulary
        self.tokenizer = self

    def get_vocab(self) -> dict[str, int]:
        return self._vocabulary

    def encode(self, text: str, **_: Any) -> list[int]:
        return [self._vocabulary[text]]

    def decode(self, ids: Any, **_: Any) -> str:
        names = {number: name for name, number in self._vocabulary.items()}
        return "".join(names.get(number, "") for number in ([ids] if isinstance(ids, int) else ids))

    def convert_tokens_to_ids(self, name: str) -> int:
        return self._vocabulary[name]


@functools.cache
def _class(name: str) -> Any:
    _prepare()
    return importlib.import_module("vllm.tool_parsers").ToolParserManager.get_tool_parser(name)


def calls(family: Family, case: Case) -> Optional[list[tuple[str, Any]]]:
    """The calls that vLLM's parser of the family finds; none if there is no parser."""
    if family.name not in PARSERS:
        return None
    tools = [_Tool(**tool) for tool in family.tools]
    request = _Open(tools=tools, tool_choice="auto", skip_special_tokens=False, include_reasoning=True)
    for name in PARSERS[family.name]:
        parser = _class(name)(_Tokenizer(), tools)
        found = parser.extract_tool_calls(case.text, request).tool_calls
        if found:
            return [(call.function.name, json.loads(call.function.arguments or "{}")) for call in found]
    return []
