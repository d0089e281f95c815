"""The processor for transformers, with PyTorch. What needs no PyTorch is tested without it."""

import types

import engines
import pytest

import gcc_grammar as gg
from gcc_grammar.transformers import GrammarLogitsProcessor, vocabulary

IDS = engines.Tokenizer().ids
END = 0


def model(width=20, ends=0):
    return types.SimpleNamespace(config=types.SimpleNamespace(vocab_size=width), generation_config=types.SimpleNamespace(eos_token_id=ends))


@pytest.fixture
def vocab():
    return vocabulary(engines.Tokenizer(), model())


def artifact(vocab, pattern):
    return gg.compile(gg.Regex(pattern), vocab)


def test_the_vocabulary_of_a_model():
    tokenizer = engines.Tokenizer()
    for ends, expected in ((None, [0]), (3, [3]), ([3, 0], [0, 3])):
        found = vocabulary(tokenizer, model(ends=ends))
        assert found.width == 20 and sorted(found.end_tokens) == expected
    nested = model()
    nested.config = types.SimpleNamespace(get_text_config=lambda: types.SimpleNamespace(vocab_size=33))
    assert vocabulary(tokenizer, nested).width == 33
    assert vocabulary(tokenizer).width == len(tokenizer.words)


def test_wrong_arguments(vocab):
    with pytest.raises(ValueError, match="no artifact"):
        GrammarLogitsProcessor([])
    with pytest.raises(ValueError, match="2 artifacts for 3 rows"):
        GrammarLogitsProcessor([artifact(vocab, "a"), None])._begin(3)
    assert GrammarLogitsProcessor.supports_continuous_batching is False


class Steps:
    """Calls a processor as `generate` does."""

    def __init__(self, processor, prompts, width=20):
        self.torch = pytest.importorskip("torch")
        self.processor, self.width = processor, width
        self.ids = self.torch.tensor(prompts)

    def allowed(self):
        """The tokens that each row may go on with."""
        scores = self.torch.zeros((len(self.ids), self.width))
        result = self.processor(self.ids, scores)
        assert bool((scores == 0).all()), "the logits of the caller were changed"
        return [row.isfinite().nonzero().flatten().tolist() for row in result]

    def go_on(self, tokens, rows=None):
        ids = self.ids if rows is None else self.ids[rows]
        self.ids = self.torch.cat([ids, self.torch.tensor(tokens)[:, None]], dim=1)


def test_a_grammar_for_each_row(vocab):
    steps = Steps(GrammarLogitsProcessor([artifact(vocab, "a1"), None, artifact(vocab, "[ab]")]), [[1, 2]] * 3)
    assert steps.allowed() == [IDS("a"), list(range(20)), IDS("ab")]
    steps.go_on([*IDS("a"), 19, *IDS("b")])
    assert steps.allowed() == [IDS("1"), list(range(20)), [END]]
    steps.go_on([*IDS("1"), 19, END])
    # A row that ended is left alone, and what fills it up does not matter.
    assert steps.allowed() == [[END], list(range(20)), list(range(20))]
    steps.go_on([END, 19, 7])
    assert steps.allowed() == [list(range(20))] * 3


def test_rows_that_were_multiplied_share_an_artifact(vocab):
    steps = Steps(GrammarLogitsProcessor([artifact(vocab, "a"), artifact(vocab, "b")]), [[1]] * 4)
    assert steps.allowed() == [IDS("a"), IDS("a"), IDS("b"), IDS("b")]


def test_beams_that_change_places(vocab):
    steps = Steps(GrammarLogitsProcessor(artifact(vocab, "aab|ba1")), [[1], [1]])
    steps.allowed()
    steps.go_on(IDS("ab"))
    assert steps.allowed() == [IDS("a"), IDS("a")]
    steps.go_on(IDS("aa"), rows=[1, 0])
    assert steps.allowed() == [IDS("1"), IDS("b")]
    steps.go_on([*IDS("1"), *IDS("1")], rows=[0, 0])
    assert steps.allowed() == [[END], [END]]


def test_sampled_beams_without_a_token_are_given_up(vocab):
    # `generate` passes logarithms of probabilities for beams. A mask with one token gives the other beams tokens of probability zero.
    processor = GrammarLogitsProcessor(artifact(vocab, "aab"))
    torch = pytest.importorskip("torch")
    scores = torch.zeros((3, 20)).log_softmax(dim=-1)
    finite = lambda ids: [row.isfinite().nonzero().flatten().tolist() for row in processor(torch.tensor(ids), scores)]
    a, b = IDS("ab")
    assert finite([[1]] * 3) == [[a]] * 3
    assert finite([[1, a], [1, 7], [1, b]]) == [[a], [], []]
    assert finite([[1, 7, 7], [1, a, a], [1, a, a]]) == [[], [b], [b]]
    with pytest.raises(gg.RefusedError, match="of no beam"):
        finite([[1, 7, 7, 7], [1, a, a, 7], [1, a, a, 7]])
    # Logits, as they are passed without beams.
    steps = Steps(GrammarLogitsProcessor(artifact(vocab, "aab")), [[1]])
    steps.allowed()
    steps.go_on([7])
    with pytest.raises(gg.RefusedError, match="does not allow token 7; put this processor last"):
        steps.allowed()
    with pytest.raises(gg.RowError, match="a row for each row of tokens"):
        processor(torch.tensor([[1]]), scores[0])


