"""Rows: memory of the caller that masks are written to.

A row is a one-dimensional, contiguous, writable array of 32-bit words in the memory of the host: a NumPy array, a PyTorch tensor, an
``array.array`` or any writable buffer. Several rows are a two-dimensional array of that kind.
"""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from . import _checks
from ._errors import RowError


def _numpy(rows: Any, interface: dict[str, Any]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    address, read_only = interface["data"]
    if read_only:
        raise RowError("the row is read-only")
    if interface["typestr"] not in ("<i4", "<u4", "|i4", "=i4"):
        raise RowError(f"a row has 32-bit integers, not {interface['typestr']}")
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or tuple(4 * s for s in _contiguous(shape))
    return int(address), shape, tuple(strides)


def _check_torch(rows: Any) -> None:
    if not rows.is_cpu:
        raise RowError(f"a row lies in the memory of the host, not on {rows.device}")
    if str(rows.dtype) not in ("torch.int32", "torch.uint32"):
        raise RowError(f"a row has 32-bit integers, not {rows.dtype}")
    if getattr(rows, "is_neg", bool)():
        raise RowError("the row is negated when it is read: give row.resolve_neg()")


def _torch(rows: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    _check_torch(rows)
    return _address(rows), tuple(rows.shape), tuple([4 * s for s in rows.stride()])


def _address(rows: Any) -> int:
    try:
        return int(rows.data_ptr())
    except RuntimeError as error:
        raise RowError(f"the row is no plain memory: {error}: give row.to_dense() of a sparse one") from None


#: The formats of integers, and of bytes, in the memory of other objects.
_INTEGERS = ("i", "I", "l", "L", "b", "B", "c")


def _buffer(rows: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    try:
        view = memoryview(rows)
    except TypeError:
        advice = "a list is no memory that can be written" if isinstance(rows, (list, tuple)) else ""
        wrong = _checks.wrong("the row", rows, "an array of NumPy or PyTorch, an array.array, a bytearray or another writable buffer", advice)
        raise RowError(str(wrong)) from None
    if view.readonly:
        raise RowError("the row is read-only")
    if view.format.lstrip("@=<") not in _INTEGERS or view.itemsize not in (1, 4):
        raise RowError(f"a row has 32-bit integers, not {view.format}: give array.array('I', ...)")
    if not view.c_contiguous or view.nbytes % 4 != 0:
        raise RowError("a row is contiguous and has 32-bit words")
    shape = view.shape if view.itemsize == 4 and view.shape is not None else (view.nbytes // 4,)
    if view.nbytes == 0:
        return 0, tuple(shape), tuple(4 * s for s in _contiguous(tuple(shape)))
    address = ctypes.addressof(ctypes.c_char.from_buffer(view.cast("B")))
    return address, tuple(shape), tuple(4 * s for s in _contiguous(tuple(shape)))


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return tuple(strides)


def layout(rows: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The address, the shape, and the strides in bytes."""
    interface = getattr(rows, "__array_interface__", None)
    if interface is not None:
        found = _numpy(rows, interface)
    elif hasattr(rows, "data_ptr"):
        found = _torch(rows)
    else:
        found = _buffer(rows)
    _aligned(found[0])
    return found


def _aligned(address: int) -> int:
    if address % 4 != 0:
        raise RowError("the row is not aligned to 4 bytes")
    return address


def row(rows: Any, words: int, index: Optional[int] = None) -> tuple[int, int]:
    """The address and the length in words of a row: of ``rows`` itself, or of its row ``index``."""
    address, shape, strides = layout(rows)
    if len(shape) == 2 and index is None and shape[0] == 1:
        index = 0
    if index is not None:
        index = _checks.integer(index, "the index of the row", least=-_checks.SIZES)
        if len(shape) != 2:
            raise RowError(f"an array of rows has two dimensions, not {len(shape)}")
        _in_range(index, shape[0])
        address, shape, strides = address + index * strides[0], shape[1:], strides[1:]
    if len(shape) != 1 or (strides[0] != 4 and shape[0] > 1):
        raise RowError("a row has one dimension and is contiguous")
    if shape[0] < words:
        raise RowError(f"the row has {shape[0]} words, and the mask {words}")
    return address, shape[0]


def _in_range(index: int, count: int) -> None:
    if not 0 <= index < count:
        raise RowError(f"there is no row {index} of {count}")


def addresses(rows: Any, words: int, indices: list[int]) -> tuple[list[int], int]:
    """The addresses of some rows of a two-dimensional array, or of a list of rows, and their common length."""
    if isinstance(rows, (list, tuple)):
        for index in indices:
            _in_range(index, len(rows))
        found = [row(rows[index], words) for index in indices]
        return [address for address, _ in found], min((length for _, length in found), default=words)
    address, stride, count, length = array(rows)
    if length < words:
        raise RowError(f"the rows have {length} words, and the masks {words}")
    if len(set(indices)) != len(indices):
        raise RowError("the rows of a batch must not overlap")
    for index in indices:
        _in_range(index, count)
    return [address + index * stride for index in indices], length


def array(rows: Any) -> tuple[int, int, int, int]:
    """The layout of an array of rows: the address, the bytes from row to row, the number of rows, and the words of each."""
    if hasattr(rows, "data_ptr"):
        address = _aligned(_address(rows))
        if rows.is_contiguous() and rows.dim() == 2:
            # The usual case, in less time than the general one takes.
            _check_torch(rows)
            count, words = rows.shape
            return address, 4 * words, count, words
    address, shape, strides = layout(rows)
    if len(shape) != 2 or (strides[1] != 4 and shape[1] > 1):
        raise RowError("an array of rows has two dimensions, and its rows are contiguous")
    if abs(strides[0]) < 4 * shape[1] and shape[0] > 1:
        raise RowError("the rows of a batch must not overlap")
    return address, strides[0], shape[0], shape[1]
