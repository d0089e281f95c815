import type A from 'a';
import type { B, C as D } from 'b';
import { type E, type F as G, H } from 'h';
import type * as I from 'i';
import J, { K } from 'k';
import type, { x } from 'y';
import type from 'z';
import { type } from 't';
import { type as as2 } from 'u';
import { type as } from 'v';
import fs = require('fs');
import x = A.B.C;
export import y = A.B;
import type z = require('z');
export type { A, B as C } from 'd';
export type * from 'e';
export type * as ns from 'f';
export { type X, Y };
export * as z from 'q';
export type T = string;
export interface I2 {}
export enum E2 {}
export const enum E3 { }
export namespace N {}
export abstract class Q {}
export declare const w: string;
export declare function f(): void;
export default interface Foo {}
import data from './x.json' with { type: 'json' };
import './side';
export { x as default, y as 'z' } from 'w' with { a: 'b' };
export default function <T>(x: T): T { return x }
export default function foo(x: string): void
export default function foo(x: any) { }
