class A { } /* no end
