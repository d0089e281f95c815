function f(...a, b) { }
