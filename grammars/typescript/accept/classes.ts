abstract class A<T> extends B<T> implements C, D<T> {
  private readonly x: string = "a"
  protected static y?: number;
  declare z: string;
  w!: number;
  override foo(): void {}
  abstract bar(): string;
  abstract baz: number
  static { this.y = 1 }
  static async *gen(): AsyncGenerator<number> { yield 1 }
  constructor(private a: string, public readonly b = 1, protected c?: number, readonly d: string = "x") { super() }
  get q(): string { return "" }
  set q(v: string) { }
  static get r() { return 1 }
  accessor acc = 1;
  static accessor acc2: string;
  [key: string]: any;
  static [k: number]: string
  #priv: number = 1;
  method(this: A<T>, x: string): void;
  method(x: any) { return x }
  foo<T>(x: T): x is string { return true }
  "quoted"(): void {}
  123() {}
  [computed]() {}
  async [Symbol.asyncIterator]() {}
  get: string
  set = 1
  static
  readonly: boolean
  async
  declare: string
  type() {}
  of = 1; as() {}
  static static: number
  readonly readonly: string
  public public?: string
}
@Component({ selector: 'x' })
class A {
  @Input() name: string;
  @Output()
  change = new EventEmitter<string>();
  @HostListener('click', ['$event']) onClick(@Inject(FOO) e: Event, @Optional() private readonly x?: Y) {}
  @a.b.c d: string
  @(foo()) e() {}
  @dec static s = 1
  constructor(
    @Inject(A) private readonly a: A,
    @Inject(B)
    public b: B,
  ) {}
}
@dec export class B {}
@dec export default class C {}
export @dec class D {}
@a @b() abstract class E {}
class A { constructor(); constructor(x?: any) { } private constructor(); static #x = 1; static async = 1; static get; static async foo() {} async
x() {} 'constructor'() {} declare readonly x: number; static readonly [x: string]: any; *gen<T>() {} get<T>() {} set(x) {} async<T>() {} readonly = 1; abstract() {} declare() {}  static() {} public() {} private = 1 }
abstract class X { abstract get a(): string; abstract set a(v); abstract b?: string; protected abstract readonly c: number; public static override async d<T>() {} }
let C = class<T> extends B<T> implements I {}; let D = class Foo<T> {}; let E = class extends (foo as any) {}; let F = class extends mixin<T>(A, B)<U> {}; class G extends A.B<C> {} class H extends null {} let I2 = class { x = 1 }
