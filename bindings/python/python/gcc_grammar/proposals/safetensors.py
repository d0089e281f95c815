"""Reads and writes ``.safetensors`` with NumPy alone: the length of a header, the header as JSON, and the arrays one after the other."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

import numpy as np

Path = Union[str, "os.PathLike[str]"]

_TYPES = {
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "I16": "<i2",
    "U16": "<u2",
    "I32": "<i4",
    "U32": "<u4",
    "I64": "<i8",
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
}
_NAMES = {np.dtype(text): name for name, text in _TYPES.items()}
#: The longest header that is read.
_MAX_HEADER = 100_000_000


def read_safetensors(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays of a file, mapped and not read, and its metadata. Numbers of type ``BF16`` become ``float32``."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > _MAX_HEADER:
            raise ValueError(f"{os.fspath(path)} is no safetensors file")
        text = file.read(length)
    try:
        header = json.loads(text)
        metadata = header.pop("__metadata__", None) or {}
        size = os.path.getsize(path) - 8 - length
        data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length) if size > 0 else np.zeros(0, dtype=np.uint8)
        return {name: _array(entry, data) for name, entry in header.items()}, metadata
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{os.fspath(path)} is no safetensors file: {error}") from error


def _array(entry: Mapping[str, Any], data: Any) -> Any:
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end <= len(data):
        raise ValueError("an array lies outside of the file")
    content = data[begin:end]
    if entry["dtype"] == "BF16":
        # A bfloat16 is the upper half of a float32.
        halves = content.view("<u2").astype(np.uint32) << np.uint32(16)
        return halves.view(np.float32).reshape(entry["shape"])
    return content.view(_TYPES[entry["dtype"]]).reshape(entry["shape"])


def write_safetensors(path: Path, arrays: Mapping[str, Any], metadata: Optional[Mapping[str, str]] = None) -> None:
    """Writes arrays to a file, in the order of their names."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    at = 0
    ordered = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    for name, array in ordered.items():
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for array in ordered.values():
            file.write(array.tobytes())
