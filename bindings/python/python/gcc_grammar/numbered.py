"""Masks by number, for the memory of an accelerator: the half that runs on the host.

The base bitmaps of artifacts stay on the accelerator, in numbered slots. For each step and row only the numbers of slots travel, and the
tokens that are flipped in the union of these bases, all in one array of 32-bit words::

    words  0        8              8 * rows
           | row 0  | ... row n-1  | pool: flips of row 0, flips of row 1, ... | not used

    row    | kind | begin | count | slot 0 | slot 1 | slot 2 | slot 3 | 0 |

- ``kind`` 0 to 4: the union of the bases in the first ``kind`` slots, with the tokens ``pool[begin : begin + count]`` flipped, which ascend;
- :data:`WHOLE`: the mask is ``pool[begin : begin + count]``, as :meth:`Matcher.fill` writes it;
- :data:`FREE`: every token is allowed, since the row has no matcher or its output has ended.

A row travels whole where this is shorter, with more than 1,024 flips or four bases, and for artifacts that were not added. So the mask is
always exact, and an array of :attr:`NumberedMasks.words` words is always long enough.

:mod:`gcc_grammar.torch` has the other half for PyTorch.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

from . import _checks, _lib, _rows
from ._api import Artifact, Matcher
from ._errors import RefusedError

#: Words of a row before the pool.
HEADER_WORDS = 8
#: The largest number of bases of a row.
MAX_BASES = 4
#: Numbers of rows, words and slots are below this number.
WORDS = 1 << 31
#: The kind of a row that is a bitmap.
WHOLE = -2
#: The kind of a row that allows every token.
FREE = -1


def bases(artifact: Artifact) -> bytearray:
    """The base bitmaps of an artifact, one after the other, each of ``artifact.row_words`` words."""
    content = bytearray(4 * artifact.base_count * artifact.row_words)
    artifact.copy_bases(content)
    return content


def each_base(artifact: Artifact) -> list[bytes]:
    """The base bitmaps of an artifact, one by one."""
    content, size = bytes(bases(artifact)), 4 * artifact.row_words
    return [content[first : first + size] for first in range(0, len(content), size)]


class NumberedMasks:
    """The slots of the bases, and the array that travels.

    ``rows`` is the largest number of rows of a batch, and ``room`` the number of slots. All artifacts have masks of ``row_words`` words.
    Equal bases of different artifacts share a slot.
    """

    def __init__(self, row_words: int, *, rows: int, room: int) -> None:
        self.row_words = _checks.integer(row_words, "row_words", below=WORDS)
        self.rows = _checks.integer(rows, "rows", below=WORDS)
        self.room = _checks.integer(room, "room", below=WORDS)
        self._native = _lib.Slots()
        self._slots: dict[bytes, int] = {}
        self._users: dict[int, int] = {}
        self._artifacts: dict[int, tuple[Artifact, list[bytes]]] = {}

    @property
    def words(self) -> int:
        """The length of the array, in words of 32 bits."""
        return self.rows * (HEADER_WORDS + self.row_words)

    @property
    def used_slots(self) -> int:
        """The slots that hold a base."""
        return len(self._slots)

    def __contains__(self, artifact: Artifact) -> bool:
        return id(artifact._native) in self._artifacts

    def add(self, artifact: Artifact) -> Optional[dict[int, bytes]]:
        """Gives slots to the bases of an artifact, and returns the new bases by slot; none, and nothing changes, if there is no room.

        Masks of the matchers of this artifact object travel as numbers from then on.
        """
        if not isinstance(artifact, Artifact):
            raise _checks.wrong("the artifact", artifact, "an Artifact")
        if artifact.row_words != self.row_words:
            raise RefusedError(f"the masks of the artifact have {artifact.row_words} words, and the others {self.row_words}")
        if artifact in self:
            return {}
        parts = each_base(artifact)
        new = [part for part in dict.fromkeys(parts) if part not in self._slots]
        free = (slot for slot in range(self.room) if slot not in self._users)
        placed = dict(zip(new, free))
        if len(placed) < len(new):
            return None
        self._slots.update(placed)
        for part in parts:
            self._users[self._slots[part]] = self._users.get(self._slots[part], 0) + 1
        self._native.insert(artifact._native, [self._slots[part] for part in parts])
        self._artifacts[id(artifact._native)] = artifact, parts
        return {slot: part for part, slot in placed.items()}

    def remove(self, artifact: Artifact) -> None:
        """Frees the slots that only this artifact uses. Its rows travel whole from then on."""
        _, parts = self._artifacts.pop(id(artifact._native))
        self._native.remove(artifact._native)
        for part in parts:
            slot = self._slots[part]
            self._users[slot] -= 1
            if self._users[slot] == 0:
                del self._users[slot], self._slots[part]

    def stage(self, matchers: Iterable[Optional[Matcher]], words: Any) -> int:
        """Writes the masks of a batch into an array of :attr:`words` words, and returns how many of them have to travel.

        Matcher i is that of row i; none stands for a row without a grammar. Rows behind the last matcher are free.
        """
        return self.stage_at(matchers, *_rows.row(words, self.words))

    def stage_at(self, matchers: Iterable[Optional[Matcher]], address: int, length: int) -> int:
        """Does the same for an array of ``length`` words at an address, which nobody else uses meanwhile."""
        given = _checks.each(matchers, "the matchers", "a list of matchers, with None for rows without one")
        for place, matcher in enumerate(given):
            if matcher is not None and not isinstance(matcher, Matcher):
                raise _checks.wrong(f"the matchers[{place}]", matcher, "a Matcher or None")
        native = [None if matcher is None else matcher._native for matcher in given]
        return self._native.stage_at(native, self.rows, self.row_words, address, length)


def row_words_of(artifacts: Sequence[Artifact]) -> int:
    """The common length of the masks of some artifacts."""
    lengths: set[int] = {artifact.row_words for artifact in _checks.instances(artifacts, "the artifacts", Artifact)}
    if len(lengths) != 1:
        raise RefusedError("the artifacts are for vocabularies of different sizes" if lengths else "there is no artifact")
    return lengths.pop()
