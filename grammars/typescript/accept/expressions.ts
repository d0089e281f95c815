let a = x as const;
let b = y as unknown as string[];
let c = z satisfies Foo<Bar>;
let d = <any>e;
let f = <const>["a"];
let g = (h as any).i!.j![0]!();
x! = 1;
a!.b++;
let k = a! + b!;
const l = a as A | B;
m = n as string ?? p;
if (a as boolean) {}
const v = (x as Foo)<string>(y);
foo(a as string, b as number);
return_(a as X && b);
let t = { a: 1 as const, b: <T>(x: T) => x, c<T>(this: X, y?: T): void {}, async d() {}, get e(): string { return '' }, set e(v: string) {}, [f]: 1, ...g };
x = y as string | undefined;
for (const k of Object.keys(o) as Array<keyof T>) {}
x = y as any as T[keyof T];
z = (<any>window).foo;
w = y as typeof z;
const a = b ? (c) : d => e;
const f = b ? (c, d) : e;
const g = b ? (c): d => e : f;
const h = a ? b : (c): string => d;
const i = a ? (x: number): number => x : y
const j = cond ? <T>(x: T) => x : null;
case_: switch (x) { case (a): b(); case c ? (d) : e: f() }
let f = async x => x;
let g = async (x) => { await x };
let h = async function* () {};
let i = function* <T>(x: T) { yield* x; yield };
let j = () => ({});
let k = (): { a: string } => ({ a });
let l = ({ a, b: [c] }: X = {}, [d, ...e]: Y[] = []) => {};
let m = (this_: X) => 1;
let n = (a?, b?: number) => 1;
(x) => y, z
let o = (a = 1, ...b) => b;
let p = (a: string = "x", b?: () => void) => {};
(function (this: any) {})();
new (foo())();
new a.b.c;
new Foo;
new Foo<T>;
new Foo<T>().bar;
new.target;
import.meta.url;
import('x').then();
await import('y')
let {a, b: c, ...d}: X = e;
let [f, , g, ...h]: Y = i;
({ a, b } = c);
[a, b] = [b, a];
({ a = 1 } = b);
for (const [k, v] of m) {}
for (const { a, b } of c) {}
for (let i = 0, j = 1; i < j; i++, j--) {}
for (const k in o) {}
for (x of y) {}
for (x.y in z) {}
[, a] = b;
[[a], {b}] = c
export const { x, y } = z, [w] = v;
export let q: string;
export default { a: 1 };
export default (a: string) => a;
export default async () => {}
let x = a satisfies B as C;
let y = (a, b);
let z = void 0;
delete a.b;
typeof a === 'b';
a in b;
#x in y;
a instanceof B;
a ** b;
a ??= b;
a ||= c;
a &&= d;
x = y = z;
a?.[0]?.(b)?.c;
a?.b!.c;
(a?.b)!.c;
yield_;
1_000;
0xff;
1e5;
.5;
5.;
0b1;
0o7;
10n
url = `${host}//${path}/* ${b}` + `${a}
// "not quoted ${b}`
