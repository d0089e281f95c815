foo(a,,b);
