"""Masks by number on a device of PyTorch: the processor, with plain operations and with Triton's interpreter, and CUDA where it is.

`tests/integration/run.sh torch` runs this file in an environment with PyTorch and Triton.
"""

import os

import numpy as np
import pytest
from walks import GRAMMARS, Batch, words_of_letters

import gcc_grammar as gg

torch = pytest.importorskip("torch")

from gcc_grammar.torch import DeviceMasks  # noqa: E402

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
KERNELS = ["torch", pytest.param("triton", marks=pytest.mark.skipif(not INTERPRETED, reason="needs TRITON_INTERPRET=1"))]


@pytest.fixture(scope="module")
def artifacts() -> list:
    vocabulary = words_of_letters(6000)
    return [gg.compile(grammar, vocabulary) for grammar in GRAMMARS]


def expected(logits, rows: np.ndarray):
    """The logits of the tokens of dense rows, by NumPy's bits."""
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little").astype(bool)
    allowed = np.zeros(logits.shape, dtype=bool)
    width = min(bits.shape[1], logits.shape[1])
    allowed[:, :width] = bits[:, :width]
    allowed[(rows == -1).all(axis=1)] = True
    return torch.where(torch.from_numpy(allowed), logits, float("-inf"))


def test_rows_that_are_no_plain_memory(artifacts: list) -> None:
    matcher = artifacts[0].matcher()
    row = torch.zeros(artifacts[0].row_words, dtype=torch.int32)
    writers = (matcher.fill, matcher.update, lambda rows: gg.fill_masks([matcher], rows), lambda rows: gg.apply_mask(np.zeros(9), rows))
    for other in (row.to_sparse(), row._neg_view()):
        for write in writers:
            with pytest.raises(gg.RowError):
                write(other)
    with pytest.raises(gg.RowError, match="have gradients"):
        gg.apply_mask(torch.zeros(9, requires_grad=True), row)


def walk(artifacts: list, added: list, kernel: str, steps: int, rows: int = 50, dtype=torch.float32, more: int = 0, device="cpu") -> None:
    width = artifacts[0].vocabulary.width + more
    masks = DeviceMasks(added, rows=rows + 2, device=device, kernel=kernel)
    batch = Batch(artifacts, rows, seed=steps, free=2)
    for step in range(steps):
        logits = torch.randn(rows, width, dtype=torch.float32).to(dtype)
        want = expected(logits, batch.masks())
        given = logits.to(device)
        got = masks.apply(given, batch.matchers)
        assert got is given and torch.equal(got.cpu(), want), step
        batch.move()


@pytest.mark.parametrize("kernel, steps", [("torch", 2000), pytest.param("triton", 40, marks=KERNELS[1].marks)])
def test_logits_equal_those_of_dense_rows(artifacts, kernel, steps):
    """100,000 states with operations of PyTorch; fewer with the interpreter, which is slow. One artifact is not on the device."""
    walk(artifacts, artifacts[:-1], kernel, steps)


@pytest.mark.skipif(INTERPRETED or not torch.cuda.is_available(), reason="needs a CUDA device and no TRITON_INTERPRET")
@pytest.mark.parametrize("kernel", ["torch", "triton"])
def test_logits_on_a_cuda_device(artifacts, kernel):
    walk(artifacts, artifacts[:-1], kernel, 2000, device="cuda")


@pytest.mark.skipif(INTERPRETED or not torch.cuda.is_available(), reason="needs a CUDA device and no TRITON_INTERPRET")
def test_a_cuda_graph_applies_what_was_staged_before_its_replay(artifacts):
    masks = DeviceMasks(artifacts, rows=50, device="cuda")
    logits = torch.zeros(50, artifacts[0].vocabulary.width, device="cuda")
    masks.apply_staged(logits)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        masks.apply_staged(logits)
        with pytest.raises(RuntimeError, match="outside of the CUDA graph"):
            masks.stage([])
    batch = Batch(artifacts, 50, seed=3, free=2)
    for _ in range(100):
        drawn = torch.randn(logits.shape)
        want = expected(drawn, batch.masks())
        logits.copy_(drawn)
        masks.stage(batch.matchers)
        graph.replay()
        assert torch.equal(logits.cpu(), want)
        batch.move()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_every_type_of_logits(artifacts, kernel, dtype):
    """With more logits than tokens, none of which is allowed."""
    walk(artifacts, artifacts, kernel, 5, rows=12, dtype=dtype, more=77)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_large_vocabulary(llama3, kernel):
    artifacts = [gg.compile(grammar, llama3) for grammar in GRAMMARS]
    walk(artifacts, artifacts, kernel, 12, rows=10)


