class A { void f() { else b(); } }
