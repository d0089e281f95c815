"""What notebooks show of artifacts and matchers."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Sequence

if TYPE_CHECKING:
    from ._api import Artifact, Matcher

#: The keywords of a schema, and the tokens of a mask, that are shown at most.
_SHOWN = 20


def artifact(given: Artifact) -> str:
    """An artifact: what it was made from, how large it is, and what became of the keywords of its schema."""
    vocabulary = given.vocabulary
    rows = [("source", given.source.notation), ("vocabulary", f"{vocabulary.name}, {vocabulary.width:,} tokens")]
    if not given.is_complete:
        return _table("Artifact", [*rows, ("state", "is compiled in the background")])
    rows += [("size", f"{len(given):,} bytes"), ("key", given.key)]
    report = given.report
    if report:
        enforced = sum(entry["coverage"] == "enforced" for entry in report)
        rows.append(("keywords", f"{enforced} of {sum(entry['coverage'] != 'narrowed' for entry in report)} enforced"))
    notable = [entry for entry in report if entry["coverage"] not in ("enforced", "annotation")]
    listed = [(entry["pointer"] or "#", f"{entry['coverage']}: {entry['note']}") for entry in notable[:_SHOWN]]
    if len(notable) > _SHOWN:
        listed.append(("", f"and {len(notable) - _SHOWN} more, see .report"))
    return _table("Artifact", rows + listed)


def matcher(given: Matcher) -> str:
    """A matcher: how far it is, and what may come next."""
    allowed = given.allowed()
    vocabulary = given.artifact.vocabulary
    texts = [vocabulary.token_bytes(token) for token in allowed[:_SHOWN]]
    tokens = [str(token) if text is None else repr(text)[1:] for token, text in zip(allowed, texts)]
    rows = [
        ("commits", f"{given.committed:,}"),
        ("may end", "yes" if given.is_accepting else "no"),
        ("certain", repr(given.forced_bytes(80))[1:]),
        ("allowed", f"{len(allowed):,} tokens"),
        ("such as", ", ".join(tokens)),
    ]
    return _table("Matcher", rows)


def _table(title: str, rows: Iterable[Sequence[Any]]) -> str:
    cells = "".join(f"<tr><th style='text-align:left'>{_text(name)}</th><td style='text-align:left'>{_text(value)}</td></tr>" for name, value in rows)
    return f"<table><caption>{_text(title)}</caption>{cells}</table>"


def _text(value: Any) -> str:
    return html.escape(str(value))
