"""Stand-ins of the engines: modules with the abstract classes of vLLM 0.32, SGLang 0.5.23 and TensorRT-LLM, and rows of NumPy."""

import dataclasses
import enum
import json
import sys
import types
from abc import ABC, abstractmethod

import numpy as np


def module(name, **content):
    made = types.ModuleType(name)
    vars(made).update(content)
    return made


def install(monkeypatch, *modules):
    """Puts modules and the packages around them where imports look."""
    for made in modules:
        parts = made.__name__.split(".")
        for end in range(1, len(parts) + 1):
            name = ".".join(parts[:end])
            if end == len(parts):
                monkeypatch.setitem(sys.modules, name, made)
            elif name not in sys.modules or not getattr(sys.modules[name], "stand_in", False):
                monkeypatch.setitem(sys.modules, name, module(name, stand_in=True, __path__=[]))
        for end in range(1, len(parts)):
            setattr(sys.modules[".".join(parts[:end])], parts[end], sys.modules[".".join(parts[: end + 1])])


def forget(monkeypatch, *names):
    """Lets modules be imported anew, with what they import now."""
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
        package, _, last = name.rpartition(".")
        monkeypatch.delattr(sys.modules[package], last, raising=False)


def bits(row):
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()


class Tokenizer:
    """As `transformers` has it: single characters, and an end token."""

    def __init__(self, characters='{}[]:,"<>/ab1', eos_token_id=0):
        self.words = {"<end>": 0, **{character: number for number, character in enumerate(characters, 1)}}
        self.eos_token_id = eos_token_id
        end = {"id": 0, "content": "<end>", "special": True, "normalized": False, "lstrip": False, "rstrip": False, "single_word": False}
        model = {"type": "BPE", "vocab": self.words, "merges": []}
        text = json.dumps({"version": "1.0", "added_tokens": [end], "model": model})
        self.backend_tokenizer = types.SimpleNamespace(to_str=lambda: text)

    def ids(self, text):
        return [self.words[character] for character in text]


def vllm_modules():
    class StructuredOutputOptions(enum.Enum):
        JSON, JSON_OBJECT, REGEX, GRAMMAR, CHOICE, STRUCTURAL_TAG = range(6)

    class StructuredOutputGrammar(ABC):
        @abstractmethod
        def accept_tokens(self, request_id, tokens): ...
        @abstractmethod
        def validate_tokens(self, tokens): ...
        @abstractmethod
        def rollback(self, num_tokens): ...
        @abstractmethod
        def fill_bitmask(self, bitmask, batch_index): ...
        @abstractmethod
        def is_terminated(self): ...
        @abstractmethod
        def reset(self): ...

    @dataclasses.dataclass
    class StructuredOutputBackend(ABC):
        vllm_config: object
        tokenizer: object
        vocab_size: int

        @abstractmethod
        def compile_grammar(self, request_type, grammar_spec, stop_token_ids=None): ...
        @abstractmethod
        def allocate_token_bitmask(self, max_num_seqs): ...
        @abstractmethod
        def destroy(self): ...

    base = "vllm.v1.structured_output"
    class VLLMClientError(Exception): ...

    manager = module(
        base, XgrammarBackend=object, VllmConfig=type("VllmConfig", (), {"num_speculative_tokens": 0}), __path__=[], stand_in=True
    )
    kinds = module(
        f"{base}.backend_types",
        StructuredOutputOptions=StructuredOutputOptions,
        StructuredOutputGrammar=StructuredOutputGrammar,
        StructuredOutputBackend=StructuredOutputBackend,
    )
    xgrammar = module(f"{base}.backend_xgrammar", validate_xgrammar_grammar=lambda sampling_params: None)
    return manager, kinds, xgrammar, module("vllm.exceptions", VLLMClientError=VLLMClientError)


def sglang_modules():
    class BaseGrammarObject:
        def __init__(self):
            self._finished, self.grammar_stats, self.current_token = False, None, None

        def maybe_init_reasoning(self, reasoning): ...
        def accept_token(self, token): ...
        def rollback(self, k): ...
        def is_terminated(self): ...
        def allocate_vocab_mask(self, vocab_size, batch_size, device): ...
        def fill_vocab_mask(self, vocab_mask, idx): ...
        @staticmethod
        def fill_vocab_mask_batched(entries, vocab_mask): ...
        @staticmethod
        def reset_vocab_mask(vocab_mask): ...
        @staticmethod
        def move_vocab_mask(vocab_mask, device): ...
        @staticmethod
        def apply_vocab_mask(logits, vocab_mask): ...
        def copy(self): ...
        def try_jump_forward(self, tokenizer): ...
        def jump_forward_str_state(self, helper): ...
        def jump_and_retokenize(self, old_output_ids, new_output_ids, next_state): ...

    class InvalidGrammarObject(BaseGrammarObject):
        def __init__(self, error_message="Unknown grammar error"):
            super().__init__()
            self.error_message = error_message

    class BaseGrammarBackend:
        def __init__(self):
            self.cache = {}

        def dispatch_json(self, key_string): ...
        def dispatch_regex(self, key_string): ...
        def dispatch_ebnf(self, key_string): ...
        def dispatch_structural_tag(self, key_string): ...
        def set_token_filter(self, vocab_mask, token_ids, batch_idx, is_allowed=True, reset_vocab_mask=True): ...
        def set_cache(self, key, value):
            self.cache[key] = value

        def reset(self):
            self.cache.clear()

    registry = {}
    base = module(
        "sglang.srt.constrained.base_grammar_backend",
        BaseGrammarObject=BaseGrammarObject,
        BaseGrammarBackend=BaseGrammarBackend,
        InvalidGrammarObject=InvalidGrammarObject,
        GRAMMAR_BACKEND_REGISTRY=registry,
        register_grammar_backend=registry.__setitem__,
    )
    names = ["xgrammar", "none"]
    choices = module("sglang.srt.arg_groups.choices", GRAMMAR_BACKEND_CHOICES=names, add_grammar_backend_choices=names.extend)
    return base, choices


def tensorrt_modules():
    class GrammarMatcher(ABC):
        @abstractmethod
        def accept_token(self, token_id): ...
        @abstractmethod
        def rollback(self, num_tokens): ...
        @abstractmethod
        def fill_next_token_bitmask(self, next_token_bitmask, index): ...
        @abstractmethod
        def is_terminated(self): ...

    class GrammarMatcherFactory(ABC):
        @abstractmethod
        def create(self, guided_decoding_params): ...

    base = "tensorrt_llm._torch.pyexecutor"
    matchers = module(f"{base}.grammar_matcher", GrammarMatcher=GrammarMatcher, GrammarMatcherFactory=GrammarMatcherFactory)
    return matchers, module(f"{base}.guided_decoder", XGrammarMatcherFactory=object)
