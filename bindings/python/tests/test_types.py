"""Python types as schemas, judged by jsonschema and by pydantic."""

import dataclasses
import datetime
import enum
import functools
import json
import typing
from typing import AbstractSet, Annotated, Any, Counter, Dict, FrozenSet, List, Literal, NamedTuple, Optional, Set, Tuple, TypedDict, Union

import jsonschema
import pydantic
import pytest

import gcc_grammar as gg


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


@dataclasses.dataclass
class Tree:
    value: int
    left: Optional["Tree"] = None
    children: List["Tree"] = dataclasses.field(default_factory=list)


class Movie(TypedDict, total=False):
    title: str
    year: int


class Point(NamedTuple):
    x: int
    y: float


class Corner(NamedTuple):
    x: int
    y: int = 0


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Levels(pydantic.BaseModel):
    of: Dict[Level, str]


@dataclasses.dataclass
class Undefined:
    member: "Missing"  # noqa: F821


def undefined(member: "Missing"): ...  # noqa: F821


@dataclasses.dataclass(frozen=True)
class Condition:
    func: Any


@dataclasses.dataclass(frozen=True)
class Least:
    ge: int


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int = pydantic.Field(ge=0, le=9)


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    name: str = pydantic.Field(min_length=1, max_length=5)


class Owner(pydantic.BaseModel):
    pet: Union[Cat, Dog] = pydantic.Field(discriminator="kind")
    friends: List["Owner"] = []


def book(title: str, pages: Annotated[int, Least(1)] = 1, tags: Tuple[str, ...] = ()) -> None: ...


CASES = [
    (int, [1, -3], ["1", 1.5, None]),
    (Optional[str], ["a", None], [1]),
    (Color, ["red", 2], ["blue", 1]),
    (Literal["a", 1], ["a", 1], ["b", 2]),
    (List[int], [[], [1, 2]], [["a"], {}]),
    (Dict[str, bool], [{}, {"a": True}], [{"a": 1}]),
    (Dict[Literal["k"], int], [{"k": 1}], [{"j": 1}]),
    # Keys are texts, which spell the values of their type.
    (Dict[int, str], [{}, {"1": "a", "-20": "b"}], [{"a": "b"}, {"1.5": "b"}, {"01": "b"}, {"1": 2}]),
    (Dict[Optional[int], str], [{"1": "a"}], [{"null": "b"}]),
    (Dict[float, int], [{"1.5": 1, "2": 2, "1e-3": 3}], [{"x": 1}, {"1.": 1}]),
    (Dict[bool, int], [{"true": 1}], [{"1": 1}]),
    (Dict[Level, int], [{"1": 1, "2": 2}], [{"3": 1}, {"LOW": 1}]),
    (Dict[Color, int], [{"red": 1, "2": 2}], [{"RED": 1}]),
    (Dict[datetime.date, int], [{"2024-02-29": 1}], [{"2024-13-01": 1}]),
    (Levels, [{"of": {"1": "a"}}], [{"of": {"3": "a"}}]),
    (Counter[Literal["k"]], [{"k": 1}], [{"k": "a"}, {"j": 1}]),
    (Set[int], [[], [1, 2]], [[1, 1]]),
    (FrozenSet[Literal["a", "b"]], [["a", "b"]], [["a", "a"]]),
    (AbstractSet[bool], [[True, False]], [[True, True]]),
    (Corner, [[1], [1, 2]], [[], [1, 2, 3]]),
    (Tuple[int, str], [[1, "a"]], [[1], [1, "a", 2], ["a", 1]]),
    (Tuple[int, ...], [[], [1, 2]], [["a"]]),
    (Point, [[1, 2.5]], [[1], [1, 2, 3]]),
    (Tree, [{"value": 1}, {"value": 1, "left": {"value": 2}, "children": [{"value": 3}]}], [{}, {"value": 1, "left": {}}]),
    (Movie, [{}, {"title": "M", "year": 1931}], [{"title": 1}, {"director": "Lang"}]),
    (Annotated[int, Least(3)], [3, 4], [2]),
    (Annotated[str, pydantic.Field(max_length=2)], ["", "ab"], ["abc"]),
    (Annotated[Optional[List[int]], pydantic.Field(max_length=1)], [None, [1]], [[1, 2]]),
    (Annotated[Union[str, List[int], int], pydantic.Field(min_length=2)], ["ab", [1, 2], 1], ["a", [1]]),
    (Annotated[Corner, pydantic.Field(min_length=2)], [[1, 2]], [[1]]),
    (datetime.date, ["2024-02-29"], ["2024-13-01"]),
    (Owner, [{"pet": {"kind": "cat", "lives": 9}}], [{"pet": {"kind": "cat", "lives": 10}}, {"pet": {"kind": "cow"}}]),
    (book, [{"title": "a"}, {"title": "a", "pages": 2, "tags": ["b"]}], [{}, {"title": "a", "pages": 0}]),
    (Any, [1, "a", None], []),
]


