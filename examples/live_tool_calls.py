"""Renders the arguments of tool calls while a model writes them, between its text.

The text below stands for what a model samples: token by token, from the masks of the matcher. Run it with `python examples/live_tool_calls.py`.
"""

from __future__ import annotations

from typing import Iterator

import gcc_grammar as gg

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "mail",
            "parameters": {
                "type": "object",
                "properties": {"to": {"type": "string"}, "text": {"type": "string"}, "copies": {"type": "integer"}},
                "required": ["to", "text"],
                "additionalProperties": False,
            },
        },
    }
]

WRITTEN = """I write to Ada.
<tool_call>
{"name": "mail", "arguments": {"to": "ada@example.com", "text": "Dear Ada,\\nsee you at 5."}}
</tool_call>
<tool_call>
{"name": "mail", "arguments": {"to": "bob@example.com", "text": "5 o'clock", "copies": 2}}
</tool_call>"""


def rendered(events: gg.Events, tokens: list[int]) -> Iterator[str]:
    """A line for each change that a user of a chat would see."""
    for token in tokens:
        for event in events.commit(token):
            call = f"call {event.document + 1}"
            if event.pointer == "/name" and event.happened == "ended":
                yield f"{call}: {event.value}"
            elif event.pointer.startswith("/arguments/") and event.happened != "began":
                name = event.pointer[len("/arguments/") :]
                more = "" if event.happened == "ended" else "…"
                yield f"{call}:   {name} = {event.text!r}{more}"
            elif event.pointer == "" and event.happened == "ended":
                yield f"{call}: complete"


def main() -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    artifact = gg.compile(gg.Tools(TOOLS, model="qwen3"), vocabulary)
    events = gg.Events(artifact.matcher(), start_after="<tool_call>")
    for line in rendered(events, vocabulary.tokenize(WRITTEN)):
        print(line)


if __name__ == "__main__":
    main()
