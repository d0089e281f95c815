"""Modules of an installed XGrammar that only describe data: the structural tags of models, and the types of OpenAI's tools.

They are read from the package `xgrammar`, which vLLM and SGLang bring along, without its native part: their imports lead to the modules of
this package.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any


def load(name: str) -> Any:
    """The module of an installed XGrammar, as a module of this package. Raises ImportError if XGrammar is not installed."""
    here = f"{__package__}._of_xgrammar_{name}"
    if here in sys.modules:
        return sys.modules[here]
    path = _file(name + ".py")
    spec = importlib.util.spec_from_file_location(here, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[here] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[here]
        raise
    return module


def _file(name: str) -> str:
    for folder in sys.path:
        path = os.path.join(folder or os.curdir, "xgrammar", name)
        if os.path.isfile(path):
            return path
    raise ImportError("the structural tags of models are read from the package xgrammar: install it beside this one (pip install xgrammar)")
