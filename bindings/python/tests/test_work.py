"""The work of a call has a bound, in units that do not depend on the clock."""

import copy
import pickle
import types

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import _engine

#: Grammars whose commits of an ``a`` take more and more work.
AMBIGUOUS = [
    gg.Lark('start: s\ns: s s s | s s | "a"\n'),
    gg.Gbnf('root ::= (x{0,40} y?){0,40}\nx ::= "a" | "(" root ")"\ny ::= "a" | "aa"\n'),
]
MOST = 20_000
#: A grammar with many readings of each text.
WORDS = """
start: line ("\\n" line)+
line: "push" | "test:" "test" word | "-"? tag+
tag: word (" " word)+
word: alphanum+
alphanum: "a".."z" | "0".."9"
"""


def commits(commit):
    """How often ``commit`` returns true before it returns anything else or raises."""
    for count in range(2000):
        if not commit():
            return count
    raise AssertionError("there is no bound")


@pytest.mark.parametrize("source", AMBIGUOUS)
def test_a_call_beyond_its_work_leaves_the_matcher_as_it_was(source, letters):
    matcher = gg.compile(source, letters).matcher(max_work=MOST)
    assert matcher.max_work == MOST
    with pytest.raises(gg.OverBudgetError, match=f"{MOST} units of work.*raise max_work"):
        while True:
            before = matcher.save()
            matcher.commit(ord("a"))
    assert matcher.save() == before
    with pytest.raises(gg.OverBudgetError):
        matcher.try_commit(ord("a"))
    assert matcher.save() == before
    matcher.rollback(1)
    assert matcher.try_commit(ord("a"))


def test_matchers_have_a_bound_by_default(letters):
    artifact = gg.compile(gg.Regex("a*"), letters)
    assert artifact.matcher().max_work == 1 << 30
    for wrong in (-1, 1 << 64, "many"):
        with pytest.raises((TypeError, ValueError), match="max_work"):
            artifact.matcher(max_work=wrong)


def test_bounds_are_kept_by_copies_and_pickles(letters):
    """What is saved has no bound: whoever restores it gives one."""
    artifact = gg.compile(gg.Regex("a*"), letters)
    matcher = artifact.matcher(max_work=MOST)
    for other in (copy.copy(matcher), copy.deepcopy(matcher), matcher.fork(), pickle.loads(pickle.dumps(matcher)), artifact.restore(matcher.save(), max_work=MOST)):
        assert other.max_work == MOST
    assert artifact.restore(matcher.save()).max_work == 1 << 30
    for wrong in (-1, 1 << 64, "many"):
        with pytest.raises((TypeError, ValueError), match="max_work"):
            artifact.restore(matcher.save(), max_work=wrong)


def test_masks_near_the_end_of_a_budget_are_counted_if_they_lack_tokens():
    pairs = [first + last for first in "abcdefghijklmnopqrstuvwxyz" for last in "abcdefghijklmnopqrstuvwxyz"]
    triples = [pair + last for pair in pairs for last in ("the", "ing", " a", "\n")]
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)] + [text.encode() for text in pairs + triples])
    matcher = gg.compile(gg.Lark(WORDS), vocabulary).matcher()
    matcher.set_budget(12)
    assert matcher.degraded_masks == 0
    for letter in "abcdefghijkl":
        allowed = matcher.allowed()
        assert allowed, "a mask within a budget is not empty"
        matcher.commit(ord(letter) if ord(letter) in allowed else allowed[-1])
        if matcher.is_accepting:
            break
    assert matcher.degraded_masks > 0


def test_an_engine_fails_the_request_and_goes_on(letters):
    run = _engine.Run(gg.compile(AMBIGUOUS[0], letters), 64, MOST)
    rows = np.full((2, run.artifact.row_words), -1, dtype=np.int32)
    run.fill(rows, 1)
    assert rows[1].any() and (rows[0] == -1).all()
    count = commits(lambda: run.accept(ord("a")))
    assert 3 < count and not run.accept(ord("a")) and run.accepted_prefix([ord("a")]) == []
    other = run.fresh()
    assert other.max_work == MOST and other.accept(ord("a"))


def test_a_mask_beyond_its_work_allows_nothing(letters):
    def refuse(address, words):
        raise gg.OverBudgetError("the call needs more than 1 units of work")

    run = _engine.Run(gg.compile(gg.Regex("a*"), letters), 64)
    run.matcher = types.SimpleNamespace(_native=types.SimpleNamespace(fill_at=refuse))
    rows = np.full((2, run.artifact.row_words), -1, dtype=np.int32)
    run.fill(rows, 0)
    assert not rows[0].any() and (rows[1] == -1).all()


def test_the_bound_of_engines_comes_from_the_environment():
    assert _engine.Settings.from_environment({}).max_work is None
    assert _engine.Settings.from_environment({"GCC_GRAMMAR_MAX_WORK": "5000"}).max_work == 5000
    for wrong in ("-1", "1.5", "many", str(1 << 64)):
        with pytest.raises(ValueError, match="GCC_GRAMMAR_MAX_WORK"):
            _engine.Settings.from_environment({"GCC_GRAMMAR_MAX_WORK": wrong})
