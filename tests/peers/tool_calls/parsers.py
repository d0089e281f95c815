"""The families' parsers: those of SGLang, without the engine around them, and openai-harmony."""

import contextlib
import functools
import importlib
import importlib.util
import json
import logging
import sys
import types
from pathlib import Path
from typing import Any, Optional

import jsonschema
from pydantic import BaseModel

from .cases import Case, Family

#: The modules and the classes of SGLang's parsers; of several, that which finds calls counts.
DETECTORS = {
    "hermes": [("hermes_detector", "HermesDetector"), ("qwen25_detector", "Qwen25Detector")],
    "qwen3-coder": [("qwen3_coder_detector", "Qwen3CoderDetector")],
    "llama3.1": [("llama32_detector", "Llama32Detector")],
    "llama4-pythonic": [("pythonic_detector", "PythonicDetector")],
    "gemma3": [("pythonic_detector", "PythonicDetector")],
    "mistral": [("mistral_detector", "MistralDetector")],
    "mistral-v11": [("mistral_detector", "MistralDetector")],
    "deepseek-r1": [("deepseekv3_detector", "DeepSeekV3Detector")],
    "deepseek-v3.1": [("deepseekv31_detector", "DeepSeekV31Detector")],
    "deepseek-v3.2": [("deepseekv32_detector", "DeepSeekV32Detector")],
    "deepseek-v4": [("deepseekv4_detector", "DeepSeekV4Detector")],
    "deepseek-v4.1": [("deepseekv41_detector", "DeepSeekV41Detector")],
    "kimi-k2": [("kimik2_detector", "KimiK2Detector")],
    "glm4.5": [("glm47_moe_detector", "Glm47MoeDetector"), ("glm4_moe_detector", "Glm4MoeDetector")],
    "minimax-m2": [("minimax_m2", "MinimaxM2Detector")],
    "minimax-m3": [("minimax_m3", "MinimaxM3Detector")],
    "gemma4": [("gemma4_detector", "Gemma4Detector")],
    "cohere": [("cohere_command4_detector", "CohereCommand4Detector")],
    "exaone": [("hermes_detector", "HermesDetector")],
    "lfm2": [("lfm2_detector", "Lfm2Detector")],
    "lfm2-json": [("lfm2_detector", "Lfm2Detector")],
    "minicpm5": [("minicpm5_detector", "MiniCPM5Detector")],
    "mimo": [("mimo_detector", "MiMoDetector")],
    "step3": [("step3_detector", "Step3Detector")],
    "internlm": [("internlm_detector", "InternlmDetector")],
    "hunyuan-v3": [("hunyuan_detector", "HunyuanDetector")],
    "apertus": [("apertus2509_detector", "Apertus2509Detector")],
    "gigachat3": [("gigachat3_detector", "GigaChat3Detector")],
    "gigachat3.5": [("gigachat35_detector", "GigaChat35Detector")],
    "dots": [("dots_detector", "DotsToolDetector")],
    "kimi-k3": [("kimik3_detector", "KimiK3Detector")],
    "k2-horizon": [("k2_v3_detector", "K2V3Detector")],
    "iquest-q1": [("iquest_q1_detector", "IQuestQ1Detector")],
    "spark25": [("spark25_detector", "Spark25Detector")],
    "inkling": [("inkling_detector", "InklingDetector")],
    "muse": [("muse_glimmer_detector", "MuseGlimmerDetector")],
    "beam": [("beam_detector", "BeamDetector")],
}


class _Function(BaseModel):
    name: str
    description: Optional[str] = None
    parameters: Optional[Any] = None
    strict: bool = False


class _Tool(BaseModel):
    type: str = "function"
    function: _Function


class _Settings:
    """Every setting of the engine is off."""

    def __getattr__(self, name: str) -> Any:
        return types.SimpleNamespace(get=lambda: False)


@functools.cache
def _prepare() -> None:
    """Makes the packages of SGLang importable without running them: their __init__ files import the engine."""
    found = importlib.util.find_spec("sglang")
    if found is None or not found.submodule_search_locations:
        raise ImportError("the package sglang is missing")
    root = Path(found.submodule_search_locations[0])
    for name in ("sglang", "sglang.srt", "sglang.srt.function_call", "sglang.srt.parser"):
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    sys.path.append(str(Path(__file__).resolve().parents[1] / "suites" / "stand_ins"))  # torch and transformers, where they are missing
    protocol = types.ModuleType("sglang.srt.entrypoints.openai.protocol")
    protocol.__dict__.update(Tool=_Tool, Function=_Function, ToolChoice=Any)
    environment = types.ModuleType("sglang.srt.environ")
    environment.__dict__.update(envs=_Settings(), ToolStrictLevel=types.SimpleNamespace(OFF=0, FUNCTION=1, PARAMETER=2))
    sys.modules.update({protocol.__name__: protocol, environment.__name__: environment})
    logging.disable(logging.ERROR)


def calls(family: Family, case: Case) -> Optional[list[tuple[str, Any]]]:
    """The calls that the family's parser finds; none if there is no parser."""
    if family.name == "harmony":
        from . import harmony

        try:
            return harmony.parse(case.text)
        except Exception:
            return []
    _prepare()
    if family.name not in DETECTORS:
        return None
    tools = [_Tool(**tool) for tool in family.tools]
    for module, name in DETECTORS[family.name]:
        detector = getattr(importlib.import_module(f"sglang.srt.function_call.{module}"), name)()
        with contextlib.suppress(Exception):
            found = detector.detect_and_parse(case.text, tools).calls
            if found:
                return [(str(call.name), json.loads(call.parameters)) for call in found]
    return []


def are_valid(family: Family, found: list[tuple[str, Any]]) -> bool:
    """Whether these are calls of the tools, with arguments that are valid."""
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in family.tools}
    return bool(found) and all(name in schemas and jsonschema.Draft202012Validator(schemas[name]).is_valid(given) for name, given in found)