def test_the_next_generation_begins_anew(vocab):
    processor = GrammarLogitsProcessor(artifact(vocab, "a1"))
    for prompt in ([1, 2], [1, 2, 3], [4]):
        steps = Steps(processor, [prompt])
        assert steps.allowed() == [IDS("a")]
        steps.go_on(IDS("a"))
        assert steps.allowed() == [IDS("1")]
    processor.reset()
    steps.go_on(IDS("a"))
    assert steps.allowed() == [IDS("a")]


def test_drafts_are_tried_and_taken_back(vocab):
    steps = Steps(GrammarLogitsProcessor([artifact(vocab, "a(a1|b)+"), None], drafts=True), [[1, 2]] * 2)

    def at(text):
        """The tokens that may follow a text, behind the prompt."""
        tokens = [END if character == "." else IDS(character)[0] for character in text]
        steps.ids = steps.torch.tensor([[1, 2, *tokens]] * 2)
        first, other = steps.allowed()
        assert other == list(range(20))
        return first

    after_a, everything = IDS("ab"), list(range(20))
    assert [at(text) for text in ("", "a", "ab")] == [IDS("a"), after_a, [END, *after_a]]
    # A draft is refused: what would follow it is not constrained, and it is taken back.
    assert at("ab1") == everything and at("ab11") == everything
    assert at("aa") == IDS("1") and at("ab") == [END, *after_a] and at("ab.") == everything and at("ab..") == everything
    # Far back, beyond what a matcher takes back.
    assert at("a" + 50 * "a1") == [END, *after_a]
    assert at("a") == after_a and at("") == IDS("a")
    steps.processor.reset()
    steps.ids = steps.torch.tensor([[1, 2, IDS("a")[0]]] * 2)
    assert steps.allowed()[0] == IDS("a")


def test_assisted_generation_has_to_be_said(vocab):
    steps = Steps(GrammarLogitsProcessor(artifact(vocab, "a1[ab]*")), [[1, 2]])
    for token in (IDS("a"), IDS("1"), IDS("a")):
        steps.allowed()
        steps.go_on(token)
    steps.allowed()
    steps.ids = steps.ids[:, :4]
    with pytest.raises(ValueError, match="drafts=True"):
        steps.allowed()
    steps.processor.reset()
    assert steps.allowed() == [IDS("a")]


def test_a_token_that_another_processor_chose(vocab):
    steps = Steps(GrammarLogitsProcessor(artifact(vocab, "a1")), [[1]])
    steps.allowed()
    steps.go_on(IDS("b"))
    with pytest.raises(gg.RefusedError, match="row 0.*last in the list"):
        steps.allowed()


def test_models_with_more_and_with_less_logits(vocab):
    assert Steps(GrammarLogitsProcessor(artifact(vocab, "a")), [[1]], width=100).allowed() == [IDS("a")]
    wide = vocabulary(engines.Tokenizer(), model(width=100))
    with pytest.raises(ValueError, match="20 logits and the vocabulary 100"):
        Steps(GrammarLogitsProcessor(artifact(wide, "a")), [[1]]).allowed()
    with pytest.raises(ValueError, match="different sizes"):
        Steps(GrammarLogitsProcessor([artifact(wide, "a"), artifact(vocab, "a")]), [[1], [1]], width=100).allowed()


@pytest.mark.parametrize("rows, width", [(1, 31), (1, 32), (3, 33), (40, 100)])
def test_rows_of_bits_applied_to_logits(monkeypatch, rows, width):
    torch = pytest.importorskip("torch")
    from gcc_grammar import _apply
    from gcc_grammar._apply import apply_rows

    generator = torch.Generator().manual_seed(rows * width)
    masks = torch.randint(-(1 << 31), 1 << 31, (rows, (width + 31) // 32), dtype=torch.int64, generator=generator).to(torch.int32)
    logits = torch.randn((rows, width + 5), generator=generator)
    expected = logits.clone()
    for row in range(rows):
        for token in range(width + 5):
            word = int(masks[row, token // 32]) if token // 32 < masks.shape[1] else 0
            if not word >> (token % 32) & 1:
                expected[row, token] = float("-inf")
    plain = logits.clone()
    apply_rows(logits, masks)
    assert torch.equal(logits, expected)
    # Without NumPy, and on other devices.
    monkeypatch.setattr(_apply, "_unpacked_by_numpy", lambda part, width: None)
    apply_rows(plain, masks)
    assert torch.equal(plain, expected)
