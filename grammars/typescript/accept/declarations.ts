enum E { A, B = 1 << 2, C = "x".length, 'd-e' = 4, }
const enum F { X = 'x' }
declare enum G { A }
declare const enum H { A = 1 }
namespace A.B.C { export const x = 1; namespace D {} }
declare module "foo" { export function f(): void; export default x; const y: number }
declare module "bar";
declare module Foo { }
declare global { interface Window { a: string } }
declare function f(x: string): void
declare let a: number, b: string
declare class X { constructor(x: string); method(): void; prop: string; static s: number }
declare var process: any
declare type T = string
declare namespace NS { let x: number }
declare abstract class Y {}
function f(x: string): string
function f(x: number): number
function f(x: any) { return x }
function g<T extends keyof U, U = {}>(this: Window, { a, b = 1 }: { a: string; b?: number }, [c, d]: [string, number] = ["", 0], ...rest: T[]): asserts c is string {}
async function* h(): AsyncIterable<number> {}
function assertIsString(val: any): asserts val is string {}
function isThis(): this is Foo {}
function assertThis(): asserts this {}
function k(a?: string, b: number = 1,) {}
interface D {
  <R>(x: R): R
  <A>(action: A): A
  foo: string
  <T>(x: T): T
  [key: string]: any
  (x: number): void
  method<T>(
    a: T,
    b: string
  ): T
}
