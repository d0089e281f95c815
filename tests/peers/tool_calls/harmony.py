"""openai-harmony: its parser and its renderer."""

import functools
import json
from typing import Any

from openai_harmony import Conversation, HarmonyEncodingName, Message, Role, load_harmony_encoding


@functools.cache
def _encoding() -> Any:
    return load_harmony_encoding(HarmonyEncodingName.HARMONY_GPT_OSS)


def parse(text: str) -> list[tuple[str, Any]]:
    """The calls in an output; an error if it is no sequence of messages."""
    encoding = _encoding()
    messages = encoding.parse_messages_from_completion_tokens(encoding.encode(text, allowed_special="all"), Role.ASSISTANT)
    calls = [message for message in messages if message.recipient]
    return [(str(call.recipient).removeprefix("functions."), json.loads(call.content[0].text)) for call in calls]


def encode(calls: list[tuple[str, Any]], content_type: str) -> list[int]:
    """The tokens of an output with these calls, as the renderer writes them."""
    messages = [
        Message.from_role_and_content(Role.ASSISTANT, json.dumps(arguments, ensure_ascii=False))
        .with_channel("commentary")
        .with_recipient(f"functions.{name}")
        .with_content_type(content_type)
        for name, arguments in calls
    ]
    encoding = _encoding()
    prompt = encoding.encode("<|start|>assistant", allowed_special="all")
    return encoding.render_conversation(Conversation.from_messages(messages))[len(prompt) :]
