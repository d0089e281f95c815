import def, * as ns from "mod"
import { a as b, default as c, "x-y" as d } from 'mod'
import 'side'
export * from 'x'; export * as y from 'x'
export { b, c as e }
export default (1)
export const k = 1
export async function fn() { }

x = a ? b : c ? d : e
y = (a ?? b) || c && d | e ^ f & g == h !== i < j >= k instanceof l in m << n >>> o + p - q * r / s % t ** u
z = typeof void delete !~+-a++ - --b
f = async (a, { b = 1, c: [d] }, ...rest) => { await a }
g = async x => x, h = (a, b) => ({ a, b }), i = () => function () { }, j = _ => class { }
k = (a), l = (a, b), m = ({ a, b }), n = [a, , ...b,], o = [, ,]
;({ a, b: c.d = 1, ...e } = f), [a, b] = [b, a]
;({ a = 1, b } = c)
p = { a, 'b': 1, [c]: 2, 3: 4, d() { }, get e() { return 1 }, set e(v) { }, async *f() { }, async: 1, get, if: 2, ...g, *h() { } }
q = a?.b?.[c]?.(d).e, r = new A, s = new A.b(c).d, t = new (f())()(x), u = new new A(), v = import.meta.url
w = `a${b}c${`nested ${d} $`} $$ {e} \` \${f}` + tag`x${1}`
re = /[/\]]+\/(?<n>x)/gi.test(a) / 2 / b
num = 0x1F + 0b1 + 0o7 + 1_000.5e-3 + .5 + 5. + 10n + 0
s2 = "\x41\u0041\u{1F600}\
continued" + 'it\'s'
chain
  .then(x => x) // comment
  // another
  ?.catch(y)

t2 = a
  && b
  || (c
    + d)
  ? [1
  , 2
  ]
  : { a
  }
i
++j
import('x').then(m => m)
x = {
  of: 1
}
