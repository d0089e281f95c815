"""transformers: a processor of logits for ``generate``.

>>> import gcc_grammar as gg
>>> from gcc_grammar.transformers import GrammarLogitsProcessor, vocabulary
>>> model.generate(**inputs, logits_processor=[GrammarLogitsProcessor(gg.compile(schema, vocabulary(tokenizer, model)))])  # doctest: +SKIP
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Optional, Sequence, Union

from . import _checks, _engine
from ._api import Artifact, Matcher, fill_masks
from ._apply import apply_rows
from ._continued import continued_rows
from ._errors import RefusedError, RowError
from ._vocabulary import Vocabulary

#: The number of tokens that are taken back one after the other. Beyond that, all tokens are committed again.
ROLLBACKS = 64

#: The artifact of a row; none for a row without a grammar.
Rows = Union[Artifact, Sequence[Optional[Artifact]]]


def vocabulary(tokenizer: Any, model: Any = None) -> Vocabulary:
    """The vocabulary of a tokenizer, with as many bits as the model has logits, and the end tokens of its generation."""
    if model is None:
        return _engine.tokenizer_vocabulary(tokenizer)
    ends = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    ends = [ends] if isinstance(ends, int) else ends
    return _engine.tokenizer_vocabulary(tokenizer, _width(model), ends)


def _width(model: Any) -> int:
    config = model.config
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    return int(text.vocab_size)


class _Tried:
    """A matcher with the tokens that it has committed."""

    def __init__(self, matcher: Optional[Matcher]) -> None:
        self._matcher = matcher
        self._tokens: list[int] = []
        #: Whether the tokens that were last gone to have one that the grammar refuses.
        self.refused = False

    def go_to(self, tokens: list[int]) -> None:
        """Takes back and commits tokens, until these are committed, or those in front of the first that is refused."""
        if self._matcher is None:
            return
        same = next((place for place, pair in enumerate(zip(self._tokens, tokens)) if pair[0] != pair[1]), None)
        same = min(len(self._tokens), len(tokens)) if same is None else same
        if len(self._tokens) - same <= ROLLBACKS:
            self._matcher.rollback(len(self._tokens) - same)
        else:
            self._matcher.reset()
            same = 0
        del self._tokens[same:]
        for token in tokens[same:]:
            if self._matcher.is_terminated or not self._matcher.try_commit(token):
                break
            self._tokens.append(token)
        self.refused = len(self._tokens) < len(tokens) and not self._matcher.is_terminated


def _is_beam(scores: Any) -> bool:
    """Whether these are the scores of a beam: ``generate`` passes logarithms of probabilities for beams, and logits otherwise."""
    return abs(float(scores.float().logsumexp(dim=-1))) < 0.01


class GrammarLogitsProcessor:
    """Allows only the tokens that the grammars do. ``generate`` takes it in its list ``logits_processor``.

    ``artifacts`` is one artifact for all rows of a batch, or a list with one for each row and none for rows without a grammar. If
    ``generate`` makes several rows of each (beams, ``num_return_sequences``), they share its artifact. Rows that ended are left alone. Where
    a mask has fewer tokens than there are beams, sampled beams get tokens of probability zero; such beams are given up.

    The first call sees the prompts; what follows them is constrained. A call whose rows do not continue those of the last call begins
    anew, so a processor can be used for one ``generate`` after the other.

    ``drafts`` is for assisted generation (``assistant_model``, ``prompt_lookup_num_tokens``), which tries tokens and takes them back. As
    a prompt cannot be told from drafts then, call :meth:`reset` between two uses of ``generate``.

    ``max_work`` bounds the work of a commit or mask, as that of ``Artifact.matcher`` does.
    """

    #: The engine for continuous batching moves requests between rows and does not tell a processor of ``generate`` which is where.
    supports_continuous_batching = False

    def __init__(self, artifacts: Rows, *, drafts: bool = False, max_work: Optional[int] = None) -> None:
        expected = "an artifact, or a list of artifacts with None for rows without a grammar"
        self._artifacts = [artifacts] if isinstance(artifacts, Artifact) else _checks.each(artifacts, "artifacts", expected)
        if not self._artifacts:
            raise RefusedError("there is no artifact")
        for place, artifact in enumerate(self._artifacts):
            if artifact is not None and not isinstance(artifact, Artifact):
                raise _checks.wrong(f"artifacts[{place}]", artifact, "an Artifact or None")
        self._matchers: list[Optional[Matcher]] = []
        self._given_up: list[bool] = []
        self._drafts = _checks.flag(drafts, "drafts")
        self._max_work = _checks.optional(max_work, "max_work", below=1 << 64)
        self._tried: list[_Tried] = []
        self._prompt = 0
        self._seen: Any = None
        self._masks: Any = None

    def __copy__(self) -> Any:
        # The matchers of one processor are not those of another.
        return deepcopy(self)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The logits of one step."""
        if scores.dim() != 2:
            raise RowError(f"the scores have the shape {tuple(scores.shape)}: give a row for each row of tokens")
        self._advance(input_ids, scores)
        self._seen = input_ids
        rows = [row for row, matcher in enumerate(self._matchers) if matcher is not None and self._constrains(row, matcher)]
        if not rows and not any(self._given_up):
            return scores
        scores = scores.clone()
        if any(self._given_up):
            scores[self._given_up] = float("-inf")
        if not rows:
            return scores
        masks = self._filled(rows, scores)
        if len(rows) == len(self._matchers):
            apply_rows(scores, masks)
        else:
            part = scores[rows]
            apply_rows(part, masks)
            scores[rows] = part
        return scores

    def reset(self) -> None:
        """Takes the next call for the first one of a generation."""
        self._seen = None

    def _constrains(self, row: int, matcher: Matcher) -> bool:
        """Whether a row is to be masked. What follows the end or a draft that the grammar refuses will not be used."""
        return not matcher.is_terminated and not (self._drafts and self._tried[row].refused)

    def _advance(self, input_ids: Any, scores: Any) -> None:
        """Brings the matchers to the state behind these tokens."""
        if self._drafts and self._seen is not None:
            for tried, row in zip(self._tried, input_ids[:, self._prompt :].tolist()):
                tried.go_to(row)
            return
        sources = continued_rows(self._seen, input_ids)
        if sources is None:
            self._refuse_drafts(input_ids)
            self._matchers = self._begin(len(input_ids))
            self._given_up = [False] * len(input_ids)
            self._tried = [_Tried(matcher) for matcher in self._matchers]
            self._prompt = input_ids.shape[1]
            return
        if sources != list(range(len(sources))):
            old = self._matchers
            self._matchers = [None if (matcher := old[source]) is None else matcher.fork() for source in sources]
            self._given_up = [self._given_up[source] for source in sources]
        for row, token in enumerate(input_ids[:, -1].tolist()):
            matcher = self._matchers[row]
            if matcher is not None and not matcher.is_terminated and not matcher.try_commit(token):
                if not _is_beam(scores[row]):
                    raise RefusedError(f"row {row}: the grammar does not allow token {token}; put this processor last in the list")
                self._matchers[row], self._given_up[row] = None, True
        if self._given_up and all(self._given_up):
            raise RefusedError("the grammar allows the last token of no beam; put this processor last in the list")

    def _refuse_drafts(self, input_ids: Any) -> None:
        """Raises ``ValueError`` if these rows go back to within the output of the last generation, as assisted generation does."""
        seen, length = self._seen, input_ids.shape[1]
        if seen is None or len(seen) != len(input_ids) or not self._prompt < length <= seen.shape[1]:
            return
        if bool((input_ids[:, : self._prompt + 1] == seen[:, : self._prompt + 1]).all()):
            raise ValueError("tokens were taken back: use drafts=True for assisted generation, and reset() where a generation begins")

    def _begin(self, count: int) -> list[Optional[Matcher]]:
        if count % len(self._artifacts) != 0:
            raise ValueError(f"there are {len(self._artifacts)} artifacts for {count} rows")
        each = count // len(self._artifacts)
        artifacts = [artifact for artifact in self._artifacts for _ in range(each)]
        return [None if artifact is None else self._matcher(artifact) for artifact in artifacts]

    def _matcher(self, artifact: Artifact) -> Matcher:
        return artifact.matcher(max_rollback=ROLLBACKS, max_work=self._max_work)

    def _filled(self, rows: list[int], scores: Any) -> Any:
        """The masks of these rows, one after the other."""
        import torch

        matchers = [matcher for row in rows if (matcher := self._matchers[row]) is not None]
        words = matchers[0].artifact.row_words
        if any(matcher.artifact.row_words != words for matcher in matchers):
            raise ValueError("the artifacts are for vocabularies of different sizes")
        if (scores.shape[-1] + 31) // 32 < words:
            width = max(matcher.artifact.vocabulary.width for matcher in matchers)
            raise ValueError(f"the model has {scores.shape[-1]} logits and the vocabulary {width} tokens; use vocabulary(tokenizer, model)")
        if self._masks is None or self._masks.shape[0] < len(rows) or self._masks.shape[1] != words:
            self._masks = torch.zeros((len(self._matchers), words), dtype=torch.int32, pin_memory=scores.device.type == "cuda")
        masks = self._masks[: len(rows)]
        fill_masks(matchers, masks)
        return masks
