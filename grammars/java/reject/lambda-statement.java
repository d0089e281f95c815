class A { void f() { x -> y; } }
