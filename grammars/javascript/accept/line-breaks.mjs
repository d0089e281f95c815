import data from "./data.json" with { type: "json" }
import style, { one
  /* , two */
} from "./style.css" with { type: "css", };
export * as all from "x" with {}

for (let i = 0;
     i < n;
     ++i
) {
  ++count
  --rest
}
for (
  const item
  of items
) use(item)
if (a) b()
; else c()
const sum = a
  + b
  / c
  / /d/.e
  * f
  /* g */
const is = a
  && b
  instanceof C
  || d
  in e
inner
instance
const list = [
  1,
  a
    ? 2
    /* else */
    : 3
  /* end */
], object = {
  method() {}
  /* end */
}
call(
  list
  /* end */
)
class Child
  extends Base(object)
    .of(1)[2]`x`
{
  field = 1
  static
  of() {}
}
do count++
while (count < 5) after()