@pytest.mark.parametrize("kind, valid, invalid", CASES, ids=lambda value: getattr(value, "__name__", None))
def test_types_have_the_values_that_they_say(kind, valid, invalid, letters):
    schema = gg.to_schema(kind)
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    artifact = gg.compile(kind, letters)
    for values, expected in ((valid, True), (invalid, False)):
        for value in values:
            assert validator.is_valid(value) == expected, (schema, value)
            matcher = artifact.matcher()
            text = json.dumps(value).encode()
            accepted = all(matcher.try_commit(byte) for byte in text) and matcher.is_accepting
            assert accepted == expected, (schema, value)


def test_pydantic_agrees(letters):
    matcher = gg.compile(Owner, letters).matcher()
    text = Owner(pet=Dog(kind="dog", name="Rex"), friends=[Owner(pet=Cat(kind="cat", lives=1))]).model_dump_json()
    matcher.commit_text(text)
    assert matcher.is_accepting


def test_what_is_no_schema_is_refused():
    class Strange:
        pass

    for kind in (Strange, lambda *args: None):
        with pytest.raises(TypeError):
            gg.to_schema(kind)


class Called:
    text: str

    def __call__(self, text: int): ...

    def method(self, number: int): ...


ODD = {
    "bytes": (Literal[b"x"], "give a type of JSON values"),
    "no value": (typing.NoReturn, "give a type of JSON values"),
    "keys of tuples": (Dict[Tuple[int, int], int], r"give dict\[str, ...\]"),
    "keys of None": (Dict[None, int], r"give dict\[str, ...\]"),
    "a bounded key": (Dict[Annotated[int, Least(1)], int], r"give dict\[str, ...\]"),
    "a name of a member": (Undefined, "'Missing' is not defined: define it"),
    "a name of an argument": (undefined, "'Missing' is not defined: define it"),
    "an object that is called": (Called(), "a function, or a schema"),
    "a method without its object": (Called.method, r"Called.method is a method without its object: give that of an object, as in Called\(\).method"),
    "a partial function": (functools.partial(book, "a"), "a function, or a schema"),
    "a function without a signature": (max, "no signature found"),
    "a module": (typing, "give a type of JSON values"),
}


@pytest.mark.parametrize("kind, message", ODD.values(), ids=ODD)
def test_odd_types_are_errors_that_say_what_to_give(kind, message):
    with pytest.raises(gg.WrongTypeError, match=message):
        gg.to_schema(kind)
    if callable(kind):
        with pytest.raises(gg.WrongTypeError, match=message):
            gg.Tools([kind], model="hermes")
    assert gg.to_schema(Called().method)["required"] == ["number"]


def test_a_deep_type_is_refused():
    with pytest.raises(gg.RefusedError, match="nested too deeply"):
        gg.to_schema(functools.reduce(lambda inner, _: list[inner], range(3000), int))


@pytest.mark.parametrize("note", [Condition(bool), pydantic.AfterValidator(bool), pydantic.Field(max_digits=3)], ids=["func", "validator", "digits"])
def test_conditions_that_no_keyword_says_are_told(note):
    with pytest.warns(gg.GrammarWarning, match="it is not enforced"):
        assert gg.to_schema(Annotated[int, note, Least(3)]) == {"type": "integer", "minimum": 3}


def test_two_types_of_one_name_stay_two():
    def make(kind: type) -> type:
        return dataclasses.make_dataclass("Same", [("value", kind)])

    pair = dataclasses.make_dataclass("Pair", [("a", make(int)), ("b", make(str))])
    validator = jsonschema.Draft202012Validator(gg.to_schema(pair))
    assert validator.is_valid({"a": {"value": 1}, "b": {"value": "x"}})
    assert not validator.is_valid({"a": {"value": "x"}, "b": {"value": "x"}})
