"""From masks to distributions: proposals that look ahead, and sequential Monte Carlo.

A mask says which tokens may come next; renormalizing a model's probabilities over it (locally constrained decoding, LCD) does not give the
model's distribution of valid outputs. The modules here mend that, on top of compiled artifacts:

| module | content |
|---|---|
| :mod:`.tensors` | an artifact as a finite automaton over tokens, as arrays |
| :mod:`.gcd` | globally constrained decoding: only tokens after which the output can still be completed within the budget |

The page ``docs/proposals.md`` of the repository has the theory, and says which function is which equation. NumPy is needed.
"""

from .gcd import Gcd
from .tensors import Tensors

__all__ = ["Gcd", "Tensors"]
