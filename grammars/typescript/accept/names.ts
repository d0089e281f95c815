let type = 1;
type = 2;
type Foo = string;
let of = 1, as = 2, get = 3, set = 4, declare = 5, namespace = 6, module = 7, abstract = 8, readonly = 9, is = 1, keyof = 2, infer = 3, unique = 4, asserts = 5, global = 6, require = 7, async = 8, from = 9, override = 1, out = 2, accessor = 3, satisfies = 4, using = 5, static_ = 1, constructor = 1, any = 1, string = 2, number = 3, undefined_ = 4, never = 5, object = 6, symbol = 7, bigint = 8, unknown = 1
module.exports = type.of(as, get);
declare = namespace;
abstract;
type;
readonly(keyof, infer);
require('x');
async(1);
async
type
Bar
declare
const q = 1
type type = type;
type of = string;
type async = 1
namespace.foo;
namespace
Foo
{}
