#!/usr/bin/env node
'use strict'
// Every kind of statement, with and without semicolons.
var a, b = 1, { c, d: [e, , f = 2, ...g], ...h } = x
let i = 0; const j = () => {}
if (a) b
else if (c) { d } else e;
for (var k = 0, l; k < 3; k++) continue
for (;;) break
for (const m of [1, 2]) ;
for (n in o) { p(n) }
await_of: while (true) { break await_of }
do x++; while (x < 5) y()
do { z } while (0);
switch (q) {
  case 1: case 'two':
    r()
  default: { s() }
  case async: t
}
try { u() } catch { v() } finally { w }
try { u() } catch ({ message }) { }
throw new Error('x')
label: with (obj) debugger
;[1, 2].forEach(f)
;
function* gen(a, b = 2, { c }, ...rest) { yield; yield a
  yield* b; return }
async function af() { await x; const y = await z
  for (const x of y) await x }
class A extends B.c(d) {
  #p = 1; static q
  'r' = 2
  static s = this.#p
  static { init() }
  constructor() { super(); super.x = new.target }
  get t() { return #p in this } set t(v) { }
  async *[u]() { } static async v() { } static() { } async() { }
  *w() { }; get() { } set = 5
}
class C { a }
class D extends (x, y) { a = 1 }
function last() { if (a) return
  if (b) { c } else while (d) e }
