function f(x): x is {
