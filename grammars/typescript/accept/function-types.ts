// Functions where `extends` follows, or where it follows them.
type Result<T> = T extends (argument: never, ...rest: never[]) => infer R ? R : never
type Instance<T> = T extends abstract new (...values: any[]) => infer I ? I : T extends new () => any ? 1 : 0;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Both<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
type Guarded<T> = T extends (value: any) => value is infer U ? U : T extends (value: any) => asserts value is infer V ? V : never;
type Field<T> = T extends { make: infer F extends new () => any } ? InstanceType<F> : {}
// Patterns as parameters
type Send = ({ to, body: text }: { to: string, body: string }, [first, , third]: number[], ...[rest]: any[]) => void;
interface Poll {
  ({ count }: State): boolean
  run({ count, ...others }: State): void
  new ({ count }: State): Poll
  wait?: (({ count }: State) => void) | undefined
}
type Grouped = ({ a: b });
// Names after the point, and names that are keywords elsewhere before >>
type Inferred = schema.infer<typeof schema>[] | module.default | A.new.delete<B>;
let typed: A<B<type>>, read: A<B<typeof set>> = check<A<z.infer<typeof of>>>(value);
type Nested = A<B<C.D>> & A<B<C.get>>;

class Api extends Builder.make<Api>("api")
  .add(users)
  .add(groups) {}
const make = (tag: string) => class extends Base { tag = tag } as any
export default { files: ["a"], rules: {} } satisfies Config as unknown
