"""Keyword constraints beside a search for words."""

import itertools
import re

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar._keywords import english_forms
from gcc_grammar.proposals import Budgeted, smc

LETTERS = gg.Vocabulary([bytes([byte]) for byte in range(256)])


def accepts(source: gg.Source, text: str) -> bool:
    matcher = gg.compile(source, LETTERS).matcher(max_rollback=0)
    return matcher.try_commit_text(text) and matcher.is_accepting


def test_texts_are_those_with_all_words():
    """Every text of at most 6 letters over a small alphabet."""
    artifact = gg.compile(gg.keywords(["a", "ab"], inflections={"ab": ["b"]}), LETTERS)
    texts = ["".join(text) for length in range(7) for text in itertools.product("ab ", repeat=length)]
    for text in texts:
        matcher = artifact.matcher(max_rollback=0)
        found = (not text or matcher.try_commit_text(text)) and matcher.is_accepting
        assert found == (bool(re.search(r"\ba\b", text)) and bool(re.search(r"\b(ab|b)\b", text))), text


def test_words_are_whole_and_in_any_order():
    source = gg.keywords(["snow", "drive", "car"], inflections="english")
    assert accepts(source, "A car drives through the snow.") and accepts(source, "Snow? snow! cars-drive")
    assert not accepts(source, "A carpet drives through the snow.") and not accepts(source, "A car drives.")
    # Bytes outside of ASCII count as letters.
    assert not accepts(source, "snow drive écar") and accepts(source, "snow, drive – car")


def test_options():
    assert accepts(gg.keywords(["Snow"], ignore_case=True), "a SNOW b") and not accepts(gg.keywords(["Snow"]), "a SNOW b")
    assert accepts(gg.keywords(["c++", "a.b"]), "c++ a.b") and not accepts(gg.keywords(["a.b"]), "axb")
    assert accepts(gg.keywords(["go"], inflections=lambda word: ["went"]), "it went")
    lines = gg.keywords(["a"], text="[a-z ]")
    assert accepts(lines, "b a c") and not accepts(lines, "b a\nc")
    assert accepts(gg.keywords(["schön"]), "es ist schön hier")
    for words in ([], ["a", ""]):
        with pytest.raises(ValueError, match="no word"):
            gg.keywords(words)
    with pytest.raises(ValueError, match="no inflections 'latin'"):
        gg.keywords(["a"], inflections="latin")


@pytest.mark.parametrize("word, forms", [
    ("snow", "snows snowed snowing"), ("watch", "watches watched watching"), ("try", "tries tried trying"), ("play", "plays played playing"),
    ("hop", "hops hopped hopping"), ("hope", "hopes hoped hoping"), ("see", "sees seed seeing"), ("fix", "fixes fixed fixing"),
])
def test_regular_forms(word, forms):
    assert english_forms(word) == forms.split()


def test_outputs_have_all_words_within_the_budget(llama3):
    """Random tokens with GCD: twelve tokens at most, and all concepts."""
    artifact = gg.compile(gg.keywords(["snow", "drive"], inflections="english"), llama3)
    rng = np.random.default_rng(0)
    samples = smc(lambda tokens: rng.normal(size=(len(tokens), llama3.width)), Budgeted(artifact.to_tensors()), particles=6, max_tokens=12, seed=1)
    for output in samples.outputs[0]:
        text = llama3.decode(output).decode()
        assert re.search(r"(?a)\bsnow(s|ed|ing)?\b", text) and re.search(r"(?a)\b(drives?|drived|driving)\b", text)
        assert len(output) <= 12 and output[-1] in llama3.end_tokens
