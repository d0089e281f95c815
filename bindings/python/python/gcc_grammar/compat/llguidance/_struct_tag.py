"""``StructTag``: calls of tools inside of free text, as a Lark grammar."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Union

_NAME = re.compile(r'"(?:\\.|[^"\\])*"i?|/(?:\\.|[^/\\])+/[a-z]*|//[^\n]*|[A-Za-z_][A-Za-z0-9_-]*')


class StructTag:
    """A piece of text that starts with ``trigger``: ``begin``, which starts with it, then what the grammar says, then ``end``."""

    def __init__(self, *, trigger: str, begin: str, grammar: Union[str, Dict[str, Any]], end: str) -> None:
        self.trigger, self.begin, self.grammar, self.end = trigger, begin, grammar, end
        self._validate()

    def _validate(self) -> None:
        assert self.trigger, "trigger must not be empty"
        assert self.begin.startswith(self.trigger), "begin must start with trigger"

    @staticmethod
    def to_grammar(tags: List[StructTag], *, assume_special: bool = True, text_regex: str = r"(.|\n)*") -> str:
        """The grammar of texts that match ``text_regex`` and have these tags in between."""
        assert tags, "tags must not be empty"
        assert "/" not in text_regex, "text_regex must not contain /"
        names = " | ".join(f"tag_{number}" for number in range(len(tags)))
        lines = ["%llguidance {}", f"start: ({names})* tag_end", "tag_end: TAG_TEXT", f"TAG_TEXT: /{text_regex}/"]
        for number, tag in enumerate(tags):
            tag._validate()
            lines += tag._rules(f"tag_{number}", assume_special)
        return "\n".join(lines) + "\n"

    def _rules(self, name: str, assume_special: bool) -> List[str]:
        lines = []
        if isinstance(self.grammar, dict):
            content = "%json " + json.dumps(self.grammar)
        elif self.grammar.lstrip().startswith("{"):
            content = "%json " + self.grammar
        else:
            content, inner = f"{name}_start", _renamed(self.grammar, name)
            lines.append(inner)
        quoted = [json.dumps(text) if text else "" for text in (self.begin[len(self.trigger) :], self.end)]
        body = f"{quoted[0]} {content} {quoted[1]}".rstrip()
        if assume_special and self.trigger.startswith("<") and self.trigger.endswith(">"):
            return [*lines, f"{name}: TAG_TEXT {self.trigger} {body}"]
        return [*lines, f"{name}_trig[lazy]: TAG_TEXT {json.dumps(self.trigger)}", f"{name}: {name}_trig {body}"]


def _renamed(grammar: str, prefix: str) -> str:
    """A Lark grammar whose rules and terminals have a prefix, so that they meet no others."""
    if "%" in re.sub(_NAME, "", grammar):
        raise ValueError("the grammar of a tag has no directives")
    defined = set(re.findall(r"^\??!?([A-Za-z_][A-Za-z0-9_-]*)(?:\[[^\]]*\])?(?:\.\d+)?\s*:", grammar, re.MULTILINE))

    def rename(match: re.Match[str]) -> str:
        name = match.group()
        if name not in defined:
            return name
        return f"{prefix.upper()}_{name}" if name.isupper() else f"{prefix}_{name}"

    return _NAME.sub(rename, grammar)