@pytest.mark.parametrize("kernel", KERNELS)
def test_rows_of_a_larger_tensor_and_fixed_shapes(artifacts, kernel):
    """As in a CUDA graph: the same tensors at each step, whatever the number of matchers is."""
    masks = DeviceMasks(artifacts, rows=8, device="cpu", kernel=kernel)
    width = artifacts[0].vocabulary.width
    outer = torch.zeros(8, width + 300)
    logits = outer[:, 100 : 100 + width]
    for count in (3, 8, 0, 1):
        outer.zero_()
        matchers = [artifacts[row % 5].matcher() for row in range(count)]
        rows = np.full((8, artifacts[0].row_words), -1, dtype=np.int32)
        gg.fill_masks(matchers, rows, indices=list(range(count)))
        masks.stage(matchers)
        masks.apply_staged(logits)
        assert torch.equal(logits, expected(torch.zeros(8, width), rows))
        assert bool((outer[:, :100] == 0).all()) and bool((outer[:, 100 + width :] == 0).all())


def test_what_travels_is_small(llama3):
    artifact = gg.compile({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}, llama3)
    masks = DeviceMasks([artifact], rows=64, device="cpu")
    matchers = [artifact.matcher() for _ in range(64)]
    largest = 0
    for token in llama3.tokenize('{"name": "Ada Lovelace"}'):
        masks.stage(matchers)
        largest = max(largest, masks.staged_bytes)
        for matcher in matchers:
            matcher.commit(token)
    assert largest < 64 * 4 * artifact.row_words / 5


def test_masks_are_written_into_tensors(artifacts):
    matchers = [artifact.matcher() for artifact in artifacts]
    masks = [matcher.mask() for matcher in matchers]
    words = artifacts[0].row_words
    for rows in (torch.zeros(6, words, dtype=torch.int32), torch.zeros(6, words + 9, dtype=torch.int32)[:, 3 : words + 3]):
        gg.fill_masks(matchers, rows, indices=[5, 0, 1, 2, 3])
        assert [rows[row].numpy().tobytes() for row in (5, 0, 1, 2, 3)] == masks
    unaligned = torch.frombuffer(bytearray(4 * 6 * words + 1), dtype=torch.uint8)[1:]
    for rows in (torch.zeros(6, words), torch.zeros(6, words, device="meta", dtype=torch.int32), torch.zeros(words, 6, dtype=torch.int32).t(), unaligned):
        with pytest.raises((TypeError, ValueError)):
            gg.fill_masks(matchers, rows)


def test_artifacts_come_and_go(artifacts):
    # Artifacts of one vocabulary share bases, so the first two are those with few.
    third, second, first = artifacts[:3]
    masks = DeviceMasks([first], rows=2, room=first.base_count + second.base_count, device="cpu")
    matchers = [first.matcher(), second.matcher()]
    logits = torch.zeros(2, first.vocabulary.width)
    whole = masks.apply(logits.clone(), matchers)
    size = masks.staged_bytes
    assert masks.add(second) and not masks.add(third)
    assert torch.equal(masks.apply(logits.clone(), matchers), whole) and masks.staged_bytes < size
    masks.remove(second)
    assert torch.equal(masks.apply(logits.clone(), matchers), whole) and masks.staged_bytes == size


def test_wrong_arguments_are_refused(artifacts, llama3):
    width = artifacts[0].vocabulary.width
    masks = DeviceMasks(artifacts, rows=2, device="cpu")
    for logits in (torch.zeros(width), torch.zeros(2, width, dtype=torch.int32), torch.zeros(width, 2).t()):
        with pytest.raises(ValueError, match="floating-point"):
            masks.apply(logits, [])
    with pytest.raises(ValueError, match="give rows="):
        masks.apply(torch.zeros(3, width), [])
    with pytest.raises(ValueError, match="logits in a row"):
        masks.apply(torch.zeros(2, width - 32), [])
    with pytest.raises(ValueError, match="2 matchers for 1 rows"):
        masks.apply(torch.zeros(1, width), [None, None])
    with pytest.raises(ValueError, match="room for, 0"):
        DeviceMasks(artifacts, room=0, device="cpu")
    with pytest.raises(ValueError, match="no artifact"):
        DeviceMasks([], device="cpu")
    with pytest.raises(ValueError, match="different sizes"):
        DeviceMasks([artifacts[0], gg.compile(gg.Choice(["a"]), llama3)], device="cpu")
    with pytest.raises(ValueError, match="no kernel"):
        DeviceMasks(artifacts, device="cpu", kernel="cuda")
