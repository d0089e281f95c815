"""Integrations: `hf` for `transformers`."""

from . import hf as hf
