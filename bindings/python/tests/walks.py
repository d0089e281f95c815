"""Random walks of batches of matchers, for tests of masks by number."""

import random

import numpy as np

import gcc_grammar as gg

AMBIGUOUS = gg.Lark('start: e\ne: e "+" e | e "-" e | "(" e ")" | /[a-z0-9]+/ | "if" e "then" e')
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "kind": {"enum": ["ab", "abc"]}, "n": {"type": "integer"}},
    "required": ["name", "kind"],
}
#: Single characters and words are read side by side: masks are unions of several bases.
SIDE_BY_SIDE = gg.Gbnf('root ::= "<" (letters | digits | any)* ">"\nletters ::= [a-z]+ ":"\ndigits ::= [0-9a-m]+ ";"\nany ::= [^<>:;]+ "."')
GRAMMARS = [SCHEMA, AMBIGUOUS, SIDE_BY_SIDE, gg.Regex("[a-z]{3,40}([0-9]+|x)"), gg.Choice(["yes", "no", "maybe"])]


def words_of_letters(count: int) -> gg.Vocabulary:
    """All bytes, and words of letters, digits and signs."""
    generator = random.Random(7)
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789+-()<>:;. \"{},"
    words = {"".join(generator.choices(alphabet, k=generator.randint(2, 4))) for _ in range(count)}
    return gg.Vocabulary([bytes([byte]) for byte in range(256)] + [word.encode() for word in sorted(words)])


class Batch:
    """Matchers that are moved at random; some rows have none."""

    def __init__(self, artifacts: list, rows: int, seed: int, free: int = 0) -> None:
        self.random = random.Random(seed)
        self.artifacts = artifacts
        self.matchers = [artifacts[row % len(artifacts)].matcher() for row in range(rows - free)] + [None] * free
        self.random.shuffle(self.matchers)
        self.rows = np.zeros((rows, artifacts[0].row_words), dtype=np.int32)

    def masks(self) -> np.ndarray:
        """The dense rows; -1, that is every token, without a matcher and after the end."""
        self.rows.fill(-1)
        active = [row for row, matcher in enumerate(self.matchers) if matcher is not None and not matcher.is_terminated]
        gg.fill_masks([self.matchers[row] for row in active], self.rows, indices=active)
        return self.rows

    def move(self) -> None:
        """Moves each matcher: mostly by a random token of its mask; some go back, some begin anew, and places are exchanged."""
        for row, matcher in enumerate(self.matchers):
            if matcher is None:
                continue
            chance = self.random.random()
            if matcher.is_terminated or matcher.committed > 60 or chance < 0.01:
                matcher.reset()
            elif chance < 0.06:
                matcher.rollback(min(matcher.committed, 2))
            else:
                matcher.commit(self._allowed(self.rows[row]))
        first, second = self.random.randrange(len(self.matchers)), self.random.randrange(len(self.matchers))
        self.matchers[first], self.matchers[second] = self.matchers[second], self.matchers[first]

    def _allowed(self, row: np.ndarray) -> int:
        words = np.flatnonzero(row)
        word = int(words[self.random.randrange(len(words))])
        bits = [bit for bit in range(32) if int(row[word]) >> bit & 1]
        return 32 * word + self.random.choice(bits)
