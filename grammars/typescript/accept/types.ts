let x: number = 1, y!: string, z: string | undefined;
const f = <T,>(x: T) => x;
const g = <T extends object = {}>(x: T): x is NonNullable<T> => !!x;
const h = async <T>(x: T): Promise<T> => { return x };
f<string>("a");
f<Array<Array<string>>>(x);
new Map<string, Array<number>>();
a?.b<string>(c);
a?.<number>(b);
tag<string>`x${1}`;
const inst = f<string>;
const inst2 = [f<string>, g<number>];
if (a < b && c > d) e();
for (let i = 0; i < n; i++) { x = a < b ? c : d }
x = a < b || c >> 2 > d;
y = a << 2 >>> 1;
b >>= 1;
b >>>= 2;
x = (a as number) >> 2;
type A = | string | number & { a: 1 };
type B<T> = T extends (infer U extends string)[] ? U : T extends { a: infer V } ? V : never;
type M = { readonly [K in keyof T]?: T[K] };
type M2 = { -readonly [K in keyof T as `get${Capitalize<K>}`]-?: () => T[K]; };
type M3 = { +readonly [K in 'a' | 'b']+?: X };
type M4 = {[K in Keys]}
type Tup = [a: string, b?: number, ...rest: boolean[]];
type T2 = [string?, ...number[]];
type T3 = readonly [1, -2, 3n];
type T4 = [];
type Fn = (a: string, b?: number, ...rest: any[]) => void;
type Ctor = new (...args: any[]) => object;
type ACtor = abstract new () => void;
type G = <T>(x: T) => T;
type P = ((x: string) => void) | null;
type Pred = (x: unknown) => x is string;
type As = (x: any) => asserts x;
type As2 = (x: any) => asserts x is string;
type Q = typeof x.y.z;
type Q2 = typeof import('./a');
type Im = import('./a').B<string>;
type Q3 = typeof f<string>;
type U = unique symbol;
type Cond = A extends B ? C : D;
type Keys = keyof typeof obj;
type El = Arr[number]['a'];
type Opt = X['a']
interface Foo<T> extends Bar<T>, Baz { a: string; b?: number, readonly c: T
  d(): void; e?<U>(x: U): U; (x: string): number; new (x: string): Foo<T>; [key: string]: any; readonly [i: number]: string; get f(): string; set f(v: string); [Symbol.iterator](): Iterator<T> }
let a = `x${ b as string }y${`nested ${c}`}`;
type T = `a${string}b${number}`;
let r = /ab[/]c/gi.test(x);
let d = a / b / c;
x = a++ / 2;
y = (a) / 2;
z = [1] / 2
let o = a ? /x/ : /y/;
return_ = !/x/.test(y)
type A = B<C<D<E>>>;
let x: A<B<C>>= y;
let y: Array<Array<number>>;
type F = (x: Array<Array<A>>) => Promise<Array<B>>;
let z = new Foo<Bar<Baz<A>>>(x);
f<A<B<C>>>(x);
const g: Map<string, Map<string, A<B>>> = new Map<string, Map<string, A<B>>>()
type X = Foo<typeof bar>;
type Y = Foo<Bar<typeof bar>>;
type Z = A<B<C['x']>>;
type W = A<B<C[]>>;
type V = A<B<'x'>>;
type U = A<B<{}>>;
type T = A<B<[C]>>;
type S = A<B<() => void>>;
type R = A<B<(C)>>;
type Q = A<B<this>>;
type P = A<B<1>>;
type O = A<B<`x`>>;
type N = A<B.C<D.E>>;
type M = A<B<keyof C>>;
type L = A<B<C extends D ? E : F>>;
type K = A<B<null>>
let x: (string | number)[] = [];
let y: { (x: string): void };
let z: { new (): X };
let a: [x: string, y: number];
let b: () => () => void;
let c: (new () => X)[];
let d: A | (() => void);
let e: { [k: string]: { a: 1 } };
let g: -1 | 1n | "a" | true | null | undefined | void;
let h: A.B.C<D>[];
let i: readonly string[];
let j: (a: string) => asserts a is "b";
let k: this;
let l: typeof this.x;
let m: (typeof x)[number];
let n: { a?(): void; b?: string; "c-d": 1; 1: 2; get: string; set?: number; readonly: boolean; new: string; type: 'a'; async(): void; get x(): string; static: 1; delete(): void; default: 1 }
type A = { a: string, b: number; c: boolean };
type B = {};
type C = { a: string; };
type D = { a
b };
type E = { a(x: string): void, b<T>(): T };
function f({ a }: { a: string }) {}
const g = ({ a }: { a: string }) => a;
type F = (a: { b: string }) => void;
