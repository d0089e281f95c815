"""Compiles the Triton kernel for NVIDIA processors, without having one."""

import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from gcc_grammar import _triton

POINTERS = {"logits": None, "staged": "*i32", "bases": "*i32"}
NUMBERS = ("row_stride", "width", "pool_start", "row_words")


def compiled(capability: int, logits: str) -> int:
    """The size of the kernel's code, in bytes."""
    constants = {"BLOCK_WORDS": _triton.BLOCK_WORDS, "BLOCK_FLIPS": _triton.BLOCK_FLIPS}
    signature = {**POINTERS, "logits": f"*{logits}", **{name: "i32" for name in NUMBERS}, **{name: "constexpr" for name in constants}}
    names = _triton.kernel.arg_names
    aligned = {(names.index(name),): [["tt.divisibility", 16]] for name in POINTERS}
    source = ASTSource(_triton.kernel, {name: signature[name] for name in names}, constants, aligned)
    return len(triton.compile(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": 4}).asm["cubin"])


def main() -> int:
    for capability in (80, 90, 100):
        sizes = [f"{logits} {compiled(capability, logits)} bytes" for logits in ("fp32", "fp16", "bf16")]
        print(f"compute capability {capability / 10}: {', '.join(sizes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
