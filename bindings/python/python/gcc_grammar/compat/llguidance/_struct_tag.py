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
        texts = list(dict.fromkeys(tag.trigger for tag in tags if not tag._is_special(assume_special)))
        # A text with a trigger is no text: a tag starts there.
        triggers = "|".join(re.escape(text).replace("/", "\\/") for text in texts)
        without = f" & ~/(.|\\n)*({triggers})(.|\\n)*/" if texts else ""
        lines = ["%llguidance {}", f"start: ({names})* tag_end", "tag_end: TAG_TEXT"]
        lines += [f"TAG_TEXT: /{text_regex}/{without}", f"TAG_ALL: /{text_regex}/"]
        lines += [f"trigger_{number}[lazy]: TAG_ALL {json.dumps(text)}" for number, text in enumerate(texts)]
        for number, tag in enumerate(tags):
            tag._validate()
            special = tag._is_special(assume_special)
            trigger = f"TAG_TEXT {tag.trigger}" if special else f"trigger_{texts.index(tag.trigger)}"
            lines += tag._rules(f"tag_{number}", trigger)
        return "\n".join(lines) + "\n"

    def _is_special(self, assume_special: bool) -> bool:
        return assume_special and self.trigger.startswith("<") and self.trigger.endswith(">")

    def _rules(self, name: str, trigger: str) -> List[str]:
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
        return [*lines, f"{name}: {trigger} {body}"]


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
