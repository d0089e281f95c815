class A { int while; }
