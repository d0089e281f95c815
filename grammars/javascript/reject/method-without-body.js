class A { m() }
