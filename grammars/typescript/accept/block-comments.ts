type Shape =
  | Circle
  /** With corners. */
  | Polygon /* of any
  size */
  // None.
  | null
type Kind<T> = T extends string
  /* text */
  ? "text"
  /* all else */
  : "other"
type Pair = [
  first: string,
  second: number
  /* third */
]
enum Color {
  Red
  /* , Green */
}
import {
  one,
  two
  /* , three */
} from "numbers" /* more */
const object = {
  method() {}
  /* end */
}
call(
  [
    1
    /* 2 */
  ],
  (object
    /* end */
  )
  /* end */
)
function parameters(
  first: string
  /* second */
) {}
