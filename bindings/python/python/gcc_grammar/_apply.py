"""Rows of masks applied to logits: with NumPy, or with plain PyTorch operations on any device."""

from __future__ import annotations

from typing import Any

from . import _checks
from ._errors import RowError

#: Rows are unpacked in groups, so that the bits of a large batch do not take its memory 32 times.
GROUP = 16


def apply_mask(logits: Any, rows: Any) -> Any:
    """Sets the logits of tokens that a mask does not allow to minus infinity, in place, and returns the logits.

    ``logits`` is an array of NumPy or a tensor of PyTorch, on any device, with a number for each token, or with several rows of them. ``rows`` is what
    :meth:`Matcher.fill`, :meth:`Matcher.update` or :func:`fill_masks` has written: a row, or as many as there are rows of logits. Tokens beyond the mask are not
    allowed.

    >>> import numpy as np
    >>> matcher = compile({"type": "boolean"}, [b"true", b"fals", b"e", b"x"]).matcher()
    >>> row = np.zeros(matcher.artifact.row_words, dtype=np.int32)
    >>> matcher.fill(row)
    >>> apply_mask(np.zeros(4), row)
    array([  0.,   0., -inf, -inf])
    """
    import numpy

    _check_logits(logits)
    words = _words(rows)
    if words.dtype.itemsize != 4 or words.dtype.kind not in "iu" or words.shape[:-1] != tuple(logits.shape[:-1]) or words.ndim not in (1, 2):
        raise RowError(f"{words.dtype} rows of the shape {words.shape} do not fit logits of the shape {tuple(logits.shape)}: give a row of 32-bit words for each row of logits")
    words = numpy.ascontiguousarray(words)
    if hasattr(logits, "data_ptr"):
        import torch

        rows = torch.from_numpy(numpy.require(numpy.atleast_2d(words).view(numpy.int32), requirements="W"))
        apply_rows(logits if logits.dim() == 2 else logits.unsqueeze(0), rows)
        return logits
    width = min(logits.shape[-1], 32 * words.shape[-1])
    logits[..., :width][numpy.unpackbits(~words.view(numpy.uint8), axis=-1, bitorder="little", count=width).view(numpy.bool_)] = -numpy.inf
    logits[..., width:] = -numpy.inf
    return logits


def _check_logits(logits: Any) -> None:
    """Logits are floating-point numbers, which have minus infinity, in memory that can be written."""
    is_tensor = hasattr(logits, "data_ptr")
    if not is_tensor and not hasattr(logits, "__array_interface__"):
        raise RowError(str(_checks.wrong("the logits", logits, "an array of NumPy or a tensor of PyTorch", "numpy.array makes one of a list")))
    if logits.ndim not in (1, 2):
        raise RowError(f"the logits have the shape {tuple(logits.shape)}: give an array with a number for each token, or with several rows of them")
    # NumPy has no bfloat16 of its own, which then is of no kind that it knows.
    is_float = logits.is_floating_point() if is_tensor else logits.dtype.kind == "f" or type(logits.dtype).__module__ == "ml_dtypes"
    if not is_float:
        raise RowError(f"the logits are of the type {logits.dtype}: give floating-point numbers, which have minus infinity")
    if not is_tensor and not getattr(logits, "flags", logits).writeable:
        raise RowError("the logits are read-only: give a copy of them")
    if is_tensor and logits.requires_grad and logits.is_leaf:
        raise RowError("the logits have gradients: give logits.detach()")
    if is_tensor and any(stride == 0 and size > 1 for stride, size in zip(logits.stride(), logits.shape)):
        raise RowError("the logits lie in the same memory: give a copy of them (clone)")


def _words(rows: Any) -> Any:
    """The words of rows as an array of NumPy."""
    import numpy

    try:
        words = rows.cpu().numpy() if hasattr(rows, "data_ptr") else rows
        words = numpy.frombuffer(words, dtype=numpy.int32) if isinstance(words, (bytes, bytearray, memoryview)) else numpy.asarray(words)
    except (TypeError, ValueError, RuntimeError) as error:
        raise RowError(f"the rows cannot be read: {error}: give a row of 32-bit words for each row of logits") from None
    if not words.dtype.isnative:
        raise RowError(f"the rows have the byte order of {words.dtype.str}: give words in the order of this machine")
    return words


def apply_rows(logits: Any, rows: Any) -> None:
    """Sets the logits of tokens that a row does not allow to minus infinity, in place. Tokens beyond the row are not allowed."""
    width = min(logits.shape[-1], 32 * rows.shape[-1])
    for first in range(0, logits.shape[0], GROUP):
        group = logits[first : first + GROUP]
        part = rows[first : first + GROUP]
        forbidden = _unpacked_by_numpy(part, width) if logits.device.type == "cpu" else None
        if forbidden is None:
            forbidden = _unpacked(part.to(logits.device, non_blocking=True), width)
        group[:, :width].masked_fill_(forbidden, float("-inf"))
        group[:, width:] = float("-inf")


def _unpacked(part: Any, width: int) -> Any:
    """Whether each token is forbidden."""
    import torch

    shifts = torch.arange(32, dtype=torch.int32, device=part.device)
    return ((part.unsqueeze(-1) >> shifts) & 1).reshape(part.shape[0], -1)[:, :width] == 0


def _unpacked_by_numpy(part: Any, width: int) -> Any:
    """The same, where NumPy is installed: it unpacks bits faster than PyTorch's operations do."""
    import torch

    try:
        import numpy
    except ImportError:
        return None
    words = numpy.ascontiguousarray(part.cpu().numpy()).view(numpy.uint8)
    return torch.from_numpy(numpy.unpackbits(~words, axis=1, bitorder="little", count=width).view(numpy.bool_))
