"""Literals accept the special tokens that they name."""

import pytest

import gcc_grammar as gg

SOURCE = gg.Gbnf('root ::= "<|python_tag|>" [a-z]+ "<|eom_id|>"')
#: The first characters of both names, and the token of the first one.
LESS, TAG = 27, 128010


@pytest.fixture(scope="module")
def llama():
    return gg.Vocabulary("llama3")


def test_a_literal_accepts_the_token_and_its_characters(llama):
    matcher = gg.compile(SOURCE, llama).matcher()
    assert matcher.allowed() == [LESS, TAG]
    for special_names in (False, True):
        matcher.reset()
        for token in llama.tokenize("<|python_tag|>abc<|eom_id|>", special_names=special_names):
            matcher.commit(token)
        assert matcher.is_accepting


def test_an_option_chooses(llama):
    def allowed(option):
        return gg.compile(SOURCE, llama, special_tokens=option).matcher().allowed()

    assert allowed("literals") == [LESS, TAG]
    assert allowed("only") == [TAG]
    assert allowed("never") == [LESS]
    with pytest.raises(gg.Error, match="literals"):
        allowed("always")
    keys = {gg.artifact_key(SOURCE, llama, special_tokens=option) for option in ("literals", "only", "never")}
    assert len(keys) == 3


@pytest.mark.parametrize(
    "model, vocabulary, text, first",
    [
        ("qwen3", "qwen2.5", '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', 151657),
        ("gpt-oss", "gpt-oss", "<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>", 200005),
    ],
)
def test_tools_of_models_take_their_own_tokens(model, vocabulary, text, first):
    vocabulary = gg.Vocabulary(vocabulary)
    tools = [{"name": "now", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}]
    matcher = gg.compile(gg.Tools(tools, model=model, tool_choice="required"), vocabulary).matcher()
    tokens = vocabulary.tokenize(text, special_names=True)
    assert tokens[0] == first and first in matcher.allowed()
    for token in tokens:
        matcher.commit(token)
    assert matcher.is_accepting
