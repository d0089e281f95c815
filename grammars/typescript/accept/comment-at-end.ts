type A = B
// . , ; { c }