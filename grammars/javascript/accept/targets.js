new X().y = 1;
(a) = 2;
[a.b, c[0], ...d] = e;
({a, b: c.d} = e);
++a.b[0];
this.x--;
new X(1)[a] += a?.b.c();
for (a.b of c) ;
x = "\0 \x41 \u{41}";
