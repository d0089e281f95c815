class A { constructor { } }
