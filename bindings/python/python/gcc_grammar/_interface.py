"""Whether the internals of an engine are those that an adapter was written for."""

from __future__ import annotations

import inspect
from importlib import metadata
from typing import Any, Mapping, Sequence

from ._lib import __version__


def differences(owner: Any, expected: Mapping[str, Sequence[str]]) -> list[str]:
    """What differs between the methods of a class, or the functions of a module, and the expected names of their parameters.

    Abstract methods that are not expected differ, too: an adapter would not have them.
    """
    name = getattr(owner, "__name__", str(owner))
    found = []
    for method, parameters in expected.items():
        function = getattr(owner, method, None)
        if function is None:
            found.append(f"{name} has no {method}")
        elif callable(function) and not isinstance(function, type):
            actual = [parameter for parameter in inspect.signature(function).parameters if parameter != "self"]
            if actual != list(parameters):
                found.append(f"{name}.{method} takes ({', '.join(actual)}) instead of ({', '.join(parameters)})")
    for method in sorted(getattr(owner, "__abstractmethods__", frozenset()) - set(expected)):
        found.append(f"{name} also needs {method}")
    return found


def version_of(*packages: str) -> str:
    """The version of the first of these packages that is installed."""
    for package in packages:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            pass
    return "of an unknown version"


def refuse(engine: str, version: str, tested: str, found: Sequence[str], remedy: str) -> RuntimeError:
    """The error that says what differs, and what to do."""
    listed = "; ".join(found)
    return RuntimeError(
        f"gcc-grammar {__version__} does not fit into {engine} {version}: {listed}. It was tested with {engine} {tested}. {remedy}"
    )
