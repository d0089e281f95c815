"""From masks to distributions: proposals that look ahead, and sequential Monte Carlo.

A mask says which tokens may come next; renormalizing a model's probabilities over it (locally constrained decoding, LCD) does not give the
model's distribution of valid outputs. The modules here mend that, on top of compiled artifacts:

| module | content |
|---|---|
| :mod:`.tensors` | an artifact as a finite automaton over tokens, as arrays |
| :mod:`.gcd` | globally constrained decoding: only tokens after which the output can still be completed within the budget |
| :mod:`.hmm`, :mod:`.hmm_torch` | hidden Markov models of outputs: fitted, distilled from a model, saved and loaded |
| :mod:`.pgcd` | P-GCD: the probability that a token leads to a valid output, from the product of automaton and hidden Markov model |
| :mod:`.potentials`, :mod:`.awrs` | the proposals LCD, GCD, P-GCD and AWRS, for batches of outputs |
| :mod:`.smc`, :mod:`.resampling`, :mod:`.models` | sequential Monte Carlo over any proposal and any model |

The page ``docs/proposals.md`` of the repository has the theory, and says which function is which equation. NumPy is needed.
"""

from .awrs import Awrs
from .gcd import Gcd
from .hmm import Hmm
from .pgcd import Product
from .potentials import Budgeted, Expected, Lcd
from .smc import Samples, smc
from .tensors import Tensors

__all__ = ["Awrs", "Budgeted", "Expected", "Gcd", "Hmm", "Lcd", "Product", "Samples", "Tensors", "smc"]
