"""Requests to the llama.cpp of the package xllamacpp, through ../llama-sampler/sampler.c.

    llama.py header FILE         writes the declarations that the package llama-cpp-py-sync has of llama.cpp
    llama.py call LIBRARY MODEL  answers the requests of the standard input
"""

import importlib.util
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Request:
    """What to generate, and how."""

    #: "greedy", or the seed of sampling.
    how: str
    notation: str
    grammar: str
    prompt: str
    #: Options of compilation, and of the matcher.
    options: dict = field(default_factory=dict)
    matcher: dict = field(default_factory=dict)

    def line(self):
        prompt = f"<|im_start|>user\n{self.prompt}<|im_end|>\n<|im_start|>assistant\n"
        parts = (self.how, self.notation, self.grammar, json.dumps(self.options), json.dumps(self.matcher), prompt)
        return "\t".join(part.replace("\\", "\\\\").replace("\n", "\\n") for part in parts) + "\n"


def answers(library, model, requests):
    """The outputs of a model; fewer than requests if the program ended early."""
    command = [sys.executable, __file__, "call", library, model]
    lines = "".join(request.line() for request in requests)
    output = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=False)
    results = [json.loads(line) for line in output.stdout.splitlines()] if output.returncode == 0 else []
    for result in results:
        result.update({name: bytes.fromhex(result[name]).decode("utf-8", "replace") for name in ("output", "printed")})
    return results


def folder_of(package):
    return Path(importlib.util.find_spec(package).origin).parent


def header(file):
    source = folder_of("llama_cpp_py_sync").joinpath("_cffi_bindings.py").read_text(encoding="utf-8")
    declarations = re.search(r'_LLAMA_H_CDEF = """(.*?)"""', source, re.DOTALL).group(1)
    names = ("stdbool", "stddef", "stdint", "stdio")
    includes = "".join(f"#include <{name}.h>\n" for name in names)
    Path(file).write_text(f"#pragma once\n{includes}{declarations}", encoding="utf-8")


def call(library, model):
    import ctypes

    package = next(folder_of("xllamacpp").glob("*.so"))
    ctypes.CDLL(str(package), mode=ctypes.RTLD_GLOBAL)
    arguments = (ctypes.c_char_p * 2)(b"sampler", model.encode())
    return ctypes.CDLL(library).main(2, arguments)


if __name__ == "__main__":
    sys.exit({"header": header, "call": call}[sys.argv[1]](*sys.argv[2:]))
