class A { public private int a; }
