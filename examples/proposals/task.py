"""A function-calling task without downloads: prompts, calls, schemas, and a vocabulary. Everything follows from seeds.

A prompt such as ``weather zorp 7`` asks for a call such as ``{"name":"get_weather","arguments":{"city":"San Jose","days":7}}``. The word
``zorp`` is an alias with several readings, of which the training data have the first most often. A schema at hand allows only some cities,
among them exactly one of the readings, and others that begin like the readings that are not allowed. The right call has the reading that
is allowed: a model that takes ``San`` because it expects ``San Diego`` is led into ``San Jose``. Notes have a free text of random length, so
outputs may be cut off.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

import gcc_grammar as gg

FIRST = ["San", "New", "Port", "Fort", "Lake", "Mount", "Old", "Grand"]
SECOND = ["Jose", "Diego", "York", "Haven", "Louis", "Said", "Wayne", "Forest", "Airy", "Town", "Bay", "Creek", "Dale", "Falls", "Gate", "Hill",
          "Island", "Junction", "Key", "Landing", "Mill", "North", "Orchard", "Point", "Ridge", "Spring", "Valley", "Wells", "Acres", "Brook"]
GIVEN = ["Ann", "Bob", "Cem", "Dana", "Eve", "Finn", "Gita", "Hugo"]
FAMILY = ["Lee", "Wood", "Ray", "Stone", "Moss", "Park", "Bell", "Cole", "Dorn", "Fell", "Ames", "Burr", "Cope", "Dunn", "Eyre", "Ford",
          "Gale", "Hart", "Ives", "Judd", "Kerr", "Lund", "Marsh", "Nash", "Oaks", "Pike", "Reed", "Shaw", "Tate", "Vance"]
WORDS = ["see", "you", "at", "the", "lake", "soon", "call", "me", "when", "home", "bring", "some", "tea", "and", "cake", "today", "we", "meet", "again", "later"]
CITIES = [f"{first} {second}" for first in FIRST for second in SECOND]
PEOPLE = [f"{given} {family}" for given in GIVEN for family in FAMILY]
#: The probabilities of the readings of an alias in the training data.
READINGS = (0.6, 0.3, 0.1)
ALIASES = [a + b for a in ("zor", "mip", "tal", "quo", "ven", "rix") for b in ("p", "ka", "bu", "lo")]
#: The greatest number of tokens of a call, the end token included. A note of more than thirteen words does not fit.
MAX_TOKENS = 22


def readings(alias: str, places: list[str]) -> list[str]:
    """The readings of an alias, the likeliest first: each begins with another word."""
    rng = random.Random(f"{alias} {places[0]}")
    chosen: list[str] = []
    while len(chosen) < len(READINGS):
        place = rng.choice(places)
        if all(place.split()[0] != other.split()[0] for other in chosen):
            chosen.append(place)
    return chosen


@dataclass(frozen=True)
class Example:
    """A prompt with the call that it asks for."""

    prompt: str
    call: str
    alias: str


def example(rng: random.Random, function: str | None = None) -> Example:
    """An example of the training data."""
    function = function or rng.choice(["get_weather", "send_note"])
    alias = rng.choice(ALIASES)
    if function == "get_weather":
        place, days = rng.choices(readings(alias, CITIES), READINGS)[0], rng.randint(1, 14)
        return Example(f"weather {alias} {days}", dump(function, {"city": place, "days": days}), alias)
    person = rng.choices(readings(alias, PEOPLE), READINGS)[0]
    return Example(f"note {alias}", dump(function, {"to": person, "text": note(rng)}), alias)


def note(rng: random.Random) -> str:
    """A text of one to sixteen words, five on average."""
    length = 1
    while length < 16 and rng.random() < 0.8:
        length += 1
    return " ".join(rng.choice(WORDS) for _ in range(length))


def dump(name: str, arguments: dict) -> str:
    return json.dumps({"name": name, "arguments": arguments}, separators=(",", ":"))


@dataclass(frozen=True)
class Case:
    """A schema, with prompts and the argument that is right for each."""

    schema: dict
    prompts: list[str]
    right: list[str]
    key: str


def case(function: str, seed: int, prompts: int) -> Case:
    """For each prompt, exactly one reading of its alias is allowed, and it is not the likeliest."""
    rng = random.Random(f"{function} {seed}")
    key, places = ("city", CITIES) if function == "get_weather" else ("to", PEOPLE)
    allowed: set[str] = set()
    forbidden: set[str] = set()
    made, right = [], []
    while len(made) < prompts:
        alias = rng.choice(ALIASES)
        names = readings(alias, places)
        chosen = names[1]
        others = set(names) - {chosen}
        if chosen in forbidden or others & allowed:
            continue
        allowed.add(chosen)
        forbidden |= others
        made.append(f"weather {alias} {rng.randint(1, 14)}" if function == "get_weather" else f"note {alias}")
        right.append(chosen)
    used = {reading for alias in ALIASES for reading in readings(alias, places)}
    for name in sorted(forbidden):
        # Places that begin like those that are forbidden, and that nobody ever meant.
        alike = [place for place in places if place.split()[0] == name.split()[0] and place not in used]
        allowed |= set(rng.sample(alike, min(2, len(alike))))
    rest = {"days": {"type": "integer", "minimum": 1, "maximum": 14}} if key == "city" else {"text": {"type": "string", "pattern": "^[a-z ]+$"}}
    arguments = {"type": "object", "properties": {key: {"enum": sorted(allowed)}, **rest}, "required": [key, *rest], "additionalProperties": False}
    schema = {"type": "object", "properties": {"name": {"const": function}, "arguments": arguments}, "required": ["name", "arguments"], "additionalProperties": False}
    return Case(schema, made, right, key)


def tokens() -> list[bytes]:
    """The tokens of the vocabulary: ASCII, and the words and punctuation of the task. Longer pieces come first when a text is cut."""
    pieces = [bytes([byte]) for byte in range(128)]
    pieces += [word.encode() for word in (*FIRST, *GIVEN, *WORDS, *ALIASES, "weather", "note", "get_weather", "send_note")]
    pieces += [f" {word}".encode() for word in (*SECOND, *FAMILY, *WORDS, *ALIASES)]
    pieces += [str(number).encode() for number in range(10, 15)] + [f" {number}".encode() for number in range(1, 15)]
    pieces += [b'{"name":"', b'","arguments":{"', b'city":"', b'","days":', b'to":"', b'","text":"', b'"}}', b"}}"]
    return list(dict.fromkeys(pieces))


class Cutter:
    """Cuts texts into tokens, the longest first from left to right."""

    def __init__(self) -> None:
        self.pieces = tokens()
        self.numbers = {piece: number for number, piece in enumerate(self.pieces)}
        #: Behind a prompt, and behind a call.
        self.separator, self.end = len(self.pieces), len(self.pieces) + 1
        self.width = len(self.pieces) + 2
        self._longest = max(map(len, self.pieces))

    def cut(self, text: str) -> list[int]:
        data, found, at = text.encode(), [], 0
        while at < len(data):
            length = next(length for length in range(self._longest, 0, -1) if data[at : at + length] in self.numbers)
            found.append(self.numbers[data[at : at + length]])
            at += length
        return found

    def vocabulary(self) -> gg.Vocabulary:
        return gg.Vocabulary(dict(enumerate(self.pieces)), end_tokens=[self.end], width=self.width, name="calls")

    def prompt(self, text: str) -> list[int]:
        return [*self.cut(text), self.separator]

    def text(self, output: list[int]) -> str:
        return b"".join(self.pieces[token] for token in output if token < len(self.pieces)).decode()


def is_right(text: str, key: str, right: str) -> bool:
    """Whether a call has the reading that is allowed."""
    try:
        return json.loads(text)["arguments"][key] == right
    except (ValueError, KeyError, TypeError):
        return False
