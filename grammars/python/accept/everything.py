#!/usr/bin/env python3
# A comment before everything.

"""The docstring."""

from __future__ import annotations

import os, sys as system
import collections.abc
from . import (one, two as three,)
from .. import four
from ...package.module import *
from typing import List as L, Dict

x = 1; y = 2;
x: int
x: int = 5
a.b: List[int] = []
a[0]: str = "a"
a, b = b, a
(a, b), *c = [d, e] = f = g
*a, b = c
a += 1; b @= c; d **= 2; e //= f; g >>= 1
x = yield_ = lambda: (yield)
x = *a, *b
() = []
z = 0xFF + 0b1_0 + 0o17 + 1_000.5e-3j + .5 + 1. + 00 - ~1 ** -2
s = 'a' "b" r'\d' f"{a!r:>{width}} {{b}} {c['d']}" F'''{x
}''' u"é" "\
continued"
t = b'a' B"b" rb'\x' + br"""
"""
long = """a "quoted" 'text'
with lines""" '''and ''one'' more'''
match = case = _ = 1
match.case(_)
match[0] = case - 1
print(*args, sep='', **kwargs)
f(x for x in y)
f(a, *b, c=1, *d, **e, g=2)
f(a := 1, b)
value = (
    first
    .second(1,
  2)[  # comment
        3:4, ::5, ...,
    ]

    + third
)
c = a if b else c if d else lambda x, /, y=1, *z, w, **k: not x
d = not a < b <= c != d in e not in f is g is not h and i or j
e = [x async for x, in y if z if w for *v, u in t]
g = {**a, 'b': c, d: e}
h = {a, *b, c}
i = {a: b for a, b in c}
j = {a for a in b}
k = (a, *b), (), (a,), [a, *b,], [], {}
n = await_ if (m := 1) else [m := 2, 3]
x[a:=1], x[*b] = x[1, *c], x[:]
del a, b[0], (c, d), [e]
assert a, "b"
raise
raise A from b
pass
global g1, g2
nonlocal n1
if a \
        and b: pass
while a: break
else: continue


@decorator
@other.decorator(1)[0]

class A(B, metaclass=C, *d, **e):
    """Doc."""

    a: int = 1

    # a comment at the level of the block
  # and elsewhere

    @property
    async def f(self, a, b: int = 1, /, c=2, *args: *Ts, d, e: str = "", **kwargs: Any) -> int:
        async with a as b, c as (d, e), f: pass
        async for x in await y:
            yield x
        else:
            yield
        return [i async for i in j]

    def g(self): return

    def h(*, a): yield from a
    def i(a, *, b): x = yield a, b; return x, *y
    def j(**k): ...
    def k(a=1, /): ...
    def l(
        self,
        a: int,  # comment
    ) -> None:
        try:
            a
        except (A, B) as e:
            b
        except C:
            c
        except:
            pass
        else:
            d
        finally:
            e
        try: a
        except* A as b: c
        except* B:
            d
        try:
            a
        finally:
            b

with (a): b
with (a, b): c
with (a as b): c
with (
    open(a) as b,
    c, d as e,
): f
with (a, b) as c: d
with (a).b as c, d: e
if a:
        if b:
            c
        elif d:
                    e
        else:
            f if a else b
elif g: h
else:
    pass
