"""Keyword constraints: texts in which all of some words occur, in any order, each in one of its forms."""

from __future__ import annotations

import re
from typing import Callable, Iterable, Mapping, Sequence, Union

from . import _checks
from ._errors import RefusedError
from ._sources import Lark, Source

#: The forms of a word, besides itself: by word, by a function, or by the rules of English.
Inflections = Union[Mapping[str, Iterable[str]], Callable[[str], Iterable[str]], str, None]

#: A character that no word has. Bytes outside of ASCII count as letters: to know them all takes many times as many states.
_BETWEEN = r"[^0-9A-Za-z_\x80-\u{10ffff}]"
#: Characters with a meaning in regular expressions, or at their end.
_SPECIAL = r"[\\.+*?()|\[\]{}^$/&~#-]"


def keywords(words: Sequence[str], *, inflections: Inflections = None, ignore_case: bool = False, text: str = "(?s:.)") -> Source:
    """Texts in which all the words occur, in any order, each at least once and as a whole word: between characters that are no letters,
    digits or underscores (characters outside of ASCII count as letters).

    ``inflections`` gives further forms of the words, any of which counts: a mapping, a function, or ``"english"`` for
    :func:`english_forms`. ``text`` is a regular expression of one character of the rest of the text.

    >>> import gcc_grammar as gg
    >>> source = keywords(["snow", "drive"], inflections={"drive": ["drives", "drove", "driven", "driving"]})
    >>> matcher = gg.compile(source, gg.Vocabulary([bytes([byte]) for byte in range(128)])).matcher()
    >>> matcher.commit_text("He drove through snow"); matcher.is_accepting
    True
    """
    words = _checks.texts(words, "the words")
    if not words or not all(words):
        raise RefusedError("there is no word, or an empty one")
    _checks.text(text, "text", "give a regular expression of one character")
    ignore_case = _checks.flag(ignore_case, "ignore_case")
    forms = _forms_of(inflections)
    terms = [_occurs(sorted({word, *_checks.texts(forms(word), f"the forms of {word!r}")}), ignore_case, text) for word in words]
    return Lark(f"start: TEXT\nTEXT: {' & '.join(terms)}\n", name="keywords")


def english_forms(word: str) -> list[str]:
    """The regular forms of an English noun or verb: plural, third person, past, and ``-ing``. Irregular forms are not among them.

    >>> english_forms("carry"), english_forms("stop"), english_forms("bake")
    (['carries', 'carried', 'carrying'], ['stops', 'stopped', 'stopping'], ['bakes', 'baked', 'baking'])
    """
    _checks.text(word, "the word")
    if re.search("[^aeiou]y$", word):
        return [word[:-1] + "ies", word[:-1] + "ied", word + "ing"]
    plural = word + ("es" if re.search("(s|x|z|ch|sh)$", word) else "s")
    if word.endswith("e") and not word.endswith(("ee", "ye", "oe")):
        return [plural, word + "d", word[:-1] + "ing"]
    if word.endswith("e"):
        return [plural, word + "d", word + "ing"]
    # A short word that ends with vowel and consonant doubles the consonant.
    stem = word + word[-1] if re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", word) else word
    return [plural, stem + "ed", stem + "ing"]


def _forms_of(inflections: Inflections) -> Callable[[str], Iterable[str]]:
    if inflections is None:
        return lambda word: ()
    if isinstance(inflections, str) and inflections == "english":
        return english_forms
    if callable(inflections) and not isinstance(inflections, type):
        return inflections
    if isinstance(inflections, Mapping):
        given = inflections
        return lambda word: given.get(word, ())
    if isinstance(inflections, str):
        raise RefusedError(f'there are no inflections {inflections!r}: give "english", a mapping or a function')
    raise _checks.wrong("inflections", inflections, '"english", a mapping from words to lists of their forms, or a function')


def _occurs(forms: Sequence[str], ignore_case: bool, text: str) -> str:
    """The terminal of texts with some of these words."""
    any_form = "|".join(re.sub(_SPECIAL, r"\\\g<0>", form) for form in forms)
    any_form = f"(?i:{any_form})" if ignore_case else f"({any_form})"
    found = f"/((?s:.)*{_BETWEEN})?{any_form}({_BETWEEN}(?s:.)*)?/"
    return found if text == "(?s:.)" else f"{found} & /({text})*/"
