const x = a
  ?.b
  .c
  ?? d
  || e
const y = cond
  ? a
  : b
foo(
  a,
  // comment
  b // c
)
type T =
  | A // x
  | B
  | C
const z = {
  a,
  b
  // comment
}
type Long<
  A,
  B extends string
> = A extends B
  ? C
  : D
class Foo
  extends Bar
  implements Baz
{
  x = 1
  y() {}
}
interface A
  extends B,
    C {
  a: string
}
function foo(
  a: string
): void
{
}
class Q { m()
  {
  } }
export const fn = (
  a: string,
  { b, c }: Props
): Promise<
  Foo
> => {
  return a
}
let v = x as
  Foo
let w: {
  a: string
  b: number
} = { a, b }
var k = function (): void
{
}
a = b
++c
d
--e
return_
x = y
(z)
let q = 1
;[1, 2].forEach(f)
;(() => {})()
x = a
  + b
foo()
/* c */
bar()
if (a) b()
/* d */ else c()
return1
let o = {
  a: 1 /* x */,
  /** doc */
  b: 2
}
interface I {
  a: string
  /** doc */
  b: number
  /** end */
}
class K {
  a = 1
  /** doc */
  b = 2
  /** doc */
  c() {}
  // end
}
enum E {
  /** a */
  A,
  B
  // x
}
chain
  // comment
  .a()
  .b()
type U =
  // a
  | A
  // b
  | B
