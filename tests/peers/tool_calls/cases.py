"""The case files of tests/tools."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

FOLDER = Path(__file__).resolve().parents[2] / "tools"


@dataclass
class Options:
    """How a family is asked for calls."""

    tool_choice: str = "auto"
    parallel: bool = True
    #: True: the output begins with a whole block of thinking; "open": the prompt has begun it.
    thinking: Any = False
    #: The white space in JSON: what printers write, or "any".
    whitespace: str = "flexible"


@dataclass
class Case:
    """A text with its verdict."""

    name: str
    text: str
    accepted: bool
    options: Options
    optional: bool = False
    source: str = ""
    why: str = ""


@dataclass
class Family:
    """A case file."""

    name: str
    tools: list[Any]
    cases: list[Case] = field(default_factory=list)


def load(names: Optional[list[str]] = None) -> list[Family]:
    """The case files of these families, or of all."""
    families = []
    for path in sorted(FOLDER.glob("*.json")):
        if names and path.stem not in names:
            continue
        given = json.loads(path.read_text())
        cases = [Case(**{**case, "options": Options(**case.get("options", {}))}) for case in given["cases"]]
        families.append(Family(given["family"], given["tools"], cases))
    return families
